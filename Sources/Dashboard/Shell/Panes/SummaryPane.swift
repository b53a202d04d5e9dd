import AdTracking
import Ports
import Screen
import Session

/// The totals: per break, per event name, per host, per answer.
enum SummaryPane {
    private static let labelColumns = 19
    /// The same beside a column of unknown outcomes.
    private static let shortLabel = 15

    /// Draws the pane.
    static func draw(_ context: ViewContext, _ model: TreeModel, in rect: Rect, on grid: inout Grid) {
        let isFocused = context.focus == .summary
        let isBoxed = context.isBoxed
        let frame = PaneFrame(
            title: ScrollLines.title("[4] Summary", pane: .summary, context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        let all = lines(context, model, height: content.height)
        ScrollLines.draw(all, pane: .summary, context, in: content, on: &grid)
        let viewport = Viewport(
            count: all.count, height: content.height, offset: context.scrolls.offsets[.summary] ?? 0)
        frame.position(viewport, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// `height` is the number of rows: the table of breaks shows only the newest where everything must fit.
    static func lines(_ context: ViewContext, _ model: TreeModel, height: Int) -> [StyledLine] {
        let blocks = [
            breaks(context, model, limit: max(4, height / 4)), events(context, model), hosts(context), totals(context),
        ].filter { !$0.isEmpty }
        return Array(blocks.joined(separator: [StyledLine()]))
    }

    private static func breaks(_ context: ViewContext, _ model: TreeModel, limit: Int) -> [StyledLine] {
        let all = model.summaries
        guard !all.isEmpty else { return [] }
        let hasUnknown = all.contains { $0.tally.lost.unknown > 0 }
        let due = context.snapshot.session.mode == .observe ? "due" : "done"
        let titles = [due, "busy", "failed"] + (hasUnknown ? [StateWord.unknown.rawValue] : []) + ["idle"]
        let losesMore = all.contains { $0.tally.lost.isMoreThanEvents }
        var lines = losesMore ? [losses(hasUnknown: hasUnknown)] : []
        let table = BreakColumns(hasUnknown: hasUnknown, glyphs: context.glyphs)
        lines.append(table.row("", titles.map { ($0, .textMuted) }))
        // The newest break on air or ended, and its neighbours; the rest is a line. So are those before the join, of which nothing counts.
        let joined = all.prefix { $0.tally.reason == .beforeJoin }.count
        if joined > 0 { lines.append(.of("\(joined.grouped) \(ReasonWord.beforeJoin.short)", .textMuted)) }
        let current = all.lastIndex { $0.view.isOnAir || $0.view.hasEnded } ?? 0
        let last = max(joined, min(all.count, current + 2))
        let first = max(joined, last - limit)
        if first > joined {
            let earlier = all[joined..<first].reduce(into: Tally()) { $0.add($1.tally) }
            lines.append(table.row("\(first - joined) earlier", earlier))
        }
        for summary in all[first..<last] { lines.append(table.row(summary.view.label, summary.tally)) }
        return lines
    }

    /// What the columns of both tables of events count, where the losses are not as many events.
    private static func losses(hasUnknown: Bool) -> StyledLine {
        let words = [StateWord.failed] + (hasUnknown ? [.unknown] : [])
        let columns = words.map(\.rawValue).joined(separator: ", ")
        return .of("\(columns): beacons; rest: events", .textMuted)
    }

    /// The columns of the table of breaks. Beside one of unknown outcomes the others are as narrow as their titles.
    private struct BreakColumns {
        let hasUnknown: Bool
        let glyphs: Glyphs

        private var labelColumns: Int { hasUnknown ? 8 : 10 }
        private var widths: [Int] { hasUnknown ? [5, 5, 7, 8, 5] : [7, 7, 7, 7] }

        func row(_ label: String, _ tally: Tally) -> StyledLine {
            func cell(_ count: Int, _ role: Role = .text) -> (text: String, role: Role) {
                (TimeText.grouped(count), count > 0 ? role : .text)
            }
            var cells = [cell(tally.done + tally.observed), cell(tally.busy), cell(tally.lost.failed, .stateFailed)]
            if hasUnknown { cells.append(cell(tally.lost.unknown, .stateUnknown)) }
            return row(label, cells + [cell(tally.idle)])
        }

        /// A number that is wider than its column moves those before it to the left, so that two never touch. The label has what the
        /// first one leaves.
        func row(_ label: String, _ cells: [(text: String, role: Role)]) -> StyledLine {
            var ends: [Int] = []
            var column = labelColumns + widths.reduce(0, +)
            var start = column + 1
            for (cell, width) in zip(cells, widths).reversed() {
                ends.insert(min(column, start - 1), at: 0)
                start = ends[0] - cell.text.utf8.count
                column -= width
            }
            var line = StyledLine(SafeText(outside: label).truncatedTail(to: max(0, start - 1), glyphs), .text)
            line.pad(to: min(labelColumns, max(0, start)))
            for (cell, end) in zip(cells, ends) {
                line.append(SafeText(outside: cell.text).paddedStart(to: max(0, end - line.columns)), cell.role)
            }
            return line
        }
    }

    private static func events(_ context: ViewContext, _ model: TreeModel) -> [StyledLine] {
        let totals = totals(of: model.summaries)
        guard !totals.isEmpty else { return [] }
        let hasUnknown = totals.contains { $0.lost.unknown > 0 }
        let due: SafeText = context.snapshot.session.mode == .observe ? "due" : "done"
        var lines = [heading("by event", due, hasUnknown: hasUnknown)]
        for tally in totals.sorted(by: isBefore).prefix(shownEvents) {
            lines.append(
                pair(
                    tally.event, TimeText.grouped(tally.done), tally.lost.failed, hasUnknown ? tally.lost.unknown : nil,
                    context.glyphs))
        }
        return lines
    }

    /// Breaks have mostly the same events in the same order, so the place in the last break is tried before any search.
    private static func totals(of summaries: [BreakSummary]) -> [EventTally] {
        var totals: [EventTally] = []
        for summary in summaries {
            for (index, tally) in summary.byEvent.enumerated() {
                let isInPlace = index < totals.count && totals[index].event == tally.event
                if let place = isInPlace ? index : totals.firstIndex(where: { $0.event == tally.event }) {
                    totals[place].done += tally.done
                    totals[place].lost.add(tally.lost)
                } else if totals.count < countedEvents {
                    totals.append(tally)
                }
            }
        }
        return totals
    }

    /// Events in the order in which an ad sends them, the others by name.
    private static func isBefore(_ left: EventTally, _ right: EventTally) -> Bool {
        let order = ["impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        let places = (order.firstIndex(of: left.event) ?? order.count, order.firstIndex(of: right.event) ?? order.count)
        return places.0 != places.1 ? places.0 < places.1 : left.event < right.event
    }

    private static func hosts(_ context: ViewContext) -> [StyledLine] {
        let hosts = context.snapshot.activity.hosts
        guard !hosts.isEmpty else { return [] }
        let hasUnknown = hosts.contains { $0.unknown > 0 }
        var lines = [heading("by host", "p95", hasUnknown: hasUnknown)]
        for host in hosts {
            let latency = host.latency95.map(TimeText.latency) ?? "-"
            lines.append(pair(host.host, latency, host.failed, hasUnknown ? host.unknown : nil, context.glyphs))
            if host.answers.count + host.lateness.count > 0 { lines.append(delays(of: host, context.glyphs)) }
        }
        let (first, last) = (
            DelayHistogram.label(ofBucket: 0), DelayHistogram.label(ofBucket: DelayHistogram.bounds.count)
        )
        let scale = "  bars from \(first) to \(last)"
        if lines.count > hosts.count + 1 {
            lines.append(.of(context.glyphs.isASCII ? scale.replacing("≤", with: "<=") : scale, .textMuted))
        }
        return lines
    }

    /// How long its answers took, and how late its beacons were sent, as small bars.
    private static func delays(of host: HostView, _ glyphs: Glyphs) -> StyledLine {
        var line = StyledLine("  ", .textMuted)
        for (label, histogram) in [("answers ", host.answers), ("  late ", host.lateness)]
            as [(SafeText, DelayHistogram)]
        {
            line.append(label, .textMuted)
            let counts = histogram.counts.map(Double.init)
            line.append(Sparkline.text(counts, columns: counts.count, glyphs), .spark)
        }
        return line
    }

    private static func totals(_ context: ViewContext) -> [StyledLine] {
        let counters = context.snapshot.counters
        var answers = StyledLine("http  ", .textMuted)
        for kind in 2...5 {
            let count = counters.statusClasses[kind] ?? 0
            answers.add("\(kind)xx ", .textMuted)
            answers.add(TimeText.grouped(count), count == 0 ? .textMuted : Role.http(kind * 100))
            answers.space(2)
        }
        var sent = StyledLine("sent  ", .textMuted)
        // Each beacon once, as in the header; what was sent for them again is counted by itself.
        let beacons = SessionHealth.Beacons(counters, context.snapshot.deliveries)
        sent.add(TimeText.grouped(beacons.sent))
        sent.append("  done ", .textMuted)
        sent.add(TimeText.grouped(counters.beaconsAcknowledged), .stateDone)
        sent.append("  failed ", .textMuted)
        sent.add(TimeText.grouped(beacons.failed), beacons.failed > 0 ? .stateFailed : .textMuted)
        var extra = StyledLine("      retries ", .textMuted)
        extra.add(TimeText.grouped(counters.retries))
        extra.append("  late ", .textMuted)
        extra.add(TimeText.grouped(counters.late))
        if beacons.unknown > 0 {
            extra.append("  unknown ", .textMuted)
            extra.add(TimeText.grouped(beacons.unknown), .stateUnknown)
        }
        return [answers, sent, extra]
    }

    private static func heading(_ label: SafeText, _ value: SafeText, hasUnknown: Bool) -> StyledLine {
        var line = StyledLine(label, .textMuted)
        line.pad(to: hasUnknown ? shortLabel : labelColumns)
        line.append(value.paddedStart(to: 7) + "  failed", .textMuted)
        if hasUnknown { line.add(" \(StateWord.unknown.rawValue)", .textMuted) }
        return line
    }

    /// - Parameter unknown: nil where the table has no column for it.
    private static func pair(
        _ label: String, _ value: String, _ failed: Int, _ unknown: Int?, _ glyphs: Glyphs
    ) -> StyledLine {
        let columns = unknown == nil ? labelColumns : shortLabel
        var line = StyledLine(SafeText(outside: label, columns: 64).truncatedMiddle(to: columns, glyphs), .text)
        line.pad(to: columns)
        line.append(SafeText(outside: value).paddedStart(to: 7), .text)
        line.append(
            SafeText(outside: TimeText.grouped(failed)).paddedStart(to: 8), failed > 0 ? .stateFailed : .textMuted)
        if let unknown {
            line.append(
                SafeText(outside: TimeText.grouped(unknown)).paddedStart(to: 8),
                unknown > 0 ? .stateUnknown : .textMuted)
        }
        return line
    }

    private static let shownEvents = 24
    /// The most event names; they come from outside.
    private static let countedEvents = 256
}
