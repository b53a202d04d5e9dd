import AdTracking
import Ports
import Screen
import Session

/// What became of the events of a break, each counted once: events that only a viewer triggers are left out, as in the
/// list.
struct BreakOutcome: Equatable {
    /// The word of a break without an ad, in the place of its length and its state.
    static let noAds: SafeText = "no ads"
    /// The word of an interstitial whose assets could not be loaded, as in the detail of its date range.
    static let cancelled = SafeText(outside: InterstitialView.State.cancelled.rawValue)

    /// Acknowledged.
    private(set) var done = 0
    /// Due, and not sent in observe mode.
    private(set) var observed = 0
    private(set) var lost = LostBeacons()
    /// Due or passed, and not sent for another reason.
    private(set) var unsent = 0
    /// Those that were sent, or due in observe mode, late (docs/states.md).
    private(set) var late = 0
    /// All events.
    private(set) var total = 0
    /// Those of the unsent ones that the service reports.
    private var byService = 0
    /// Those of the unsent ones that are older than everything that was played.
    private var beforeJoin = 0
    /// Whether it has no ad at all.
    private var isEmpty = false
    /// Whether it is an interstitial whose assets could not be loaded.
    private var isCancelled = false

    init(_ view: BreakView) {
        isEmpty = view.isEmpty
        isCancelled = view.problem != nil
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
        if event.isLate { late += 1 }
        lost.count(event)
        switch event.state {
        case .done: done += 1
        case .observed: observed += 1
        case .idle, .connecting, .failed, .partial, .unknown: break
        case .skipped:
            unsent += 1
            if event.reason == .serverBeaconed { byService += 1 } else if event.isBeforeJoin { beforeJoin += 1 }
        }
    }

    /// `18 of 18 done`, `6 of 6 done, 6 late`, `16 of 18 done, 1 failed, 1 unknown`, `15 of 18 done, 4 beacons failed`, `18 due, none sent (observe)`,
    /// `18 reported by the service`, `before this session joined`, `none of 18 sent`.
    var line: StyledLine {
        guard total > 0 else {
            guard !isCancelled else { return StyledLine(Self.cancelled, .stateFailed) }
            return StyledLine(isEmpty ? Self.noAds : "no beacons", .textMuted)
        }
        guard byService < total else {
            return .of("\(total.grouped) \(SkipReason.serverBeaconed.words.sentence)", .textMuted)
        }
        guard beforeJoin < total else { return StyledLine("before this session joined", .textMuted) }
        let isNoneSent = done == 0 && lost.isEmpty
        var line: StyledLine
        if isNoneSent, observed > 0 {
            line = .of("\(observed.grouped) due, none sent (observe)", .stateObserved)
        } else {
            line = .of(
                isNoneSent ? "none of \(total.grouped) sent" : "\(done.grouped) of \(total.grouped) done",
                done == total ? .stateDone : .text)
        }
        var parts = lost.parts
        if late > 0 { parts.append(("\(late.grouped) late", .stateRetry)) }
        for part in parts {
            line.append(", ", .text)
            line.add(part.text, part.role)
        }
        return line
    }
}
