import Ports
import Testing

@testable import AdTracking

/// Answers of Primetime with values that its public players do not show (PRV-38).
@Suite struct PrimetimeDocumentTests {
    private static func read(_ text: String) throws -> ListedAnswer {
        try PrimetimeDocument.read(Array(text.utf8)).answer
    }

    /// Where the tag of a variant arrives damaged, the manifest is still no media playlist: nothing would be at its address.
    @Test(
        arguments: [
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\n1.m3u8\n", "/live/1.m3u8"),
            ("#EXT-X-STR?AM-INF:BANDWIDTH=1\n1.m3u8\n", "/live/1.m3u8"),
            ("#EXT-X-TARGETDURATION:4\n", "/live/a.m3u8"), ("#EXTINF:4,\n1.ts\n", "/live/a.m3u8"), ("", nil),
        ] as [(String, String?)])
    func theTrackingDataIsAtTheFirstMediaPlaylist(lines: String, path: String?) throws {
        let url = try WebURL("https://m.example/live/a.m3u8?pttrackingmode=simple")
        let opening = Primetime.answered(.answer(200, "#EXTM3U\n" + lines, url: url.text), from: url, count: 1)
        guard case .session(let session) = opening else { return #expect(path == nil, "\(opening)") }
        #expect(session.tracking.path == path)
    }

    @Test func noPodsAreNoFault() throws {
        #expect(try Self.read(#"{"pods":null}"#).breaks.isEmpty)
        #expect(throws: MetadataProblem.self) { try Self.read(#"{"avails":[]}"#) }
    }

    /// The finding has the value that is no time.
    @Test(arguments: [
        ("", "has no start"), (#""startTime":-2,"#, "has the start -2, which is no time"),
        (#""startTime":{},"#, "has a JSON object as its start"),
    ]) func aPodWithoutAStartHasThatOfItsFirstAd(_ start: String, _ lack: String) throws {
        func message(_ ads: String) throws -> String? {
            try Self.read(#"{"pods":[{"id":"p",\#(start)"ads":[\#(ads)]}]}"#).findings.first?.message
        }
        #expect(try message(#"{"startTime":60,"duration":5}"#) == "the pod \(lack): that of its first ad is used")
        #expect(try message("") == "the pod \(lack), and no ad has one: it is ignored")
    }

    /// Numbers as texts, several addresses of one entry, an entry without a time, and names in any case.
    @Test func oddValuesAreRead() throws {
        let entries =
            #"[{"event":"IMPRESSION","url":["https://t.example/i","https://t.example/j"],"startTime":"60"},"#
            + #"{"event":"First","url":"https://t.example/q"},{"event":"third","url":"https://t.example/t","startTime":-1}]"#
        let answer = try Self.read(
            #"{"pods":[{"id":7,"ads":[{"id":"a","startTime":"60","duration":"PT20S","trackingUrls":\#(entries)}]}]}"#)
        let adBreak = try #require(answer.breaks.first)
        #expect(adBreak.id == "7" && adBreak.start == ExactDecimal(60) && adBreak.length == ExactDecimal(20))
        let ad = try #require(adBreak.ads.first)
        #expect(ad.events.map(\.name) == ["impression", "firstQuartile", "thirdQuartile"])
        #expect(ad.events.map { $0.offset(inLength: ad.length)?.text } == ["0", "5", "15"])
        #expect(ad.events.map(\.urls.count) == [2, 1, 1] && answer.findings.map(\.rule) == ["P02"])
    }
}
