import Ports
import Testing

@testable import adtop

@Suite struct ReportTests {
    private let finding = Finding(
        rule: "extinf-invalid", severity: .error, message: "'abc' is no number, 100%", line: 7,
        section: "rfc8216bis-22 4.4.4.1")

    @Test func findingsReadLikeACompilers() {
        #expect(
            Report.finding(finding, place: "a.m3u8").plain
                == "a.m3u8:7: error extinf-invalid: 'abc' is no number, 100% (rfc8216bis-22 4.4.4.1)")
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

    @Test func aTreeLeavesOutWhatIsAbsent() {
        let value: JSONValue = ["a": 1, "b": nil, "c": ["d": "x", "e": []], "f": [1, ["g": true]]]
        #expect(Report.tree(value) == ["a  1", "c", "  d  x", "  e", "f", "  1", "  [2]", "    g  true"])
    }
}
