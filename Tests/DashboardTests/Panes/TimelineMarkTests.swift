import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Marks of findings that are about no break: at what was played when they were seen.
@Suite struct TimelineMarkTests {
    private static func finding(
        _ rule: String, _ severity: Severity, _ date: UnixTime?, places: [FindingView.Place] = []
    ) -> FindingView {
        let now = SnapshotSamples.now
        var view = FindingView(
            finding: Finding(rule: rule, severity: severity, message: "wrong", path: "line"), count: 1, first: now,
            last: now, places: places)
        view.date = date
        return view
    }

    /// The middle of B2: findings in the content, before the join, under a name, at the playhead, and two in one column.
    private static var found: Snapshot {
        var snapshot = SnapshotSamples.midBreak
        let adBreak = snapshot.breaks[0]
        let place = FindingPlace(adBreak: adBreak.name, start: adBreak.start)
        snapshot.findings = [
            finding("hls-1", .warning, SnapshotSamples.at(12, 38, 0)),
            finding("hls-2", .error, SnapshotSamples.playhead),
            finding("hls-3", .warning, SnapshotSamples.at(12, 25, 30)),
            finding("hls-4", .error, SnapshotSamples.at(12, 25, 29)),
            finding("hls-5", .warning, SnapshotSamples.at(12, 35, 22.2)),
            finding("hls-6", .info, SnapshotSamples.at(12, 31, 0)), finding("hls-7", .error, nil),
            finding("hls-8", .error, SnapshotSamples.at(12, 29, 0)),
        ]
        // Another date than that of the break is of no importance: the break is marked itself.
        snapshot.findings[7].places = [FindingView.Place(place: place, message: "wrong", count: 1, last: snapshot.at)]
        return snapshot
    }

    @Test("a finding about no break has a mark at its time, which hides no name, no whole block and not the playhead")
    func golden() {
        var snapshot = Self.found
        snapshot.findings.removeLast()
        let sample = DashboardSample(snapshot, 80, 24)
        let pane = Renderer.pane(.timeline, snapshot, sample.state, now: sample.now)
        let layout = Layout(sample.state)
        expectGolden(
            "timeline-marks", sample.state.size,
            [
                GoldenSection(title: "five rows", grid: pane, parts: [Rect(x: 0, y: 0, width: 80, height: 5)]),
                GoldenSection(title: "one row", grid: sample.frame.grid, parts: [layout.timeline]),
            ])
    }

    @Test("what has a break or no date, and what is only a note, has no mark of its own")
    func marks() {
        let marks = TimelineMark.all(of: Self.found)
        #expect(marks.map(\.rule) == ["hls-2", "hls-4", "hls-1", "hls-5", "hls-3"])
        #expect(TimelineMark.all(of: SnapshotSamples.midBreak).isEmpty)
    }

    @Test("a block of one column keeps it, and what is beyond the strip has no mark")
    func columns() throws {
        let now = SnapshotSamples.now.wall
        // A column is ten seconds wide.
        let scale = try #require(TimelineScale(width: 60, date: now, breaks: [], playheadPercent: 50))
        var track = TimelineTrack(scale, .unicode, in: Rect(x: 0, y: 0, width: 60, height: 1))
        let blocks = [(-100, -90), (-50, -20)].map { from, to in
            TimelineBlock(
                index: 0, label: "", start: now + .seconds(from), end: now + .seconds(to), outcome: .sent)
        }
        let places = track.places(of: blocks)
        func column(_ seconds: Int) -> Int? {
            let mark = TimelineMark(rule: "r", severity: .error, date: now + .seconds(seconds))
            return track.columns(of: [mark], beside: places).keys.first
        }
        #expect(column(-150) == 15 && column(-95) == 19 && column(-35) == 26 && column(0) == 29)
        #expect(column(-301) == nil && column(301) == nil && column(299) == 59)
    }

    @Test("marks leave a column of each block, whatever their number, and beside the playhead too")
    func blocks() throws {
        let now = SnapshotSamples.now.wall
        let scale = try #require(TimelineScale(width: 60, date: now, breaks: [], playheadPercent: 50))
        var track = TimelineTrack(scale, .unicode, in: Rect(x: 0, y: 0, width: 60, height: 1))
        let spans = [(-100, -80), (-50, -20), (-10, 10)]
        let places = track.places(
            of: spans.map { from, to in
                TimelineBlock(
                    index: 0, label: "", start: now + .seconds(from), end: now + .seconds(to), outcome: .sent)
            })
        #expect(places.map(\.block) == [20..<22, 25..<28, 29..<31])
        let marks = stride(from: -120, through: 20, by: 1).map { second in
            TimelineMark(rule: "r", severity: .error, date: now + .seconds(second))
        }
        for marks in [marks, marks.reversed()] {
            let shown = track.columns(of: marks, beside: places)
            for place in places {
                #expect(place.block.contains { shown[$0] == nil && $0 != scale.playheadColumn }, "\(place.block)")
            }
            #expect(shown[scale.playheadColumn] == nil)
        }
        // Both of one time are one mark, also in a block.
        let twice = Array(repeating: TimelineMark(rule: "r", severity: .error, date: now + .seconds(-85)), count: 2)
        #expect(Array(track.columns(of: twice, beside: places).keys) == [21])
    }

    @Test("a click on the mark shows the finding, in ASCII too", arguments: [(80, 24), (120, 40), (200, 60)])
    func click(_ columns: Int, _ rows: Int) throws {
        for isASCII in [false, true] {
            var snapshot = Self.found
            snapshot.findings = [snapshot.findings[0]]
            var sample = DashboardSample(snapshot, columns, rows, isASCII: isASCII)
            let timeline = Layout(sample.state).timeline
            let sign: Character = isASCII ? "!" : "⚠"
            let shown = TextWriter.rows(of: sample.frame.grid)
            let y = try #require((timeline.y..<timeline.maxY).first { shown[$0].contains(sign) })
            let place = try #require(shown[y].firstIndex(of: sign))
            sample.click(Point(x: shown[y].distance(from: shown[y].startIndex, to: place), y: y))
            #expect(sample.state.focus == .findings)
            #expect(sample.state.views.findings.list.model.selected == .path("hls-1", "line"))
        }
    }
}
