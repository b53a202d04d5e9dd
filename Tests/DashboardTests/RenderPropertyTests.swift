import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Properties that hold for every size, every snapshot and every key.
@Suite struct RenderPropertyTests {
    private static let snapshots: [(String, Snapshot)] = [
        ("starting", SnapshotSamples.starting), ("mid-break", SnapshotSamples.midBreak),
        ("failing", SnapshotSamples.failing),
        ("plain", SnapshotSamples.plain), ("hostile", SnapshotSamples.hostile),
        ("observing", SnapshotSamples.observing),
        ("ended", SnapshotSamples.ended), ("decided", SnapshotSamples.decided),
        ("low-latency", SnapshotSamples.lowLatency),
    ]

    /// Every wide cell has its other half, and nothing that the sanitiser rejects is in the grid.
    private func check(_ grid: Grid, _ size: Size, _ what: String) {
        #expect(grid.size == size, "\(what)")
        for y in 0..<size.rows {
            let row = Array(grid.row(y))
            for x in row.indices {
                let isPaired = !row[x].isWide || (x + 1 < row.count && row[x + 1].isContinuation)
                if !isPaired { Issue.record("half a glyph at \(x),\(y) in \(what)") }
                if let value = row[x].glyph.scalar?.value,
                    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x202E
                {
                    Issue.record("U+\(String(value, radix: 16)) at \(x),\(y) in \(what)")
                }
            }
        }
    }

    @Test("any size from 0x0 renders whole rows, in every situation")
    func anySize() throws {
        for (name, snapshot) in Self.snapshots {
            for columns in [0, 1, 2, 5, 17, 39, 40, 60, 61, 80, 100, 160] {
                for rows in [0, 1, 2, 5, 7, 8, 19, 20, 29, 30, 45] {
                    for keys in ["", "?", ":", "Z", "/ a", "5 +", "6 }", "7 j j"] {
                        var sample = DashboardSample(snapshot, columns, rows, isASCII: columns % 2 == 1)
                        try sample.press(keys)
                        sample.send(.noticed("a toast", isGood: false))
                        check(sample.frame.grid, sample.state.size, "\(name) \(columns)x\(rows) keys \(keys)")
                    }
                }
            }
        }
    }

    @Test("every pane alone renders at any size", arguments: Pane.allCases)
    func anyPane(_ pane: Pane) {
        for (name, snapshot) in Self.snapshots {
            for (columns, rows) in [(0, 0), (1, 1), (2, 9), (9, 2), (17, 5), (40, 8), (160, 45)] {
                let sample = DashboardSample(snapshot, columns, rows)
                let grid = Renderer.pane(pane, snapshot, sample.state, now: sample.now)
                check(grid, sample.state.size, "\(pane) \(name) \(columns)x\(rows)")
            }
        }
    }

    @Test("shrinking and growing again gives the same picture", arguments: [(39, 7), (0, 0), (60, 20), (200, 60)])
    func resize(_ columns: Int, _ rows: Int) throws {
        for keys in ["", "G l j j", "3 k k", "2 j", "5", "/ a d Enter", "6", "6 G k", "7 j"] {
            var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
            try sample.press(keys)
            let before = sample.frame.grid
            sample.send(.input(.resize(Size(columns: columns, rows: rows))))
            sample.send(.input(.resize(Size(columns: 120, rows: 40))))
            #expect(sample.frame.grid == before, "keys \(keys)")
        }
    }

    @Test("the same inputs give the same cells")
    func deterministic() {
        let one = DashboardSample(SnapshotSamples.failing, 160, 50).frame.grid
        let two = DashboardSample(SnapshotSamples.failing, 160, 50).frame.grid
        #expect(one == two)
    }

    @Test("a storm of keys, clicks, sizes and snapshots never traps", arguments: 1...12)
    func storm(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let keys = Keymap.standard
        let bound =
            Action.allCases.filter { $0 != .quit }.flatMap(keys.keys)
            + "abz19 éx!-".unicodeScalars.map { KeyPress(.char($0)) }
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        var done: [String] = []
        for step in 0..<400 {
            var event = DashboardEvent.input(.key(bound.randomElement(using: &random)!))
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let point = Point(
                    x: Int.random(in: -2..<130, using: &random), y: Int.random(in: -2..<50, using: &random))
                let kind: MouseEvent.Kind = [.press, .wheelUp, .wheelDown, .drag].randomElement(using: &random)!
                event = .input(.mouse(MouseEvent(kind: kind, button: .left, point: point)))
            case 1:
                event = .input(
                    .resize(
                        Size(
                            columns: Int.random(in: 0..<130, using: &random),
                            rows: Int.random(in: 0..<50, using: &random))))
            case 2:
                sample.snapshot = Self.snapshots.randomElement(using: &random)!.1
                // Sometimes two snapshots have the same moment: their rows must not be mixed up.
                if Bool.random(using: &random) {
                    sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(step))
                }
                event = .snapshotArrived
            case 3: event = .input(.paste("\u{1B}[31m text\n"))
            case 4: event = .ticked
            default: break
            }
            done.append("\(event)")
            sample.now = sample.now.advanced(by: .milliseconds(Int.random(in: 0..<700, using: &random)))
            sample.send(event)
            let grid = sample.frame.grid
            guard grid.size == sample.state.size else {
                Issue.record("seed \(seed): a grid of another size after \(done.suffix(5))")
                return
            }
        }
    }
}
