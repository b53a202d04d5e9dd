import AdTracking
import Ports
import Screen
import Session

/// The first row: the session, the verdict on it, how far behind it plays, and whether beacons are sent wherever that is known.
enum HeaderPane {
    /// Header row, addresses of failing feeds and frozen banner as far as the layout has them.
    static func draw(_ frame: FrameContext, on grid: inout Grid) {
        let (context, layout) = (frame.context, frame.layout)
        row(frame).draw(in: layout.header.inset(columns: 1, rows: 0), on: &grid)
        AddressRows.draw(context, in: layout.addresses, on: &grid)
        banner(frame, on: &grid)
    }

    /// Header, what is on air, and both addresses in the rows there are, for `--pane header`.
    static func alone(_ frame: FrameContext, in rect: Rect, on grid: inout Grid) {
        let (top, rest) = rect.splitTop(1)
        row(frame).draw(in: top.inset(columns: 1, rows: 0), on: &grid)
        let (air, feeds) = rest.splitTop(1)
        AirRow.draw(frame.context, in: air, on: &grid)
        AddressRows.drawAll(frame.context, in: feeds.splitTop(2).top, on: &grid)
    }

    /// What a click on a count, a problem, the provider or the mode in the first row does, which may be that of a table; nil beside them.
    static func press(at point: Point, _ frame: FrameContext) -> HintPress? {
        let area = frame.layout.header.inset(columns: 1, rows: 0)
        guard area.contains(point) else { return nil }
        return (frame.state.showsTable ? frame.tableHeader.row : row(frame)).press(at: point, in: area)
    }

    /// The items of the first row with the order in which they shrink: mode and failures never do. Without a picture there is neither.
    static func row(_ frame: FrameContext) -> FittedRow {
        let context = frame.context
        var row = FittedRow()
        row.fillsRoom = true
        if context.snapshot.session.lacksPicture {
            // Neither what is wrong nor whether its agent sends is known.
            row.left = [name(frame)]
            row.right = [kind(context), clock(context)]
            return row
        }
        row.left = [name(frame)] + VerdictItems(Verdict(context.snapshot), context.glyphs).items
        let insecure = InsecureBadge.item(context.settings)
        if let replay = context.snapshot.replay {
            row.right = [insecure, badge(of: replay, context), clock(context)]
        } else {
            row.right = [
                kind(context), latency(context), insecure, ServiceLines.item(context).opening(.paneSession),
                mode(context).opening(.paneSession), clock(context),
            ]
        }
        return row
    }

    /// The most names that are shown side by side.
    private static let tabLimit = 8

    /// `rush@127.0.0.1 [1/2]`; the host gives way first, and the middle of the name only when words of the others have given
    /// way: the ends of names tell channels apart.
    private static func name(_ frame: FrameContext) -> FittedRow.Item {
        let context = frame.context
        let session = context.snapshot.session
        let current = SafeText(outside: session.name, columns: 32)
        let host = (try? WebURL(session.mediaURL))?.host ?? ""
        let names = context.settings.sessions
        let place = names.count > 1 ? "[\(frame.state.session + 1)/\(names.count)]" : ""
        func line(_ name: SafeText, withHost: Bool) -> StyledLine {
            var line = StyledLine(name, .header)
            if withHost { line.append("@" + SafeText(outside: host, columns: 40), .textMuted) }
            if !place.isEmpty { line.add(" " + place, .textMuted) }
            return line
        }
        var forms = [line(current, withHost: false)], ranks = [5, 5, 6, 7, 12]
        if !host.isEmpty, host != session.name {
            forms.insert(line(current, withHost: true), at: 0)
            ranks.insert(0, at: 0)
        }
        if let tabs = tabs(names, frame) {
            forms.insert(tabs, at: 0)
            ranks.insert(0, at: 0)
        }
        for columns in [20, 16, 12] {
            forms.append(line(current.truncatedMiddle(to: columns, context.glyphs), withHost: false))
        }
        forms += [StyledLine(current.truncatedMiddle(to: 8, context.glyphs), .header), StyledLine()]
        return FittedRow.Item(forms, ranks: ranks)
    }

