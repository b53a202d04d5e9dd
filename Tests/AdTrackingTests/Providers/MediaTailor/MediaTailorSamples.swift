import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// An explicit session of MediaTailor with client-side reporting (PRV-15, PRV-18).
    static let mediaTailor: ProviderSamples = {
        let first = MediaTailorTexts.document(avails: 1, token: "dG9rZW4tMQ==")
        return ProviderSamples(
            mediaURL: "https://video.example/v1/session/0123456789abcdef/channel/index.m3u8",
            opening: [
                .answer(
                    200,
                    #"{"manifestUrl":"/v1/master/0123456789abcdef/channel/index.m3u8?aws.sessionId=s-1","#
                        + #""trackingUrl":"/v1/tracking/0123456789abcdef/channel/s-1"}"#,
                    url: "https://video.example/v1/session/0123456789abcdef/channel/index.m3u8")
            ],
            documents: [1, 2, 3].map { MediaTailorTexts.document(avails: $0, token: "dG9rZW4t\($0)=") },
            empty: #"{"avails":[],"nonLinearAvails":[],"nextToken":null}"#, truncated: String(first.dropLast(200)),
            unknown:
                first
                .replacing("{\"availId\":", with: "{\"new\":{\"a\":[1,null]},\"availId\":")
                .replacing("{\"eventType\":", with: "{\"new\":\"\\u0000\",\"eventType\":")
                .replacing("{\"avails\":", with: "{\"new\":[[]],\"avails\":"),
            hostile: MediaTailorTexts.values.flatMap(MediaTailorTexts.documents(with:)) + MediaTailorTexts.large,
            contentType: "application/json",
            accented: first.replacing("\"a12\"", with: "\"a12\u{E9}\""), growth: MediaTailorTexts.growth,
            paging: .tokens(MediaTailorTexts.pages), rolling: .init(document: MediaTailorTexts.window),
            // The target duration of 6 s with 5 % of jitter; twice that after a failure.
            distances: .milliseconds(5_700)...(.milliseconds(12_700)), stream: stream)
    }()

    /// Segments of 6 s with dates; second 0 is the first one.
    private static let stream: StreamFacts = {
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60), at: 1)
        return StreamFacts(timeline: viewer.timeline)
    }()
}

