import AdTracking
import Screen
import Session
import Testing
import Themes

@testable import Dashboard

@Suite struct TextEntryTests {
    private func typing(_ text: String) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press(":")
        sample.type(text)
        return sample
    }

    @Test(
        "editing keys",
        arguments: [
            ("Backspace", "seek liv", 8), ("Left Left Backspace", "seek lve", 6), ("Home Delete", "eek live", 0),
            ("C-u", "", 0),
            ("C-w", "seek ", 5), ("C-a C-k", "", 0), ("C-b C-b C-f", "seek live", 8), ("Home End", "seek live", 9),
            ("Left Left Left Left Left C-w", " live", 0),
        ])
    func editing(_ keys: String, _ text: String, _ cursor: Int) throws {
        var sample = try typing("seek live")
        try sample.press(keys)
        let line = try #require(sample.state.entry?.line)
        #expect(line.text == text)
        #expect(line.cursor == cursor)
    }

    /// The rows of the list of commands, without its frame.
    private func list(_ sample: DashboardSample) -> [String] {
        TextWriter.rows(of: sample.frame.grid).filter { $0.hasPrefix("┃") }
    }

    @Test("the sentence of every command is whole in the list, beside its name, at 80 columns")
    func sentences() throws {
        for command in CommandSpec.offered(isRecording: false) {
            let rows = list(try typing(command.name))
            let row = try #require(rows.first { $0.hasPrefix("┃ \(command.name)") }, "\(rows)")
            #expect(row.contains("  " + command.summary.string), "\(row)")
        }
        #expect(CommandSpec.all.allSatisfy { $0.summary.columns <= CommandList.sentence })
    }

    @Test("what has no room in the list ends after a word", arguments: [60, 80])
    func words(_ columns: Int) throws {
        var cut = 0
        for text in [""] + Action.table.map({ "bind \($0.action.rawValue)" }) + CommandSpec.all.map(\.name) {
            var sample = DashboardSample(SnapshotSamples.midBreak, columns, 24)
            try sample.press(":")
            sample.type(text)
            for row in list(sample) where row.contains("…") {
                cut += 1
                #expect(!row.contains(/[a-zA-Z]…/), "\(row)")
            }
        }
        #expect(cut > 0)
    }

    @Test("letters are text while typing: no key of the map acts")
    func letters() throws {
        var sample = try typing("")
        sample.type("mmppqQr")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.entry?.line.text == "mmppqQr")
        #expect(sample.state.lastBeaconKey == nil)
    }

    @Test(
        "control keys for leaving, suspending and redrawing act even then",
        arguments: [
            ("C-c", DashboardEffect.quit), ("C-z", .suspend), ("C-l", .redraw),
        ])
    func everywhere(_ key: String, _ effect: DashboardEffect) throws {
        var sample = try typing("se")
        try sample.press(key)
        #expect(sample.effects == [effect])
    }

    @Test("a paste is text: its line end runs nothing, outside an entry it is ignored")
    func paste() throws {
        var sample = try typing("")
        sample.send(.input(.paste("quit\n\u{1B}[31m")))
        #expect(sample.effects.isEmpty)
        #expect(sample.state.entry?.line.text == "quit  [31m")
        var outside = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        outside.send(.input(.paste("mp:arm\ny")))
        #expect(outside.effects.isEmpty)
        #expect(outside.state.entry == nil)
        #expect(outside.state.lastBeaconKey == nil)
    }

    @Test(
        "the line end behind a pasted word is no part of it, nor is a control character",
        arguments: [
            ("midpoint\r", "midpoint"), ("midpoint\n\r\n", "midpoint"), ("a\u{85}b\u{2028}c\u{9B}d", "a b c d"),
            ("\r", ""),
        ])
    func pastedFilter(_ pasted: String, _ text: String) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("/")
        sample.send(.input(.paste(pasted)))
        #expect(sample.state.entry?.line.text == text && sample.state.views.breaks.filter == text)
    }

    @Test("a pasted character with any number of marks has the limit of a line")
    func pastedMarks() throws {
        var sample = try typing("")
        sample.send(.input(.paste("e" + String(repeating: "\u{301}", count: 5_000))))
        #expect(sample.state.entry?.line.text.unicodeScalars.count == TextLine.limit)
    }

    @Test("a stream that is not open has no playhead to move")
    func seekingBeforeTheStream() throws {
        var sample = DashboardSample(SnapshotSamples.unopened, 80, 24)
        try sample.press(":")
        sample.type("seek -30s")
        try sample.press("Enter")
        #expect(sample.state.entry?.problem == "seek: the stream is not open yet; wait for its playlist")
        #expect(sample.effects.isEmpty)
    }

    @Test("Enter runs, Esc cancels, Backspace in an empty line cancels")
    func leaving() throws {
        var sample = try typing("seek live")
        try sample.press("Enter")
        #expect(sample.effects == [.player(.seek(.live))])
        #expect(sample.state.entry == nil)
        #expect(sample.state.history == ["seek live"])
        var left = try typing("quit")
        try left.press("Esc")
        #expect(left.effects.isEmpty && left.state.entry == nil)
        var emptied = try typing("")
        try emptied.press("Backspace")
        #expect(emptied.state.entry == nil)
    }

    @Test("an invalid line stays, with its problem")
    func wrong() throws {
        var sample = try typing("rate fast")
        try sample.press("Enter")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.entry?.problem == "\"fast\": use a number from 0.1 to 16")
        sample.type("1")
        #expect(sample.state.entry?.problem == nil)
        // However long it is.
        var long = try typing("seek " + String(repeating: "x", count: 90))
        try long.press("Enter")
        let text = TextWriter.text(of: long.frame.grid)
        #expect(text.contains("use live, -30s"), "\(text)")
    }

    @Test("a number that is not allowed is not completed to one that contains it", arguments: ["0", "17", "0."])
    func wrongNumber(_ number: String) throws {
        var sample = try typing("rate \(number)")
        try sample.press("Enter")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.entry?.problem == "\"\(number)\": use a number from 0.1 to 16")
    }

    @Test("Enter takes the row that is meant where what was typed is no command")
    func meant() throws {
        var freeze = try typing("freez")
        try freeze.press("Enter")
        #expect(freeze.state.entry == nil && freeze.state.history.last == "freeze")
        var theme = try typing("thm")
        try theme.press("Enter")
        #expect(theme.state.entry?.line.text == "theme " && theme.effects.isEmpty)
        var begun = try typing("")
        begun.state.settings.themes = ["auto", "midnight", "mono"]
        begun.type("theme mi")
        try begun.press("Enter")
        #expect(begun.state.entry == nil && begun.effects == [.setTheme("midnight")])
        var none = try typing("zzz")
        try none.press("Enter")
        #expect(none.state.entry?.problem?.contains("no such command") == true)
    }

    @Test("Up and Down move through the history and back to what was typed")
    func history() throws {
        var sample = try typing("rate 2")
        try sample.press("Enter :")
        sample.type("seek live")
        try sample.press("Enter :")
        sample.type("th")
        let steps = ["Up": "seek live", "Up Up": "rate 2", "Up Up Up": "rate 2", "Up Down": "th"]
        for (keys, text) in steps {
            var copy = sample
            try copy.press(keys)
            #expect(copy.state.entry?.line.text == text, "\(keys)")
        }
    }

    @Test("Tab inserts what all candidates have in common, then moves through them and inserts nothing")
    func completion() throws {
        var sample = try typing("expo")
        try sample.press("Tab")
        #expect(sample.state.entry?.line.text == "export ")
        try sample.press("Tab")
        #expect(sample.state.entry?.line.text == "export " && sample.state.entry?.selected == 0)
        try sample.press("Tab Tab Tab Tab")
        #expect(sample.state.entry?.selected == 0)
        try sample.press("S-Tab")
        #expect(sample.state.entry?.selected == 3)
        var among = try typing("the")
        try among.press("Tab")
        #expect(among.state.entry?.line.text == "theme ")
        var few = try typing("ex")
        try few.press("Tab")
        #expect(few.state.entry?.line.text == "exp")
        var none = try typing("zzz")
        try none.press("Tab")
        #expect(none.state.entry?.problem == "no completions")
    }

    @Test("Enter takes the chosen row: a command that needs an argument waits for it")
    func choosing() throws {
        var sample = try typing("")
        try sample.press("Tab Tab Tab Enter")
        #expect(sample.state.entry?.line.text == "seek " && sample.effects.isEmpty)
        try sample.press("Tab Enter")
        #expect(sample.effects == [.player(.seek(.live))])
        var fuzzy = try typing("frz")
        try fuzzy.press("Tab Enter")
        #expect(fuzzy.state.entry == nil && fuzzy.state.history == ["freeze"])
    }

    @Test("a theme shows itself while it is chosen, and the one from before returns with Esc or other text")
    func preview() throws {
        for leaving in ["Esc", "x", "Up", "C-u"] {
            var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
            sample.state.settings.themes = ["default", "midnight", "mono"]
            sample.state.settings.theme = "mono"
            try sample.press(":")
            sample.type("theme ")
            try sample.press("Tab Tab")
            #expect(sample.effects == [.setTheme("default"), .setTheme("midnight")])
            sample.send(.themeChanged("midnight"))
            try sample.press(leaving)
            #expect(sample.effects.last == .setTheme("mono"), "\(leaving)")
        }
    }

    @Test("the list names the background that a theme is made for, and what is typed is found in it")
    func grounds() {
        let themes = ["auto"] + BuiltInTheme.allCases.map(\.rawValue)
        let rows = Completion.candidates(for: "theme ", themes: themes)
        #expect(rows.map(\.title) == themes && rows.allSatisfy { $0.summary.columns > 0 })
        func summary(_ name: String) -> String? { rows.first { $0.title == name }?.summary.string }
        #expect(summary("paper") == "light" && summary("midnight") == "dark")
        #expect(summary("mono") == "on any background" && summary("auto")?.hasPrefix("light or dark") == true)
        #expect(Completion.candidates(for: "theme light", themes: themes).map(\.title) == ["auto", "paper"])
    }

    @Test("a click takes a row of the list") func clicking() throws {
        var sample = try typing("theme")
        let grid = sample.frame.grid
        let row = try #require(TextWriter.rows(of: grid).firstIndex { $0.contains("use another theme") })
        sample.send(.input(.mouse(MouseEvent(kind: .press, button: .left, point: Point(x: 4, y: row)))))
        #expect(sample.state.entry?.line.text == "theme ")
    }

    @Test("the cursor is behind the text also where a glyph of two cells is cut at the left end")
    func wideText() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 40, 8)
        try sample.press(":")
        sample.type(String(repeating: "漢", count: 30) + "x")
        let (grid, cursor) = (sample.frame.grid, sample.frame.cursor)
        #expect(cursor == Point(x: 38, y: 7))
        #expect(grid[Point(x: 37, y: 7)].glyph.scalar == "x")
    }

    private func column(of text: String, in row: String) throws -> Int {
        row.distance(from: row.startIndex, to: try #require(row.firstRange(of: text)).lowerBound)
    }

    @Test("what is typed or asked is in the last row of the smallest screens, above the help too, and can be clicked")
    func smallest() throws {
        var search = DashboardSample(SnapshotSamples.midBreak, 39, 6)
        try search.press("? /")
        search.type("retry")
        #expect(TextWriter.rows(of: search.frame.grid).last?.hasPrefix("/retry") == true)
        #expect(search.frame.cursor == Point(x: 6, y: 5))
        var line = DashboardSample(SnapshotSamples.midBreak, 39, 7)
        try line.press(":")
        line.type("seek live")
        let typed = try #require(TextWriter.rows(of: line.frame.grid).last)
        line.click(Point(x: try column(of: "Enter", in: typed), y: 6))
        #expect(line.effects == [.player(.seek(.live))])
        var question = DashboardSample(SnapshotSamples.observing, 39, 7)
        try question.press(":")
        question.type("arm")
        try question.press("Enter")
        let asked = try #require(TextWriter.rows(of: question.frame.grid).last)
        question.click(Point(x: try column(of: "y yes", in: asked), y: 6))
        #expect(question.effects == [.setMode(.fire)])
        var low = DashboardSample(SnapshotSamples.observing, 60, 1)
        try low.press(":")
        low.type("arm")
        try low.press("Enter")
        #expect(TextWriter.text(of: low.frame.grid).contains("y yes"))
    }

    @Test("the line has a limit")
    func limit() {
        var line = TextLine()
        line.insert(String(repeating: "a", count: TextLine.limit + 10))
        line.insert("b")
        #expect(line.characters.count == TextLine.limit)
    }
}
