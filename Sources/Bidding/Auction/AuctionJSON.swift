package import Ports

/// The schema `adtop-auction/1` (docs/auction.md).
extension AuctionResult {
    package var json: JSONValue {
        var object = JSONObject()
        object.append("schema", "adtop-auction/1")
        object.append("auctionId", .string(id))
        object.append("currency", .string(currency))
        object.append("winner", winnerJSON)
        object.append("error", .optional(failure?.rawValue))
        object.append("finalState", .string(finalState.rawValue))
        object.append("markup", .optional(markup))
        object.append("forwarded", forwarded?.json ?? .null)
        object.append("callbacks", .array(callbacks.map { .string($0.description) }))
        object.append("notices", .array(notices.map { ["kind": .string($0.kind.rawValue), "url": .string($0.url)] }))
        object.append("losers", .array(losers.map { Self.loser($0.candidate, $0.reason) }))
        object.append("nonBids", .array(nonBids.map(\.json)))
        object.append("warnings", .array(warnings.map(JSONValue.string)))
        object.append("candidates", .array(candidates.map(\.json)))
        object.append("steps", .array(steps.map(\.json)))
        if let pod { object.append("pod", pod.json) }
        return .object(object)
    }

    private var winnerJSON: JSONValue {
        guard let candidate = winningCandidate else { return .null }
        return [
            "source": .string(candidate.source.rawValue), "id": .string(candidate.id), "cpm": .optional(cpm?.text),
            "currency": .string(currency), "via": .optional(candidate.via),
        ]
    }

    private static func loser(_ candidate: Candidate, _ reason: LostReason) -> JSONValue {
        var object = JSONObject()
        object.append("source", .string(candidate.source.rawValue))
        object.append("id", .string(candidate.id))
        if candidate.source == .rtb { object.append("lossCode", .optional(reason.code.rawValue)) }
        object.append("reason", .string(reason.rawValue))
        return .object(object)
    }
}

extension ForwardedAdapter {
    var json: JSONValue {
        let parameters = parameters.map { JSONObject.Member(name: $0.name, value: .string($0.value)) }
        return [
            "adapter": .string(adapter), "params": .object(JSONObject(parameters)),
            "keywords": .array(keywords.map(JSONValue.string)),
        ]
    }
}

extension NonBid {
    package var json: JSONValue {
        var object = JSONObject()
        object.append("seat", .string(seat))
        if let impID { object.append("impid", .string(impID)) }
        object.append("statusCode", .optional(status))
        object.append("reason", .string(reason))
        if !detail.isEmpty { object.append("detail", .string(detail)) }
        return .object(object)
    }
}

extension Candidate {
    package var json: JSONValue {
        [
            "source": .string(source.rawValue), "id": .string(id), "who": .string(who), "bidder": .optional(bidder),
            "price": .optional(price?.text), "currency": .optional(currency), "cpm": .optional(cpm?.text),
            "state": .string(stateText), "reason": .optional(lostReason?.rawValue),
            "lossCode": .optional(source == .rtb ? lostReason?.code.rawValue : nil), "via": .optional(via),
            "deal": .optional(deal), "latencyMs": .optional(latency?.inMilliseconds),
            "notes": .array(notes.map { .string($0.text) }),
        ]
    }

    /// `won`, `lost`, `proxy` or `notEligible`.
    package var stateText: String {
        switch state {
        case .won: "won"
        case .lost: "lost"
        case .proxy: "proxy"
        case .notEligible: "notEligible"
        }
    }
}

extension AuctionStep {
    package var json: JSONValue {
        [
            "number": .optional(name.rawValue), "name": .string(name.text), "atMs": .optional(at?.inMilliseconds),
            "note": .string(note),
        ]
    }
}

extension PodResult {
    package var json: JSONValue {
        [
            "bids": .array(
                bids.map { bid in
                    ["id": .string(bid.id), "durationS": .optional(bid.duration), "cpm": .string(bid.cpm.text)]
                }),
            "filledS": .optional(filled), "roomS": .optional(room), "cpm": .string(cpm.text), "exact": .bool(isExact),
        ]
    }
}