    /// `[1] ch7   [2] ch8`, in the largest class.
    private static func tabs(_ names: [String], _ frame: FrameContext) -> StyledLine? {
        guard (2...tabLimit).contains(names.count), frame.context.sizeClass == .huge else { return nil }
        var tabs = StyledLine()
        for (index, name) in names.enumerated() {
            let role: Role = index == frame.state.session ? .headerLive : .textMuted
            if index > 0 { tabs.space(3) }
            tabs.add("[\(index + 1)] ", role)
            tabs.append(SafeText(outside: name, columns: 24), role)
        }
        return tabs
    }

    private static func kind(_ context: ViewContext) -> FittedRow.Item {
        let snapshot = context.snapshot
        guard !context.hasStopped else { return .nothing }
        var word = StyledLine()
        switch (snapshot.session.phase, snapshot.playlist.kind) {
        case _ where snapshot.session.lacksPicture: word.append("NO PICTURE", .header)
        case (.starting, _): word.append("STARTING", .header)
        case (.ended, _): word.append("ENDED", .header)
        case (_, .live): word.append("LIVE", .headerLive)
        case (_, .event): word.append("EVENT", .headerLive)
        case (_, .vod): word.append("VOD", .headerLive)
        case (_, .clock): word.append("ATTACHED", .headerLive)
        case (_, .unknown): word.append("NO PLAYLIST", .header)
        }
        let plain = word
        // A stalled playhead and a session that is over are in the verdict.
        switch snapshot.playhead.state {
        case .paused: word.append(" paused", .stateRetry)
        case .interstitial: word.append(" interstitial", .stateBusy)
        case .idle, .playing, .stalled, .ended: break
        }
        if snapshot.playhead.isMuted { word.append(" muted", .stateRetry) }
        if snapshot.playhead.rate != 1, snapshot.playhead.rate.isFinite {
            word.add(" " + TimeText.rate(snapshot.playhead.rate), .stateRetry)
        }
        return FittedRow.Item([word, plain, StyledLine()], ranks: [9, 13])
    }

    /// How far behind the clock a live stream plays; the dates of other streams are of no day. Dates that are ahead of the clock show that
    /// the two differ, so that only the distance from the edge is known.
    private static func latency(_ context: ViewContext) -> FittedRow.Item {
        let playlist = context.snapshot.playlist
        guard playlist.kind == .live || playlist.kind == .event, context.snapshot.session.phase != .ended,
            !context.hasStopped, let byClock = context.playhead.latency,
            let latency = byClock < .zero ? context.playhead.behindEdge : byClock
        else { return .nothing }
        let words: SafeText = byClock < .zero ? " from edge" : " behind"
        let isHigh = latency > Verdict.highLatency(holdBack: playlist.holdBack)
        // As wide for 6 s as for 12 s, so that nothing moves.
        let text = SafeText(outside: TimeText.apart(latency)).paddedStart(to: 6)
        let role: Role = isHigh ? .stateRetry : .header
        var item = FittedRow.Item(
            [StyledLine(text + words, role), StyledLine(text, role), StyledLine()], ranks: [4, 8], gap: 1)
        // Behind by the playlist and not by its dates alone: after an outage, a pause or a seek.
        let behind = context.playhead.behindEdge ?? .zero
        if isHigh, let holdBack = playlist.holdBack, behind > holdBack * 2 {
            item.forms.insert(StyledLine(text + words + "  :seek live", role), at: 0)
            item.ranks.insert(0, at: 0)
        }
        return item
    }

