import AdTracking
import Ports
import Screen
import Session

/// The totals of a break or an ad in words: the same in rows and in the detail, and in observe mode never a claim that
/// something was sent.
enum TallyText {
    /// Whether nothing was sent and nothing is on its way, because the session only observes.
    private static func isObserved(_ tally: Tally, _ mode: ReportingMode) -> Bool {
        tally.done + tally.busy == 0 && tally.lost.isEmpty && (tally.observed > 0 || mode == .observe)
    }

    /// `11 of 18 done   1 failed   2 late   6 not sent`, or `12 of 12 due, none sent (observe)`.
    static func sentence(_ tally: Tally, isCuesOnly: Bool, _ context: ViewContext) -> StyledLine {
        guard tally.total > 0 else {
            return StyledLine(isCuesOnly ? "only cues announce it: nothing to report" : "nothing to report", .textMuted)
        }
        var line = StyledLine()
        if let reason = tally.reason {
            line.add("\(tally.total.grouped) \(StateWord.notSent.rawValue): \(reason.sentence)", .text)
            return line
        }
        guard !isObserved(tally, context.snapshot.session.mode) else {
            line.add("\(tally.observed.grouped) of \(tally.total.grouped) due, none sent (observe)", .text)
            late(tally, &line)
            unsent(tally, &line)
            return line
        }
        line.add("\(tally.done.grouped) of \(tally.total.grouped) \(StateWord.done.rawValue)", .text)
        for part in tally.lost.parts {
            line.add("   \(part.text)", part.role)
        }
        late(tally, &line)
        for (count, word, role) in [
            (tally.busy, StateWord.busy, Role.stateBusy), (tally.observed, .observed, .stateObserved),
        ] where count > 0 { line.add("   \(count.grouped) \(word.rawValue)", role) }
        unsent(tally, &line)
        return line
    }

    /// `   2 late`
    private static func late(_ tally: Tally, _ line: inout StyledLine) {
        if tally.late > 0 { line.add("   \(tally.late.grouped) late", .stateRetry) }
    }

    /// `   12 not sent (host not allowed)`, or with the most frequent reason: `   12 not sent (9 host not allowed)`.
    private static func unsent(_ tally: Tally, _ line: inout StyledLine) {
        guard tally.unsent > 0 else { return }
        line.add("   \(tally.unsent.grouped) \(StateWord.notSent.rawValue)", .stateOff)
        if let reason = tally.unsentReasons.words.first { line.add(" (\(reason))", .stateOff) }
    }

    /// `11/18`, or `12 due` while nothing is sent; a dash without events.
    static func fraction(_ tally: Tally, _ context: ViewContext) -> StyledLine {
        guard tally.total > 0 else { return StyledLine("-", .textMuted) }
        if let reason = tally.reason { return .of(reason.short, .stateOff) }
        guard !isObserved(tally, context.snapshot.session.mode) else {
            return .of(
                "\(tally.observed.grouped)/\(tally.total.grouped) due", tally.late > 0 ? .stateRetry : .paneCount)
        }
        let lost: Role? = tally.lost.failed > 0 ? .stateFailed : tally.lost.unknown > 0 ? .stateUnknown : nil
        let role = lost ?? (tally.late > 0 ? .stateRetry : .paneCount)
        return .of("\(tally.done.grouped)/\(tally.total.grouped)", role)
    }
}
