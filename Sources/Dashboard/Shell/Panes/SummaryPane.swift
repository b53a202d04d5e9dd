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
        lines.append(row("", titles.map { ($0, Role.textMuted) }, .textMuted, hasUnknown: hasUnknown))
        // The newest break on air or ended, and its neighbours; the rest is a line.
        let current = all.lastIndex { $0.view.isOnAir || $0.view.hasEnded } ?? 0
        let last = min(all.count, current + 2)
        let first = max(0, last - limit)
        if first > 0 {
            let earlier = all[..<first].reduce(into: Tally()) { $0.add($1.tally) }
            lines.append(row("\(first) earlier", tally: earlier, hasUnknown: hasUnknown))
        }
        for summary in all[first..<last] {
            lines.append(row(summary.view.label, tally: summary.tally, hasUnknown: hasUnknown))
        }
        return lines
    }

    /// What the columns of both tables of events count, where the losses are not as many events.
    private static func losses(hasUnknown: Bool) -> StyledLine {
        let words = [StateWord.failed] + (hasUnknown ? [.unknown] : [])
        let columns = words.map(\.rawValue).joined(separator: ", ")
        return .of("\(columns): beacons; rest: events", .textMuted)
    }

    private static func row(_ label: String, tally: Tally, hasUnknown: Bool) -> StyledLine {
        var cells: [(String, Role)] = [
            ("\(tally.done + tally.observed)", .text), ("\(tally.busy)", .text),
            ("\(tally.lost.failed)", tally.lost.failed > 0 ? .stateFailed : .text),
        ]
        if hasUnknown { cells.append(("\(tally.lost.unknown)", tally.lost.unknown > 0 ? .stateUnknown : .text)) }
        return row(label, cells + [("\(tally.idle)", .text)], .text, hasUnknown: hasUnknown)
    }

    /// Beside a column of unknown outcomes the others are as narrow as their titles.
    private static func row(
        _ label: String, _ cells: [(String, Role)], _ role: Role, hasUnknown: Bool
    ) -> StyledLine {
        let columns = hasUnknown ? 8 : 10
        var line = StyledLine(SafeText(outside: label, columns: hasUnknown ? columns : 14), role)
        line.pad(to: columns)
        let widths = hasUnknown ? [5, 5, 7, 8, 5] : [7, 7, 7, 7]
        for ((text, role), width) in zip(cells, widths) {
            line.append(SafeText(outside: text).paddedStart(to: width), role)
        }
        return line
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
                    tally.event, "\(tally.done)", tally.lost.failed, hasUnknown ? tally.lost.unknown : nil,
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
            answers.add("\(count)", count == 0 ? .textMuted : Role.http(kind * 100))
            answers.space(2)
        }
        var sent = StyledLine("sent  ", .textMuted)
        // Each beacon once, as in the header; what was sent for them again is counted by itself.
        let beacons = SessionHealth.Beacons(counters, context.snapshot.deliveries)
        sent.add("\(beacons.sent)")
        sent.append("  done ", .textMuted)
        sent.add("\(counters.beaconsAcknowledged)", .stateDone)
        sent.append("  failed ", .textMuted)
        sent.add("\(beacons.failed)", beacons.failed > 0 ? .stateFailed : .textMuted)
        var extra = StyledLine("      retries ", .textMuted)
        extra.add("\(counters.retries)")
        extra.append("  late ", .textMuted)
        extra.add("\(counters.late)")
        if beacons.unknown > 0 {
            extra.append("  unknown ", .textMuted)
            extra.add("\(beacons.unknown)", .stateUnknown)
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
        line.append(SafeText(outside: "\(failed)").paddedStart(to: 8), failed > 0 ? .stateFailed : .textMuted)
        if let unknown {
            line.append(SafeText(outside: "\(unknown)").paddedStart(to: 8), unknown > 0 ? .stateUnknown : .textMuted)
        }
        return line
    }

    private static let shownEvents = 24
    /// The most event names; they come from outside.
    private static let countedEvents = 256
}
