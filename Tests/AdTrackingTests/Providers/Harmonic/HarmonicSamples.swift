import AdTracking
import Ports

extension ProviderSamples {
    /// Harmonic PMM (TRK-1, TRK-4, TRK-20).
    static let harmonic: ProviderSamples = {
        let first = HarmonicTexts.document(edge: 60_000)
        return ProviderSamples(
            mediaURL: "https://h.example/live/index.m3u8?a=1",
            opening: [
                .answer(
                    200, #"{"manifestUrl":"/live/index.m3u8?sessid=X","trackingUrl":"/live/metadata?sessid=X"}"#,
                    url: "https://h.example/live/index.m3u8?a=1&initSession=true")
            ],
            documents: [60_000, 64_000, 120_000].map(HarmonicTexts.document(edge:)),
            empty: #"{"dataRange":{"start":1000,"end":60000},"adBreaks":[]}"#, truncated: String(first.dropLast(200)),
            unknown:
                first
                .replacing("{\"id\":", with: "{\"new\":{\"a\":[1,null]},\"id\":")
                .replacing("{\"event\":", with: "{\"new\":\"\\u0000\",\"event\":")
                .replacing("{\"dataRange\":", with: "{\"new\":[[]],\"dataRange\":"),
            hostile: HarmonicTexts.values.flatMap(HarmonicTexts.documents(with:)) + HarmonicTexts.large,
            contentType: "application/json; charset=utf-8",
            accented: first.replacing("\"a20000\"", with: "\"a20000\u{E9}\""), growth: HarmonicTexts.growth,
            paging: .none,
            rolling: .init(document: HarmonicTexts.window),
            // 4 s with 5 % of jitter; twice that after a failure, and 10 s for an answer that does not come.
            distances: .milliseconds(3_800)...(.milliseconds(11_100)))
    }()
}

private enum HarmonicTexts {
    /// A window up to `edge`, in milliseconds, with a break each minute: one ad of 15 s and one of 10 s.
    static func document(edge: Int) -> String {
        document(stride(from: 0, to: edge, by: 60_000).map { adBreak($0) }, from: 0, to: edge)
    }

    private static func document(_ breaks: [String], from start: Int, to end: Int) -> String {
        #"{"dataRange":{"start":\#(start),"end":\#(end)},"adBreaks":[\#(breaks.joined(separator: ","))]}"#
    }

    /// A break at second 20 of the minute that begins there.
    private static func adBreak(_ minute: Int, ads count: Int = 2, without missing: String? = nil) -> String {
        let all = [(start: minute + 20_000, length: 15_000), (start: minute + 35_000, length: 10_000)].prefix(count)
        let ads = all.map { ad(start: $0.start, length: $0.length, without: missing) }.joined(separator: ",")
        let length = all.reduce(0) { $0 + $1.length }
        return #"{"id":"b\#(minute)","startTime":\#(minute + 20_000),"duration":\#(length),"ads":[\#(ads)]}"#
    }

    /// The first one ends with its first ad.
    static let growth = [
        document([adBreak(0, ads: 1, without: "start")], from: 0, to: 35_000), document(edge: 60_000),
    ]

    @Sendable static func window(_ number: Int) -> String {
        let start = number * 60_000
        return document([adBreak(start), adBreak(start + 60_000)], from: start, to: start + 120_000)
    }

    private static func ad(start: Int, length: Int, without missing: String?) -> String {
        let names = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        var events = [event("impression", of: start, at: start, lasts: length)]
        for (quarter, name) in names.enumerated() where name != missing {
            events.append(event(name, of: start, at: start + length * quarter / 4, lasts: 0))
        }
        let list = events.joined(separator: ",")
        return #"{"id":"a\#(start)","startTime":\#(start),"duration":\#(length),"trackingEvents":[\#(list)]}"#
    }

    private static func event(_ name: String, of ad: Int, at time: Int, lasts: Int) -> String {
        let url = "https://t.example/\(ad)/\(name)"
        return #"{"event":"\#(name)","startTime":\#(time),"duration":\#(lasts),"signalingUrls":["\#(url)"]}"#
    }

    /// Values that belong nowhere.
    static let values: [String] = [
        "1e999", "-1e999", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "\"\"",
        "\"x\"", "null", "true", "[]", "{}", String(repeating: "9", count: 5_000),
    ]

    static func documents(with value: String) -> [String] {
        let event = #"{"event":\#(value),"startTime":\#(value),"duration":\#(value),"signalingUrls":\#(value)}"#
        return [
            changed("20000", to: value), changed("15000", to: value), changed("60000", to: value),
            #"{"dataRange":\#(value),"adBreaks":\#(value)}"#,
            #"{"adBreaks":[\#(value),{"id":\#(value),"startTime":0,"duration":1,"ads":\#(value)}]}"#,
            #"{"adBreaks":[{"id":"b","startTime":0,"duration":1,"ads":[{"trackingEvents":[\#(event)]}]}]}"#,
        ]
    }

    private static func changed(_ old: String, to new: String) -> String {
        document(edge: 60_000).replacing(old, with: new)
    }

    static let large: [String] = {
        let list = Array(repeating: "\"https://t.example/\"", count: 5_000).joined(separator: ",")
        let event = #"{"event":"start","startTime":0,"signalingUrls":[\#(list)]}"#
        return [
            #"{"adBreaks":"# + String(repeating: "[", count: 100_000),
            #"{"adBreaks":"# + String(repeating: #"[{"ads":"#, count: 20_000),
            #"{"adBreaks":["# + Array(repeating: "7", count: 20_000).joined(separator: ",") + "]}",
            #"{"adBreaks":[{"startTime":0,"ads":[{"startTime":0,"trackingEvents":[\#(event)]}]}]}"#,
        ]
    }()
}