enum MediaTailorTexts {
    /// Avails each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(avails: Int, token: String) -> String {
        document((0..<avails).map { avail($0) }, token: "\"\(token)\"")
    }

    private static func document(_ avails: [String], token: String) -> String {
        #"{"avails":[\#(avails.joined(separator: ","))],"nonLinearAvails":[],"nextToken":\#(token)}"#
    }

    /// - Parameters:
    ///   - ads: the ads of the two that the answer lists; the avail is as long as they were stitched so far.
    ///   - missing: an event that it does not list yet.
    private static func avail(_ number: Int, ads: Range<Int> = 0..<2, without missing: String? = nil) -> String {
        let start = 12 + number * 60
        let all = [(start: start, length: 15), (start: start + 15, length: 10)]
        let list = all[ads].map { ad(start: $0.start, length: $0.length, without: missing) }.joined(separator: ",")
        let length = all[..<ads.upperBound].reduce(0) { $0 + $1.length }
        return #"{"availId":"v\#(start)",\#(times(start, length)),"ads":[\#(list)],"adMarkerDuration":"PT25S"}"#
    }

    static let growth = [
        document([avail(0, ads: 0..<1, without: "start")], token: "\"g1\""), document([avail(0)], token: "\"g2\""),
    ]

    /// Tokens are sent as they are written, so one has an escape.
    static let pages = ProviderSamples.Pages(
        pages: [
            ("cDE%3D", [avail(0)]), ("cDI=", [avail(0, ads: 1..<2), avail(1)]), ("cDM=", [avail(1, ads: 1..<2)]),
        ].map { token, avails in (token, document(avails, token: "\"\(token)\"")) },
        last: document([avail(1, ads: 1..<2)], token: "null"), rejection: 400, finding: "L50")

    @Sendable static func window(_ number: Int) -> String {
        document([avail(number), avail(number + 1)], token: "\"w\(number)\"")
    }

    private static func ad(start: Int, length: Int, without missing: String?) -> String {
        let names = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        var events = [event("impression", of: start, at: "\(start)", lasts: length)]
        for (quarter, name) in names.enumerated() where name != missing {
            let quarters = start * 4 + length * quarter
            events.append(
                event(name, of: start, at: "\(quarters / 4).\(["0", "25", "5", "75"][quarters % 4])", lasts: 0))
        }
        let list = events.joined(separator: ",")
        return #"{"adId":"a\#(start)",\#(times(start, length)),"trackingEvents":[\#(list)]}"#
    }

    private static func times(_ start: Int, _ length: Int) -> String {
        #""startTime":"PT\#(start)S","startTimeInSeconds":\#(start),"duration":"PT\#(length)S","durationInSeconds":\#(length)"#
    }

    private static func event(_ name: String, of ad: Int, at time: String, lasts: Int) -> String {
        let url = "https://t.example/\(ad)/\(name)"
        return
            #"{"eventType":"\#(name)","startTimeInSeconds":\#(time),"durationInSeconds":\#(lasts),"beaconUrls":["\#(url)"]}"#
    }

    /// Values that belong nowhere.
    static let values: [String] = [
        "1e999", "-1e999", "9223372036854775807", "-9223372036854775808", "1e308", "99999999999", "-1", "\"\"", "\"x\"",
        "\"PT\"", "\"P9999999999999999DT1S\"", "\"99:99:99\"", "null", "true", "[]", "{}", "\"9999-99-99T99:99:99Z\"",
        String(repeating: "9", count: 5_000),
    ]

    static func documents(with value: String) -> [String] {
        let names = ["startTimeInSeconds", "startTime", "durationInSeconds", "duration", "availId", "adId"]
        let all = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
        let event = #"{\#(all),"eventType":\#(value),"beaconUrls":\#(value)}"#
        return [
            #"{"avails":\#(value),"nonLinearAvails":\#(value),"nextToken":\#(value),"dashAvailabilityStartTime":\#(value)}"#,
            #"{"avails":[\#(value),{\#(all),"ads":\#(value),"adBreakTrackingEvents":\#(value)}]}"#,
            #"{"avails":[{"startTimeInSeconds":1,"ads":[{\#(all),"trackingEvents":[\#(event)]},\#(value)]}]}"#,
            #"{"avails":[{\#(all),"startTimeInSeconds":1,"nonLinearAdsList":[{"nonLinearAdList":[{\#(all)}],"trackingEvents":[\#(event)]}]}]}"#,
            #"{"avails":[{"availProgramDateTime":\#(value),"ads":[{"adProgramDateTime":\#(value),"adId":"a"}]}]}"#,
        ]
    }

    static let large: [String] = {
        let list = Array(repeating: "\"https://t.example/\"", count: 5_000).joined(separator: ",")
        let event = #"{"eventType":"start","beaconUrls":[\#(list)]}"#
        let ads = Array(repeating: #"{"adId":"a","startTimeInSeconds":1}"#, count: 3_000).joined(separator: ",")
        let avails = Array(repeating: #"{"startTimeInSeconds":1,"ads":[]}"#, count: 8_000).joined(separator: ",")
        return [
            #"{"avails":[{"startTimeInSeconds":1,"ads":[{"trackingEvents":[\#(event)]}]}]}"#,
            #"{"avails":[{"startTimeInSeconds":1,"ads":[\#(ads)]}]}"#, #"{"avails":[\#(avails)]}"#,
            #"{"avails":["# + Array(repeating: "7", count: 20_000).joined(separator: ",") + "]}",
        ]
    }()
}
