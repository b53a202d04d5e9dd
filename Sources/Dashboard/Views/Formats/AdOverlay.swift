import AdFormats
import AdTracking
import Ports
import Screen
import Session

/// A full-screen ad over all panes: its media and the time left, the quartiles reached, its reward, and its keys (FMT-15, FMT-16).
enum AdOverlay {
    /// Content narrower than this has no room for the big countdown.
    private static let bigColumns = 50
    /// Content lower than this has no room for the big countdown.
    private static let bigRows = 12

    /// Draws it between header and footer.
    static func draw(_ view: FormatsView.Slot, _ context: ViewContext, on grid: inout Grid) {
        let rect = rect(context.size)
        let isBoxed = context.sizeClass > .small
        grid.fill(rect)
        PaneFrame(
            title: title(view.slot), status: [behind(context, AdOverlayKeys.canClose(view.slot, context))],
            isFocused: true
        )
        .draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let (body, keys) = parts(context)
        guard !body.isEmpty else { return }
        AdOverlayKeys.row(view.slot, context).draw(in: keys, context.glyphs, on: &grid)
        let isBig = body.width >= bigColumns && body.height >= bigRows
        put(lines(view, context, width: body.width, isBig: isBig), context, in: body, on: &grid)
    }

    /// What the key under a point does, nil beside the keys; the smallest screens do not draw the ad.
    static func press(at point: Point, _ view: FormatsView.Slot, _ context: ViewContext) -> HintPress? {
        guard context.sizeClass > .tiny else { return nil }
        return AdOverlayKeys.row(view.slot, context).press(at: point, in: parts(context).keys)
    }

    /// The cells of its text and of its keys. Keys first: they are what a person needs where there is little room.
    private static func parts(_ context: ViewContext) -> (body: Rect, keys: Rect) {
        let rect = rect(context.size)
        let content = context.sizeClass > .small ? rect.inset(columns: 2, rows: 1) : rect.splitTop(1).rest
        let (body, keys) = content.splitBottom(content.height > 1 ? 1 : 0)
        return (body, keys)
    }

    /// The cells it covers.
    static func rect(_ size: Size) -> Rect {
        Rect(size).splitTop(1).rest.splitBottom(1).rest
    }

    /// Where a click of the mouse closes the ad: its corner, as large as on a device.
    static func closeRegion(_ size: Size) -> Rect {
        guard SizeClass(size) > .tiny else { return .zero }
        let corner = DeviceProfile.closeRegion
        let top = rect(size).splitTop(corner.rows).top
        return top.splitRight(corner.columns).right
    }

    /// The ad in one row, for the smallest screens.
    static func row(_ view: FormatsView.Slot, _ context: ViewContext) -> StyledLine {
        var line = StyledLine.of("\(view.slot.name)  ", .paneTitle)
        if case .rewarded(let player, _) = view.slot.content {
            line.append(phase(player, context))
            line.space(2)
            line.append(FormatsRowLine.reward(player, context.glyphs))
        } else if case .surface(let surface, _) = view.slot.content {
            line.add(surface.lines.joined(separator: " | "))
        }
        return line
    }

    private static func put(_ lines: [StyledLine], _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        for (row, line) in lines.prefix(rect.height).enumerated() {
            grid.put(
                line.truncatedTail(to: rect.width, context.glyphs), at: Point(x: rect.x, y: rect.y + row),
                maxColumns: rect.width)
        }
    }

    private static func title(_ slot: AdSlot) -> StyledLine {
        var line = StyledLine.of(slot.name, .paneTitle)
        line.add("  \(slot.format.rawValue)  \(slot.config.unit)", .paneCount)
        return line
    }

    /// The key that shows the panes behind it; the mark that closes it is in the region that reacts to clicks.
    private static func behind(_ context: ViewContext, _ canClose: Bool) -> StyledLine {
        let key = context.key(.back)
        var line = key.isEmpty ? StyledLine() : StyledLine.of("\(key) shows the panes", .paneCount)
        guard canClose else { return line }
        if line.columns > 0 { line.space(2) }
        line.add("[\(context.key(.formatClose))]", .paneTitle)
        return line
    }

    // MARK: Its lines

    private static func lines(
        _ view: FormatsView.Slot, _ context: ViewContext, width: Int, isBig: Bool
    ) -> [StyledLine] {
        switch view.slot.content {
        case .surface(let surface, let container):
            var fields = FieldLines(width: width, wraps: isBig, context.glyphs)
            add(surface, container, view.slot, context, to: &fields)
            return fields.lines
        case .rewarded(let player, let media):
            let top = isBig ? StyledLine.of(player.ad.title ?? "", .header) : nil
            var lines = [top].compactMap(\.self).filter { $0.columns > 0 } + message(player)
            if isBig { lines.append(StyledLine()) }
            lines += playback(player, view.slot, context, width: width, isBig: isBig)
            if isBig { lines.append(StyledLine()) }
            var fields = FieldLines(width: width, wraps: false, context.glyphs)
            add(player, media, view, context, to: &fields)
            return lines + fields.lines
        case .native, .none: return []
        }
    }

