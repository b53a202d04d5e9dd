import Screen

extension ControlSequence {
    /// What the sequence reports, nil for replies and everything unknown.
    var event: InputEvent? {
        if prefix == UInt8(ascii: "<") { return MouseReport.sgr(self) }
        guard prefix == 0, !hasIntermediates else { return nil }
        switch final {
        case UInt8(ascii: "I"): return parameters.joined().isEmptyOrUnwritten ? .focus(true) : nil
        case UInt8(ascii: "O"): return parameters.joined().isEmptyOrUnwritten ? .focus(false) : nil
        case UInt8(ascii: "u"): return coded(parameter(0), shifted: parameter(0, sub: 1))
        case UInt8(ascii: "~") where parameter(0) == 27 && parameters.count >= 3:
            return coded(parameter(2), shifted: nil)
        case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: "@"): return numbered
        default: return lettered
        }
    }

    /// CSI 1 ; modifiers letter.
    private var lettered: InputEvent? {
        guard let base = KeyTable.letters[final], parameter(0) ?? 1 == 1, let modifiers else { return nil }
        return .key(KeyPress(normalizing: base.key, base.modifiers.union(modifiers)))
    }

    /// CSI number ; modifiers ~ , and rxvt's `^` for Ctrl and `@` for Ctrl-Shift in place of the tilde.
    private var numbered: InputEvent? {
        guard let number = parameter(0), let key = KeyTable.numbers[number], var modifiers else { return nil }
        if final != UInt8(ascii: "~") { modifiers.insert(.control) }
        if final == UInt8(ascii: "@") { modifiers.insert(.shift) }
        return .key(KeyPress(normalizing: key, modifiers))
    }

    /// CSI code ; modifiers u, and CSI 27 ; modifiers ; code ~: the key by its Unicode scalar.
    private func coded(_ code: Int?, shifted: Int?) -> InputEvent? {
        guard let code, var modifiers, var key = KeyTable.key(code: code) else { return nil }
        if case .char = key, modifiers.contains(.shift), let shifted, let capital = KeyTable.key(code: shifted) {
            key = capital
            modifiers.remove(.shift)
        } else if case .char(let scalar) = key, modifiers.contains(.shift), !modifiers.contains(.control),
            ("a"..."z").contains(scalar)
        {
            key = .char(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value) & ~0x20))
            modifiers.remove(.shift)
        }
        return .key(KeyPress(normalizing: key, modifiers))
    }

    /// The second parameter; nil for a key release and for modifiers that our keys do not have.
    private var modifiers: Modifiers? {
        let release = 3
        guard parameter(1, sub: 1) != release else { return nil }
        return Modifiers(parameter: parameter(1))
    }
}

extension Modifiers {
    /// One plus a bit field: Shift, Alt, Ctrl, Super, Hyper, Meta, Caps Lock, Num Lock. Absent means none.
    ///
    /// Nil with Super or Hyper: Cmd-Q must not act as q.
    init?(parameter: Int?) {
        let bits = (parameter ?? 1) - 1
        guard (0...255).contains(bits), bits & 0b0001_1000 == 0 else { return nil }
        var modifiers: Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 0b0010_0010 != 0 { modifiers.insert(.meta) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        self = modifiers
    }
}

extension Sequence<Int?> {
    /// `CSI I` has no parameter; an empty one is the same.
    fileprivate var isEmptyOrUnwritten: Bool { allSatisfy { $0 == nil } }
}
