import Ports
import Testing

@testable import HLS

struct PlaylistFindingsTests {
    @Test func keepsSoManyOfARuleAndCountsTheRest() {
        var findings = PlaylistFindings()
        for line in 1...60 { findings.add(.gapSegment, line: line, "gap") }
        findings.add(.bomPresent, line: 1, "mark")
        let sorted = findings.sorted()
        #expect(sorted.count == PlaylistLimits.findingsPerRule + 1)
        #expect(sorted.last?.message == "gap (and 10 more)")
        #expect(sorted.map(\.line).first == 1)
    }

    @Test func linesComeInOrderAndTheWholeLast() {
        var findings = PlaylistFindings()
        findings.add(.noVariants, line: nil, "none")
        findings.add(.bomPresent, line: 4, "b")
        findings.add(.strayWhitespace, line: 2, "a")
        #expect(findings.sorted().map(\.line) == [2, 4, nil])
    }

    @Test func longMessagesAreCut() {
        var findings = PlaylistFindings()
        findings.add(.bomPresent, line: 1, String(repeating: "x", count: 100_000))
        #expect(findings.sorted()[0].message.utf8.count < 1_000)
    }
}