    /// What is written over the video (FMT-20).
    private static func message(_ player: RewardedPlayer) -> [StyledLine] {
        let texts =
            switch player.phase {
            case .ready, .playing: player.ad.messagesBefore
            case .endCard, .replay: player.hasEarned ? player.ad.messagesAfter : []
            case .failed, .closed: [] as [String]
            }
        return texts.isEmpty ? [] : [.of(texts.joined(separator: "  "), .headerArmed)]
    }

    /// Countdown, position, quartiles, reward; the countdown large where there is room.
    private static func playback(
        _ player: RewardedPlayer, _ slot: AdSlot, _ context: ViewContext, width: Int, isBig: Bool
    ) -> [StyledLine] {
        let countdown = player.countdown(at: context.now.uptime)
        guard isBig, player.phase == .playing else {
            return [phase(player, context), FormatsRowLine.reward(player, context.glyphs)]
        }
        let digits = BigDigits.lines(
            countdown, player.isPaused || player.isHidden ? .textMuted : .header, context.glyphs)
        let left = max(3 * BigDigits.digitColumns, digits.map(\.columns).max() ?? 0) + 2
        let position = player.position(at: context.now.uptime)
        let share = Double(position) / Double(max(1, player.ad.duration))
        let rows = [
            phase(player, context),
            StyledLine(
                Gauge.text(share, columns: min(40, max(10, width - left - 2)), context.glyphs), .stateBusy),
            StyledLine(), FormatsRowLine.reward(player, context.glyphs),
            .of("reward at \(player.ad.rules.earningText)", .textMuted),
        ]
        return zip(digits, rows).map { digit, row in
            var line = digit
            line.pad(to: left)
            line.append(row)
            return line
        }
    }

    /// What the player is doing.
    private static func phase(_ player: RewardedPlayer, _ context: ViewContext) -> StyledLine {
        let duration = FormatsRowLine.minutes(.milliseconds(player.ad.duration))
        let played = FormatsRowLine.minutes(
            .seconds(player.position(at: context.now.uptime) / 1_000))
        var line = StyledLine()
        switch player.phase {
        case .ready: line.add("ready, \(duration)", .textMuted)
        case .playing:
            line.add("countdown \(player.countdown(at: context.now.uptime)) s", .text)
            line.add("  \(played) of \(duration)", .textMuted)
            if player.isPaused { line.append("  paused", .stateRetry) }
            if player.isHidden { line.append("  paused (hidden)", .stateRetry) }
            if player.isMuted { line.append("  muted", .textMuted) }
        case .endCard: line.append("end card", .text)
        case .replay: line.append("ended", .text)
        case .failed: line.append(FormatsRowLine.failure(player), .stateFailed)
        case .closed: line.append("closed", .textMuted)
        }
        return line
    }

    private static func add(
        _ player: RewardedPlayer, _ media: PreparedMedia, _ view: FormatsView.Slot, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        if player.phase == .endCard { addCard(player, context, to: &fields) }
        fields.field("video", FormatsRowLine.video(media))
        if let url = player.ad.clickThrough { fields.address("click", StyledLine.url(context.url(url))) }
        guard !view.reports.isEmpty else { return }
        var fired = StyledLine()
        for report in view.reports {
            if fired.columns > 0 { fired.space(2) }
            fired.add("\(report.event) \(report.state.rawValue)", StateSign(report.state).role)
        }
        fields.field("beacons", fired)
    }

    /// The end card on a terminal: the text of markup, the address of everything else (FMT-21).
    private static func addCard(_ player: RewardedPlayer, _ context: ViewContext, to fields: inout FieldLines) {
        guard let card = player.ad.endCard else { return }
        fields.field("card", [card.kindName, card.sizeText].compactMap(\.self).joined(separator: "  "))
        if let text = card.text {
            for line in text { fields.field("", line) }
        } else {
            fields.address("", StyledLine.url(context.url(card.value)))
        }
        if let url = card.clickThroughURL { fields.address("landing", StyledLine.url(context.url(url))) }
    }

    private static func add(
        _ surface: AdSurface, _ container: MRAIDContainer, _ slot: AdSlot, _ context: ViewContext,
        to fields: inout FieldLines
    ) {
        for line in surface.lines { fields.add(.of(line)) }
        fields.blank()
        let size = slot.size.map { $0.text + "  " } ?? ""
        fields.field("markup", "\(size)\(TimeText.bytes(surface.byteCount))", .textMuted)
        for (index, link) in surface.links.enumerated() {
            fields.address(SafeText(outside: "[\(index + 1)]"), StyledLine.url(context.url(link)))
        }
        for address in surface.externals { fields.address("external", StyledLine.url(context.url(address))) }
        guard let version = surface.mraid.versionNeeded else { return }
        fields.field("mraid", "\(version), container \(container.state.rawValue)")
        for warning in surface.mraid.warnings { fields.field("", warning, .textMuted) }
    }
}
