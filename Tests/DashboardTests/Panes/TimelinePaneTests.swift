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

    @Test("a label covers no other one and no block, however many blocks share a column")
    func crowded() throws {
        let now = SnapshotSamples.now.wall
        let scale = try #require(TimelineScale(width: 60, date: now, breaks: [], playheadPercent: 50))
        let second = { (count: Int) in now + .seconds(count) }
        var blocks = (0..<5_000).map { number in
            TimelineBlock(
                index: number, label: "A\(number % 10)", start: second(-40), end: second(-40), outcome: .sent)
        }
        blocks.append(TimelineBlock(index: 5_000, label: "B2", start: second(60), end: second(90), outcome: .sent))
        var grid = Grid(size: Size(columns: 60, rows: 1))
        var track = TimelineTrack(scale, .unicode, in: grid.bounds)
        track.draw(blocks, on: &grid)
        let row = TextWriter.rows(of: grid)[0]
        #expect(row.ranges(of: /A\d/).count == 2, "one label before the column, and one behind it: \(row)")
        #expect(row.contains("B2░") && row.contains("┃"))
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
                    BreakSamples.settle(&view.ads[ad].events[event], state)
                    view.ads[ad].events[event].reason = nil
                    view.ads[ad].events[event].isUserTriggered = false
                }
            }
            return TimelineBlock.Outcome(BreakOutcome(view))
        }
        #expect(outcome(.done) == .sent && outcome(.failed) == .failed && outcome(.partial) == .failed)
        #expect(outcome(.skipped) == .notSent && outcome(.observed) == .observed && outcome(.unknown) == .unknown)
        for glyphs in [Glyphs.unicode, .ascii] {
            let shown = ([.sent, .failed, .unknown, .observed, .notSent] as [TimelineBlock.Outcome]).map { outcome in
                TimelineBlock(
                    index: 0, label: "B1", start: SnapshotSamples.playhead, end: SnapshotSamples.playhead,
                    outcome: outcome)
            }
            #expect(Set(shown.map { $0.glyph(glyphs) }).count == shown.count)
            #expect(Set(shown.map(\.role)).count == shown.count)
            // As the list has it.
            #expect(shown[2].glyph(glyphs) == glyphs.sign(.unknown) && shown[2].role == StateSign.unknown.role)
        }
    }

    @Test("an unknown outcome beside beacons that are done is drawn as unknown, and not as failed")
    func unknownAmongDone() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks = [BreakSamples.first]
        BreakSamples.settle(&snapshot.breaks[0].ads[0].events[0], .unknown)
        let tally = BreakSummary(snapshot.breaks[0], filter: TextFilter("")).tally
        let sample = DashboardSample(snapshot, 120, 40)
        let context = FrameContext(snapshot, sample.state, now: sample.now).context
        let fraction = TallyText.fraction(tally, context)
        #expect(fraction.string == "\(tally.total - 1)/\(tally.total)")
        #expect(fraction == StyledLine.of(fraction.string, .stateUnknown))
        #expect(TimelineBlock.Outcome(BreakOutcome(snapshot.breaks[0])) == .unknown)
    }

    @Test("a break with a failure and an unknown outcome is one with a failure")
    func theWorseOfTwo() {
        var view = BreakSamples.first
        BreakSamples.settle(&view.ads[0].events[0], .unknown)
        #expect(TimelineBlock.Outcome(BreakOutcome(view)) == .unknown)
        BreakSamples.settle(&view.ads[0].events[1], .failed)
        #expect(TimelineBlock.Outcome(BreakOutcome(view)) == .failed)
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

    @Test("the track of the breaks is called what announces them, and is drawn as wide as its name leaves room")
    func nameOfTheTrack() {
        func name(_ sources: [String]) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.breaks = sources.enumerated().map { index, source in
                var view = BreakSamples.view(
                    "B\(index)", start: SnapshotSamples.playhead + .seconds(60 * (index + 1)), seconds: 30, ads: [])
                view.source = source
                return view
            }
            let shown = rows(snapshot, height: 3)
            let name = shown[1].prefix { $0 != "─" && $0 != "░" }
            #expect(shown[2].dropFirst(name.count).first == "─" || sources.isEmpty, "\(shown)")
            return name.trimmingCharacters(in: .whitespaces)
        }
        #expect(name(["metadata", "metadata+marker", "marker"]) == "metadata")
        #expect(name(["interstitial", "interstitial"]) == "interstitials")
        #expect(name(["vast", "vast+marker"]) == "VAST" && name(["signaling"]) == "signaling")
        #expect(name(["interstitial", "metadata"]) == "breaks")
        #expect(name(["marker"]) == "metadata", "there is no break of it")
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

    /// The middle of B2, with an error about it, a warning about B1 and a note about B3.
    private var found: Snapshot {
        var snapshot = SnapshotSamples.midBreak
        let now = SnapshotSamples.now
        snapshot.findings = zip([Severity.warning, .error, .info], snapshot.breaks).map { severity, view in
            let place = FindingPlace(adBreak: view.name, start: view.start)
            let finding = Finding(rule: "rule-\(view.label)", severity: severity, message: "wrong").at(place)
            return FindingView(
                finding: finding, count: 1, first: now, last: now,
                places: [FindingView.Place(place: place, message: "wrong", count: 1, last: now)])
        }
        return snapshot
    }

    @Test("a break with findings is marked behind its name, in ASCII too; notes are none", arguments: [1, 2, 3, 4, 5])
    func findings(_ height: Int) {
        for isASCII in [false, true] {
            let sample = DashboardSample(found, 120, 40, isASCII: isASCII)
            let frame = FrameContext(found, sample.state, now: sample.now)
            var grid = Grid(size: Size(columns: 120, rows: height))
            TimelinePane.draw(frame.context, findings: frame.breaks.worstFindings, in: grid.bounds, on: &grid)
            let text = TextWriter.text(of: grid)
            let sign = isASCII ? "!" : "⚠"
            #expect(text.contains("B1\(sign)") && text.contains("B2\(sign)"), "\(text)")
            #expect(text.contains("B3") && !text.contains("B3\(sign)"), "\(text)")
            #expect(rows(SnapshotSamples.midBreak, height: height).allSatisfy { !$0.contains("⚠") })
        }
    }

    @Test("a click on the mark shows the finding, and one beside it the break")
    func clickOnMark() throws {
        var sample = DashboardSample(found, 120, 40)
        let shown = TextWriter.rows(of: sample.frame.grid)
        let y = try #require(shown.firstIndex { $0.contains("B2⚠") })
        let x = shown[y].distance(
            from: shown[y].startIndex, to: try #require(shown[y].range(of: "B2⚠")?.lowerBound))
        sample.click(Point(x: x + 2, y: y))
        let place = FindingPlace(adBreak: found.breaks[1].name, start: found.breaks[1].start)
        #expect(sample.state.main == .findings && sample.state.focus == .findings)
        #expect(sample.state.views.findings.list.model.selected == .place("rule-B2", place))
        sample.click(Point(x: x, y: y))
        #expect(sample.state.focus == .tree && sample.state.views.breaks.model.selected?.breakIndex == 1)
    }

    @Test("where there is no room for the name the mark is on the block, and never under the playhead")
    func markAlone() throws {
        let now = SnapshotSamples.now.wall
        let scale = try #require(TimelineScale(width: 60, date: now, breaks: [], playheadPercent: 50))
        func block(_ from: Int, _ to: Int, _ finding: Severity?) -> TimelineBlock {
            TimelineBlock(
                index: 0, label: "B10", start: now + .seconds(from), end: now + .seconds(to), outcome: .sent,
                finding: finding)
        }
        // A column is ten seconds wide.
        for (start, isMarked) in [(-100, true), (0, false)] {
            let (before, after) = (block(start - 300, start, nil), block(start + 10, 300, nil))
            var track = TimelineTrack(scale, .unicode, in: Rect(x: 0, y: 0, width: 60, height: 1))
            let place = track.places(of: [before, block(start, start + 10, .error), after])[1]
            #expect(place.label == nil && place.sign == (isMarked ? place.block : nil), "\(start)")
        }
    }
}
