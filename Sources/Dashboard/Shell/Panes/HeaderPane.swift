import AdTracking
import Ports
import Screen
import Session

/// The rows above everything: the session, its kind and latency, the number of beacons in each state, and always
/// whether they are sent.
enum HeaderPane {
    /// Header row, rule, addresses and frozen banner as far as the layout has them.
    static func draw(_ frame: FrameContext, on grid: inout Grid) {
        let (context, layout) = (frame.context, frame.layout)
        row(frame).draw(in: layout.header.inset(columns: 1, rows: 0), on: &grid)
        grid.fill(layout.rule, with: context.glyphs.light.horizontal, role: .paneBorder)
        AddressRows.draw(context, in: layout.addresses, on: &grid)
        banner(frame, on: &grid)
    }

    /// Header and addresses in the rows there are, for `--pane header`.
    static func alone(_ frame: FrameContext, in rect: Rect, on grid: inout Grid) {
        let (top, rest) = rect.splitTop(1)
        row(frame).draw(in: top.inset(columns: 1, rows: 0), on: &grid)
        AddressRows.draw(frame.context, in: rest.splitTop(2).top, on: &grid)
    }

    /// The items of the first row with the order in which they shrink: mode and failures never do.
    static func row(_ frame: FrameContext) -> FittedRow {
        let context = frame.context
        var row = FittedRow()
        row.left = [program(context), name(frame)]
        if context.sizeClass == .huge {
            row.right = [kind(context), latency(context), drift(context), problems(context), counts(context)]
        } else {
            row.left += [kind(context), latency(context), drift(context), problems(context), counts(context)]
        }
        row.right += [InsecureBadge.item(context.settings), mode(context), clock(context)]
        return row
    }

    private static func program(_ context: ViewContext) -> FittedRow.Item {
        let version = context.settings.version
        return FittedRow.Item(
            [.of(version.isEmpty ? "adtop" : "adtop \(version)", .header), StyledLine("adtop", .header), StyledLine()],
            ranks: version.isEmpty ? [0, 5] : [3, 5])
    }

    /// The most names that are shown side by side.
    private static let tabLimit = 8

    private static func name(_ frame: FrameContext) -> FittedRow.Item {
        let context = frame.context
        let names = context.settings.sessions
        let current = SafeText(outside: context.snapshot.session.name, columns: 32)
        var forms: [StyledLine] = []
        if (2...tabLimit).contains(names.count), context.sizeClass == .huge {
            var tabs = StyledLine()
            for (index, name) in names.enumerated() {
                let role: Role = index == frame.state.session ? .headerLive : .textMuted
                if index > 0 { tabs.space(3) }
                tabs.add("[\(index + 1)] ", role)
                tabs.append(SafeText(outside: name, columns: 24), role)
            }
            forms.append(tabs)
        }
        var line = StyledLine(current, .header)
        if names.count > 1 { line.add(" [\(frame.state.session + 1)/\(names.count)]", .textMuted) }
        let ranks = (forms.isEmpty ? [] : [4]) + [8, 10]
        forms += [line, StyledLine(current.truncatedTail(to: 12, context.glyphs), .header), StyledLine()]
        return FittedRow.Item(forms, ranks: ranks, gap: context.sizeClass > .medium ? 3 : 2)
    }

    private static func kind(_ context: ViewContext) -> FittedRow.Item {
        let snapshot = context.snapshot
        var word = StyledLine()
        switch (snapshot.session.phase, snapshot.playlist.kind) {
        case (.starting, _): word.append("STARTING", .header)
        case (.ended, _): word.append("ENDED", .header)
        case (.over, .unknown): break
        case (_, .live): word.append("LIVE", .headerLive)
        case (_, .event): word.append("EVENT", .headerLive)
        case (_, .vod): word.append("VOD", .headerLive)
        case (_, .unknown): word.append("NO PLAYLIST", .header)
        }
        if snapshot.session.phase == .over {
            word.append(word.columns == 0 ? "session over" : " session over", .stateFailed)
        }
        let plain = word
        switch snapshot.playhead.state {
        case .stalled where snapshot.session.phase == .over: break
        case .paused: word.append(" paused", .stateRetry)
        case .stalled: word.append(" stalled", .stateFailed)
        case .interstitial: word.append(" interstitial", .stateBusy)
        case .idle, .playing, .ended: break
        }
        if snapshot.playhead.isMuted { word.append(" muted", .stateRetry) }
        if snapshot.playhead.rate != 1, snapshot.playhead.rate.isFinite {
            word.add(" " + TimeText.rate(snapshot.playhead.rate), .stateRetry)
        }
        return FittedRow.Item(
            [word, plain, StyledLine()], ranks: [9, 12], gap: context.sizeClass > .medium ? 3 : 2)
    }

