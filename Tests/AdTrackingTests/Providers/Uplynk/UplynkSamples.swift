import AdTracking
import HLS
import Ports

extension ProviderSamples {
    /// A session of Uplynk whose ads the player reports (PRV-42); answers to its pings have the form of its documents.
    static let uplynk: ProviderSamples = {
        let url = "https://content.uplynk.com/preplay/channel/7.json?v=2&ad.cping=1&ad.pingf=4"
        let first = UplynkTexts.document(breaks: 1)
        return ProviderSamples(
            mediaURL: url, opening: [.answer(200, UplynkTexts.opening(breaks: 1), url: url)],
            documents: (1...3).map { UplynkTexts.document(breaks: $0) }, empty: UplynkTexts.document(breaks: 0),
            truncated: String(first.dropLast(200)),
            unknown:
                first.replacing("{\"creative\":", with: "{\"new\":[{}],\"creative\":")
                .replacing("{\"type\":", with: "{\"new\":null,\"type\":")
                .replacing("{\"next_time\":", with: "{\"new\":1,\"next_time\":"),
            hostile: MediaTailorTexts.values.flatMap(UplynkTexts.documents(with:)) + UplynkTexts.large,
            contentType: "application/json", accented: first.replacing("\"a0\"", with: "\"a0\u{E9}\""),
            growth: UplynkTexts.growth, paging: .none, rolling: .init(document: UplynkTexts.window), distances: nil,
            stream: dated)
    }()
}

enum UplynkTexts {
    static func opening(breaks: Int) -> String {
        #"{"playURL":"https://content-a.uplynk.com/x.m3u8?pbs=1","prefix":"https://content-a.uplynk.com","sid":"s1","ads":\#(ads((0..<breaks).map { adBreak($0) }))}"#
    }

    static func document(breaks: Int) -> String { document((0..<breaks).map { adBreak($0) }) }

    private static func document(_ breaks: [String], next: String = "20.5") -> String {
        #"{"next_time":\#(next),"ads":\#(ads(breaks))}"#
    }

    private static func ads(_ breaks: [String]) -> String { #"{"breaks":[\#(breaks.joined(separator: ","))]}"# }

    /// A break at second 12 of a minute, of one ad of 15 s and one of 10 s.
    private static func adBreak(_ number: Int, ads count: Int = 2, without missing: String? = nil) -> String {
        let all = [("a\(number)", 15), ("c\(number)", 10)].prefix(count)
        let list = all.map { ad($0, $1, without: missing) }.joined(separator: ",")
        let times = #""timeOffset":\#(12 + number * 60),"duration":\#(all.reduce(0) { $0 + $1.1 })"#
        return #"{"type":"linear","breakId":"b\#(number)",\#(times),"ads":[\#(list)]}"#
    }

    static let growth = [document([adBreak(0, ads: 1, without: "starts")]), document(breaks: 1)]

    /// A ping is due in each minute.
    @Sendable static func window(_ number: Int) -> String {
        document([adBreak(number), adBreak(number + 1)], next: "\(number * 60 + 30)")
    }

    private static func ad(_ id: String, _ seconds: Int, without missing: String?) -> String {
        let names = ["impressions", "starts", "firstquartiles", "midpoints", "thirdquartiles", "completes"]
        let events = names.filter { $0 != missing }.map { #""\#($0)":["https://t.example/\#(id)/\#($0)"]"# }.joined(
            separator: ",")
        return #"{"creative":"\#(id)","duration":\#(seconds),"events":{\#(events)}}"#
    }

    static func documents(with value: String) -> [String] {
        let names = ["timeOffset", "duration", "type", "breakId", "creative", "events", "ads"]
        let all = names.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
        return [
            #"{"next_time":\#(value),"ads":\#(value),"error":\#(value)}"#,
            #"{"ads":{"breaks":\#(value)}}"#, #"{"ads":{"breaks":[\#(value),{\#(all)}]}}"#,
            #"{"ads":{"breaks":[{"timeOffset":1,"duration":\#(value),"events":{"impressions":\#(value)},"ads":[{\#(all)},\#(value)]}]}}"#,
            #"{"ads":{"breaks":[{"timeOffset":1,"ads":[{"creative":"a","duration":1,"events":{"starts":\#(value),"x":[\#(value)]}}]}]}}"#,
        ]
    }

    static let large: [String] = {
        let urls = Array(repeating: "\"https://t.example/\"", count: 5_000).joined(separator: ",")
        let ads = Array(repeating: #"{"creative":"a","duration":1}"#, count: 3_000).joined(separator: ",")
        let breaks = Array(repeating: #"{"timeOffset":1,"ads":[]}"#, count: 8_000).joined(separator: ",")
        return [
            #"{"ads":{"breaks":[{"timeOffset":1,"ads":[{"duration":1,"events":{"starts":[\#(urls)]}}]}]}}"#,
            #"{"ads":{"breaks":[{"timeOffset":1,"ads":[\#(ads)]}]}}"#, #"{"ads":{"breaks":[\#(breaks)]}}"#,
        ]
    }()
}
