import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A live session of Broadpeak (PRV-34 to PRV-36).
    static let broadpeak: ProviderSamples = {
        let first = BroadpeakTexts.document(pods: 1)
        let asked = "https://stream.broadpeak.io/live/channel.m3u8?bpkio_serviceid=s"
        return ProviderSamples(
            mediaURL: asked,
            opening: [
                HTTPExchange(
                    hops: [
                        HTTPExchange.Hop(url: asked, status: 302, fields: []),
                        HTTPExchange.Hop(url: "\(asked)&bpkio_sessionid=7", status: 200, fields: []),
                    ], body: Array("#EXTM3U\n".utf8))
            ],
            documents: (1...3).map { BroadpeakTexts.document(pods: $0) }, empty: #"{"adpods":[]}"#,
            truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("{\"adid\":", with: "{\"new\":[{}],\"adid\":")
                .replacing("{\"type\":", with: "{\"new\":null,\"type\":")
                .replacing("{\"adpods\":", with: "{\"new\":1,\"adpods\":"),
            hostile: MediaTailorTexts.values.flatMap(BroadpeakTexts.documents(with:)) + BroadpeakTexts.large,
            contentType: "application/json", accented: first.replacing("\"a12000\"", with: "\"a12000\u{E9}\""),
            growth: BroadpeakTexts.growth, paging: .none, rolling: .init(document: BroadpeakTexts.window),
            distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
    }()
}

enum BroadpeakTexts {
    /// The date of second 0 of ``ProviderSamples/dated``.
    static let zeroMs = UnixTime.second(0).milliseconds

    /// Pods each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(pods: Int, more: String = "") -> String {
        document((0..<pods).map { pod($0) }, more: more)
    }

    private static func document(_ pods: [String], more: String = "") -> String {
        #"{"adpods":[\#(pods.joined(separator: ","))]\#(more)}"#
    }

    private static func pod(_ number: Int, ads count: Int = 2, without missing: String? = nil) -> String {
        let start = 12_000 + number * 60_000
        let all = [(start: start, length: 15_000), (start: start + 15_000, length: 10_000)].prefix(count)
        let ads = all.map { ad(start: $0.start, length: $0.length, without: missing) }.joined(separator: ",")
        let times = #""starttime_ms":\#(Int(zeroMs) + start),"duration_ms":\#(all.reduce(0) { $0 + $1.length })"#
        return #"{"id":"p\#(start)",\#(times),"ads":[\#(ads)]}"#
    }

    static let growth = [document([pod(0, ads: 1, without: "start")]), document(pods: 1)]

    @Sendable static func window(_ number: Int) -> String { document([pod(number), pod(number + 1)]) }

    private static func ad(start: Int, length: Int, without missing: String?) -> String {
        let names = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        var events = [event("impression", of: start, at: start)]
        for (quarter, name) in names.enumerated() where name != missing {
            events.append(event(name, of: start, at: start + length * quarter / 4))
        }
        let list = events.joined(separator: ",")
        return
            #"{"adid":"a\#(start)","starttime_ms":\#(Int(zeroMs) + start),"duration_ms":\#(length),"trackingevents":[\#(list)]}"#
    }

    private static func event(_ name: String, of ad: Int, at time: Int) -> String {
        #"{"type":"\#(name)","callbackurl":"https://t.example/\#(ad)/\#(name)","time_ms":\#(Int(zeroMs) + time)}"#
    }

    static func documents(with value: String) -> [String] {
        let names = [
            "starttime_ms", "duration_ms", "offset_ms", "time_ms", "id", "adid", "creativeid", "type", "callbackurl",
        ]
        let all = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
        return [
            #"{"adpods":\#(value),"timereference_ms":\#(value),"refresh_delay_ms":\#(value)}"#,
            #"{"timereference_ms":\#(value),"refresh_delay_ms":\#(value),"adpods":[\#(value),{\#(all),"ads":\#(value)}]}"#,
            #"{"adpods":[{"starttime_ms":1,"ads":[{\#(all),"trackingevents":[{\#(all)},\#(value)],"videoclicks":\#(value)}]}]}"#,
            #"{"adpods":[{"starttime_ms":1,"ads":[{"adid":"a","videoclicks":{"clickthroughurl":\#(value),"clicktracking":[{"clickurl":\#(value)},\#(value)]}}]}]}"#,
        ]
    }

    static let large: [String] = {
        let urls = Array(repeating: "\"https://t.example/\"", count: 5_000).joined(separator: ",")
        let ads = Array(repeating: #"{"adid":"a","starttime_ms":1}"#, count: 3_000).joined(separator: ",")
        let pods = Array(repeating: #"{"starttime_ms":1,"ads":[]}"#, count: 8_000).joined(separator: ",")
        return [
            #"{"adpods":[{"starttime_ms":1,"ads":[{"trackingevents":[{"type":"start","callbackurl":[\#(urls)]}]}]}]}"#,
            #"{"adpods":[{"starttime_ms":1,"ads":[\#(ads)]}]}"#, #"{"adpods":[\#(pods)]}"#,
        ]
    }()
}
