/// A key without its modifiers.
package enum Key: Hashable, Sendable {
    /// A character as typed: capital letters arrive as capitals, without `shift`.
    case char(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, escape, tab, backTab, backspace, delete, insert
    /// A function key, from 1.
    case f(Int)
}

/// Keys held down together with another.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    /// Any combination of the three bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Shift, where it is not part of the character.
    package static let shift = Modifiers(rawValue: 1)
    /// Alt, Option or Meta.
    package static let meta = Modifiers(rawValue: 2)
    /// Control.
    package static let control = Modifiers(rawValue: 4)
}

/// One key press.
package struct KeyPress: Hashable, Sendable {
    /// The key.
    package let key: Key
    /// What was held down with it.
    package let modifiers: Modifiers

    /// A key press.
    package init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// One report of the mouse, in cells.
package struct MouseEvent: Hashable, Sendable {
    /// What happened.
    package enum Kind: Hashable, Sendable {
        case press, release, drag, wheelUp, wheelDown
    }

    /// Which button; `none` for wheel and plain motion.
    package enum Button: Hashable, Sendable {
        case left, middle, right, none
    }

    /// What happened.
    package let kind: Kind
    /// With which button.
    package let button: Button
    /// Where, from zero at the top left.
    package let point: Point
    /// What was held down.
    package let modifiers: Modifiers

    /// A report of the mouse.
    package init(kind: Kind, button: Button, point: Point, modifiers: Modifiers = []) {
        self.kind = kind
        self.button = button
        self.point = point
        self.modifiers = modifiers
    }
}

/// Everything a terminal reports.
package enum InputEvent: Hashable, Sendable {
    /// A key press.
    case key(KeyPress)
    /// The mouse.
    case mouse(MouseEvent)
    /// Bracketed paste, raw as it came: it is text, never commands.
    case paste(String)
    /// The terminal window got or lost the focus.
    case focus(Bool)
    /// The terminal's answer about its background: whether that is light.
    case background(isLight: Bool)
    /// The terminal has another size.
    case resize(Size)
    /// The process is about to be stopped, by ^Z or a signal.
    case stopping
    /// The process was stopped and is running again.
    case continued
}
