import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A stream of Primetime that a bootstrap answer names (PRV-37, PRV-38).
    static let primetime: ProviderSamples = {
        let first = PrimetimeTexts.document(pods: 1)
        let asked = "https://m.example/auditude/bootstrap?pttrackingmode=simple"
        return ProviderSamples(
            mediaURL: asked,
            opening: [
                .answer(200, #"{"Master-M3U8":"https://m.example/master.m3u8"}"#, url: asked),
                .answer(
                    200, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvariant/0.m3u8?u=1\n",
                    url: "https://m.example/master.m3u8"),
            ],
            documents: (1...3).map { PrimetimeTexts.document(pods: $0) }, empty: #"{"pods":[]}"#,
            truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("{\"event\":", with: "{\"new\":null,\"event\":")
                .replacing("{\"pods\":", with: "{\"new\":1,\"pods\":")
                .replacing("{\"id\":", with: "{\"new\":[{}],\"id\":"),
            hostile: MediaTailorTexts.values.flatMap(PrimetimeTexts.documents(with:)),
            contentType: "application/json", accented: first.replacing("\"a12\"", with: "\"a12\u{E9}\""),
            growth: PrimetimeTexts.growth, paging: .none, rolling: .init(document: PrimetimeTexts.window),
            distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
    }()
}

enum PrimetimeTexts {
    /// Pods each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(pods: Int) -> String {
        document((0..<pods).map { pod($0) })
    }

    private static func document(_ pods: [String]) -> String { #"{"pods":[\#(pods.joined(separator: ","))]}"# }

    private static func pod(_ number: Int, ads count: Int = 2, without missing: String? = nil) -> String {
        let start = 12 + number * 60
        let all = [(start: start, length: 15), (start: start + 15, length: 10)].prefix(count)
        let ads = all.map { ad(start: $0.start, length: $0.length, without: missing) }.joined(separator: ",")
        let length = all.reduce(0) { $0 + $1.length }
        return #"{"id":\#(start),"startTime":\#(start),"duration":\#(length),"ads":[\#(ads)]}"#
    }

    static let growth = [document([pod(0, ads: 1, without: "start")]), document(pods: 1)]

    @Sendable static func window(_ number: Int) -> String { document([pod(number), pod(number + 1)]) }

    private static func ad(start: Int, length: Int, without missing: String?) -> String {
        let names = ["start", "first", "midpoint", "third", "complete"]
        var events = [event("Impression", of: start, at: "\(start)")]
        for (quarter, name) in names.enumerated() where name != missing {
            let quarters = start * 4 + length * quarter
            events.append(event(name, of: start, at: "\(quarters / 4).\(["0", "25", "5", "75"][quarters % 4])"))
        }
        return
            #"{"id":"a\#(start)","startTime":\#(start),"duration":\#(length),"trackingUrls":[\#(events.joined(separator: ","))]}"#
    }

    private static func event(_ name: String, of ad: Int, at time: String) -> String {
        #"{"event":"\#(name)","url":"https://t.example/\#(ad)/\#(name)","startTime":\#(time)}"#
    }

    static func documents(with value: String) -> [String] {
        let all = ["startTime", "duration", "id", "event", "url"].map { #""\#($0)":\#(value)"# }.joined(separator: ",")
        return [
            #"{"pods":\#(value)}"#, #"{"pods":[\#(value),{\#(all),"ads":\#(value),"trackingUrls":\#(value)}]}"#,
            #"{"pods":[{"startTime":1,"trackingUrls":[{\#(all)},\#(value)],"ads":[{\#(all),"trackingUrls":[{\#(all)}]},\#(value)]}]}"#,
        ]
    }
}
