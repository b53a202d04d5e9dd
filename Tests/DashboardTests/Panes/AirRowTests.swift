import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The row that says what is on air.
@Suite struct AirRowTests {
    private func row(_ snapshot: Snapshot, columns: Int = 200, isASCII: Bool = false) -> String {
        let sample = DashboardSample(snapshot, max(columns, 60), 40, isASCII: isASCII)
        let frame = FrameContext(snapshot, sample.state, now: sample.now)
        let (left, right) = AirRow.row(frame.context, columns: columns).fitted(columns: columns - 2)
        return right.columns > 0 ? left.string + "|" + right.string : left.string
    }

    @Test("the ad on air, its progress, its next event, and the end of the break")
    func onAir() {
        #expect(
            row(SnapshotSamples.midBreak)
                == "ON AIR  B2 2/3 brandx-summer  ████████████████████████████░░░░ 0:26 of 0:30  "
                + "next: complete in 4.0 s|break ends in 0:19")
        #expect(
            row(SnapshotSamples.midBreak, columns: 80)
                == "ON AIR  B2 2/3 brandx-summer  ████░ 0:26 of 0:30  complete in 4.0 s|ends 0:19")
        let ascii = row(SnapshotSamples.midBreak, columns: 80, isASCII: true)
        #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("neither the bar nor what is before it depends on the next event", arguments: [66, 80, 99, 120, 200])
    func bar(_ columns: Int) throws {
        for name in ["x", "brandx-summer", "a-long-name-of-a-campaign-in-summer"] {
            let starts = try ["start", "complete", "thirdQuartile", "x-event-of-a-vendor"].map { event in
                var snapshot = SnapshotSamples.midBreak
                snapshot.breaks[1].ads[1].name = name
                for index in snapshot.breaks[1].ads[1].events.indices {
                    snapshot.breaks[1].ads[1].events[index].event = event
                }
                let text = row(snapshot, columns: columns)
                return text[..<(try #require(text.firstRange(of: "0:26 of 0:30"), "\(text)")).upperBound]
            }
            #expect(Set(starts).count == 1 && starts[0].contains("█"), "\(starts)")
        }
    }

    @Test("a long name of the next event is cut, and its time is not")
    func longEvent() {
        var snapshot = SnapshotSamples.midBreak
        for index in snapshot.breaks[1].ads[1].events.indices {
            snapshot.breaks[1].ads[1].events[index].event = "thirdQuartile"
        }
        #expect(
            row(snapshot, columns: 80)
                == "ON AIR  B2 2/3 brandx-summer  ████░ 0:26 of 0:30  thirdQ… in 4.0 s|ends 0:19")
    }

    @Test("an ad that still grows has the length that its events announce")
    func growing() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads[1].duration = .seconds(27)
        #expect(row(snapshot).contains("0:26 of 0:27"), "an ad follows it")
        snapshot.breaks[1].ads.removeLast()
        #expect(row(snapshot).contains("0:26 of 0:30"))
        snapshot.breaks[1].hasEnded = true
        #expect(row(snapshot).contains("0:26 of 0:27"))
    }

    @Test("between breaks: the last one with what became of it, and the next one")
    func between() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks.remove(at: 1)
        let text = row(snapshot)
        #expect(text.hasPrefix("content · last break B1 ended "), "\(text)")
        #expect(text.contains(" done") && text.contains("next break B3 in "), "\(text)")
    }

    @Test("a break whose ads are over is the last one, although its cue announces a later end")
    func longerCue() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks.removeLast()
        var ended = BreakSamples.onAir
        (ended.isOnAir, ended.hasEnded, ended.duration) = (false, true, .seconds(40))
        ended.plannedEnd = ended.start + ended.duration
        ended.evidence = [
            BreakEvidenceView(source: "marker", kind: "cue", name: "cue", start: ended.start, duration: .seconds(60))
        ]
        snapshot.breaks[1] = ended
        let text = row(snapshot)
        #expect(text.hasPrefix("content · last break B2 ended 0:01 ago"), "\(text)")
    }

    @Test("a stream that has stalled has no time to anything")
    func stalled() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.playhead.state = .stalled
        snapshot.playhead.isAdvancing = false
        #expect(
            row(snapshot, columns: 80) == "stalled  B2 2/3 brandx-summer  ████░ 0:26 of 0:30", "\(row(snapshot))")
        snapshot.breaks.remove(at: 1)
        let text = row(snapshot)
        #expect(text.hasPrefix("stalled · last break B1 ended ") && !text.contains("next"), "\(text)")
    }

    @Test("where nothing plays any more, nothing is to come")
    func ended() {
        #expect(
            row(SnapshotSamples.ended, columns: 80) == "ON AIR  B2 2/3 brandx-summer  ████░ 0:26 of 0:30",
            "\(row(SnapshotSamples.ended))")
        var snapshot = SnapshotSamples.ended
        snapshot.breaks.remove(at: 1)
        #expect(!row(snapshot).contains("next"), "\(row(snapshot))")
    }

    @Test("an event that is not reached when the session ends is not announced", arguments: [true, false])
    func unreached(isOver: Bool) {
        var snapshot = isOver ? SnapshotSamples.over : SnapshotSamples.ended
        snapshot.playhead.isAdvancing = false
        if isOver { snapshot.playhead.state = .stalled }
        let rows = TextWriter.rows(of: DashboardSample(snapshot, 120, 40).frame.grid)
        #expect(!rows.contains { $0.contains(" in 4.0") }, "\(rows)")
        #expect(rows.contains { $0.contains("complete") && $0.contains("not reached") }, "\(rows)")
        // What is over may still play what it listed.
        let playing = TextWriter.rows(of: DashboardSample(SnapshotSamples.over, 120, 40).frame.grid)
        #expect(playing.contains { $0.contains("complete") && $0.contains("in 4.0s") }, "\(playing)")
    }

    @Test("without a known break nothing is invented")
    func unknown() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks = []
        snapshot.nextBreakStart = nil
        #expect(row(snapshot) == "content · no ad break seen yet")
        #expect(row(SnapshotSamples.starting) == "")
        let undated = Finding(rule: "markers-without-dates", severity: .warning, message: "no dates")
        snapshot.findings = [
            FindingView(finding: undated, count: 1, first: SnapshotSamples.now, last: SnapshotSamples.now)
        ]
        #expect(row(snapshot) == "content · breaks are marked without dates")
        snapshot.breaks = [BreakSamples.first]
        #expect(!row(snapshot).contains("next"))
    }

    @Test("breaks at equal distances let one expect the next, others do not")
    func expected() {
        func text(_ starts: [Double]) -> String {
            var snapshot = SnapshotSamples.midBreak
            snapshot.nextBreakStart = nil
            snapshot.breaks = starts.map { start in
                var view = BreakSamples.first
                view.start = SnapshotSamples.playhead - .milliseconds(Int64(start * 1_000))
                (view.duration, view.plannedEnd) = (.seconds(5), view.start + .seconds(5))
                return view
            }
            return row(snapshot)
        }
        #expect(text([95, 65, 35, 6]).contains("breaks every 29.6 s, next in about 0:23"))
        #expect(!text([95, 55, 35, 6]).contains("about"), "uneven")
        #expect(!text([65, 35, 6]).contains("about"), "too few")
        #expect(!text([185, 155, 125, 95]).contains("about"), "it did not come")
    }

    @Test("a break that only markers know is on air, too")
    func markers() {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads = []
        snapshot.breaks[1].source = "marker"
        let text = row(snapshot)
        #expect(text.hasPrefix("ON AIR  B2  ") && text.contains("0:41 of 1:00"), "\(text)")
    }

    @Test("observe mode claims no beacon", arguments: [BreakSamples.first])
    func observed(_ view: BreakView) {
        #expect(BreakOutcome(view).line.string.contains(" done"))
        let outcome = BreakOutcome(BreakSamples.observed(view)).line.string
        #expect(outcome.hasSuffix("due, none sent (observe)"), "\(outcome)")
    }
}
