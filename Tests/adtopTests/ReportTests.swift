import ArgumentParser
import Ports
import Testing

@testable import adtop

@Suite struct ReportTests {
    private let finding = Finding(
        rule: "extinf-invalid", severity: .error, message: "'abc' is no number, 100%", line: 7,
        section: "rfc8216bis-22 4.4.4.1")

    /// A day alone begins at midnight, also one to come.
    @Test(
        arguments: [
            ("2027-01-01", 1_798_761_600), ("2027-01-01T00:00:01Z", 1_798_761_601), ("1h", 1_799_996_400),
        ] as [(String, Int64)])
    func aReportBeginsAtADateOrBeforeNow(text: String, seconds: Int64) throws {
        let now = UnixTime(milliseconds: 1_800_000_000_000)
        let start = try ReportForm.parse(["--since", text]).startingPoint(now)
        #expect(start == UnixTime(milliseconds: seconds * 1_000))
    }

    @Test func findingsReadLikeACompilers() {
        #expect(
            Report.finding(finding, place: "a.m3u8").plain
                == "a.m3u8:7: error extinf-invalid: 'abc' is no number, 100% (rfc8216bis-22 4.4.4.1)")
    }

    @Test func findingsOfStandardInputNameIt() {
        #expect(Report.finding(finding, place: "-").plain.hasPrefix("stdin:7: error extinf-invalid: "))
        #expect(Report.annotation(finding, place: "-").hasPrefix("::error file=stdin,line=7,"))
    }

    @Test func colourTellsSeverityAndNothingFromOutsideGetsThrough() {
        var finding = finding
        finding.message = "\u{1B}[2Jx"
        let text = Report.finding(finding, place: "a.m3u8").text(isColored: true)
        #expect(text.contains("\u{1B}[31merror\u{1B}[0m \u{1B}[1mextinf-invalid\u{1B}[0m"))
        #expect(!text.contains("\u{1B}[2J"))
    }

    @Test func annotationsAreEscaped() {
        #expect(
            Report.annotation(finding, place: "a:b,c.m3u8")
                == "::error file=a%3Ab%2Cc.m3u8,line=7,title=extinf-invalid::'abc' is no number, 100%25")
    }

    /// CR LF is one character, and so is a comma with a combining mark after it.
    @Test func nothingEndsAnAnnotationEarly() {
        let finding = Finding(rule: "r", severity: .error, message: "a\r\n::warning::b")
        #expect(
            Report.annotation(finding, place: "a,\u{301}:\u{301}").utf8.elementsEqual(
                "::error file=a%2C\u{301}%3A\u{301},title=r::a%0D%0A::warning::b".utf8))
    }

    @Test func aTreeLeavesOutWhatIsAbsent() {
        let value: JSONValue = ["a": 1, "b": nil, "c": ["d": "x", "e": []], "f": [1, ["g": true]]]
        #expect(Report.tree(value) == ["a  1", "c", "  d  x", "  e", "f", "  1", "  [2]", "    g  true"])
    }
}
