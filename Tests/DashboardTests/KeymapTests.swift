import Screen
import Testing

@testable import Dashboard

@Suite struct KeymapTests {
    private func key(_ text: String) throws -> KeyPress { try #require(KeyPress(parsing: text)) }

    @Test("every action has a row in the table, and its keys can be read")
    func table() {
        #expect(Set(Action.table.map(\.action)) == Set(Action.allCases))
        #expect(Action.table.count == Action.allCases.count)
        for entry in Action.table {
            let words = entry.keys.split(separator: " ").map(String.init)
            #expect(Keymap.standard.keys(for: entry.action) == words.compactMap(KeyPress.init(parsing:)))
            #expect(!words.isEmpty)
        }
    }

    @Test(
        "the standard keys match the help",
        arguments: [
            ("j", Action.down), ("Up", .up), ("h", .left), ("G", .last), ("C-d", .halfPageDown), ("Tab", .nextPane),
            ("S-Tab", .previousPane), ("1", .paneTree), ("6", .panePlaylist), ("7", .paneCreative), ("+", .zoom),
            ("_", .unzoom), ("Enter", .open), ("q", .back),
            ("Esc", .back),
            ("?", .help), ("F1", .help), (":", .command), ("/", .filter), ("n", .nextMatch), ("!", .nextFailure),
            ("{", .previousBreak),
            ("F", .follow), ("Z", .freeze), ("o", .sort), ("O", .reverseSort), ("y", .copyURL), ("Y", .copyCurl),
            ("e", .export),
            ("[", .previousSession), ("t", .timestamps), ("w", .wrap), ("L", .logLevel), ("b", .logBreak),
            ("T", .theme), ("C-l", .redraw),
            ("C-z", .suspend), (".", .stepOn), (",", .stepBack), ("m", .mute), ("p", .pause), ("r", .retry),
            ("Q", .quit), ("C-c", .quit),
        ])
    func standard(_ text: String, _ action: Action) throws {
        #expect(Keymap.standard.action(for: try key(text)) == action)
    }

    @Test("the help of all keys begins with how to bind others")
    func howToBind() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("? ?")
        let text = TextWriter.rows(of: sample.frame.grid).joined()
        #expect(text.contains("keys:") && text.contains("config.yaml") && text.contains("[up]"))
    }

    @Test("a list in the config replaces the action's keys, an empty one removes them")
    func remap() throws {
        let (map, problems) = Keymap.standard.remapped(["mute": ["M", "F5"], "pause": []])
        #expect(problems.isEmpty)
        #expect(map.action(for: try key("M")) == .mute)
        #expect(map.keys(for: .mute) == [try key("M"), try key("F5")])
        #expect(map.action(for: try key("m")) == nil)
        #expect(map.action(for: try key("p")) == nil)
    }

    @Test("a key given to another action is removed from its old one")
    func steal() throws {
        let (map, problems) = Keymap.standard.remapped(["follow": ["m"]])
        #expect(problems.isEmpty)
        #expect(map.action(for: try key("m")) == .follow)
        #expect(map.keys(for: .mute).isEmpty)
    }

    @Test("a key that an unnamed action loses is named with it and with the line that accepts the loss")
    func taken() {
        func texts(_ section: [String: [String]]) -> [String] { Keymap.standard.taken(by: section).map(\.description) }
        #expect(
            texts(["quit": ["j"]]) == [
                "keys: \"j\" was a key of down and is one of quit now; add down: [Down] if that is intended"
            ])
        #expect(
            texts(["follow": ["m"]]) == [
                "keys: \"m\" was a key of mute and is one of follow now; add mute: [] if that is intended"
            ])
        #expect(texts(["theme": ["F1"]]).first?.hasSuffix("; add help: [\"?\"] if that is intended") == true)
        // What names both actions, leaves a key where it was, or binds a free one is meant.
        #expect(texts(["quit": ["j"], "down": ["Down"]]).isEmpty)
        #expect(texts(["mute": ["p"], "pause": ["m"]]).isEmpty)
        #expect(texts(["mute": ["m", "M"]]).isEmpty)
        #expect(texts(["quit": ["j"], "jump": ["x"]]).isEmpty, "the error comes first")
    }

    @Test("two actions may exchange their keys")
    func exchange() throws {
        let (map, problems) = Keymap.standard.remapped(["mute": ["p"], "pause": ["m"]])
        #expect(problems.isEmpty)
        #expect(map.action(for: try key("p")) == .mute)
        #expect(map.action(for: try key("m")) == .pause)
    }

    @Test("an unreadable key is named and the standard keys remain")
    func problems() throws {
        let (map, problems) = Keymap.standard.remapped([
            "mute": ["Ctrl+M"], "jump": ["x"], "sort": ["x"], "theme": ["x"], "quit": [],
        ])
        #expect(
            problems == [
                .unknownAction("jump"), .unknownKey("Ctrl+M", .mute), .takenTwice("x", .sort, .theme), .noWayOut,
            ])
        #expect(problems.map(\.description)[1].contains("\"Ctrl+M\""))
        #expect(map.action(for: try key("m")) == .mute)
        #expect(map.action(for: try key("Q")) == .quit)
        #expect(map.action(for: try key("x")) == .sort)
    }
}
