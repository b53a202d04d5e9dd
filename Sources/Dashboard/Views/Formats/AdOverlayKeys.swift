import AdFormats
import Ports
import Screen

/// The keys of a shown ad; a key without effect at the moment shows when it gets one.
enum AdOverlayKeys {
    /// The keys in one row.
    static func row(_ slot: AdSlot, _ context: ViewContext) -> HintRow {
        guard case .rewarded(let player, _) = slot.content else {
            return KeyHints.row([(.open, "click"), (.formatClose, "close")], context, gap: 2)
        }
        var hints: [(Action, SafeText)] = [(.open, "action")]
        switch player.phase {
        case .playing:
            hints.append((.mute, player.isMuted ? "unmute" : "mute"))
            hints.append((.pause, player.isPaused ? "resume" : "pause"))
        case .endCard, .replay: hints.append((.retry, "replay"))
        case .ready, .failed, .closed: break
        }
        let canClose = canClose(slot, context)
        if canClose { hints.append((.formatClose, player.phase == .playing && !player.hasEarned ? "skip" : "close")) }
        var row = KeyHints.row(hints, context, gap: 2)
        if !canClose {
            row.space(2)
            row.append(StyledLine(later(player, context), .textMuted))
        }
        return row
    }

    /// Whether the ad can be closed now.
    static func canClose(_ slot: AdSlot, _ context: ViewContext) -> Bool {
        guard case .rewarded(let player, _) = slot.content else { return true }
        return player.canClose(at: context.now.uptime)
    }

    /// When the ad can be closed.
    private static func later(_ player: RewardedPlayer, _ context: ViewContext) -> SafeText {
        let key = context.key(.formatClose)
        if player.phase == .playing, let skip = player.ad.skipFrom, skip < player.ad.duration {
            let seconds = (max(0, skip - player.position(at: context.now.uptime)) + 999) / 1_000
            return SafeText(outside: "\(key) skip in \(seconds) s")
        }
        return SafeText(outside: player.phase == .playing ? "\(key) close at the end" : "\(key) close soon")
    }
}
