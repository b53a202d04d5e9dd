import AdTracking
import Ports
import Screen
import Session

/// The row of a break: when, how long, how far, and how its beacons went. What says least drops first (TERM-31).
enum BreakRow {
    /// The most columns of a label.
    static let labelLimit = 12

    /// The row behind `head`, the arrow. Labels are as wide as the longest, so that times stay in one column.
    static func row(
        _ summary: BreakSummary, marks: (errors: Int, warnings: Int)?, labelColumns: Int, _ context: ViewContext,
        after head: StyledLine
    ) -> FittedRow {
        let view = summary.view
        var first = head
        first.append(context.badge(NodeSign(view, summary.tally), withWord: false))
        first.space()
        let label = SafeText(outside: view.label, columns: labelLimit)
        first.append(label, view.hasVanished ? .textMuted : .text)
        first.space(max(0, labelColumns - label.columns))
        var row = FittedRow()
        row.left = [
            FittedRow.Item([first]),
            FittedRow.Item([.of(TimeText.clock(view.start), .textMuted), StyledLine()], ranks: [8]),
            length(view), ads(view, context), source(view),
        ]
        if view.problem != nil {
            row.left.append(
                FittedRow.Item([StyledLine(BreakOutcome.cancelled, .stateFailed), StyledLine()], ranks: [7]))
        }
        if view.hasVanished {
            row.left.append(FittedRow.Item([StyledLine("removed", .stateUnknown), StyledLine()], ranks: [5]))
        }
        row.right = [
            self.marks(summary, marks, context), bar(summary, context), FittedRow.Item([end(summary, context)], gap: 1),
        ]
        return row
    }

    /// The length that is announced, and while the break grows what is there of it.
    private static func length(_ view: BreakView) -> FittedRow.Item {
        guard !view.isEmpty else {
            // How many ads it would have had is not known.
            guard view.problem == nil else { return .nothing }
            return FittedRow.Item([StyledLine(BreakOutcome.noAds, .textMuted), StyledLine()], ranks: [9])
        }
        let planned = view.announcedDuration
        var line = StyledLine.of(TimeText.span(planned), .text)
        guard planned > view.duration, view.duration > .zero else {
            return FittedRow.Item([line, StyledLine()], ranks: [9])
        }
        let short = line
        line.add(" (\(TimeText.span(view.duration)) so far)", .textMuted)
        return FittedRow.Item([line, short, StyledLine()], ranks: [1, 9])
    }

    /// `2 of 3 ads` while it is on air.
    private static func ads(_ view: BreakView, _ context: ViewContext) -> FittedRow.Item {
        guard !view.ads.isEmpty else { return .nothing }
        var text = view.ads.count.counted("ad")
        if view.isOnAir, let current = view.ads.firstIndex(where: \.isOnAir) { text = "\(current + 1) of \(text)" }
        return FittedRow.Item([.of(text, .textMuted), StyledLine()], ranks: [3])
    }

    /// Where it is known from, if that is not the metadata.
    private static func source(_ view: BreakView) -> FittedRow.Item {
        guard view.origin != .metadata else { return .nothing }
        let text: SafeText =
            view.isCuesOnly ? "cues only" : SafeText(outside: view.origin?.rawValue ?? view.source, columns: 16)
        return FittedRow.Item([StyledLine(text, .textMuted), StyledLine()], ranks: [2])
    }

    /// What is wrong with it: sources that contradict each other, beacons that failed, and what was late.
    private static func marks(
        _ summary: BreakSummary, _ findings: (errors: Int, warnings: Int)?, _ context: ViewContext
    ) -> FittedRow.Item {
        let glyphs = context.glyphs
        var line = StyledLine()
        if !summary.view.differences.isEmpty { line.append(glyphs.isASCII ? "!=cue" : "≠cue", .logWarn) }
        if let findings {
            if line.columns > 0 { line.space() }
            line.append(SafeText(glyphs.warning), findings.errors > 0 ? .logError : .logWarn)
            line.add((findings.errors + findings.warnings).grouped, findings.errors > 0 ? .logError : .logWarn)
        }
        for (count, sign) in [
            (summary.tally.lost.failed, StateSign.failed), (summary.tally.lost.unknown, .unknown),
        ] where count > 0 {
            if line.columns > 0 { line.space() }
            line.append(SafeText(glyphs.sign(sign)), sign.role)
            line.add(TimeText.grouped(count), sign.role)
        }
        guard summary.tally.lost.isMoreThanEvents else {
            return FittedRow.Item([withLate(line, summary.tally), StyledLine()], ranks: [6])
        }
        var named = line
        named.append(summary.tally.lost.beacons == 1 ? " beacon" : " beacons", .textMuted)
        let forms = [named, line].map { withLate($0, summary.tally) }
        return FittedRow.Item(forms + [StyledLine()], ranks: [1, 6])
    }

    /// `✗1 6 late`
    private static func withLate(_ marks: StyledLine, _ tally: Tally) -> StyledLine {
        guard tally.late > 0 else { return marks }
        var line = marks
        if line.columns > 0 { line.space() }
        line.add("\(tally.late.grouped) late", .stateRetry)
        return line
    }

    private static func bar(_ summary: BreakSummary, _ context: ViewContext) -> FittedRow.Item {
        guard summary.tally.reason == nil else { return .nothing }
        var line = StyledLine()
        for sign in summary.bar { line.append(SafeText(context.glyphs.cell(sign)), sign.role) }
        return FittedRow.Item([line, StyledLine()], ranks: [4])
    }

    private static func end(_ summary: BreakSummary, _ context: ViewContext) -> StyledLine {
        if summary.tally.total == 0 { return StyledLine() }
        let text = TallyText.fraction(summary.tally, context)
        var line = StyledLine()
        line.space(max(0, 5 - text.columns))
        line.append(text)
        return line
    }
}
