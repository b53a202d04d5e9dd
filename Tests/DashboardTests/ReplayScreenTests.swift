import AdTracking
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// A recording looks like a recording.
@Suite struct ReplayScreenTests {
    /// 44 s into a minute, with a break and a failure ahead of and behind the position.
    private static var recording: Snapshot {
        var snapshot = SnapshotSamples.midBreak
        let start = SnapshotSamples.now.uptime - .seconds(44)
        snapshot.replay = ReplayView(
            span: start...start + .seconds(60), speed: 2, isPaused: false, position: 240, count: 325,
            marks: [
                ReplayMark(kind: .adBreak, offset: .seconds(10)), ReplayMark(kind: .failure, offset: .seconds(15)),
                ReplayMark(kind: .adBreak, offset: .seconds(52)),
            ])
        return snapshot
    }

    private static let sizes: [(Int, Int)] = [(80, 24), (120, 40), (200, 60), (60, 16), (60, 20), (100, 30)]

    private func rows(_ sample: DashboardSample) -> [String] { TextWriter.rows(of: sample.frame.grid) }

    @Test("the badge is in the place of kind and mode, and the scrubber below it", arguments: sizes)
    func badge(_ columns: Int, _ height: Int) {
        let rows = rows(DashboardSample(Self.recording, columns, height))
        #expect(rows[0].contains("REPLAY"))
        #expect(!rows[0].contains("FIRE") && !rows[0].contains("LIVE") && !rows[0].contains("OBSERVE"))
        if columns >= 80 { #expect(rows[0].contains("REPLAY ▶ 0:44 / 1:00"), "\(rows[0])") }
        #expect(rows[1].hasPrefix(" ▶ 2x  0:44 ") && rows[1].contains(" 1:00"), "\(rows[1])")
        #expect(rows[1].contains("✗") && rows[1].contains("●") && rows[1].contains("▓"), "\(rows[1])")
        #expect(rows[1].contains("2026-11-21 12:41:18Z"), "the date of then")
    }

    @Test("the arrows seek, and scroll in the log")
    func arrows() throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        try sample.press("Left")
        #expect(sample.effects == [.player(.seek(.by(.seconds(-5))))])
        try sample.press("Right")
        #expect(sample.effects == [.player(.seek(.by(.seconds(5))))])
        try sample.press("3 Right")
        #expect(sample.effects.isEmpty)
        var live = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try live.press("Left")
        #expect(live.effects.isEmpty)
    }

    @Test("the smallest screens say it, too", arguments: [(40, 8), (20, 5)])
    func small(_ columns: Int, _ height: Int) {
        let text = rows(DashboardSample(Self.recording, columns, height)).joined()
        #expect(text.contains("REPLAY") && !text.contains("FIRE"))
    }

    @Test("the position follows the clock between two snapshots")
    func clock() {
        var sample = DashboardSample(Self.recording, 120, 40)
        sample.now = sample.now.advanced(by: .seconds(9))
        #expect(rows(sample)[1].hasPrefix(" ▶ 2x  0:53 "))
        sample.now = sample.now.advanced(by: .seconds(99))
        #expect(rows(sample)[1].hasPrefix(" ▶ 2x  1:00 "))
    }

    @Test("whether it is paused is on the screen")
    func paused() {
        var snapshot = Self.recording
        snapshot.replay?.isPaused = true
        let rows = rows(DashboardSample(snapshot, 120, 40))
        #expect(rows[0].contains("REPLAY ■ 0:44 / 1:00") && rows[1].hasPrefix(" ■ 2x"))
    }

    @Test(
        "the footer has the keys of a recording, and not those that report something", arguments: [(80, 24), (120, 40)])
    func footer(_ columns: Int, _ height: Int) throws {
        let footer = try #require(rows(DashboardSample(Self.recording, columns, height)).last)
        #expect(footer.contains("Space play") && footer.contains(", . step"), "\(footer)")
        #expect(!footer.contains("mute"))
    }

