package import Ports

extension PlayerProfile {
    /// The `player` of the selection vectors.
    package var json: JSONValue {
        [
            "types": .texts(types), "width": .integer(Int64(width)), "height": .integer(Int64(height)),
            "max_kbps": .optional(maximumBitrate), "codecs": .texts(codecs), "deliveries": .texts(deliveries),
        ]
    }
}

extension CreativeChoice {
    /// `files` and `pick` as in the selection vectors, each file with its `verdict`, followed by all other offers.
    package func json(slots: [CompanionSlot]) -> JSONValue {
        [
            "files": .array(
                zip(files, media.verdicts).map { file, verdict in
                    var object = file.json.objectValue ?? JSONObject()
                    object.append("chosen", .bool(verdict == .chosen))
                    object.append("verdict", .string(verdict.explanation))
                    return .object(object)
                }),
            "pick": .optional(media.chosen.flatMap { files[$0].id }),
            "pick_url": .optional(media.chosen.map { files[$0].url }), "error_code": .optional(errorCode),
            "offers": .list(offers) {
                [
                    "kind": .string($0.kind.rawValue), "name": .optional($0.name), "url": .optional($0.url),
                    "used": .bool($0.isUsed), "reason": .string($0.reason),
                ]
            },
            "companions": companionsJSON(slots), "end_card": .optional(endCard, \.json),
        ]
    }

    private func companionsJSON(_ slots: [CompanionSlot]) -> JSONValue {
        guard let companions, let placement else { return .null }
        return [
            "required": .optional(companions.required), "requirement_met": .bool(placement.isRequirementMet),
            "choices": .list(placement.choices) { choice in
                [
                    "slot": .string(slots[choice.slot].text),
                    "companion": .optional(companions.companions[choice.companion].id),
                    "index": .integer(Int64(choice.companion)), "match": .string(choice.match.rawValue),
                ]
            },
            "unplaced": .list(placement.unplaced) { .integer(Int64($0)) },
        ]
    }
}

extension CompanionSlot {
    /// `300x250`, or `300x250#id`.
    package var text: String { "\(width)x\(height)\(id.map { "#\($0)" } ?? "")" }
}
