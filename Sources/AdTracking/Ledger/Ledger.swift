package import Ports

/// The delivery state of every URL of a session, and the only place that decides to send.
package struct Ledger: Sendable {
    /// Attempts remembered per URL, the newest.
    package static let attemptsKept = 8

    package private(set) var mode: ReportingMode

    package init(mode: ReportingMode) {
        self.mode = mode
    }

    package subscript(event: EventID) -> EventDelivery? { nil }

    /// The claims are on disk: they may be sent.
    package mutating func claimsWritten(_ claims: [ClaimID], at now: Moment) -> [LedgerEffect] { [] }
}
