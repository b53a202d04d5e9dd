import CNcurses
package import Screen

/// What a terminfo entry holds about a terminal, read once before the screen opens.
package struct TerminfoEntry: Sendable, Equatable {
    /// The name it was found under.
    package let name: String
    /// Number of colours, 0 for none.
    package let colors: Int
    /// Whether colour numbers are 24-bit values (TERM-23).
    package let isDirectColor: Bool
    /// Whether it uses escape sequences of ECMA-48: only then private modes are sent to it.
    package let isANSI: Bool
    /// Clears the alternate screen before it is left, in the colours of the terminal; empty where there is none. A multiplexer
    /// whose window has grown would otherwise show its last rows on the main screen.
    let erasing: [UInt8]
    /// What gives the screen back: leave the alternate screen, cursor on, attributes off, keypad to normal.
    package let restoring: [UInt8]
    /// Its keys.
    package let keys: TerminfoKeys

    /// Capabilities without which nothing can be painted (TERM-6).
    private static let required = ["cup", "clear"]
    /// The most bytes kept in `restoring`; no entry in use comes near.
    private static let restoringLimit = 128

    /// Reads an entry; `fd` is any descriptor of the terminal.
    package init(name: String, fd: Int32) throws(TerminalError) {
        guard !name.isEmpty else { throw .typeUnset }
        guard !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2F || $0 == 0x7F }),
            curses_terminfo_open(name, fd) != 0
        else { throw .typeUnknown(name) }
        defer { curses_terminfo_close() }
        for capability in TerminfoEntry.required where TerminfoEntry.string(capability) == nil {
            throw .typeTooPlain(name, missing: capability)
        }
        self.name = name
        colors = max(Int(curses_terminfo_number("colors")), 0)
        isDirectColor =
            curses_terminfo_flag("RGB") > 0 || curses_terminfo_number("RGB") > 0 || TerminfoEntry.string("RGB") != nil
        isANSI = TerminfoEntry.string("cup")?.starts(with: [0x1B, UInt8(ascii: "[")]) ?? false
        func bytes(_ names: [String]) -> [UInt8] {
            Array(names.compactMap(TerminfoEntry.string).map(TerminfoEntry.unpadded).joined())
        }
        erasing = TerminfoEntry.string("rmcup") == nil ? [] : bytes(["sgr0", "clear"])
        let restoring = bytes(["rmkx", "sgr0", "cnorm"]) + erasing + bytes(["rmcup"])
        self.restoring = Array(restoring.prefix(TerminfoEntry.restoringLimit))
        keys = TerminfoKeys(string: TerminfoEntry.string)
    }

    /// How many colours a palette for this terminal may use.
    package var depth: ColorDepth {
        if isDirectColor { return .truecolor }
        switch colors {
        case 256...: return .indexed256
        case 16...: return .ansi16
        case 8...: return .ansi8
        default: return .none
        }
    }

    private static func string(_ name: String) -> [UInt8]? {
        curses_terminfo_string(name).map { text in
            UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:))
        }
    }

    /// Without delays such as `$<5/>`, which only tputs understands.
    static func unpadded(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "$"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "<"),
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">"))
            {
                index = end + 1
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }
}
