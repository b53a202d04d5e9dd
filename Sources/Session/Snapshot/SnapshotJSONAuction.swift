import Bidding
import Ports

extension SnapshotJSON {
    func auction(_ view: AuctionView) -> JSONValue {
        var object = JSONObject()
        object.append("number", .optional(view.number))
        object.append("id", .string(view.id))
        object.append("placement", .string(view.placement.id))
        object.append("startedAtMs", date(view.startedAt))
        object.append("asked", .optional(view.asked))
        object.append("answered", .optional(view.answered))
        object.append("waitingFor", .array(view.waitingFor.map { .string($0) }))
        object.append("underWay", view.underWay.map(underWay) ?? .null)
        object.append("whatIf", .bool(view.isWhatIf))
        object.append("notices", .array(view.notices.map(notice)))
        object.append(
            "keys",
            .array(
                view.keys.map { key in
                    ["name": .string(key.name), "value": .string(key.value), "exact": .optional(key.exact)]
                }))
        object.append(
            "warm",
            .array(
                view.warm.map { creative in
                    [
                        "id": .string(creative.id), "bidder": .string(creative.bidder),
                        "state": .string(creative.state.rawValue), "contentType": .optional(creative.contentType),
                        "bytes": .optional(creative.bytes), "fallbackUrl": url(creative.fallbackURL),
                        "tookUs": .optional(creative.took?.inMicroseconds),
                        "problem": creative.problem.map { text($0) } ?? .null,
                    ]
                }))
        object.append("result", view.result.map(result) ?? .null)
        return .object(object)
    }

    private func underWay(_ auction: AuctionUnderWay) -> JSONValue {
        [
            "number": .optional(auction.number), "id": .string(auction.id), "startedAtMs": date(auction.startedAt),
            "asked": .optional(auction.asked), "answered": .optional(auction.answered),
            "waitingFor": .array(auction.waitingFor.map { .string($0) }),
        ]
    }

    /// `adtop-auction/1` without texts that may contain secrets: notices are separate, markup is given by its size.
    private func result(_ result: AuctionResult) -> JSONValue {
        guard case .object(var object) = result.json else { return result.json }
        object["notices"] = nil
        object["markup"] = nil
        object.append("markupBytes", .optional(result.markup?.utf8.count))
        return .object(object)
    }

    private func notice(_ notice: NoticeView) -> JSONValue {
        [
            "kind": .string(notice.kind.rawValue), "url": url(notice.url), "who": .string(notice.who),
            "state": .string(notice.state.rawValue), "tries": .optional(notice.tries),
            "status": .optional(notice.status),
            "problem": notice.problem.map { text($0) } ?? .null, "earlier": .bool(notice.isEarlier),
        ]
    }
}
