import AdTracking
import Screen
import Session

/// What became of the events of a break, each counted once: events that only a viewer triggers are left out, as in the
/// list. What was lost is counted in beacons, as in the header (docs/states.md).
struct BreakOutcome: Equatable {
    /// The word of a break without an ad, in the place of its length and its state.
    static let noAds: SafeText = "no ads"

    /// Acknowledged.
    private(set) var done = 0
    /// Due, and not sent in observe mode.
    private(set) var observed = 0
    /// Beacons that failed.
    private(set) var failed = 0
    /// Beacons that were sent, with an outcome that is not known.
    private(set) var unknown = 0
    /// The events of which these were lost.
    private var lostEvents = 0
    /// Due or passed, and not sent for another reason.
    private(set) var unsent = 0
    /// All events.
    private(set) var total = 0
    /// Those of the unsent ones that the service reports.
    private var byService = 0
    /// Whether it has no ad at all.
    private var isEmpty = false

    init(_ view: BreakView) {
        isEmpty = view.isEmpty
        for ad in view.ads {
            for event in ad.events { count(event) }
        }
    }

    /// The same of one ad.
    init(_ ad: AdView) {
        for event in ad.events { count(event) }
    }

    private mutating func count(_ event: EventView) {
        guard event.isCounted else { return }
        total += 1
        failed += event.failedBeacons
        unknown += event.unknownBeacons
        switch event.state {
        case .done: done += 1
        case .observed: observed += 1
        case .failed, .partial, .unknown: lostEvents += 1
        case .idle, .connecting: break
        case .skipped:
            unsent += 1
            if event.reason == .serverBeaconed { byService += 1 }
        }
    }

    /// `18 of 18 done`, `16 of 18 done, 1 failed, 1 unknown`, `15 of 18 done, 4 beacons failed`, `18 due, none sent (observe)`,
    /// `18 reported by the service`, `none of 18 sent`.
    var line: StyledLine {
        guard total > 0 else { return StyledLine(isEmpty ? Self.noAds : "no beacons", .textMuted) }
        guard byService < total else {
            return .of("\(total) \(SkipReason.serverBeaconed.words.sentence)", .textMuted)
        }
        if done + failed + unknown == 0, observed > 0 {
            return .of("\(observed) due, none sent (observe)", .stateObserved)
        }
        var line = StyledLine.of(
            done + failed + unknown == 0 ? "none of \(total) sent" : "\(done) of \(total) done",
            done == total ? .stateDone : .text)
        for part in Self.lost(failed: failed, unknown: unknown, events: lostEvents) {
            line.append(", ", .text)
            line.add(part.text, part.role)
        }
        return line
    }

    /// `1 failed`, `2 unknown`. Where an event lost several beacons the noun is added (`4 beacons failed`): beside counts of events
    /// the sum would be more than all of them.
    static func lost(failed: Int, unknown: Int, events: Int) -> [(text: String, role: Role)] {
        let namesBeacons = failed + unknown > events
        return [(failed, StateWord.failed, Role.stateFailed), (unknown, .unknown, .stateUnknown)]
            .filter { $0.0 > 0 }
            .map { count, word, role in
                ("\(namesBeacons ? plural(count, "beacon") : "\(count)") \(word.rawValue)", role)
            }
    }
}
