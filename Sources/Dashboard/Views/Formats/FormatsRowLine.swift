import AdFormats
import Ports
import Screen
import Session

/// One row of the formats view (FMT-26).
enum FormatsRowLine {
    /// The indent of the lines below an ad space.
    private static let indent = 2

    /// A column of the table.
    private enum Column: CaseIterable {
        case slot, unit, type, size, state, share, refresh, events

        /// Columns with the blank after it; the events end the row without a blank.
        var width: Int {
            switch self {
            case .slot, .type: 13
            case .unit: 10
            case .size: 9
            case .state, .refresh: 8
            case .share: 5
            case .events: 13
            }
        }

        var name: String {
            switch self {
            case .slot: "slot"
            case .unit: "unit"
            case .type: "type"
            case .size: "size"
            case .state: "state"
            case .share: "vis"
            case .refresh: "refresh"
            case .events: "events"
            }
        }

        /// The columns of a row of that width: columns that the detail repeats are dropped first.
        static func fitting(_ width: Int) -> [Column] {
            var columns = allCases
            for spare in [Column.size, .unit, .type]
            where columns.reduce(0, { $0 + $1.width }) > width { columns.removeAll { $0 == spare } }
            return columns
        }
    }

    /// The most columns of a unit.
    private static let widestUnit = 40

    /// Pads each column to its width; units, which are the longest texts, get the spare columns.
    private static func table(
        _ width: Int, _ context: ViewContext, _ cell: (Column) -> (String, Role)
    ) -> StyledLine {
        let columns = Column.fitting(width)
        let spare = max(0, width - columns.reduce(0) { $0 + $1.width })
        var line = StyledLine()
        var end = 0
        for column in columns {
            let (text, role) = cell(column)
            let whole = column == .unit ? min(column.width + spare, widestUnit) : column.width
            let room = column == .events ? whole : whole - 1
            line.append(StyledLine.of(text, role).truncatedTail(to: room, context.glyphs))
            end += whole
            line.pad(to: min(end, width))
        }
        return line
    }

    /// How many lines describe the ad in it.
    static func lineCount(_ slot: AdSlot) -> Int {
        if slot.state == .failed { return 1 }
        return switch slot.content {
        case .none: 0
        case .surface: slot.format.isFullScreen ? 1 : 0
        case .native: 1
        case .rewarded: 3
        }
    }

    /// The row of an item in that many columns.
    static func line(_ item: FormatsItem, _ context: ViewContext, width: Int) -> StyledLine {
        guard let name = item.slot else { return table(width, context) { ($0.name, .textMuted) } }
        guard let view = context.snapshot.formats?.slot(name) else { return StyledLine() }
        guard case .line(_, let index) = item else {
            return table(width, context) { cell($0, of: view.slot, context) }
        }
        var line = StyledLine()
        line.space(indent)
        line.append(about(view.slot, index, context))
        return line
    }

    private static func cell(_ column: Column, of slot: AdSlot, _ context: ViewContext) -> (String, Role) {
        switch column {
        case .slot: return (slot.name, .text)
        case .unit: return (slot.config.unit, .text)
        case .type: return (slot.format.rawValue, .textMuted)
        case .size: return (slot.size?.text ?? "-", .textMuted)
        case .state: return (slot.state.word, role(slot.state))
        case .share:
            guard slot.machine.isPresented else { return ("-", .textMuted) }
            let percent = Int((slot.visibility.fraction * 100).rounded())
            return ("\(percent)%", slot.visibility.isVisible ? .text : .textMuted)
        case .refresh: return (refresh(slot, context), slot.refresh.isRunning ? .text : .textMuted)
        case .events: return (slot.marks.map { String($0.rawValue) }.joined(separator: " "), .stateDone)
        }
    }

    /// The time left with the word `refresh`; empty without a refresh.
    static func refreshText(_ slot: AdSlot, _ context: ViewContext) -> String {
        slot.refresh.left(at: context.now.uptime) == nil ? "" : "refresh \(refresh(slot, context))"
    }

    private static func refresh(_ slot: AdSlot, _ context: ViewContext) -> String {
        guard let left = slot.refresh.left(at: context.now.uptime) else { return "-" }
        guard slot.refresh.isRunning else { return "paused" }
        return minutes(left)
    }

