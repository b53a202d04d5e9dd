import Ports
import Screen
import Session
import Testing

@testable import Dashboard

@Suite struct LayoutTests {
    @Test(
        "the size classes begin at the sizes of TERM-30",
        arguments: [
            (160, 45, SizeClass.huge), (159, 45, .large), (160, 44, .large), (100, 30, .large), (99, 30, .medium),
            (100, 29, .medium),
            (60, 20, .medium), (59, 20, .small), (60, 19, .small), (40, 8, .small), (39, 8, .tiny), (40, 7, .tiny),
            (0, 0, .tiny),
        ])
    func classes(_ columns: Int, _ rows: Int, _ expected: SizeClass) {
        #expect(SizeClass(Size(columns: columns, rows: rows)) == expected)
    }

    @Test(
        "panes, header and footer share the screen without overlap",
        arguments: [
            (40, 8), (60, 16), (60, 20), (80, 24), (80, 60), (100, 30), (120, 40), (160, 45), (200, 60),
        ])
    func disjoint(_ columns: Int, _ rows: Int) throws {
        for keys in ["", "5", "3 +", "Z"] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
            try sample.press(keys)
            let layout = Layout(sample.state)
            let parts =
                [
                    layout.header, layout.air, layout.tabs, layout.addresses, layout.timeline, layout.sparks,
                    layout.banner, layout.footer,
                ].filter { !$0.isEmpty } + layout.panes.values
            for (index, one) in parts.enumerated() {
                #expect(one.intersection(Rect(sample.state.size)) == one)
                for other in parts[(index + 1)...] { #expect(one.intersection(other).isEmpty, "\(one) \(other)") }
            }
        }
    }

    @Test(
        "a frozen display says so at every size",
        arguments: [(30, 5), (39, 7), (40, 8), (59, 40), (80, 19), (80, 24)])
    func frozen(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        #expect(!TextWriter.text(of: sample.frame.grid).contains("FROZEN"))
        try sample.press("Z")
        #expect(TextWriter.text(of: sample.frame.grid).contains("FROZEN"))
        #expect(rows < 8 || TextWriter.text(of: sample.frame.grid).contains("Z resumes"))
    }

    @Test("a feed that fails has a row above the panes, and only while it fails", arguments: [(80, 24), (120, 40)])
    func feeds(_ columns: Int, _ rows: Int) {
        func feeds(_ snapshot: Snapshot) -> Int {
            Layout(DashboardSample(snapshot, columns, rows).state).addresses.height
        }
        #expect(feeds(SnapshotSamples.midBreak) == 0)
        #expect(feeds(SnapshotSamples.over) == 1)
        #expect(feeds(SnapshotSamples.failing) == (rows == 24 ? 1 : 2))
        #expect(feeds(SnapshotSamples.unopened) == 0)
    }

    @Test("at 80x24 the rows are those of the mock-up")
    func mockUp() {
        let layout = Layout(DashboardState(size: Size(columns: 80, rows: 24)))
        #expect(layout.content(of: .tree).height == 9)
        #expect(layout.content(of: .detail).height == 3)
        #expect(layout.content(of: .log).height == 4)
    }
}

@Suite struct FittedRowTests {
    private func row(_ width: Int, fillsRoom: Bool = false) -> String {
        var row = FittedRow()
        row.fillsRoom = fillsRoom
        row.left = [
            FittedRow.Item([StyledLine("long name"), StyledLine("name"), StyledLine()], ranks: [0, 2]),
            FittedRow.Item([StyledLine("detail"), StyledLine()], ranks: [1]),
        ]
        row.right = [FittedRow.Item([StyledLine("END")])]
        let (left, right) = row.fitted(columns: width)
        return left.string + "|" + right.string
    }

    @Test(
        "items shrink in the order of their ranks",
        arguments: [
            (40, "long name  detail|END"), (21, "name  detail|END"), (16, "name|END"), (8, "|END"), (2, "|EN"),
            (0, "|"),
        ])
    func order(_ width: Int, _ expected: String) {
        #expect(row(width) == expected)
    }