    @Test(
        "the footer names the key of the next failure, and the key selects it",
        arguments: [(80, 24, "! fail "), (120, 40, "! failure "), (200, 60, "! failure ")])
    func failure(_ columns: Int, _ height: Int, _ hint: String) throws {
        var sample = DashboardSample(Self.recording, columns, height)
        let footer = try #require(rows(sample).last)
        #expect(footer.contains("[ ] break") && footer.contains(hint) && footer.contains("seek"), "\(footer)")
        #expect(footer.contains("filter") && footer.contains("q quit"), "\(footer)")
        let before = sample.state.views.breaks.model.selectedRow
        try sample.press("!")
        #expect(sample.state.views.breaks.model.selectedRow != before)
        // It was played before, and none comes.
        #expect(sample.state.toasts.map(\.text) == ["no later failure in the recording"] && sample.effects.isEmpty)
    }

    private static let failedEvent = NodePath(
        breakID: "break-B2", adID: "brandx-summer-id", eventID: "A2-firstQuartile")

    /// The recording before its failed event, which a mark announces for 6 s later.
    private static var beforeFailure: Snapshot {
        var snapshot = recording
        BreakSamples.settle(&snapshot.breaks[1].ads[1].events[2], .done)
        snapshot.replay?.marks.append(ReplayMark(kind: .failure, offset: .seconds(50)))
        return snapshot
    }

    private func selection(_ sample: DashboardSample) -> NodePath? {
        let model = sample.state.views.breaks.model
        return model.path(at: model.selectedRow)
    }

    @Test("! moves to the next failure of the recording, which is selected when it is listed")
    func nextFailure() throws {
        var sample = DashboardSample(Self.beforeFailure, 120, 40)
        try sample.press("3 !", every: .zero)
        #expect(sample.effects == [.player(.seek(.by(.seconds(6))))] && sample.state.toasts.isEmpty)
        // A snapshot that was on its way is not yet there.
        sample.snapshot.breaks = Self.recording.breaks
        sample.send(.snapshotArrived)
        #expect(selection(sample) != Self.failedEvent)
        sample.now = sample.now.advanced(by: .seconds(6))
        sample.snapshot.at = sample.now
        sample.send(.snapshotArrived)
        #expect(selection(sample) == Self.failedEvent && sample.state.focus == .tree)
        try sample.press("!")
        #expect(sample.effects.isEmpty && sample.state.toasts.last?.text == "no later failure in the recording")
    }

    @Test("another key ends the search for the failure to which the recording was moved")
    func abandonedFailure() throws {
        var sample = DashboardSample(Self.beforeFailure, 120, 40)
        try sample.press("! g", every: .zero)
        let before = selection(sample)
        sample.snapshot.breaks = Self.recording.breaks
        sample.now = sample.now.advanced(by: .seconds(6))
        sample.snapshot.at = sample.now
        sample.send(.snapshotArrived)
        #expect(selection(sample) == before)
    }

