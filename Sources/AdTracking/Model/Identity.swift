package import Ports

/// Identifies a break in one session's book. It is given when the break first appears, never reused, and not stable
/// across restarts.
package struct BreakID: Hashable, Comparable, Sendable {
    package var number: Int
    package init(_ number: Int) { self.number = number }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Identifies an ad in one session's book, under the rules of ``BreakID``.
package struct AdID: Hashable, Comparable, Sendable {
    package var number: Int
    package init(_ number: Int) { self.number = number }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Identifies a tracking event in one session's book, under the rules of ``BreakID``.
package struct EventID: Hashable, Comparable, Sendable {
    package var number: Int
    package init(_ number: Int) { self.number = number }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The name of a break or an ad in identities.
package enum NodeName: Hashable, Sendable {
    case given(String)
    /// Metadata gives no id: the name is `start:index`. The index counts siblings without an id and with the same
    /// start; the place in the list would shift as old nodes leave (TRK-19).
    case synthesized(start: UnixTime, index: Int)

    package var text: String {
        switch self {
        case .given(let name): name
        case .synthesized(let start, let index): "\(start.roundedMilliseconds):\(index)"
        }
    }

    package var given: String? {
        if case .given(let name) = self { name } else { nil }
    }
}

/// The identity of an event: session, break, ad, ad start, type and start when the event first appeared (TRK-16). It
/// does not change when the node is refreshed, so a moved start never sends a beacon again. Durations are not part of
/// it, because they grow with every poll.
package struct EventKey: Hashable, Sendable {
    /// The ad of an event. Its events share one, so that their names are kept once.
    package final class Owner: Hashable, Sendable {
        let session: String
        let breakName: NodeName
        let adName: NodeName
        let adStart: UnixTime
        /// Hash of the names that metadata gave; zero where the ad has none.
        fileprivate let namesHash: UInt32

        package init(session: String, breakName: NodeName, adName: NodeName, adStart: UnixTime) {
            (self.session, self.breakName, self.adName, self.adStart) = (session, breakName, adName, adStart)
            namesHash = Self.namesHash(breakName, adName)
        }

        private static func namesHash(_ breakName: NodeName, _ adName: NodeName) -> UInt32 {
            guard let ad = adName.given else { return 0 }
            var hasher = Hasher()
            hasher.combine(breakName.given)
            hasher.combine(ad)
            return UInt32(truncatingIfNeeded: hasher.finalize()) | 1
        }

        package static func == (left: Owner, right: Owner) -> Bool {
            left === right
                || left.adStart == right.adStart && left.adName == right.adName && left.breakName == right.breakName
                    && left.session == right.session
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(session)
            hasher.combine(breakName)
            hasher.combine(adName)
            hasher.combine(adStart)
        }
    }

    let owner: Owner
    /// The name of the event in metadata.
    package let type: String
    package private(set) var start: UnixTime

    package var session: String { owner.session }
    package var breakName: NodeName { owner.breakName }
    package var adName: NodeName { owner.adName }
    package var adStart: UnixTime { owner.adStart }
    /// Hash of the names that metadata gave to break and ad; zero where the ad has none.
    var namesHash: UInt32 { owner.namesHash }

    package init(of owner: Owner, type: String, start: UnixTime) {
        (self.owner, self.type, self.start) = (owner, type, start)
    }

    package init(
        session: String, breakName: NodeName, adName: NodeName, adStart: UnixTime, type: String, start: UnixTime
    ) {
        let owner = Owner(session: session, breakName: breakName, adName: adName, adStart: adStart)
        self.init(of: owner, type: type, start: start)
    }

    /// The same event where metadata has it now: what nothing was claimed of yet is known by its newest start.
    func moved(to start: UnixTime) -> EventKey {
        var moved = self
        moved.start = start
        return moved
    }
}

/// The identity of one beacon, its event and its URL, as a journal stores it.
package struct URLKey: Hashable, Sendable {
    package var event: EventKey
    package var url: String

    package init(event: EventKey, url: String) {
        self.event = event
        self.url = url
    }
}
