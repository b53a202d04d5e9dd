import Ports
import Testing

@testable import AdTracking

/// Ads without start or length in a break from second 60 to 90 (PRV-11).
@Suite struct ListedGapsTests {
    /// An ad as listed: `start+length`, with `-` for what it has not, and behind a comma the second of its last event.
    struct Case: Sendable, CustomTestStringConvertible {
        var listed: [String]
        /// The same of the result.
        var filled: [String]
        /// Numbers of the ads whose length is derived.
        var derived: [Int]

        init(_ listed: [String], _ filled: [String], derived: [Int]) {
            (self.listed, self.filled, self.derived) = (listed, filled, derived)
        }

        var testDescription: String { listed.joined(separator: " ") }
    }

    static let cases = [
        Case(["-+10", "-+20"], ["60+10", "70+20"], derived: []),
        Case(["60+-", "70+20"], ["60+10", "70+20"], derived: [0]),
        Case(["60+-", "-+20"], ["60+10", "70+20"], derived: [0]),
        Case(["-+-", "-+12", "-+8"], ["60+10", "70+12", "82+8"], derived: [0]),
        Case(["-+10", "-+-", "-+8"], ["60+10", "70+12", "82+8"], derived: [1]),
        Case(["60+-", "-+5", "80+10"], ["60+15", "75+5", "80+10"], derived: [0]),
        Case(["60+-", "-+5", "80+-"], ["60+15", "75+5", "80+10"], derived: [0, 2]),
        // Answers are not always in order.
        Case(["80+-", "60+-"], ["80+10", "60+20"], derived: [0, 1]),
        // Two unknown lengths: only an event shows one of them, and then the other is the rest.
        Case(["-+-", "-+-"], ["60+-", "60+-"], derived: []),
        Case(["-+-,72", "-+-"], ["60+12", "72+18"], derived: [0, 1]),
        Case(["-+-", "-+-,72"], ["60+-", "60+-"], derived: []),
        Case(["-+-", "-+-", "80+-"], ["60+-", "60+-", "80+10"], derived: [2]),
        // Nothing is left for it.
        Case(["60+-", "-+30"], ["60+-", "60+30"], derived: []),
        Case(["60+-,75", "-+30"], ["60+15", "75+30"], derived: [0]),
    ]

    private static func draft(_ text: String) throws -> ListedAdDraft {
        let parts = text.split(separator: ",")
        let values = try #require(parts.first).split(separator: "+").map { ExactDecimal($0) }
        var ad = ListedAd(id: nil, start: values[0] ?? ExactDecimal(60), length: values[1])
        if parts.count > 1 {
            let moment = try #require(ExactDecimal(parts[1]))
            ad.events = [ListedEvent("complete", statedOffset: moment.minus(ad.start), urls: ["https://t.example/"])]
        }
        return ListedAdDraft(ad: ad, start: values[0])
    }

    @Test(arguments: cases) func gapsAreFilled(_ test: Case) throws {
        var answer = ListedAnswer()
        let ads = ListedGaps.filled(
            try test.listed.map(Self.draft), breakStart: ExactDecimal(60), length: ExactDecimal(30), &answer
        ) { _ in "" }
        #expect(ads.map { "\($0.start)+\($0.length?.text ?? "-")" } == test.filled)
        #expect(ads.indices.filter { ads[$0].isLengthDerived } == test.derived)
        #expect(answer.findings.map(\.rule) == test.derived.map { _ in "P05" })
    }

    /// Without a length of the break only the start of a later ad, or an event, shows the length of one.
    @Test func aBreakOfUnknownLengthHasNoEnd() throws {
        var answer = ListedAnswer()
        let ads = ListedGaps.filled(
            try ["60+-", "-+5", "80+-"].map(Self.draft), breakStart: ExactDecimal(60), length: nil, &answer
        ) { _ in "" }
        #expect(ads.map(\.length?.text) == ["15", "5", nil])
    }
}
