extension KeyPress: CustomStringConvertible {
    /// Reads the notation of key maps and `--keys`: `j`, `G`, `C-d` or `^D`, `M-x`, `S-Tab`, `Enter`, `F5`, `Space`.
    ///
    /// Nil for anything that is not exactly one key.
    package init?(parsing text: String) {
        var rest = text[...]
        var modifiers: Modifiers = []
        while let (modifier, after) = KeyPress.modifier(at: rest) {
            modifiers.insert(modifier)
            rest = after
        }
        if rest.unicodeScalars.count == 2, rest.first == "^", let letter = rest.unicodeScalars.last {
            guard ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) else { return nil }
            modifiers.insert(.control)
            rest = rest.dropFirst()
        }
        guard let key = KeyPress.key(named: rest) else { return nil }
        self.init(normalizing: key, modifiers)
    }

    /// The notation that `init(parsing:)` reads back.
    package var description: String {
        var text = ""
        if modifiers.contains(.control) { text += "C-" }
        if modifiers.contains(.meta) { text += "M-" }
        if modifiers.contains(.shift) { text += "S-" }
        return text + KeyPress.name(of: key)
    }

    /// One spelling per key: control letters are lower case, Shift-Tab is `backTab`, a shifted letter is the capital.
    package init(normalizing key: Key, _ modifiers: Modifiers) {
        switch key {
        case .tab where modifiers.contains(.shift):
            self.init(.backTab, modifiers.subtracting(.shift))
        case .char(let scalar) where modifiers.contains(.control) && ("A"..."Z").contains(scalar):
            self.init(.char(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value | 0x20))), modifiers)
        case .char(let scalar) where modifiers == .shift && ("a"..."z").contains(scalar):
            self.init(.char(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value & ~0x20))), [])
        default:
            self.init(key, modifiers)
        }
    }

    /// `C-`, `M-`, `A-` or `S-` at the start, when something follows: `-` alone is a key.
    private static func modifier(at text: Substring) -> (Modifiers, Substring)? {
        guard text.utf8.count > 2, text.dropFirst().first == "-" else { return nil }
        switch text.first {
        case "C": return (.control, text.dropFirst(2))
        case "M", "A": return (.meta, text.dropFirst(2))
        case "S": return (.shift, text.dropFirst(2))
        default: return nil
        }
    }

    private static func key(named name: Substring) -> Key? {
        if name.unicodeScalars.count == 1, let scalar = name.unicodeScalars.first {
            return CharacterWidth.of(scalar) == .control ? nil : .char(scalar)
        }
        let lower = name.lowercased()
        if let key = names[lower] { return key }
        guard lower.hasPrefix("f"), let number = Int(lower.dropFirst()), (1...functionKeyLimit).contains(number) else {
            return nil
        }
        return .f(number)
    }

    private static func name(of key: Key) -> String {
        switch key {
        case .char(" "): "Space"
        case .char(let scalar): String(Character(scalar))
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "S-Tab"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .insert: "Insert"
        case .f(let number): "F\(number)"
        }
    }

    /// Terminals report no function key above this.
    private static let functionKeyLimit = 35

    private static let names: [String: Key] = [
        "space": .char(" "), "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end,
        "pgup": .pageUp, "pageup": .pageUp, "pgdn": .pageDown, "pagedown": .pageDown, "enter": .enter, "return": .enter,
        "esc": .escape, "escape": .escape, "tab": .tab, "backtab": .backTab, "backspace": .backspace,
        "del": .delete, "delete": .delete, "ins": .insert, "insert": .insert,
    ]
}

/// A script of key presses, as in `--keys "j j Enter m"`.
package enum KeySequence {
    /// The longest accepted script.
    package static let limit = 10_000

    /// Why a script cannot be read.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// This word is not a key.
        case unknownKey(String)
        /// More than `KeySequence.limit` keys.
        case tooLong

        /// One line that names the word; it may hold outside text and passes the sanitiser before it is shown.
        package var description: String {
            switch self {
            case .unknownKey(let word): "unknown key \"\(word)\"; write keys as j, G, C-d, Enter, Esc, Tab, F1, Space"
            case .tooLong: "more than \(KeySequence.limit) keys"
            }
        }
    }

    /// Reads words separated by blanks, each one key.
    package static func parse(_ text: String) throws(Failure) -> [KeyPress] {
        var keys: [KeyPress] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard keys.count < limit else { throw .tooLong }
            guard let key = KeyPress(parsing: String(word)) else { throw .unknownKey(String(word)) }
            keys.append(key)
        }
        return keys
    }
}
