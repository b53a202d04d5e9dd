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

    /// The items of the row for that many columns.
    static func row(_ context: ViewContext, columns: Int) -> FittedRow {
        let status = AirStatus(context.snapshot, context.playhead)
        var row = FittedRow()
        if let onAir = status.onAir {
            row.left = [badge, onAirPlace(onAir)]
            if let ad = onAir.ad {
                row.left += [name(ad, context), progress(ad.played, of: ad.duration, columns, context), nextEvent(ad)]
            } else {
                row.left.append(breakProgress(onAir, columns, context))
            }
            row.right = [rest(onAir)]
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

    /// `B5 2/3`
    private static func onAirPlace(_ onAir: AirStatus.OnAir) -> FittedRow.Item {
        var line = StyledLine(SafeText(outside: onAir.label, columns: 8), .header)
        if let ad = onAir.ad { line.add(" \(ad.number)/\(onAir.adCount)") }
        return FittedRow.Item([line])
    }

    private static func name(_ ad: AirStatus.Ad, _ context: ViewContext) -> FittedRow.Item {
        let name = SafeText(outside: context.prose(ad.name), columns: 40)
        func form(_ columns: Int) -> StyledLine { StyledLine(name.truncatedMiddle(to: columns, context.glyphs)) }
        return FittedRow.Item([form(40), form(24), form(14), StyledLine()], ranks: [2, 4, 8], gap: 1)
    }

    /// `████░░░ 0:04 of 0:10`
    private static func progress(
        _ played: Duration, of length: Duration, _ columns: Int, _ context: ViewContext
    ) -> FittedRow.Item {
        let times = "\(TimeText.position(played)) of \(TimeText.position(length))"
        guard length > .zero else { return FittedRow.Item([.of(TimeText.position(played)), StyledLine()], ranks: [6]) }
        func form(_ cells: Int) -> StyledLine {
            let filled = Gauge.filledColumns(played.inSeconds / length.inSeconds, of: cells)
            var line = StyledLine(SafeText(context.glyphs.gaugeFull, count: filled), .stateDone)
            line.append(SafeText(context.glyphs.gaugeEmpty, count: cells - filled), .textMuted)
            line.add(" " + times)
            return line
        }
        let cells = columns >= 180 ? 32 : columns >= 110 ? 16 : 10
        return FittedRow.Item([form(cells), form(5), .of(times)], ranks: [3, 5])
    }

    /// `next: midpoint in 0.9 s`
    private static func nextEvent(_ ad: AirStatus.Ad) -> FittedRow.Item {
        guard let event = ad.nextEvent, let wait = ad.nextEventIn else { return .nothing }
        var long = StyledLine("next: ", .textMuted), short = StyledLine()
        for part in [SafeText(outside: event, columns: 24), SafeText(outside: " in " + TimeText.apart(wait))] {
            long.append(part)
            short.append(part)
        }
        return FittedRow.Item([long, short, StyledLine()], ranks: [1, 6])
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
        return FittedRow.Item([.of("break ends in \(time)"), .of("ends \(time)"), StyledLine()], ranks: [3, 7])
    }

    /// `content · last break 0:24 ago, 18 of 18 done · next break in 0:12`
    private static func between(_ status: AirStatus, _ context: ViewContext) -> [FittedRow.Item] {
        let snapshot = context.snapshot
        guard snapshot.session.phase != .starting, snapshot.playlist.kind != .unknown else { return [] }
        let hasEnded = snapshot.playhead.state == .ended
        var items = [FittedRow.Item([StyledLine(hasEnded ? "end of the stream" : "content", .header)])]
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
        if let next = status.next {
            add([.of("next break \(next.label) in \(TimeText.position(next.wait))")], [6])
        } else if let expected = status.expected, let interval = status.interval, let now = context.playhead.date {
            // A date of the stream would be read beside the clock, which is ahead of it.
            let about = "next in about \(TimeText.position(expected - now))"
            add([.of("breaks every \(TimeText.apart(interval)), \(about)"), .of(about)], [1, 5])
        } else if snapshot.breaks.isEmpty, !hasEnded {
            add([StyledLine("no ad break seen yet", .textMuted)], [6])
        }
        return items
    }
}