    private static func latency(_ context: ViewContext) -> FittedRow.Item {
        guard let latency = context.playhead.latency else { return .nothing }
        let text = TimeText.span(latency)
        var long = StyledLine("latency ", .textMuted)
        long.add(text, .header)
        var short = StyledLine("lat ", .textMuted)
        short.add(text, .header)
        return FittedRow.Item([long, short, StyledLine()], ranks: [2, 7])
    }

    private static func drift(_ context: ViewContext) -> FittedRow.Item {
        guard let drift = context.playhead.drift else { return .nothing }
        var line = StyledLine("drift ", .textMuted)
        line.add(TimeText.deviation(drift), .header)
        return FittedRow.Item([line, StyledLine()], ranks: [0])
    }

    /// The feeds that fail: in small size classes there is no other place for them.
    private static func problems(_ context: ViewContext) -> FittedRow.Item {
        var long = StyledLine(), short = StyledLine()
        let session = context.snapshot.session
        for (name, letter, health) in [
            ("playlist", "P", session.playlistHealth), ("metadata", "M", session.metadataHealth),
        ] as [(SafeText, SafeText, FeedHealth)] where health.state == .failing {
            if long.columns > 0 {
                long.space()
                short.space()
            }
            long.append(context.glyphs.badge(.failed) + " ", .stateFailed)
            long.append(name, .stateFailed)
            if let status = health.status { long.add(" \(status)", .stateFailed) }
            short.append(letter, .stateFailed)
            short.append(context.glyphs.badge(.failed), .stateFailed)
        }
        return FittedRow.Item([long, short], ranks: [6], gap: 3)
    }

    private static func counts(_ context: ViewContext) -> FittedRow.Item {
        let counters = context.snapshot.counters
        // Four states always, the others only when there are any.
        let shown: [ReportingState] = [.done, .connecting, .failed, .idle, .observed, .partial, .unknown, .skipped]
        var items = StateCounts(context.glyphs)
        for state in shown {
            let count = counters.events[state] ?? 0
            let isAlways = context.snapshot.session.mode == .fire && (state == .done || state == .connecting)
            guard count > 0 || isAlways || state == .failed || state == .idle else { continue }
            let sign = StateSign(state)
            items.add(count, sign, sign.word, isFailure: state == .failed)
        }
        return items.item(ranks: [1, 11])
    }

    private static func mode(_ context: ViewContext) -> FittedRow.Item {
        switch context.snapshot.session.mode {
        case .fire:
            FittedRow.Item(fire(context.snapshot.session.retry), ranks: [1], gap: 3)
        case .observe where context.snapshot.session.lacksJournal:
            FittedRow.Item(
                [
                    StyledLine(
                        context.settings.isASCII ? "OBSERVE - no journal" : "OBSERVE · no journal", .headerObserve),
                    StyledLine("no journal", .headerObserve),
                ], ranks: [13], gap: 3)
        case .observe:
            FittedRow.Item(
                [StyledLine("OBSERVE", .headerObserve), StyledLine("OBS", .headerObserve)], ranks: [13], gap: 3)
        }
    }

    /// A setting that can send a beacon twice, or drops one that could be sent, is part of the mode.
    private static func fire(_ retry: RetrySetting?) -> [StyledLine] {
        switch retry {
        case .safe, nil: [StyledLine(" FIRE ", .headerArmed), StyledLine("FIRE", .headerArmed)]
        case .standard?: [StyledLine(" FIRE retry standard ", .headerArmed), StyledLine("FIRE standard", .headerArmed)]
        case .never?: [StyledLine(" FIRE retry never ", .headerArmed), StyledLine("FIRE never", .headerArmed)]
        }
    }

    private static func clock(_ context: ViewContext) -> FittedRow.Item {
        // In an ended session nothing moves, so it shows no clock.
        guard context.snapshot.session.phase != .ended else { return .nothing }
        return FittedRow.Item([.of(TimeText.clock(context.now.wall) + "Z", .header), StyledLine()], ranks: [6])
    }

    private static func banner(_ frame: FrameContext, on grid: inout Grid) {
        let (context, rect) = (frame.context, frame.layout.banner)
        guard let held = frame.state.held, !rect.isEmpty else { return }
        grid.fill(rect, role: .bannerFrozen)
        var line = StyledLine(" FROZEN ", .bannerFrozen)
        line.add("for \(TimeText.coarse(context.realNow.uptime - held.at.uptime))", .bannerFrozen)
        line.add("   at \(TimeText.clock(held.at.wall))Z", .bannerFrozen)
        line.append("   the session continues", .bannerFrozen)
        let key = context.key(.freeze)
        if !key.isEmpty { line.add("   \(key) resumes", .bannerFrozen) }
        grid.put(line.truncatedTail(to: rect.width, context.glyphs), at: rect.origin, maxColumns: rect.width)
    }
}