    @Test("a recording without failures says so, one whose failures are over that none comes")
    func noFailure() throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        BreakSamples.settle(&sample.snapshot.breaks[1].ads[1].events[2], .done)
        try sample.press("!")
        #expect(sample.effects.isEmpty && sample.state.toasts.map(\.text) == ["no later failure in the recording"])
        #expect(sample.state.toasts.last?.isGood == false)
        sample.snapshot.replay?.marks.removeAll { $0.kind == .failure }
        try sample.press("!")
        #expect(sample.effects.isEmpty && sample.state.toasts.last?.text == "no beacon failed in the recording")
    }

    @Test("a click on what has failed in the first row shows it, also while other failures are to come")
    func countedFailure() throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        sample.snapshot.replay?.marks.append(ReplayMark(kind: .failure, offset: .seconds(50)))
        let row = rows(sample)[0]
        let place = try #require(row.firstRange(of: "beacons failed")?.lowerBound, "\(row)")
        sample.click(Point(x: row.distance(from: row.startIndex, to: place), y: 0))
        #expect(sample.effects.isEmpty && selection(sample) == Self.failedEvent)
    }

    @Test("the keys of a recording fit one screen with those of the pane") func help() throws {
        var sample = DashboardSample(Self.recording, 80, 24)
        try sample.press("?")
        let text = rows(sample).joined(separator: "\n")
        #expect(text.contains("5 s back (Right: forward)") && text.contains("next input (:step 20)"), "\(text)")
        #expect(text.contains("● on air"), "\(text)")
    }

    @Test("a view with another meaning of that key has its own hint alone", arguments: [(120, 40), (200, 60)])
    func finding(_ columns: Int, _ height: Int) throws {
        var sample = DashboardSample(Self.recording, columns, height)
        try sample.press("6")
        let footer = try #require(rows(sample).last)
        #expect(footer.contains("! finding") && !footer.contains("! fail"), "\(footer)")
    }

    @Test(
        "the list of commands has those of a recording while one is shown")
    func commands() throws {
        for (snapshot, isRecording) in [(Self.recording, true), (SnapshotSamples.midBreak, false)] {
            var sample = DashboardSample(snapshot, 120, 40)
            try sample.press(":")
            #expect(sample.state.candidates(snapshot).contains { $0.line == "step" } == isRecording)
        }
    }

    @Test("what would report or send is refused with the reason", arguments: ["m", "p", ": a r m Enter", "r"])
    func refused(_ keys: String) throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        try sample.press(keys)
        #expect(sample.effects.isEmpty && sample.state.confirmation == nil)
        let toast = try #require(sample.state.toasts.last)
        #expect(
            !toast.isGood && toast.text.hasPrefix("this is a recording: nothing can be changed or sent"),
            "\(toast.text)")
    }

    @Test("Space plays and pauses; [ and ] go from break to break")
    func keys() throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        try sample.press("Space")
        #expect(sample.effects == [.player(.pause)])
        sample.snapshot.replay?.isPaused = true
        try sample.press("Space")
        #expect(sample.effects == [.player(.play)])
        try sample.press("]")
        #expect(sample.effects == [.player(.seek(.by(.seconds(8))))])
        try sample.press("[")
        #expect(sample.effects == [.player(.seek(.by(.seconds(-34))))])
    }

    @Test("at its end a recording is stopped, shows its time, and Space plays it again; there is no later break")
    func end() throws {
        var snapshot = Self.recording
        snapshot.replay?.position = 325
        snapshot.session.phase = .ended
        var sample = DashboardSample(snapshot, 120, 40)
        sample.now = sample.now.advanced(by: .seconds(16))
        let header = rows(sample)[0]
        #expect(header.contains("REPLAY ■ 1:00 / 1:00") && header.hasSuffix("12:41:34Z"), "\(header)")
        #expect(rows(sample)[1].hasPrefix(" ■ 2x  1:00 "), "\(rows(sample)[1])")
        try sample.press("Space")
        #expect(sample.effects == [.player(.seek(.by(.seconds(-60)))), .player(.play)])
        try sample.press("]")
        #expect(sample.effects.isEmpty && sample.state.toasts.last?.text == "no later break in the recording")
    }

    @Test("the next key ends a notice of a recording that is stopped: its clock does not")
    func notices() throws {
        var snapshot = Self.recording
        snapshot.replay?.isPaused = true
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("m", every: .zero)
        #expect(sample.state.toasts.count == 1)
        try sample.press("j", every: .zero)
        #expect(sample.state.toasts.isEmpty)
    }

    @Test("a click on the scrubber seeks")
    func click() throws {
        var sample = DashboardSample(Self.recording, 120, 40)
        let bar = rows(sample)[1]
        let knob = try #require(bar.firstIndex(of: "●"))
        let x = bar.distance(from: bar.startIndex, to: knob)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: x, y: 1)))))
        guard case .player(.seek(.by(let distance)))? = sample.effects.first else {
            Issue.record("\(sample.effects)")
            return
        }
        #expect(distance.magnitude < .seconds(1))
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: x - 20, y: 1)))))
        guard case .player(.seek(.by(let back)))? = sample.effects.first else {
            Issue.record("\(sample.effects)")
            return
        }
        #expect(back < .seconds(-5))
    }

    @Test("in a session Space turns a page")
    func session() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("Space")
        #expect(sample.effects.isEmpty)
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