    /// `REPLAY ▶ 0:44 / 1:00`, in the place of kind and mode: a recording is not live, and nothing is sent.
    private static func badge(of replay: ReplayView, _ context: ViewContext) -> FittedRow.Item {
        let sign = SafeText(replay.isStopped ? context.glyphs.paused : context.glyphs.playing)
        let times = TimeText.position(replay.offset(at: context.now)) + " / " + TimeText.position(replay.length)
        let whole = "REPLAY " + sign + SafeText(outside: " " + times)
        return FittedRow.Item(
            [
                StyledLine(" " + whole + " ", .bannerFrozen), StyledLine(whole, .bannerFrozen),
                StyledLine("REPLAY", .bannerFrozen),
            ], ranks: [1, 9])
    }

    private static func mode(_ context: ViewContext) -> FittedRow.Item {
        switch context.snapshot.session.mode {
        case .fire:
            FittedRow.Item(fire(context.snapshot.session), ranks: [1, 9])
        case .observe where context.snapshot.session.isHeldElsewhere:
            observing("held elsewhere", context)
        case .observe where context.snapshot.session.lacksJournal:
            observing("no journal", context)
        case .observe:
            .observing(rank: 14)
        }
    }

    /// Why nothing is sent although it was asked for.
    private static func observing(_ reason: SafeText, _ context: ViewContext) -> FittedRow.Item {
        let dash: SafeText = context.settings.isASCII ? " - " : " · "
        return FittedRow.Item(
            [StyledLine("OBSERVE" + dash + reason, .headerObserve), StyledLine(reason, .headerObserve)], ranks: [14])
    }

    /// A setting that can send a beacon twice, or drops one that could be sent, is part of the mode.
    private static func fire(_ session: SessionView) -> [StyledLine] {
        let retry: SafeText =
            switch session.retry {
            case .safe, nil: ""
            case .standard?: " standard"
            case .never?: " never"
            }
        return FireWord.forms(
            isLocal: session.sendsToLoopbackOnly, rest: retry.isEmpty ? "" : " retry" + retry, short: retry)
    }

    private static func clock(_ context: ViewContext) -> FittedRow.Item {
        // In an ended session nothing moves, so it shows no clock. The time of a recording moves by the person's keys.
        guard context.snapshot.session.phase != .ended || context.snapshot.replay != nil else { return .nothing }
        return .clock(rank: 6, context)
    }

    /// What a click on the key in the banner of a frozen display does; nil beside it.
    static func press(onBanner point: Point, _ frame: FrameContext) -> HintPress? {
        banner(frame)?.press(at: point, in: frame.layout.banner)
    }

    private static func banner(_ frame: FrameContext, on grid: inout Grid) {
        guard let row = banner(frame), !frame.layout.banner.isEmpty else { return }
        grid.fill(frame.layout.banner, role: .bannerFrozen)
        row.draw(in: frame.layout.banner, frame.context.glyphs, on: &grid)
    }

    /// ` FROZEN for 12s   at 12:41:18Z   still collecting   Z resumes`; nil while the display moves.
    private static func banner(_ frame: FrameContext) -> HintRow? {
        guard let held = frame.state.held else { return nil }
        let context = frame.context
        var line = StyledLine(" FROZEN ", .bannerFrozen)
        line.add("for \(TimeText.coarse(context.realNow.uptime - held.at.uptime))", .bannerFrozen)
        // Where there is little room, the key that ends it is worth more.
        if context.sizeClass > .small {
            line.add("   at \(TimeText.clock(held.at.wall))Z", .bannerFrozen)
            let sends = context.snapshot.session.mode == .fire && context.snapshot.replay == nil
            line.append(sends ? "   still collecting and sending" : "   still collecting", .bannerFrozen)
        }
        let key = context.key(.freeze)
        guard !key.isEmpty else { return HintRow(line) }
        line.append("   ", .bannerFrozen)
        var row = HintRow(line)
        row.append(.of("\(key) resumes", .bannerFrozen), .action(.freeze))
        return row
    }
}
