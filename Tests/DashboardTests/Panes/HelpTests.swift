import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Help in two steps (improvement 10, D18).
@Suite struct HelpTests {
    @Test("the keys of the focused pane fit one screen", arguments: ["1", "2", "3", "7", "8", "9", "0", "f"])
    func pane(_ key: String) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("2 \(key) ?")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(sample.state.help == .keys)
        #expect(text.contains("keys of the") && text.contains("? again: all keys") && text.contains("● on air"))
    }

    @Test(
        "with the mouse alone the next session is reached",
        arguments: [(80, 24, "?help"), (120, 40, "?help"), (200, 60, "? help")])
    func nextSession(_ columns: Int, _ height: Int, _ hint: String) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, height)
        func click(_ text: String) throws {
            let rows = TextWriter.rows(of: sample.frame.grid)
            let (y, row) = try #require(rows.enumerated().first { $0.element.contains(text) }, "\(rows)")
            let place = try #require(row.firstRange(of: text)?.lowerBound)
            sample.click(Point(x: row.distance(from: row.startIndex, to: place), y: y))
        }
        try click(hint)
        try click("next session")
        #expect(sample.effects == [.selectSession(1)] && !sample.state.isHelpOpen)
        sample.state.settings.sessions = ["ch7 live"]
        try click(hint)
        #expect(!TextWriter.text(of: sample.frame.grid).contains("next session"))
    }

    @Test("no text in the keys of a pane is cut", arguments: [(40, 8), (60, 20), (80, 24), (120, 40), (200, 60)])
    func whole(_ columns: Int, _ height: Int) throws {
        for key in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "f"] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, height)
            try sample.press("2 \(key) ?")
            let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
            let rows = PaneHelp.rows(frame, width: HelpPane.rect(frame).width - 4).map(\.line.string)
            #expect(rows.allSatisfy { !$0.contains("…") }, "\(key): \(rows)")
            let words = rows.joined(separator: " ").split(separator: " ")
            for word in PaneHelp.keys(frame).flatMap({ $0.summary.string.split(separator: " ") }) {
                #expect(words.contains(word), "\(key): \(word)")
            }
        }
    }

    @Test(
        "the ways to all keys can be clicked, and the help stays", arguments: [(40, 8), (60, 20), (80, 24), (120, 40)])
    func ways(_ columns: Int, _ height: Int) throws {
        for (text, action) in [("? again: all keys", Action.help), ("/ filters them", .filter)] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, height)
            try sample.press("?")
            var byKey = sample
            try byKey.press(action == .help ? "?" : "/")
            func shown() -> Point? {
                for (y, row) in TextWriter.rows(of: sample.frame.grid).enumerated() {
                    guard let place = row.firstRange(of: text) else { continue }
                    return Point(x: row.distance(from: row.startIndex, to: place.lowerBound), y: y)
                }
                return nil
            }
            for _ in 0..<120 where shown() == nil { try sample.press("j") }
            let place = try #require(shown(), "\(text)")
            sample.click(Point(x: place.x + 2, y: place.y))
            #expect(sample.state.help == .all && byKey.state.help == .all, "\(text)")
            #expect(sample.state.entry?.purpose == byKey.state.entry?.purpose)
        }
    }

    @Test("the keys of a pane in two columns") func golden() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("?")
        expectGolden("help-pane", sample.frame.grid)
    }

    @Test("all keys have the names of their actions, and / shows only what matches") func filter() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("? ?")
        #expect(TextWriter.text(of: sample.frame.grid).contains("[half-page-up]"))
        try sample.press("/")
        sample.type("freeze")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("[freeze]") && text.contains(":freeze") && !text.contains("[half-page-up]"))
        try sample.press("C-u")
        sample.type("no such key")
        #expect(TextWriter.text(of: sample.frame.grid).contains("nothing matches no such key"))
    }

    @Test("the help of all keys has what has an effect: a live session has no step, a recording no freeze")
    func effect() throws {
        for isRecording in [false, true] {
            var snapshot = SnapshotSamples.midBreak
            let start = SnapshotSamples.now.uptime - .seconds(44)
            if isRecording {
                snapshot.replay = ReplayView(
                    span: start...start + .seconds(60), speed: 1, isPaused: false, position: 1, count: 2)
            }
            var sample = DashboardSample(snapshot, 120, 40)
            try sample.press("? ?")
            func lines() -> [String] {
                let frame = FrameContext(sample.snapshot, sample.state, now: sample.now)
                return HelpPane.lines(frame, width: 96).map(\.string)
            }
            for (text, isOfRecording) in [
                (":step [NUMBER", true), ("[step-on]", true), ("[step-back]", true), ("[freeze]", false),
                ("[mute]", false), (":arm", false), (":retry", false), (":report ACTION", false), (":open URL", false),
            ] {
                #expect(lines().contains { $0.contains(text) } == (isRecording == isOfRecording), "\(text)")
            }
            #expect(!lines().contains { $0.contains("[open-url]") })
            sample.state.settings.opensStreams = true
            #expect(lines().contains { $0.contains("[open-url]") } == !isRecording)
        }
    }

    @Test("an unknown action is answered with similar names") func similar() {
        let problem = Keymap.standard.remapped(["pane-finding": ["x"]]).problems.first
        #expect(problem?.description == "keys: unknown action \"pane-finding\"; similar: pane-findings")
        let strange = Keymap.standard.remapped(["zzzzzzzz": ["x"]]).problems.first
        #expect(strange?.description.contains("adtop config keys") == true)
        #expect(Keymap.standard.rows.map(\.name).sorted() == Action.allCases.map(\.rawValue).sorted())
    }
}
