package import Ports

/// Listed breaks as JSON, for tools (schema `adtop-metadata/1`) and conformance runs.
package enum ListingJSON {
    /// The clock of all starts, and the breaks: `date` with UTC texts where every break has a date, else `stream` with the provider's
    /// seconds (PRV-3). An ad has its companions, verifications, icons and extensions where it has any.
    package static func breaks(_ breaks: [ListedBreak]) -> (clock: String, breaks: JSONValue) {
        let isDated = breaks.allSatisfy { $0.date != nil }
        return (isDated ? "date" : "stream", .array(breaks.map { json($0, isDated) }))
    }

    private static func json(_ adBreak: ListedBreak, _ isDated: Bool) -> JSONValue {
        [
            "id": .optional(adBreak.id), "start": time(adBreak.start, adBreak.date, isDated),
            "duration": seconds(adBreak.length), "planned": seconds(adBreak.planned), "linear": .bool(adBreak.isLinear),
            "ads": .array(adBreak.ads.map { .object(json($0, isDated)) }),
            "events": json(adBreak.events, in: adBreak.length),
        ]
    }

    private static func json(_ ad: ListedAd, _ isDated: Bool) -> JSONObject {
        var members = JSONObject()
        members.append("id", .optional(ad.id))
        members.append("start", time(ad.start, ad.date, isDated))
        members.append("duration", seconds(ad.length))
        members.append("creative", .optional(ad.creative))
        members.append("clickThrough", .optional(ad.clickThrough))
        members.append("linear", .bool(ad.isLinear))
        members.append("slate", .bool(ad.isSlate))
        members.append("planned", .bool(ad.isPlanned))
        members.append("events", json(ad.events, in: ad.length))
        return JSONObject(members.members + ListedPartsJSON.members(of: ad).members)
    }

    private static func json(_ events: [ListedEvent], in length: ExactDecimal?) -> JSONValue {
        .array(
            events.inOrder(inLength: length).map { event in
                [
                    "type": .string(event.name), "offset": seconds(event.offset(inLength: length)),
                    "urls": .array(event.urls.map(JSONValue.string)), "window": seconds(event.window),
                    "by": event.isReportedByService ? "server" : .null,
                ]
            })
    }

    private static func time(_ seconds: ExactDecimal, _ date: UnixTime?, _ isDated: Bool) -> JSONValue {
        guard isDated, let date else { return self.seconds(seconds) }
        return .string(UnixTime(milliseconds: date.roundedMilliseconds).iso8601)
    }

    /// Rounded half up to milliseconds.
    private static func seconds(_ seconds: ExactDecimal?) -> JSONValue {
        seconds.map { JSONValue($0.rounded(toDecimals: 3)) } ?? .null
    }
}
