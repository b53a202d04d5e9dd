import AdTracking
import Foundation
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct TreeModelTests {
    private func model(_ filter: String, expanded: Set<NodePath> = []) -> TreeModel {
        var tree = TreeState()
        tree.filter = filter
        tree.expanded = expanded
        return TreeModel(SnapshotSamples.midBreak, tree)
    }

    private func names(_ model: TreeModel) -> [String] {
        model.rows.map { model.event($0)?.event ?? model.ad($0)?.name ?? model.breakView($0).label }
    }

    @Test("a parent shows its worst child, and counts timed events")
    func tallies() {
        let model = model("")
        #expect(model.summaries.map(\.tally.sign) == [.done, .failed, .idle])
        #expect(model.summaries[1].ads.map(\.sign) == [.done, .failed, .idle])
        // Six timed events and the mute that was sent; unmute, pause and resume wait for a viewer.
        #expect(model.summaries[1].ads[1].done == 5)
        #expect(model.summaries[1].ads[1].total == 7)
        #expect(model.summaries[1].ads[1].lost.failed == 1)
    }

    @Test("times of breaks are in one column, however long their labels are")
    func labels() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].label = "B10"
        let rows = TextWriter.rows(of: DashboardSample(snapshot, 120, 40).frame.grid)
        let places = snapshot.breaks.compactMap { view in
            rows.lazy.compactMap { row in
                row.range(of: " \(view.label) +\\d\\d:\\d\\d:", options: .regularExpression)
                    .map { row.distance(from: row.startIndex, to: $0.upperBound) }
            }.first
        }
        #expect(places.count == 3 && Set(places).count == 1, "\(places)")
    }

    @Test("what failed comes before what is unknown, and lengths are those that the rows show")
    func orders() {
        var snapshot = SnapshotSamples.midBreak
        for index in snapshot.breaks[0].ads[0].events.indices {
            BreakSamples.settle(&snapshot.breaks[0].ads[0].events[index], .unknown)
        }
        var tree = TreeState()
        tree.sort = .failures
        #expect(names(TreeModel(snapshot, tree)) == ["B2", "B1", "B3"])
        snapshot.breaks[2].duration = .zero
        snapshot.breaks[2].plannedEnd = snapshot.breaks[2].start + .seconds(900)
        tree.sort = .duration
        #expect(names(TreeModel(snapshot, tree)).first == "B3")
    }

    @Test("what is read stays in its place when older breaks are dropped above it")
    func dropped() throws {
        var sample = DashboardSample(SnapshotSamples.many, 80, 24)
        func shown() -> [String] {
            let content = Layout(sample.state).content(of: .tree)
            return Array(TextWriter.rows(of: sample.frame.grid)[content.y..<content.maxY])
        }
        try sample.press("g PgDn PgDn PgDn k k")
        let before = shown()
        sample.snapshot.breaks.removeFirst(3)
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(shown() == before)
    }

    @Test("a filter finds why an event is not sent in the words that its row has, and by its name")
    func reasons() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[0].ads[0].events[0].state = .skipped
        snapshot.breaks[0].ads[0].events[0].reason = .hostNotAllowed
        var tree = TreeState()
        for text in ["host not allowed", "host-not-allowed"] {
            tree.filter = text
            let model = TreeModel(snapshot, tree)
            #expect(names(model) == ["B1", "soda-pop-10", snapshot.breaks[0].ads[0].events[0].event], "\(text)")
        }
    }

    @Test("lengths of ads are in one column, also behind names of wide glyphs that are cut")
    func wideNames() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads[0].name = String(repeating: "漢", count: 30)
        snapshot.breaks[1].ads[2].name = "x" + String(repeating: "漢", count: 30)
        let sample = DashboardSample(snapshot, 200, 60)
        let content = Layout(sample.state).content(of: .tree)
        let grid = sample.frame.grid
        let starts = (content.y..<content.maxY).compactMap { y -> Int? in
            let cut = (content.x..<content.maxX).last { grid[Point(x: $0, y: y)].glyph.scalar == "…" }
            return cut.flatMap { cut in
                (cut + 1..<content.maxX).first { grid[Point(x: $0, y: y)].glyph.scalar != " " }
            }
        }
        #expect(starts.count == 2 && Set(starts).count == 1, "\(starts)")
    }

    @Test("folded nodes have no rows below them")
    func folding() {
        #expect(names(model("")) == ["B1", "B2", "B3"])
        let open = model("", expanded: [NodePath(breakID: "break-B1")])
        #expect(names(open) == ["B1", "soda-pop-10", "bank-card", "B2", "B3"])
        let orphan = model("", expanded: [NodePath(breakID: "break-B1", adID: "bank-card-id")])
        #expect(names(orphan) == ["B1", "B2", "B3"])
    }

    @Test(
        "a filter shows what matches, its parents, and opens them",
        arguments: [
            ("acme", ["B2", "acme-shoes-15"]), ("B3", ["B3"]), ("nothing like it", []),
            ("pod-b1", ["B1"]), ("failed", ["B2", "brandx-summer", "firstQuartile"]),
            ("verify.net/e?T=FQ", ["B2", "brandx-summer", "firstQuartile"]), ("!b", []), ("!B2", ["B1", "B3"]),
            ("!", ["B1", "B2", "B3"]),
        ])
    func filtering(_ filter: String, _ expected: [String]) {
        #expect(names(model(filter)) == expected)
    }

    @Test("sums of a break that did not change are not computed again")
    func reuse() {
        let snapshot = SnapshotSamples.midBreak
        let first = TreeModel(snapshot, TreeState())
        var next = snapshot
        BreakSamples.settle(&next.breaks[1].ads[1].events[2], .done)
        next.breaks.insert(BreakSamples.past(number: 1, of: 1, events: 1), at: 0)
        let second = TreeModel(next, TreeState(), previous: first)
        #expect(second.summaries.map(\.view.id) == next.breaks.map(\.id))
        #expect(second.summaries[2].tally.lost.failed == 0)
        #expect(second.summaries[1].tally == first.summaries[0].tally)
        #expect(second.summaries[3].tally == first.summaries[2].tally)
    }
}

@Suite struct TextFilterTests {
    @Test(
        "matching",
        arguments: [
            ("quart", "firstQuartile", true), ("QUART", "firstquartile", true), ("", "anything", true),
            ("!", "anything", true),
            ("!quart", "firstQuartile", false), ("!quart", "start", true), ("é", "café", true), ("é", "cafe", false),
            ("abc", "ab", false),
        ])
    func passes(_ filter: String, _ text: String, _ expected: Bool) {
        #expect(TextFilter(filter).passes(text) == expected)
    }
}
