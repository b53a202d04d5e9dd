package import AdTracking
package import Ports

/// A beacon's identity in the journal's columns, the same in every run.
package struct JournalBeacon: Sendable, Hashable {
    package var session: String
    /// `=name` with the name from metadata, or `start:index` in microseconds without one.
    package var breakName: String
    /// The same form as `breakName`.
    package var adName: String
    package var adStart: UnixTime
    package var type: String
    package var start: UnixTime
    package var url: String

    package init(
        session: String, breakName: String, adName: String, adStart: UnixTime, type: String, start: UnixTime,
        url: String
    ) {
        self.session = session
        self.breakName = breakName
        self.adName = adName
        self.adStart = adStart
        self.type = type
        self.start = start
        self.url = url
    }
}

/// The intent to send one beacon once, on disk before the request is sent.
package struct JournalClaim: Sendable, Hashable {
    /// Unique in one run of the session.
    package var number: Int
    package var beacon: JournalBeacon
    /// Number of the user action for a user event; 0 for other events.
    package var round: Int
    /// Attempt number, from 1.
    package var attempt: Int
    package var at: UnixTime
    /// Media time between the due time and the first claim; nil for beacons without a due time.
    package var late: Duration?

    package init(
        number: Int, beacon: JournalBeacon, round: Int, attempt: Int, at: UnixTime, late: Duration? = nil
    ) {
        self.number = number
        self.beacon = beacon
        self.round = round
        self.attempt = attempt
        self.at = at
        self.late = late
    }
}

/// The result of a claim.
package struct JournalOutcome: Sendable, Hashable {
    /// The claim's `JournalClaim.number`.
    package var claim: Int
    /// A raw value of `DeliveryState`: `acknowledged`, `rejected`, `failed` or `skipped`.
    package var state: String
    package var status: Int?
    package var at: UnixTime
    /// How late the beacon was when its request was written, where that was later than its claim.
    package var late: Duration?

    package init(claim: Int, state: String, status: Int?, at: UnixTime, late: Duration? = nil) {
        self.claim = claim
        self.state = state
        self.status = status
        self.at = at
        self.late = late
    }
}

/// A beacon in the journal: its last claim, and the end of that claim if known.
package struct JournalEntry: Sendable, Hashable {
    package var beacon: JournalBeacon
    package var round: Int
    package var attempt: Int
    /// As `JournalOutcome.state`; nil when the process ended between claim and answer.
    package var outcome: String?

    package init(beacon: JournalBeacon, round: Int, attempt: Int, outcome: String?) {
        self.beacon = beacon
        self.round = round
        self.attempt = attempt
        self.outcome = outcome
    }
}

/// A beacon to write to a new journal after a loss, with the claim in progress if there is one.
package struct JournalHolding: Sendable, Hashable {
    package var entry: JournalEntry
    /// `JournalClaim.number` of the request in flight.
    package var claim: Int?
    /// The status of the answer to the last try; nil where there was none.
    package var status: Int?
    /// Whether the journal has it in the session before this one, where it is counted.
    package var isCopy = false

    package init(entry: JournalEntry, claim: Int? = nil, status: Int? = nil, isCopy: Bool = false) {
        self.entry = entry
        self.claim = claim
        self.status = status
        self.isCopy = isCopy
    }
}

extension JournalHolding {
    init(_ held: HeldBeacon) {
        self.init(
            entry: JournalEntry(
                beacon: JournalBeacon(held.key), round: held.round, attempt: held.attempt,
                outcome: held.outcome?.rawValue),
            claim: held.claim?.number, status: held.status)
    }
}

extension JournalClaim {
    package init(_ claim: ClaimRecord) {
        self.init(
            number: claim.id.number, beacon: JournalBeacon(claim.key), round: claim.round, attempt: claim.attempt,
            at: claim.at.wall, late: claim.late)
    }
}

extension JournalOutcome {
    package init(_ outcome: OutcomeRecord) {
        self.init(
            claim: outcome.id.number, state: outcome.state.rawValue, status: outcome.status, at: outcome.at.wall,
            late: outcome.late)
    }
}

extension JournalOpening {
    /// The entries that have the form of `JournalBeacon`.
    var restored: [RestoredBeacon] {
        entries.compactMap(\.restored).map { beacon in
            var beacon = beacon
            beacon.goesOn = isTakenOver
            return beacon
        }
    }
}

extension JournalEntry {
    /// Nil when the names do not have the form of `JournalBeacon`.
    package var restored: RestoredBeacon? {
        beacon.key.map {
            RestoredBeacon(key: $0, round: round, attempt: attempt, outcome: outcome.flatMap(DeliveryState.init))
        }
    }
}

extension JournalBeacon {
    init(_ key: URLKey) {
        self.init(
            session: key.event.session, breakName: Self.text(of: key.event.breakName),
            adName: Self.text(of: key.event.adName), adStart: key.event.adStart, type: key.event.type,
            start: key.event.start, url: key.url)
    }

    var key: URLKey? {
        guard let breakName = Self.name(of: breakName), let adName = Self.name(of: adName) else { return nil }
        let event = EventKey(
            session: session, breakName: breakName, adName: adName, adStart: adStart, type: type, start: start)
        return URLKey(event: event, url: url)
    }

    static func text(of name: NodeName) -> String {
        switch name {
        case .given(let text): "=" + text
        case .synthesized(let start, let index): "\(start.microseconds):\(index)"
        }
    }

    private static func name(of text: String) -> NodeName? {
        if text.utf8.first == UInt8(ascii: "=") { return .given(String(text.unicodeScalars.dropFirst())) }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let start = Int64(parts[0]), let index = Int(parts[1]) else { return nil }
        return .synthesized(start: UnixTime(microseconds: start), index: index)
    }
}
