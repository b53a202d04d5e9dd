import AdTracking
import Ports
import Screen
import Session

/// What was lost of some events. It is counted in beacons, as in the header (docs/states.md): each URL counts, because an event may have
/// several, and only some of them fail.
struct LostBeacons: Sendable, Equatable {
    /// Beacons that failed.
    private(set) var failed = 0
    /// Beacons that were sent, with an outcome that is not known.
    private(set) var unknown = 0
    /// Events of which beacons were lost, and which are neither done nor under way.
    private var events = 0

    /// All of them.
    var beacons: Int { failed + unknown }
    var isEmpty: Bool { beacons == 0 }
    /// Beside counts of events they are then called beacons: the sum would be more than all of them.
    var isMoreThanEvents: Bool { beacons > events }

    /// Adds one event, which counts (`EventView.isCounted`).
    mutating func count(_ event: EventView) {
        for url in event.urls {
            switch url.state {
            case .failed, .rejected: failed += 1
            case .unknown: unknown += 1
            case .planned, .claimed, .sent, .waiting, .acknowledged, .skipped, .observed: break
            }
        }
        if event.hasLoss { events += 1 }
    }

    mutating func add(_ other: LostBeacons) {
        failed += other.failed
        unknown += other.unknown
        events += other.events
    }

    /// `1 failed`, `2 unknown`; with the noun where they are more than events: `4 beacons failed`.
    var parts: [(text: String, role: Role)] {
        [(failed, StateWord.failed, Role.stateFailed), (unknown, .unknown, .stateUnknown)]
            .filter { $0.0 > 0 }
            .map { count, word, role in
                ("\(isMoreThanEvents ? count.counted("beacon") : count.grouped) \(word.rawValue)", role)
            }
    }
}
