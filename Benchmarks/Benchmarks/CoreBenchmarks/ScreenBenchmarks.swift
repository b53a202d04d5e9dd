import Benchmark
import Dashboard
import HLS
import Ports
import Screen
import Session

/// Accepts cells like a terminal that costs nothing, so that only our own work is measured.
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

    playlistBenchmarks(snapshot, now: now)

    Benchmark("snapshot with 10,000 known events after a tick (target 1 ms)") { benchmark in
        guard var session = SampleSession(breaks: 625) else { return }
        // The first snapshot builds every view; later ones only what changed.
        blackHole(session.snapshot())
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            session.advance(by: .milliseconds(1))
            blackHole(session.snapshot())
        }
        benchmark.stopMeasurement()
        // The end of the sample, with all it holds, is no part of a tick.
        blackHole(session.now)
    }
}

/// The playlist view on six hours of segments: rows are made per text, drawn per viewport.
private func playlistBenchmarks(_ session: Snapshot, now: Moment) {
    let bytes = SampleTexts.playlist(segments: 5_400, dateRanges: 60)
    let parsed = PlaylistParser.parse(bytes, uri: "http://127.0.0.1:8080/live/v.m3u8")
    guard let media = parsed.media else { return }
    var timeline = Timeline()
    _ = timeline.fold(media)
    var snapshot = session
    snapshot.playlistDetail = PlaylistDetail(
        text: PlaylistText(
            number: 1, url: parsed.uri, bytes: bytes, findings: parsed.findings, firstSequence: 0, readAt: now),
        timeline: timeline)
    var settings = DashboardState.Settings()
    settings.view = .playlist
    var state = DashboardState(size: Size(columns: 200, rows: 60), settings: settings)
    _ = state.update(.snapshotArrived, snapshot: snapshot, now: now)
    let shown = snapshot
    let ready = state

    Benchmark("frame 200x60, playlist of 5,400 segments: render, diff of everything (target 2 ms)") { benchmark in
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            var backend = CountingBackend()
            var painter = FramePainter()
            painter.paint(Renderer.frame(shown, ready, now: now).grid, on: &backend)
            blackHole(backend.cells)
        }
    }

    Benchmark("playlist of 5,400 segments: rows of a new text") { benchmark in
        benchmark.startMeasurement()
        for number in benchmark.scaledIterations {
            var snapshot = shown
            snapshot.playlistDetail?.text.number = number + 2
            var state = ready
            blackHole(state.update(.snapshotArrived, snapshot: snapshot, now: now))
        }
    }

    Benchmark("playlist of 5,400 segments: j, update and render 200x60 (target 5 ms)") { benchmark in
        var state = ready
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            _ = state.update(.input(.key(KeyPress(.char("j"), []))), snapshot: shown, now: now)
            blackHole(Renderer.frame(shown, state, now: now))
        }
    }
}
