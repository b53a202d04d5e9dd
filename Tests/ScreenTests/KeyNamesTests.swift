import Screen
import Testing

@Suite struct KeyNamesTests {
    @Test(arguments: [
        ("j", KeyPress(.char("j"))), ("G", KeyPress(.char("G"))), ("-", KeyPress(.char("-"))),
        ("+", KeyPress(.char("+"))),
        ("^", KeyPress(.char("^"))), ("é", KeyPress(.char("é"))), ("Space", KeyPress(.char(" "))),
        ("C-d", KeyPress(.char("d"), .control)), ("^D", KeyPress(.char("d"), .control)),
        ("C-D", KeyPress(.char("d"), .control)),
        ("M-x", KeyPress(.char("x"), .meta)), ("A-x", KeyPress(.char("x"), .meta)),
        ("C-M-Left", KeyPress(.left, [.control, .meta])),
        ("Tab", KeyPress(.tab)), ("S-Tab", KeyPress(.backTab)), ("BackTab", KeyPress(.backTab)),
        ("S-a", KeyPress(.char("A"))),
        ("Enter", KeyPress(.enter)), ("Esc", KeyPress(.escape)), ("escape", KeyPress(.escape)),
        ("PgDn", KeyPress(.pageDown)),
        ("F1", KeyPress(.f(1))), ("f12", KeyPress(.f(12))), ("C--", KeyPress(.char("-"), .control)),
        ("F", KeyPress(.char("F"))),
    ])
    func reads(_ text: String, _ key: KeyPress) {
        #expect(KeyPress(parsing: text) == key)
    }

    @Test(arguments: ["", "C-", "jj", "Ente", "F0", "F99", "^1", "\u{1B}", "S-", "X-a"])
    func acceptsOnlyExactlyOneKey(_ text: String) {
        #expect(KeyPress(parsing: text) == nil)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let keys: [Key] = [
            .char("a"), .char("Z"), .char(" "), .char("^"), .char("-"), .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown,
            .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .f(1), .f(35),
        ]
        for key in keys {
            for modifiers in [Modifiers(), .meta, [.control, .meta]] {
                let first = try #require(KeyPress(parsing: KeyPress(key, modifiers).description))
                #expect(KeyPress(parsing: first.description) == first)
                #expect(first.modifiers == modifiers)
            }
        }
        #expect(KeyPress(.char("d"), .control).description == "C-d")
        #expect(KeyPress(.backTab).description == "S-Tab")
    }

    @Test func sequencesNameTheWordTheyCannotRead() throws {
        #expect(
            try KeySequence.parse(" j j  Enter\tm ")
                == [KeyPress(.char("j")), KeyPress(.char("j")), KeyPress(.enter), KeyPress(.char("m"))])
        #expect(try KeySequence.parse("").isEmpty)
        #expect(throws: KeySequence.Failure.unknownKey("Retrun")) { try KeySequence.parse("j Retrun") }
        #expect(throws: KeySequence.Failure.tooLong) {
            try KeySequence.parse(String(repeating: "j ", count: KeySequence.limit + 1))
        }
    }
}