    /// `00:17`, rounded up so that the last second reads 1.
    static func minutes(_ span: Duration) -> String {
        let seconds = (max(0, span.inMilliseconds) + 999) / 1_000
        return "\((seconds / 60).zeroPadded(to: 2)):\((seconds % 60).zeroPadded(to: 2))"
    }

    /// The colour of a state; its word means the same without colour (FMT-26).
    static func role(_ state: AdState) -> Role {
        switch state {
        case .uninitialized: .stateIdle
        case .loading: .stateBusy
        case .loaded: .text
        case .impressed: .stateDone
        case .clicked: .stateObserved
        case .closed: .stateOff
        case .failed: .stateFailed
        }
    }

    // MARK: Lines about the ad

    private static func about(_ slot: AdSlot, _ index: Int, _ context: ViewContext) -> StyledLine {
        if slot.state == .failed {
            var line = StyledLine.of(slot.error?.reason.word ?? "failed", .stateFailed)
            line.add("  " + context.prose(slot.error?.detail ?? ""), .textMuted)
            return line
        }
        switch slot.content {
        case .none: return StyledLine()
        case .surface(let surface, _): return .of(surface.lines.joined(separator: " | "), .textMuted)
        case .native(let ad): return native(ad)
        case .rewarded(let player, let media):
            switch index {
            case 0: return controls(player, slot, context)
            case 1: return reward(player, context.glyphs)
            default: return video(media)
            }
        }
    }

    private static func native(_ ad: NativeAd) -> StyledLine {
        let parts = [
            ad.title, ad.rating, ad.buttonText, ad.iconURL == nil ? nil : "icon \(ad.iconSize)",
            ad.imageURL == nil ? nil : "main \(ad.imageSize)",
        ]
        return .of(parts.compactMap(\.self).joined(separator: " | "), .textMuted)
    }

    private static func controls(_ player: RewardedPlayer, _ slot: AdSlot, _ context: ViewContext) -> StyledLine {
        var line = StyledLine()
        switch player.phase {
        case .ready:
            line.add("ready, \(Duration.milliseconds(player.ad.duration).text)", .textMuted)
        case .playing:
            line.add("countdown \(player.countdown(at: context.now.uptime)) s", .text)
            if player.isPaused || player.isHidden { line.add("  paused", .stateRetry) }
            if player.isMuted { line.add("  muted", .textMuted) }
        case .endCard: line.add("end card: \(player.ad.endCard?.kindName ?? "")", .text)
        case .replay: line.add("ended", .text)
        case .failed: line.append(failure(player), .stateFailed)
        case .closed: line.add("closed", .textMuted)
        }
        if slot.machine.isPresented, player.phase != .closed {
            line.add(
                player.canClose(at: context.now.uptime) ? "  can be closed" : "  cannot be closed yet", .textMuted)
        }
        return line
    }

    /// Why the video does not play.
    static func failure(_ player: RewardedPlayer) -> SafeText {
        if case .failed(let why) = player.status { return SafeText(outside: "the video cannot be played: \(why)") }
        return "the video failed"
    }

    /// The reward, and the quartiles that were reached.
    static func reward(_ player: RewardedPlayer, _ glyphs: Glyphs) -> StyledLine {
        var line = StyledLine()
        if let reward = player.ad.rules.reward {
            line.add("reward \(reward.amount) \(reward.name)  ", .text)
            line.append(player.hasEarned ? "earned" : "pending", player.hasEarned ? .stateDone : .textMuted)
        } else {
            line.append("no reward", .textMuted)
        }
        line.append("  played", .textMuted)
        for quarter in player.quarters {
            line.add(" \(quarter.percent) %", quarter.isReached ? .stateDone : .textMuted)
            if quarter.isReached { line.append(" " + SafeText(glyphs.sign(.done)), .stateDone) }
        }
        return line
    }

    /// The media that is played, and its source.
    static func video(_ media: PreparedMedia) -> StyledLine {
        let size = media.width.flatMap { w in media.height.map { " \(w)x\($0)" } } ?? ""
        let rate = media.bitrate.map { " \($0.grouped) kbit/s" } ?? ""
        var line = StyledLine.of("media \(media.quality)\(size)\(rate)", .text)
        if let age = media.age { line.add("  cache \(minutes(age)) of 60:00", .stateDone) }
        line.add("  \(media.reason)", .textMuted)
        return line
    }
}
