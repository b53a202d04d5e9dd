import AdTracking
import Foundation
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct MouseTests {
    private func click(_ sample: inout DashboardSample, _ x: Int, _ y: Int) { sample.click(Point(x: x, y: y)) }

    private func wheel(_ sample: inout DashboardSample, _ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
        sample.send(.input(.mouse(MouseEvent(kind: kind, button: .none, point: Point(x: x, y: y)))))
    }

    /// Row and column of a text on the screen.
    private func place(of text: String, _ sample: DashboardSample) throws -> (x: Int, y: Int) {
        for (y, row) in TextWriter.rows(of: sample.frame.grid).enumerated() {
            if let range = row.range(of: text) { return (row.distance(from: row.startIndex, to: range.lowerBound), y) }
        }
        throw CommandProblem.unknown(text)
    }

    @Test("a click focuses the pane and selects the row")
    func select() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("3")
        let target = try place(of: "midpoint", sample)
        click(&sample, target.x, target.y)
        #expect(sample.state.focus == .tree)
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)?.eventID
                == "A2-midpoint")
    }

    @Test("a click on the arrow and a double click open and close")
    func toggle() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let target = try place(of: "▸ ✓ B1", sample)
        click(&sample, target.x, target.y)
        #expect(sample.state.views.breaks.tree.expanded.contains(NodePath(breakID: "break-B1")))
        let name = try place(of: "B1  12:36", sample)
        click(&sample, name.x, name.y)
        #expect(sample.state.views.breaks.tree.expanded.contains(NodePath(breakID: "break-B1")))
        click(&sample, name.x, name.y)
        #expect(!sample.state.views.breaks.tree.expanded.contains(NodePath(breakID: "break-B1")))
    }

    @Test("a click on a count of the header opens what it counts")
    func headerCounts() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.counters.beaconsFailed = max(1, snapshot.counters.beaconsFailed)
        let finding = Finding(rule: "L10", severity: .warning, message: "thin")
        snapshot.findings = [
            FindingView(finding: finding, count: 1, first: SnapshotSamples.now, last: SnapshotSamples.now)
        ]
        var sample = DashboardSample(snapshot, 160, 40)
        try sample.press("3")
        let warning = try place(of: "1 finding", sample)
        #expect(warning.y == 0)
        click(&sample, warning.x, warning.y)
        #expect(sample.state.main == .findings && sample.state.focus == .findings)
        let failed = try place(of: "failed", sample)
        #expect(failed.y == 0)
        click(&sample, failed.x, failed.y)
        #expect(sample.state.main == .tree && sample.state.focus == .tree)
        let clock = try place(of: "Z", sample)
        click(&sample, clock.x, clock.y)
        #expect(sample.state.main == .tree)
    }

    @Test("a double click on an event opens its detail")
    func open() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let target = try place(of: "midpoint", sample)
        click(&sample, target.x, target.y)
        click(&sample, target.x, target.y)
        #expect(sample.state.focus == .detail)
    }

    @Test("a click on a hint of the footer runs it")
    func footer() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let mute = try place(of: "m mute", sample)
        click(&sample, mute.x, mute.y)
        #expect(sample.effects == [.toggleMute])
        let help = try place(of: "?help", sample)
        click(&sample, help.x + 2, help.y)
        #expect(sample.state.isHelpOpen)
    }

    @Test("the footer shows the keys of the focused view, and they can be clicked")
    func footerOfAView() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 80, 24)
        try sample.press("9 Esc j j j j j j")
        func hint(_ text: String) -> Int? {
            let footer = TextWriter.rows(of: sample.frame.grid).last ?? ""
            return footer.range(of: text).map { footer.distance(from: footer.startIndex, to: $0.lowerBound) }
        }
        click(&sample, try #require(hint("s show")), 23)
        #expect(sample.effects == [.format(slot: "page", .show)])
        try sample.press("3")
        #expect(hint("s show") == nil && hint("F follow") != nil)
    }

    @Test("a click on the key in the banner of a frozen display ends the freeze", arguments: [(80, 24), (120, 40)])
    func banner(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("Z")
        let banner = try place(of: "FROZEN", sample)
        click(&sample, banner.x, banner.y)
        #expect(sample.state.held != nil)
        let key = try place(of: "Z resumes", sample)
        click(&sample, key.x + 3, key.y)
        #expect(sample.state.held == nil)
    }

    @Test("a letter of a view in the footer can be clicked, too")
    func footerLetters() throws {
        var sample = DashboardSample(CacheSamples.full, 80, 24)
        try sample.press("0 d")
        let typed = sample.effects
        var clicked = DashboardSample(CacheSamples.full, 80, 24)
        try clicked.press("0")
        let target = try place(of: "d delete", clicked)
        click(&clicked, target.x, target.y)
        #expect(!typed.isEmpty && clicked.effects == typed)
    }

    @Test("a click on a key of the first line runs it, one beside the keys hides the line")
    func tip() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.state.settings.showsTip = true
        let keys = try place(of: "?keys", sample)
        click(&sample, keys.x, keys.y)
        #expect(sample.state.isHelpOpen && sample.state.settings.showsTip)
        try sample.press("Esc")
        let end = try place(of: "Esc hides this", sample)
        click(&sample, end.x, end.y)
        #expect(!sample.state.settings.showsTip)
    }

    @Test("help is read and closed with the mouse alone")
    func help() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let hint = try place(of: "?help", sample)
        click(&sample, hint.x, hint.y)
        #expect(sample.state.help == .keys)
        click(&sample, hint.x, hint.y)
        #expect(sample.state.help == .all)
        click(&sample, 40, 12)
        #expect(sample.state.isHelpOpen, "a click on its text")
        let close = try place(of: "q closes", sample)
        click(&sample, close.x, close.y)
        #expect(!sample.state.isHelpOpen)
    }

    @Test("the wheel moves through the list of commands, and stops at its ends")
    func commandList() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press(":")
        let row = try place(of: "observe", sample)
        for _ in 0..<20 { wheel(&sample, .wheelDown, row.x, row.y) }
        let count = sample.state.candidates(SnapshotSamples.midBreak).count
        #expect(sample.state.entry?.selected == count - 1)
        #expect(throws: Never.self) { try place(of: "theme NAME", sample) }
        for _ in 0..<20 { wheel(&sample, .wheelUp, row.x, row.y) }
        #expect(sample.state.entry?.selected == 0)
        // Beside the list it scrolls the panes.
        wheel(&sample, .wheelDown, 5, 5)
        #expect(sample.state.entry?.selected == 0)
    }

    @Test("the keys that a typed line names can be clicked")
    func entry() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press(":")
        sample.type("freez")
        let tab = try place(of: "Tab complete", sample)
        click(&sample, tab.x, tab.y)
        #expect(sample.state.entry?.line.text == "freeze")
        let run = try place(of: "Enter run", sample)
        click(&sample, run.x + 8, run.y)
        #expect(sample.state.entry == nil && sample.state.held != nil)
        try sample.press(":")
        let cancel = try place(of: "Esc cancel", sample)
        click(&sample, cancel.x, cancel.y)
        #expect(sample.state.entry == nil)
    }

    @Test("a question is answered on its answers alone", arguments: [(120, 40), (80, 24), (60, 16), (40, 8)])
    func question(columns: Int, rows: Int) throws {
        for (answer, isYes) in [("y yes", true), ("n no", false)] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
            sample.state.confirmation = .arm(hostCount: 1, hosts: ["t.example.com"])
            click(&sample, 2, 2)
            #expect(sample.state.confirmation != nil && sample.effects.isEmpty)
            let target = try place(of: answer, sample)
            click(&sample, target.x - 1, target.y)
            #expect(sample.state.confirmation != nil)
            click(&sample, target.x, target.y)
            #expect(sample.state.confirmation == nil)
            #expect(sample.effects == (isYes ? [.setMode(.fire)] : []))
        }
    }

    @Test("a click beside a typed command leaves it as Esc does, beside a filter it keeps it as Enter does")
    func besideTheLine() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press(":")
        let list = try place(of: "Commands", sample)
        click(&sample, list.x, list.y)
        #expect(sample.state.entry != nil, "the frame of the list")
        click(&sample, 20, 23)
        #expect(sample.state.entry != nil, "the line itself")
        click(&sample, 20, 2)
        #expect(sample.state.entry == nil && sample.state.history.isEmpty)
        try sample.press("/")
        sample.type("mid")
        click(&sample, 20, 2)
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter == "mid")
    }

    @Test("a click on a row that a filter leaves selects it while the filter is still typed")
    func filteredRow() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("/")
        sample.type("quart")
        // The event at the playhead, which is selected before the click, is the third quartile.
        let row = try place(of: "firstQuartile", sample)
        click(&sample, row.x, row.y)
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter == "quart")
        let model = sample.state.views.breaks.model
        #expect(model.path(at: model.selectedRow)?.eventID?.hasSuffix("firstQuartile") == true)
        // A pane beside it gets the keys, as without the line.
        try sample.press("/")
        let log = try place(of: "[3] Log", sample)
        click(&sample, log.x, log.y)
        #expect(sample.state.entry == nil && sample.state.focus == .log)
    }

    @Test("each key that the detail names can be clicked", arguments: [(80, 24), (200, 60)])
    func detail(_ columns: Int, _ rows: Int) throws {
        for (hint, key) in [("y copy url", "y"), ("Y copy curl", "Y"), ("B bug report", "B")] {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
            let event = try place(of: "midpoint  ", sample)
            click(&sample, event.x, event.y)
            if rows == 24, hint.hasPrefix("B") { try sample.press("2 2") }
            var pressed = sample
            try pressed.press(key)
            let target = try place(of: hint, sample)
            click(&sample, target.x, target.y)
            #expect(!pressed.effects.isEmpty && sample.effects == pressed.effects, "\(hint)")
            #expect(sample.state.focus == .detail)
            click(&sample, target.x - 1, target.y)
            #expect(sample.effects.isEmpty, "beside it")
        }
    }

    @Test("the detail in three rows opens by its hint")
    func compactDetail() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let event = try place(of: "midpoint  ", sample)
        click(&sample, event.x, event.y)
        let open = try place(of: "Enter full detail", sample)
        click(&sample, open.x + 8, open.y)
        #expect(sample.state.isZoomed && sample.state.focus == .detail)
    }

    @Test("a hint of the detail acts on the view as the letter that it names, and so does this letter in the detail")
    func detailOfFormats() throws {
        var sample = DashboardSample(try FormatsSamples.all(), 120, 40)
        try sample.press("9 Esc")
        var pressed = sample
        try pressed.press("l")
        #expect(!pressed.effects.isEmpty)
        try sample.press("3")
        #expect(throws: CommandProblem.self) { try place(of: "l load  s show", sample) }
        let title = try place(of: "[2] Ad space", sample)
        click(&sample, title.x, title.y)
        #expect(sample.state.focus == .detail)
        for (hint, keys) in [("l load  s show", "l"), ("Enter click", "Enter"), ("x close", "x")] {
            var (clicked, typed) = (sample, sample)
            let target = try place(of: hint, sample)
            click(&clicked, target.x, target.y)
            try typed.press(keys)
            #expect(!typed.effects.isEmpty && clicked.effects == typed.effects, "\(hint)")
        }
        let load = try place(of: "l load  s show", sample)
        click(&sample, load.x, load.y)
        #expect(sample.effects == pressed.effects && sample.state.focus == .detail)
    }

    @Test("a filter is chosen, inverted and cleared without a key", arguments: [(80, 24), (40, 8)])
    func filter(_ columns: Int, _ rows: Int) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, columns, rows)
        try sample.press("/")
        let words = sample.state.candidates(sample.snapshot).map(\.title)
        let first = try place(of: "┃ failed ", sample)
        let title = try place(of: "Filter breaks", sample)
        #expect(first.y == title.y + 1, "what failed is the first word")
        click(&sample, first.x + 2, first.y)
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter == "failed")
        try sample.press("/")
        let invert = try place(of: "! invert", sample)
        click(&sample, invert.x + 2, invert.y)
        #expect(sample.state.views.breaks.filter == "!failed" && sample.state.entry?.line.text == "!failed")
        let second = try place(of: "┃ \(words[1]) ", sample)
        click(&sample, second.x + 2, second.y)
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter == "!\(words[1])")
        try sample.press("/")
        guard columns == 80 else { return }
        let clear = try place(of: "Esc clear", sample)
        click(&sample, clear.x, clear.y)
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter.isEmpty)
    }

    @Test("the words of a filter are there until something is typed, and Tab and the wheel try them")
    func filterWords() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("/")
        let words = sample.state.candidates(sample.snapshot).map(\.title)
        #expect(words.first == "failed" && words.contains("t.example-dsp.com") && words.contains("firstQuartile"))
        #expect(words.contains("B2") && Set(words).count == words.count)
        try sample.press("Tab")
        #expect(sample.state.entry?.selected == 0 && sample.state.views.breaks.filter == "failed")
        let row = try place(of: "Filter breaks", sample)
        wheel(&sample, .wheelDown, row.x, row.y)
        #expect(sample.state.views.breaks.filter == words[3])
        try sample.press("Enter")
        #expect(sample.state.entry == nil && sample.state.views.breaks.filter == words[3])
        try sample.press("/ C-u")
        sample.type("quart")
        #expect(sample.state.candidates(sample.snapshot).isEmpty)
        #expect(throws: CommandProblem.self) { try place(of: "Filter breaks", sample) }
        try sample.press("Enter")
        #expect(sample.state.views.breaks.filter == "quart")
    }

    @Test("the words that a state has on the screen find it")
    func wordsOfStates() throws {
        var snapshot = SnapshotSamples.midBreak
        let place = try #require(snapshot.breaks.indices.last { !snapshot.breaks[$0].ads.isEmpty })
        snapshot.breaks[place].ads[0].events[0].state = .skipped
        var sample = DashboardSample(snapshot, 80, 24)
        try sample.press("/")
        sample.type("not sent")
        #expect(sample.state.views.breaks.model.rows.contains { $0.breakIndex == place && $0.eventIndex == 0 })
    }

    @Test("each word of a view leaves rows", arguments: ["1", "6", "f", "3"])
    func wordsLeaveRows(_ key: String) throws {
        let snapshot = key == "f" ? FindingsPaneTests.sample : SnapshotSamples.midBreak
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("2 \(key) /")
        let words = sample.state.candidates(snapshot)
        #expect(!words.isEmpty)
        for word in words {
            var other = sample
            other.type(word.line)
            try other.press("Enter")
            let text = TextWriter.text(of: other.frame.grid)
            #expect(!text.contains("nothing matches") && !text.contains("no line matches"), "\(word.title)")
        }
    }

    @Test("a click that ends the program waits for the release, which would be typed at the shell")
    func quitting() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let quit = try place(of: "q quit", sample)
        let point = Point(x: quit.x, y: quit.y)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: point))))
        #expect(sample.effects.isEmpty)
        sample.send(.input(.mouse(MouseEvent(kind: .release, button: .left, point: point))))
        #expect(sample.effects == [.quit])
        sample.send(.input(.mouse(MouseEvent(kind: .release, button: .left, point: point))))
        #expect(sample.effects.isEmpty, "once")
        // All other clicks act at once.
        let mute = try place(of: "m mute", sample)
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: mute.x, y: mute.y)))))
        #expect(sample.effects == [.toggleMute])
    }

    @Test("a key is bound without a key: it acts, the footer has it, and a notice how to keep it")
    func bind() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let command = try place(of: ":cmd", sample)
        click(&sample, command.x, command.y)
        for _ in 0..<8 { wheel(&sample, .wheelDown, 10, 18) }
        for _ in 0..<2 { wheel(&sample, .wheelUp, 10, 18) }
        let bind = try place(of: "bind ACTION KEY", sample)
        click(&sample, bind.x, bind.y)
        #expect(sample.state.entry?.line.text == "bind ")
        for _ in 0..<40 where (try? place(of: "┃ freeze ", sample)) == nil { wheel(&sample, .wheelDown, 10, 18) }
        let freeze = try place(of: "┃ freeze ", sample)
        click(&sample, freeze.x + 2, freeze.y)
        #expect(sample.state.entry?.line.text == "bind freeze ")
        let key = try place(of: "┃ c ", sample)
        click(&sample, key.x + 2, key.y)
        #expect(sample.state.entry == nil && sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.text == "to keep it: freeze: [c] in keys: of the config file")
        #expect(TextWriter.rows(of: sample.frame.grid)[23].contains("c freeze"))
        try sample.press("c")
        #expect(sample.state.held != nil)
        try sample.press("c Z")
        #expect(sample.state.held == nil)
    }

    @Test("a click on the timeline selects the break")
    func timeline() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        let target = try place(of: "B3░", sample)
        click(&sample, target.x + 1, target.y)
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)
                == NodePath(breakID: "break-B3"))
    }

    @Test("the wheel scrolls what is under the pointer, not what has the focus")
    func wheel() {
        var sample = DashboardSample(SnapshotSamples.many, 120, 40)
        wheel(&sample, .wheelUp, 20, 35)
        #expect(!sample.state.log.follows)
        #expect(sample.state.focus == .tree && sample.state.views.breaks.tree.follows)
        wheel(&sample, .wheelDown, 20, 35)
        #expect(sample.state.log.follows)
        wheel(&sample, .wheelUp, 20, 15)
        #expect(!sample.state.views.breaks.tree.follows)
        #expect(sample.state.views.breaks.tree.offset == 200 - 19 - 3)
    }
}
