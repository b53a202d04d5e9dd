import Session
import Testing

@testable import adtop

/// The commands that stay in the shell after the dashboard.
struct ClosingAdviceTests {
    private static let report = "adtop report --html --output report.html   (every beacon with its tries)"

    @Test func aJournalIsReported() {
        #expect(ClosingAdvice(journal: JournalSettings(), hasBeacons: true).lines == [Self.report])
        var own = JournalSettings()
        own.place = .at("it's.sqlite")
        #expect(
            ClosingAdvice(journal: own, hasBeacons: true).lines.first?.hasPrefix(
                "adtop report 'it'\\''s.sqlite' --html ")
                == true)
        #expect(ClosingAdvice(journal: own, hasBeacons: false).lines == [])
    }

    @Test func aRecordingIsReplayed() {
        let advice = ClosingAdvice(journal: JournalSettings(), recordings: ["session.adtop"], hasBeacons: true)
        #expect(advice.lines == [Self.report, "adtop replay 'session.adtop'   (the same screens, at any moment)"])
        // A session can be looked at again where nothing was due.
        #expect(
            ClosingAdvice(recordings: ["session.adtop"], hasBeacons: false).lines == [advice.lines[1]])
    }

    @Test func oneOfManyRecordingsIsNamed() {
        let paths = RecordingOrder(path: "tonight", redaction: .standard).paths(of: ["ch7", "news at 9", "ch9"])
        let advice = ClosingAdvice(recordings: paths, shown: 1, recordsMany: true, hasBeacons: false)
        #expect(
            advice.lines == ["adtop replay 'tonight/news-at-9.adtop'   (the same screens; 2 more recordings there)"])
        #expect(ClosingAdvice(recordings: [], shown: 0, recordsMany: true, hasBeacons: false).lines == [])
    }

    @Test func withoutAJournalItNamesWhatWouldKeepMore() {
        let start = "no journal was kept; --journal FILE keeps one for adtop report"
        #expect(ClosingAdvice(hasBeacons: true).lines == [start + ", --record FILE a replay"])
        #expect(ClosingAdvice(recordsMany: true, hasBeacons: true).lines == [start + ", --record FOLDER a replay"])
        // There is a replay.
        #expect(ClosingAdvice(recordings: ["s.adtop"], hasBeacons: true).lines.first == start)
        #expect(ClosingAdvice(hasBeacons: false).lines == [])
    }
}
