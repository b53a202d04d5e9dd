import Ports

/// What belongs to a listed ad beside its own events: companions, verification scripts and icons. Their events have no moments of
/// their own.
package struct ListedParts: Hashable, Sendable {
    package var companions: [Companion] = []
    package var verifications: [Verification] = []
    package var icons: [Icon] = []

    package init() {}

    var isEmpty: Bool { companions.isEmpty && verifications.isEmpty && icons.isEmpty }

    /// The parts of an ad that starts at this date, and their events with it.
    func placed(at start: UnixTime) -> ListedParts {
        var placed = self
        for part in placed.companions.indices {
            for event in placed.companions[part].events.indices { placed.companions[part].events[event].start = start }
        }
        for part in placed.verifications.indices {
            for event in placed.verifications[part].events.indices {
                placed.verifications[part].events[event].start = start
            }
        }
        return placed
    }
}
