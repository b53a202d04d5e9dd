import Screen

/// One line of text being typed: characters, a cursor, nothing else.
package struct TextLine: Sendable, Equatable {
    /// The longest accepted line; further characters are ignored.
    package static let limit = 1_024

    /// The characters of the line.
    package private(set) var characters: [Character]
    /// 0…count: in front of which character typing inserts.
    package private(set) var cursor: Int

    /// A line with the cursor at its end.
    package init(_ text: String = "") {
        characters = Array(text.prefix(Self.limit))
        cursor = characters.count
    }

    /// The line as text.
    package var text: String { String(characters) }
    /// Whether the line is empty.
    package var isEmpty: Bool { characters.isEmpty }
    /// The part that completion looks at.
    package var textBeforeCursor: String { String(characters[..<cursor]) }

    /// Inserts at the cursor as much as the limit allows.
    package mutating func insert(_ text: String) {
        let room = Self.limit - characters.count
        guard room > 0 else { return }
        let added = Array(text.prefix(room))
        characters.insert(contentsOf: added, at: cursor)
        // A combining mark may join the character before it, so the sum is not always the new count.
        cursor = min(cursor + added.count, characters.count)
    }

    /// Removes the character before the cursor; false at the start of the line.
    package mutating func deleteBackward() -> Bool {
        guard cursor > 0 else { return false }
        cursor -= 1
        characters.remove(at: cursor)
        return true
    }

    /// Removes the character under the cursor.
    package mutating func deleteForward() {
        guard cursor < characters.count else { return }
        characters.remove(at: cursor)
    }

    /// Removes the word before the cursor and the blanks after it.
    package mutating func deleteWord() {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        characters.removeSubrange(start..<cursor)
        cursor = start
    }

    /// Removes everything before the cursor.
    package mutating func deleteToStart() {
        characters.removeSubrange(..<cursor)
        cursor = 0
    }

    /// Removes everything from the cursor on.
    package mutating func deleteToEnd() {
        characters.removeSubrange(cursor...)
    }

    /// Moves the cursor, right when positive, clamped to the ends.
    package mutating func moveCursor(by step: Int) {
        cursor = min(max(cursor + min(max(step, -Self.limit), Self.limit), 0), characters.count)
    }

    /// Moves the cursor in front of everything.
    package mutating func moveToStart() { cursor = 0 }
    /// Moves the cursor behind everything.
    package mutating func moveToEnd() { cursor = characters.count }

    /// Replaces the text before the cursor, as completion does.
    package mutating func replaceBeforeCursor(with text: String) {
        deleteToStart()
        insert(text)
    }
}

/// The text entry that has the keyboard: while there is one, no letter is a command (TERM-32).
package struct TextEntry: Sendable, Equatable {
    /// What the text is for.
    package enum Purpose: Sendable, Equatable {
        /// The `:` line.
        case command
        /// The `/` filter of a pane, at work while it is typed.
        case filter(Pane)
    }

    /// What the text is for.
    package var purpose: Purpose
    /// The text.
    package var line: TextLine
    /// How far up in the history, 0 being the line itself.
    package var historyDepth = 0
    /// The line that was typed before going up the history.
    package var draft = ""
    /// The problem with the line, one sentence.
    package var problem: String?
    /// The chosen row of the list above the line; Enter takes it.
    package var selected: Int?
    /// The folder whose names were asked for last, and those names once they were read.
    package var askedFolder: String?
    package var folder: FolderListing?
    /// The theme before the list showed others.
    package var themeBefore: String?
    /// Whether the text was changed since the line was opened. The words for a filter are shown until then.
    package private(set) var isTyped = false

    /// An entry with the cursor behind `text`.
    package init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        line = TextLine(text)
    }
}

extension TextEntry {
    /// A key while text is typed. False when the entry ends: Backspace in an empty line.
    mutating func edit(_ key: KeyPress) -> Bool {
        switch (key.key, key.modifiers.contains(.control)) {
        case (.backspace, _):
            guard !line.isEmpty else { return false }
            change { _ = $0.deleteBackward() }
        case (.delete, _): change { $0.deleteForward() }
        case (.left, _), (.char("b"), true): change { $0.moveCursor(by: -1) }
        case (.right, _), (.char("f"), true): change { $0.moveCursor(by: 1) }
        case (.home, _), (.char("a"), true): change { $0.moveToStart() }
        case (.end, _), (.char("e"), true): change { $0.moveToEnd() }
        case (.char("u"), true): change { $0.deleteToStart() }
        case (.char("k"), true): change { $0.deleteToEnd() }
        case (.char("w"), true): change { $0.deleteWord() }
        case (.char(let scalar), false) where !key.modifiers.contains(.meta):
            change { $0.insert(String(Character(scalar))) }
        default: break
        }
        return true
    }

    /// Pasted text: line ends and other controls become blanks, so that a paste can never run anything. The line end behind a copied
    /// line is no part of it: a filter would look for a blank.
    mutating func insert(pasted text: String) {
        var pasted = text.unicodeScalars[...]
        while pasted.last == "\n" || pasted.last == "\r" { pasted.removeLast() }
        var plain = String.UnicodeScalarView()
        // Counted in scalars: a character can have any number of combining marks.
        plain.append(contentsOf: pasted.prefix(TextLine.limit).map { Self.isControl($0) ? " " : $0 })
        change { $0.insert(String(plain)) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Drops the choice and the problem, which concerned the line before the change.
    private mutating func change(_ edit: (inout TextLine) -> Void) {
        edit(&line)
        problem = nil
        selected = nil
        isTyped = true
    }

    /// Inverts a filter, or takes that back: with a `!` in front.
    mutating func invert() {
        let text = line.text
        line = TextLine(text.hasPrefix("!") ? String(text.dropFirst()) : "!" + text)
        selected = nil
    }
}