    @Test(
        "words that fit after the last step come back, the most important first",
        arguments: [
            (40, "long name  detail|END"), (21, "name  detail|END"), (16, "long name|END"), (13, "name|END"),
            (8, "|END"),
        ])
    func comesBack(_ width: Int, _ expected: String) {
        #expect(row(width, fillsRoom: true) == expected)
    }

    @Test("the next longer form of no item fits, at any width", arguments: [1, 2, 3] as [UInt64])
    func fillsRoom(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<40 {
            let items = (0..<6).map { _ in item(&random) }
            var row = FittedRow()
            (row.left, row.right, row.fillsRoom) = (Array(items[..<3]), Array(items[3...]), true)
            for width in 0...90 {
                let shown = row.fittedItems(columns: width)
                let forms = (shown.left + shown.right).map(\.forms)
                let first = forms.map { [$0[0]] }
                guard columns(first) <= width else {
                    // Too narrow even for the shortest forms.
                    #expect(forms.allSatisfy { $0.count == 1 }, "round \(round), \(width) columns")
                    continue
                }
                for (index, item) in items.enumerated() where forms[index].count < item.forms.count {
                    var longer = first
                    longer[index] = [item.forms[item.forms.count - forms[index].count - 1]]
                    #expect(columns(longer) > width, "round \(round), \(width) columns, item \(index)")
                }
            }
        }
    }

    /// An item with up to four forms, each at most as long as the one before.
    private func item(_ random: inout SplitMix64) -> FittedRow.Item {
        let lengths = (0...Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0...14, using: &random) }
        let forms = lengths.sorted(by: >).map { StyledLine.of(String(repeating: "x", count: $0)) }
        let ranks = lengths.dropFirst().map { _ in Int.random(in: 0...9, using: &random) }
        return FittedRow.Item(forms, ranks: ranks.sorted())
    }

    /// How wide six items are with these forms, three of them on the right.
    private func columns(_ forms: [[StyledLine]]) -> Int {
        var row = FittedRow()
        row.left = forms[..<3].map { FittedRow.Item($0) }
        row.right = forms[3...].map { FittedRow.Item($0) }
        let (left, right) = row.fitted(columns: 1_000)
        return left.columns + right.columns + (left.columns > 0 && right.columns > 0 ? row.middle : 0)
    }
}

@Suite struct TimeTextTests {
    @Test(
        "spans, ages and latencies",
        arguments: [
            (TimeText.span(.milliseconds(15_000)), "15.0s"), (TimeText.span(.milliseconds(99_990)), "99.9s"),
            (TimeText.span(.seconds(150)), "2m30s"), (TimeText.span(.seconds(7_500)), "2h05m"),
            (TimeText.span(.milliseconds(-1_500)), "-1.5s"),
            (TimeText.latency(.microseconds(41_400)), "41ms"), (TimeText.latency(.milliseconds(1_234)), "1.2s"),
            (TimeText.age(.milliseconds(9_990)), "9.9s"), (TimeText.age(.seconds(12)), "12s"),
            (TimeText.age(.seconds(-1)), "0.0s"),
            (TimeText.deviation(.milliseconds(31)), "+0.03s"), (TimeText.deviation(.milliseconds(-1_200)), "-1.20s"),
            (TimeText.rate(1), "1x"), (TimeText.rate(1.5), "1.5x"), (TimeText.rate(0.25), "0.25x"),
            (TimeText.rate(.nan), "?x"),
            (TimeText.bytes(43), "43 B"), (TimeText.bytes(12_345), "12.3 kB"),
            (TimeText.bytes(.max), "9223372036854.7 MB"),
            (TimeText.coarse(.seconds(200_000)), "2d07h"), (TimeText.tenths(SnapshotSamples.playhead), "12:41:12.2"),
        ])
    func texts(_ text: String, _ expected: String) {
        #expect(text == expected)
    }
}
