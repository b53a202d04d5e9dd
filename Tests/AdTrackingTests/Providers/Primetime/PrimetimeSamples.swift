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
            contentType: "application/json", distances: .milliseconds(3_800)...(.milliseconds(11_500)), stream: dated)
    }()
}

enum PrimetimeTexts {
    /// Pods each minute from second 12 on, of one ad of 15 s and one of 10 s.
    static func document(pods: Int) -> String {
        let list = (0..<pods).map { pod(start: 12 + $0 * 60) }.joined(separator: ",")
        return #"{"pods":[\#(list)]}"#
    }

    private static func pod(start: Int) -> String {
        let ads = [ad(start: start, length: 15), ad(start: start + 15, length: 10)].joined(separator: ",")
        return #"{"id":\#(start),"startTime":\#(start),"duration":25,"ads":[\#(ads)]}"#
    }

    private static func ad(start: Int, length: Int) -> String {
        let names = ["start", "first", "midpoint", "third", "complete"]
        var events = [event("Impression", of: start, at: "\(start)")]
        for (quarter, name) in names.enumerated() {
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
