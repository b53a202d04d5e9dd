import AdFormats
import Ports
import VAST

/// A slot and its trace as `adtop-format/1` (docs/formats.md).
enum SlotJSON {
    static func document(_ slot: AdSlot, _ trace: FormatTrace, explains: Bool) -> JSONValue {
        var object = JSONObject()
        object.append("schema", "adtop-format/1")
        object.append("slot", ad(slot))
        if explains {
            object.append(
                "parameters",
                .array(
                    slot.parameters.entries.map { entry in
                        [
                            "key": .string(entry.key), "value": .string(entry.value),
                            "kind": .string(entry.kind.rawValue),
                            "meaning": .string(entry.meaning), "openRTB": .optional(entry.openRTB),
                        ]
                    }))
        }
        object.append("trace", trace.json)
        return .object(object)
    }

    static func explanation(_ parameters: RequestParameters) -> [String] {
        parameters.entries.map { entry in
            let key = entry.key + String(repeating: " ", count: max(1, 9 - entry.key.count))
            let kind = entry.kind == .dynamic ? "dynamic" : "static "
            let more = entry.openRTB.map { " (\($0))" } ?? ""
            return "\(key)\(kind) \(entry.meaning)\(more): \(entry.value.isEmpty ? "-" : entry.value)"
        }
    }

    static func ad(_ slot: AdSlot) -> JSONValue {
        [
            "unit": .string(slot.config.unit), "format": .string(slot.format.rawValue),
            "provider": .string(slot.provider), "state": .string(slot.state.rawValue),
            "size": .optional(slot.size?.text), "error": .optional(slot.error?.reason.rawValue),
            "detail": .optional(slot.error?.detail), "events": .string(String(slot.marks.map(\.rawValue))),
            "viewability": .array(slot.viewed.map { .string($0.rawValue) }), "ad": content(slot.content),
        ]
    }

    private static func content(_ content: AdSlot.Content) -> JSONValue {
        switch content {
        case .none: .null
        case .surface(let surface, let container): json(surface, container)
        case .native(let ad): json(ad)
        case .rewarded(let player, let media): json(player, media)
        }
    }

    private static func json(_ surface: AdSurface, _ container: MRAIDContainer) -> JSONValue {
        [
            "bytes": .optional(surface.byteCount), "text": .array(surface.lines.map(JSONValue.string)),
            "links": .array(surface.links.map(JSONValue.string)),
            "externals": .array(surface.externals.map(JSONValue.string)),
            "mraid": surface.mraid.isEmpty
                ? .null
                : ["version": .optional(surface.mraid.versionNeeded), "state": .string(container.state.rawValue)],
        ]
    }

    /// The six fields and the click destination; trackers are not shown (FMT-22).
    static func json(_ ad: NativeAd) -> JSONValue {
        [
            "title": .optional(ad.title), "description": .optional(ad.description), "rating": .optional(ad.rating),
            "iconURL": .optional(ad.iconURL), "imageURL": .optional(ad.imageURL),
            "buttonText": .optional(ad.buttonText), "clickURL": .string(ad.clickURL),
        ]
    }

    private static func json(_ player: RewardedPlayer, _ media: PreparedMedia) -> JSONValue {
        let reward = player.ad.rules.reward
        return [
            "title": .optional(player.ad.title), "durationMs": .integer(player.ad.duration),
            "phase": .string(player.phase.rawValue), "status": .string(player.status.name),
            "skipFromMs": .optional(player.ad.skipFrom),
            "reward": reward.map { ["name": .string($0.name), "amount": .optional($0.amount)] } ?? .null,
            "earnedBy": .string(player.ad.rules.earningText), "earned": .bool(player.hasEarned),
            "media": [
                "url": .string(media.url), "quality": .string(media.quality), "width": .optional(media.width),
                "height": .optional(media.height), "bitrate": .optional(media.bitrate), "type": .optional(media.type),
                "bytes": .optional(media.bytes), "fileDurationMs": .optional(media.fileDuration),
                "ageMs": .optional(media.age?.inMilliseconds), "why": .string(media.reason),
            ],
            "endCard": player.ad.endCard.map { ["kind": .string($0.kindName), "value": .string($0.value)] } ?? .null,
        ]
    }
}
