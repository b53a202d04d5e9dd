import AdFormats
import AdTracking
import Ports
import VAST

/// The section `formats` of a snapshot (docs/snapshot.md).
extension SnapshotJSON {
    func formats(_ formats: FormatsView, at now: Moment) -> JSONValue {
        [
            "server": .optional(formats.server), "up": .optional(formats.isUp), "hidden": .bool(formats.isHidden),
            "slots": .array(formats.slots.map { slot($0, at: now) }),
            "plugins": .array(
                formats.plugins.map { plugin in
                    [
                        "identifier": .string(plugin.identifier), "provider": .string(plugin.provider),
                        "state": .string(plugin.state.rawValue), "reason": plugin.reason.map { text($0) } ?? .null,
                        "runs": .optional(plugin.runs),
                    ]
                }),
        ]
    }

    private func slot(_ view: FormatsView.Slot, at now: Moment) -> JSONValue {
        let slot = view.slot
        return [
            "name": .string(slot.name), "unit": .string(slot.config.unit), "type": .string(slot.format.rawValue),
            "provider": .string(slot.provider), "size": .optional(slot.size?.text),
            "state": .string(slot.state.rawValue), "visible": .double(slot.visibility.fraction),
            "refreshMs": duration(slot.refresh.left(at: now.uptime)), "refreshRuns": .bool(slot.refresh.isRunning),
            "events": .string(String(slot.marks.map(\.rawValue))), "loads": .optional(slot.loads),
            "viewability": .array(slot.viewed.map { .string($0.rawValue) }),
            "error": slot.error.map { ["case": .string($0.reason.rawValue), "detail": text($0.detail)] } ?? .null,
            "ad": content(slot.content, at: now),
            "reports": .array(
                view.reports.map { report in
                    [
                        "event": .string(report.event), "urls": .array(report.urls.map { url($0) }),
                        "state": .string(report.state.rawValue), "atMs": date(report.at),
                    ]
                }),
        ]
    }

    private func content(_ content: AdSlot.Content, at now: Moment) -> JSONValue {
        switch content {
        case .none: .null
        case .surface(let surface, _):
            [
                "text": .array(surface.lines.map { text($0) }), "links": .array(surface.links.map { url($0) }),
                "bytes": .optional(surface.byteCount), "mraid": .optional(surface.mraid.versionNeeded),
            ]
        case .native(let ad):
            [
                "title": .optional(ad.title), "description": .optional(ad.description), "rating": .optional(ad.rating),
                "iconURL": url(ad.iconURL), "imageURL": url(ad.imageURL), "buttonText": .optional(ad.buttonText),
                "clickURL": url(ad.clickURL),
            ]
        case .rewarded(let player, let media):
            [
                "phase": .string(player.phase.rawValue), "status": .string(player.status.name),
                "positionMs": .integer(player.position(at: now.uptime)),
                "durationMs": .integer(player.ad.duration), "countdown": .integer(player.countdown(at: now.uptime)),
                "muted": .bool(player.isMuted), "paused": .bool(player.isPaused),
                "reward": player.ad.rules.reward.map { ["name": .string($0.name), "amount": .optional($0.amount)] }
                    ?? .null,
                "earned": .bool(player.hasEarned), "earnedBy": .string(player.ad.rules.earningText),
                "media": [
                    "url": url(media.url), "quality": .string(media.quality), "bitrate": .optional(media.bitrate),
                    "type": .optional(media.type), "bytes": .optional(media.bytes),
                    "fileDurationMs": .optional(media.fileDuration),
                    "ageMs": duration(media.age), "why": .string(media.reason),
                ],
                "endCard": player.ad.endCard.map { .string($0.kindName) } ?? .null,
            ]
        }
    }
}
