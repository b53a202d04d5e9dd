import Benchmark
import Dashboard
import Monitoring
import Ports
import Screen

/// Takes cells like a terminal that costs nothing, so that only our own work is measured.
private struct CountingBackend: ScreenBackend {
    let size = Size(columns: 200, rows: 60)
    var cells = 0

    mutating func begin(size: Size) {}
    mutating func paint(_ run: CellRun, of grid: Grid) { cells += run.columns.count }
    mutating func end(cursor: Point?) {}
    mutating func invalidate() {}
    mutating func close() {}
}

func screenBenchmarks() {
    let size = Size(columns: 200, rows: 60)
    guard var session = SampleSession(breaks: 12) else { return }
    for _ in 0..<40 { session.advance(by: .seconds(1)) }
    let snapshot = session.snapshot()
    let now = session.now
    var state = DashboardState(size: size)
    _ = state.update(.snapshotArrived, snapshot: snapshot, now: now)
    let ready = state

    Benchmark("frame 200x60: render") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(Renderer.frame(snapshot, ready, now: now)) }
    }

    Benchmark("frame 200x60: render, diff of everything, hand over (target 2 ms with ncurses)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var backend = CountingBackend()
            var painter = FramePainter()
            painter.paint(Renderer.frame(snapshot, ready, now: now).grid, on: &backend)
            blackHole(backend.cells)
        }
    }

    Benchmark("frame 200x60: diff of nothing (target 50 µs)") { benchmark in
        var backend = CountingBackend()
        var painter = FramePainter()
        let grid = Renderer.frame(snapshot, ready, now: now).grid
        painter.paint(grid, on: &backend)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(painter.paint(grid, on: &backend)) }
    }

    Benchmark("key to picture: j, update and render 200x60 (target 5 ms)") { benchmark in
        var state = ready
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            _ = state.update(.input(.key(KeyPress(.char("j"), []))), snapshot: snapshot, now: now)
            blackHole(Renderer.frame(snapshot, state, now: now))
        }
    }

    Benchmark("snapshot with 10,000 known events after a tick") { benchmark in
        guard var session = SampleSession(breaks: 625) else { return }
        // The first snapshot builds every view; from then on only what changed.
        blackHole(session.snapshot())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            session.advance(by: .milliseconds(1))
            blackHole(session.snapshot())
        }
    }
}
