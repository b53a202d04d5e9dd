package import Ports

extension PrebidAnswer {
    /// The schema `adtop-prebid/1` (docs/auction.md). `authority` is the host and port of the local cache, e.g.
    /// `localhost:16257`.
    package func json(authority: String) -> JSONValue {
        [
            "schema": "adtop-prebid/1",
            "id": .string(response.id), "currency": .string(response.currency),
            "imps": .object(
                JSONObject(imps.map { JSONObject.Member(name: $0.id, value: $0.json(authority: authority)) })),
            "errors": .array(errors.map(\.json)), "warnings": .array(warnings.map(\.json)),
            "nonBids": .array(nonBids.map(\.json)),
            "responseTimesMs": .object(
                JSONObject(responseTimes.map { JSONObject.Member(name: $0.bidder, value: .optional($0.milliseconds)) })),
        ]
    }
}

extension PrebidAnswer.Complaint {
    fileprivate var json: JSONValue {
        ["bidder": .string(bidder), "code": .optional(code), "message": .string(message)]
    }
}

extension PrebidImp {
    fileprivate func json(authority: String) -> JSONValue {
        var object = JSONObject()
        object.append("winningBid", .optional(winningBid?.bid.id))
        object.append("seat", .optional(winningBid?.seat))
        object.append("price", .optional(winningBid?.bid.price.amount?.text))
        object.append(
            "targeting",
            .object(JSONObject(targeting.map { JSONObject.Member(name: $0.name, value: .string($0.value)) })))
        object.append("markup", .optional(markup))
        object.append("fallbackUrl", .optional(fallbackURL))
        object.append(
            "localEntries",
            .array(
                entries.map { entry in
                    [
                        "id": .string(entry.id), "contentType": .string(entry.contentType),
                        "bytes": .optional(entry.body.utf8.count), "url": .string(entry.url(authority: authority)),
                    ]
                }))
        object.append("onWin", .array(onWin.map(JSONValue.string)))
        object.append("onDisplay", .array(onDisplay.map(JSONValue.string)))
        if let rewarded { object.append("rewarded", rewarded.json) }
        return .object(object)
    }
}

extension RewardedSettings {
    package var json: JSONValue {
        [
            "name": .optional(name), "amount": amount.map { JSONValue($0) } ?? .null,
            "completionEvent": .string(completionEvent), "completionSeconds": .optional(completionSeconds),
            "endcardSeconds": .optional(endCardSeconds), "closeAction": .optional(closeAction),
            "postRewardSeconds": .optional(postRewardSeconds),
        ]
    }
}
