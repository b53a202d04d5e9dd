import Ports
import Testing

@testable import AdTracking

/// Answers of Primetime with values that its public players do not show (PRV-38).
@Suite struct PrimetimeDocumentTests {
    private static func read(_ text: String) throws -> ListedAnswer {
        try PrimetimeDocument.read(Array(text.utf8)).answer
    }

    @Test func noPodsAreNoFault() throws {
        #expect(try Self.read(#"{"pods":null}"#).breaks.isEmpty)
        #expect(throws: MetadataProblem.self) { try Self.read(#"{"avails":[]}"#) }
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
