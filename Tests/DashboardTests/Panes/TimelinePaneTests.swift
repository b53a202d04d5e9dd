import AdTracking
import Foundation
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The strip of media time.
@Suite struct TimelinePaneTests {
    private func rows(_ snapshot: Snapshot, columns: Int = 120, height: Int, isASCII: Bool = false) -> [String] {
        let sample = DashboardSample(snapshot, columns, 40, isASCII: isASCII)
        var grid = Grid(size: Size(columns: columns, rows: height))
        TimelinePane.draw(
            FrameContext(snapshot, sample.state, now: sample.now).context, in: grid.bounds, on: &grid)
        return TextWriter.rows(of: grid)
    }

    private func column(of sign: Character, _ row: String) -> Int? {
        row.firstIndex(of: sign).map { row.distance(from: row.startIndex, to: $0) }
    }

    @Test("on live the playhead is at three quarters, otherwise in the middle")
    func playhead() throws {
        let live = try #require(column(of: "┃", rows(SnapshotSamples.midBreak, height: 1)[0]))
        #expect((87...91).contains(live))
        var vod = SnapshotSamples.midBreak
        vod.playlist.kind = .vod
        let middle = try #require(column(of: "┃", rows(vod, height: 1)[0]))
        #expect((54...58).contains(middle))
    }

    @Test("a label is before its block, and never under the playhead")
    func labels() {
        let row = rows(SnapshotSamples.midBreak, height: 1)[0]
        #expect(row.contains("B2╳") || row.contains("B2▓"), "\(row)")
        #expect(row.contains("┃"))
        // A break that starts at the playhead: its label would be under it.
        for shift in -3...3 {
            var snapshot = SnapshotSamples.midBreak
            snapshot.breaks = [BreakSamples.coming]
            snapshot.breaks[0].start = SnapshotSamples.playhead + .seconds(shift * 8)
            snapshot.breaks[0].plannedEnd = snapshot.breaks[0].start + .seconds(60)
            let row = rows(snapshot, height: 1)[0]
            #expect(row.contains("B3") && row.contains("┃"), "\(shift): \(row)")
        }
    }

    @Test("what became of a break has its own glyph and role")
    func outcomes() {
        func outcome(_ state: ReportingState) -> TimelineBlock.Outcome {
            var view = BreakSamples.first
            for ad in view.ads.indices {
                for event in view.ads[ad].events.indices {
                    view.ads[ad].events[event].state = state
                    view.ads[ad].events[event].reason = nil
                    view.ads[ad].events[event].isUserTriggered = false
                }
            }
            return TimelineBlock.Outcome(BreakOutcome(view))
        }
        #expect(outcome(.done) == .sent && outcome(.failed) == .failed && outcome(.partial) == .failed)
        #expect(outcome(.skipped) == .notSent && outcome(.observed) == .observed)
        for glyphs in [Glyphs.unicode, .ascii] {
            let shown = ([.sent, .failed, .observed, .notSent] as [TimelineBlock.Outcome]).map { outcome in
                TimelineBlock(
                    index: 0, label: "B1", start: SnapshotSamples.playhead, end: SnapshotSamples.playhead,
                    outcome: outcome)
            }
            #expect(Set(shown.map { $0.glyph(glyphs) }).count == 4)
            #expect(Set(shown.map(\.role)).count == 4)
        }
    }

    @Test("a break that was never sent does not look delivered")
    func notSent() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks = [BreakSamples.first]
        for ad in snapshot.breaks[0].ads.indices {
            for event in snapshot.breaks[0].ads[ad].events.indices {
                snapshot.breaks[0].ads[ad].events[event].state = .skipped
            }
        }
        let row = rows(snapshot, height: 1)[0]
        #expect(row.contains("╱") && !row.contains("▓"), "\(row)")
    }

    @Test("metadata and cues have a track each, so that a missing or shifted one is seen")
    func tracks() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].evidence = [
            BreakEvidenceView(
                source: "marker", kind: "cue", name: "", start: snapshot.breaks[1].start + .seconds(240),
                duration: .seconds(60))
        ]
        let shown = rows(snapshot, height: 3)
        #expect(shown[1].hasPrefix(" metadata ") && shown[2].hasPrefix(" cues "))
        #expect(shown[1].contains("B1") && !shown[2].contains("B1"))
        let metadata = try #require(shown[1].range(of: "B2")), cue = try #require(shown[2].range(of: "B2"))
        #expect(
            shown[1].distance(from: shown[1].startIndex, to: metadata.lowerBound)
                < shown[2].distance(from: shown[2].startIndex, to: cue.lowerBound))
    }

    @Test("with height each beacon has a sign in the column of its time")
    func beacons() {
        let shown = rows(SnapshotSamples.midBreak, height: 5)
        #expect(shown[4].hasPrefix(" beacons ") && shown[4].contains("✗") && shown[4].contains("✓"), "\(shown[4])")
    }

    @Test("a click on any track selects the break", arguments: [1, 2, 3, 4, 5])
    func click(_ height: Int) throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].evidence = [
            BreakEvidenceView(source: "marker", name: "", start: snapshot.breaks[1].start, duration: .seconds(60))
        ]
        let sample = DashboardSample(snapshot, 120, 40)
        let context = FrameContext(snapshot, sample.state, now: sample.now).context
        let rect = Rect(x: 0, y: 0, width: 120, height: height)
        for (y, row) in rows(snapshot, height: height).enumerated() {
            guard let range = row.range(of: "B2") else { continue }
            let x = row.distance(from: row.startIndex, to: range.lowerBound)
            for shift in 0...2 {
                #expect(TimelinePane.breakIndex(at: Point(x: x + shift, y: y), in: rect, context) == 1)
            }
        }
    }
}
