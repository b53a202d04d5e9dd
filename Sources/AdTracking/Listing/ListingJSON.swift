package import Ports

/// Listed breaks as JSON, for tools (schema `adtop-metadata/1`) and conformance runs.
package enum ListingJSON {
    /// The clock of all starts, and the breaks: `date` with UTC texts where every break has a date, else `stream` with the provider's
    /// seconds (PRV-3).
    package static func breaks(_ breaks: [ListedBreak]) -> (clock: String, breaks: JSONValue) {
        let isDated = breaks.allSatisfy { $0.date != nil }
        return (isDated ? "date" : "stream", .array(breaks.map { json($0, isDated) }))
    }

    private static func json(_ adBreak: ListedBreak, _ isDated: Bool) -> JSONValue {
        [
            "id": .optional(adBreak.id), "start": time(adBreak.start, adBreak.date, isDated),
            "duration": seconds(adBreak.length), "planned": seconds(adBreak.planned), "linear": .bool(adBreak.isLinear),
            "ads": .array(adBreak.ads.map { json($0, isDated) }), "events": json(adBreak.events, in: adBreak.length),
        ]
    }

    private static func json(_ ad: ListedAd, _ isDated: Bool) -> JSONValue {
        [
            "id": .optional(ad.id), "start": time(ad.start, ad.date, isDated), "duration": seconds(ad.length),
            "creative": .optional(ad.creative), "clickThrough": .optional(ad.clickThrough),
            "linear": .bool(ad.isLinear), "slate": .bool(ad.isSlate),
            "planned": .bool(ad.isPlanned), "events": json(ad.events, in: ad.length),
        ]
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
