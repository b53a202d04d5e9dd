import AdTracking
import Ports
import Screen
import Session

/// The row below the header: the ad on air with its progress and what comes next; between breaks the last one and the
/// next one.
enum AirRow {
    /// Draws the row.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        row(context, columns: rect.width).draw(in: rect.inset(columns: 1, rows: 0), on: &grid)
    }

    /// The index of the break that a click on the row selects: the one on air, or else the last one; nil without any, and where
    /// the row is about an interstitial that no break has.
    static func breakIndex(_ context: ViewContext) -> Int? {
        let status = AirStatus(context.snapshot, context.playhead)
        if let onAir = status.onAir { return onAir.index }
        return context.playhead.state == .interstitial ? nil : status.last?.index
    }

    /// The items of the row for that many columns.
    static func row(_ context: ViewContext, columns: Int) -> FittedRow {
        let status = AirStatus(context.snapshot, context.playhead)
        let isStalled = context.playhead.state == .stalled
        var row = FittedRow()
        if let onAir = status.onAir {
            row.left = [isStalled ? stalled : badge, onAirPlace(onAir)]
            if let ad = onAir.ad {
                row.left += [name(ad, columns, context), progress(ad.played, of: ad.duration, columns, context)]
                if !isStalled { row.left.append(nextEvent(ad, context)) }
            } else {
                row.left.append(breakProgress(onAir, columns, context))
            }
            if !isStalled, !context.snapshot.playsNoMore { row.right = [rest(onAir)] }
        } else if context.playhead.state == .interstitial {
            row.left = [badge, FittedRow.Item([StyledLine("interstitial")])]
            if let rest = context.playhead.interstitialRest {
                row.left.append(FittedRow.Item([.of("ends in \(TimeText.position(rest))"), StyledLine()], ranks: [2]))
            }
        } else {
            row.left = between(status, context)
        }
        return row
    }

    private static let badge = FittedRow.Item(
        [StyledLine("ON AIR", .headerLive), StyledLine("AIR", .headerLive)], ranks: [9])

    /// In the place of what plays: nothing does, so no time to anything is known.
    private static let stalled = FittedRow.Item([StyledLine("stalled", .stateFailed)])

    /// `B5 2/3`
    private static func onAirPlace(_ onAir: AirStatus.OnAir) -> FittedRow.Item {
        var line = StyledLine(SafeText(outside: onAir.label, columns: 8), .header)
        if let ad = onAir.ad { line.add(" \(ad.number)/\(onAir.adCount)") }
        return FittedRow.Item([line])
    }

    /// The widths of what is left of the next event. They depend on the row alone, so that nothing moves with the event's name.
    private struct Widths {
        /// Columns of an ad's name at most.
        var name: Int
        /// Cells of the bar; 0 where there is no room for one beside the end of the break.
        var bar: Int

        init(columns: Int) {
            name = columns >= 180 ? 40 : columns >= 110 ? 24 : 14
            bar = columns >= 180 ? 32 : columns >= 110 ? 16 : columns >= 100 ? 10 : columns >= 66 ? 5 : 0
        }
    }

    private static func name(_ ad: AirStatus.Ad, _ columns: Int, _ context: ViewContext) -> FittedRow.Item {
        let name = SafeText(outside: context.prose(ad.name), columns: 40)
        let form = StyledLine(name.truncatedMiddle(to: Widths(columns: columns).name, context.glyphs))
        return FittedRow.Item([form, StyledLine()], ranks: [8], gap: 1)
    }

    /// `████░░░ 0:04 of 0:10`
    private static func progress(
        _ played: Duration, of length: Duration, _ columns: Int, _ context: ViewContext
    ) -> FittedRow.Item {
        let times = "\(TimeText.position(played)) of \(TimeText.position(length))"
        guard length > .zero else { return FittedRow.Item([.of(TimeText.position(played)), StyledLine()], ranks: [6]) }
        let cells = Widths(columns: columns).bar
        guard cells > 0 else { return FittedRow.Item([.of(times)]) }
        let filled = Gauge.filledColumns(played.inSeconds / length.inSeconds, of: cells)
        var line = StyledLine(SafeText(context.glyphs.gaugeFull, count: filled), .stateDone)
        line.append(SafeText(context.glyphs.gaugeEmpty, count: cells - filled), .textMuted)
        line.add(" " + times)
        return FittedRow.Item([line, .of(times)], ranks: [9])
    }

    /// `next: midpoint in 0.9 s`; its name gives way before anything else, and the end of the break before the event is left out.
    private static func nextEvent(_ ad: AirStatus.Ad, _ context: ViewContext) -> FittedRow.Item {
        guard let event = ad.nextEvent, let wait = ad.nextEventIn else { return .nothing }
        let name = SafeText(outside: event, columns: 24)
        func form(_ columns: Int) -> StyledLine {
            var line = StyledLine(name.truncatedTail(to: columns, context.glyphs))
            line.add(" in " + TimeText.apart(wait))
            return line
        }
        var long = StyledLine("next: ", .textMuted)
        long.append(form(24))
        return FittedRow.Item([long, form(24), form(12), form(9), form(7), StyledLine()], ranks: [1, 3, 3, 3, 4])
    }

    /// A break without an ad on air: only markers know it, or its metadata has a gap.
    private static func breakProgress(
        _ onAir: AirStatus.OnAir, _ columns: Int, _ context: ViewContext
    ) -> FittedRow.Item {
        guard let rest = onAir.rest else { return .nothing }
        return progress(onAir.played, of: onAir.played + rest, columns, context)
    }

    private static func rest(_ onAir: AirStatus.OnAir) -> FittedRow.Item {
        guard let rest = onAir.rest else {
            return FittedRow.Item([StyledLine("no end announced", .textMuted), StyledLine()], ranks: [3])
        }
        let time = TimeText.position(rest)
        return FittedRow.Item([.of("break ends in \(time)"), .of("ends \(time)"), StyledLine()], ranks: [2, 7])
    }

    /// `content · last break 0:24 ago, 18 of 18 done · next break in 0:12`
    private static func between(_ status: AirStatus, _ context: ViewContext) -> [FittedRow.Item] {
        let snapshot = context.snapshot
        guard snapshot.session.phase != .starting, snapshot.playlist.kind != .unknown else { return [] }
        let hasEnded = snapshot.playhead.state == .ended
        let isStalled = snapshot.playhead.state == .stalled
        let start = FittedRow.Item([StyledLine(hasEnded ? "end of the stream" : "content", .header)])
        var items = [isStalled ? stalled : start]
        func add(_ forms: [StyledLine], _ ranks: [Int]) {
            let dot = StyledLine(context.glyphs.isASCII ? "- " : "· ", .textMuted)
            let dotted = forms.map { form in
                var line = dot
                line.append(form)
                return line
            }
            items.append(FittedRow.Item(dotted + [StyledLine()], ranks: ranks, gap: 1))
        }
        if let last = status.last {
            let ended = StyledLine.of("last break \(last.label) ended \(TimeText.position(last.ago)) ago")
            var long = ended
            long.append(", ", .text)
            long.append(BreakOutcome(snapshot.breaks[last.index]).line)
            add([long, ended], [2, 4])
        }
        guard !isStalled else { return items }
        if let next = status.next {
            add([.of("next break \(next.label) in \(TimeText.position(next.wait))")], [6])
        } else if let expected = status.expected, let interval = status.interval, let now = context.playhead.date {
            // A date of the stream would be read beside the clock, which is ahead of it.
            let about = "next in about \(TimeText.position(expected - now))"
            add([.of("breaks every \(TimeText.apart(interval)), \(about)"), .of(about)], [1, 5])
        } else if snapshot.breaks.isEmpty, !hasEnded {
            let words: SafeText =
                snapshot.marksUndatedBreaks ? "breaks are marked without dates" : "no ad break seen yet"
            add([StyledLine(words, .textMuted)], [6])
        }
        return items
    }
}
