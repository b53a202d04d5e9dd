import CreativeCache
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Counts of four digits and more have their thousands separated in every view.
@Suite struct GroupedNumbersTests {
    private func rows(_ sample: DashboardSample) -> [String] { TextWriter.rows(of: sample.frame.grid) }

    @Test func states() {
        var counts = StateCounts(.unicode)
        counts.add(1_204, .done, "alive", isFailure: false)
        counts.add(2_000, .failed, "silent", isFailure: true)
        let forms = counts.item(ranks: [1, 2]).forms.map(\.string)
        #expect(forms == ["✓1,204 alive  ✗2,000 silent", "✓1,204 ✗2,000", "✗2,000"])
    }

    @Test func foldedLines() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.log = LogView(capacity: 2_000)
        for number in 0..<1_204 {
            snapshot.log.append(LogEntry(number: number, at: SnapshotSamples.now, level: .info, message: "again"))
        }
        let rows = rows(DashboardSample(snapshot, 80, 24))
        #expect(rows.contains { $0.contains("I again  ×1,204") })
    }

    @Test func hits() throws {
        var snapshot = CacheSamples.full
        snapshot.cache?.records[0].hits = 4_711
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("0")
        #expect(rows(sample).contains { $0.contains("4,711") })
    }

    @Test func findings() throws {
        var snapshot = SnapshotSamples.midBreak
        let finding = Finding(rule: "L10", severity: .warning, message: "thin")
        snapshot.findings = [
            FindingView(finding: finding, count: 20_432, first: SnapshotSamples.now, last: SnapshotSamples.now)
        ]
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("f")
        let rows = rows(sample)
        #expect(rows.contains { $0.contains("20,432×") } && rows.contains { $0.contains("20,432 times") })
    }

    /// A narrow cell has a rounded number, never one of four digits without a separator, and never more than there is.
    @Test(arguments: [
        (0, 4, "0"), (999, 3, "999"), (1_000, 4, "1k"), (1_000, 5, "1,000"), (4_711, 5, "4,711"), (4_711, 4, "4.7k"),
        (4_711, 3, "4k"), (4_099, 4, "4k"), (9_999, 4, "9.9k"), (12_345, 4, "12k"), (12_345, 5, "12.3k"),
        (12_345, 6, "12,345"), (999_999, 4, "999k"), (1_000_000, 4, "1M"), (3_250_000, 4, "3.2M"),
        (Int.max, 4, "999M"),
    ])
    func cells(count: Int, columns: Int, text: String) {
        #expect(CellText.number(count, columns: columns) == text)
    }
}
