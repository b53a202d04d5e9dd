/// One URL that a bidder wants to be called.
package struct Notice: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Won; not billable. May bring the markup where the bid has none.
        case win = "nurl"
        case loss = "lurl"
        /// Billable: the ad was shown.
        case billing = "burl"
    }

    package var kind: Kind
    /// Among the candidates of the result.
    package var candidate: Int
    /// With macros.
    package var template: String
    /// What the macros of this notice stand for.
    package var macros: AuctionMacros

    /// As it is called.
    package var url: String { macros.fill(template) }
}

/// When a notice is tried again: only billing notices, six times, ten seconds apart, after anything but 200 and 204
/// (BID-20).
package enum NoticeRetry {
    package static let maximumRetries = 6
    package static let interval: Duration = .seconds(10)

    /// How long to wait before the next try; nil when there is none. `status` is nil where no answer came.
    package static func wait(after tries: Int, of kind: Notice.Kind, status: Int?) -> Duration? {
        guard kind == .billing, status != 200, status != 204, tries <= maximumRetries else { return nil }
        return interval
    }
}
