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
            contentType: "application/json", distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
    }()
}

enum BroadpeakTexts {
    /// The date of second 0 of ``ProviderSamples/dated``.
    static let zeroMs = UnixTime.second(0).milliseconds

    /// Pods each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(pods: Int, more: String = "") -> String {
        let list = (0..<pods).map { pod(start: 12_000 + $0 * 60_000) }.joined(separator: ",")
        return #"{"adpods":[\#(list)]\#(more)}"#
    }

    private static func pod(start: Int) -> String {
        let ads = [ad(start: start, length: 15_000), ad(start: start + 15_000, length: 10_000)].joined(separator: ",")
        return #"{"id":"p\#(start)","starttime_ms":\#(Int(zeroMs) + start),"duration_ms":25000,"ads":[\#(ads)]}"#
    }

    private static func ad(start: Int, length: Int) -> String {
        let names = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        var events = [event("impression", of: start, at: start)]
        for (quarter, name) in names.enumerated() {
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
