import Screen

/// Mouse reports in the two forms that modes 1000 and 1002 produce, with and without mode 1006.
enum MouseReport {
    /// Mode 1006: CSI < button ; column ; row M, or m for a release.
    static func sgr(_ sequence: ControlSequence) -> InputEvent? {
        let isRelease = sequence.final == UInt8(ascii: "m")
        guard isRelease || sequence.final == UInt8(ascii: "M"), !sequence.hasIntermediates,
            let code = sequence.parameter(0), let column = sequence.parameter(1), let row = sequence.parameter(2)
        else { return nil }
        return event(code: code, column: column, row: row, isRelease: isRelease)
    }

    /// Terminals that ignore mode 1006: CSI M and three bytes, each plus 32. `body` starts with the M. A button number
    /// is lost on release, and columns beyond 223 do not exist in this form (TERM-16).
    static func x10(_ body: ArraySlice<UInt8>) -> InputDecoder.Step {
        let report = body.dropFirst().prefix(3)
        // No byte of a report is below 32: this one belongs to the next key.
        if let stray = report.firstIndex(where: { $0 < 0x20 }) { return .event(nil, 2 + stray - body.startIndex) }
        guard report.count == 3 else { return .wait }
        let values = report.map { Int($0) - 32 }
        let isRelease = values[0] & 0b1100_0011 == 3 && values[0] & motion == 0
        return .event(event(code: values[0], column: values[1], row: values[2], isRelease: isRelease), 6)
    }

    private static let motion = 32
    private static let wheel = 64

    private static func event(code: Int, column: Int, row: Int, isRelease: Bool) -> InputEvent? {
        guard (0..<128).contains(code), (1...Size.limit).contains(column), (1...Size.limit).contains(row) else {
            return nil
        }
        let point = Point(x: column - 1, y: row - 1)
        var modifiers: Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.meta) }
        if code & 16 != 0 { modifiers.insert(.control) }
        if code & wheel != 0 {
            // 66 and 67 are the sideways wheel, which nothing here scrolls.
            guard code & 2 == 0, !isRelease else { return nil }
            return .mouse(
                MouseEvent(
                    kind: code & 1 == 0 ? .wheelUp : .wheelDown, button: .none, point: point, modifiers: modifiers))
        }
        let buttons: [MouseEvent.Button] = [.left, .middle, .right, .none]
        let button = buttons[code & 3]
        let kind: MouseEvent.Kind = code & motion != 0 ? .drag : isRelease ? .release : .press
        return .mouse(MouseEvent(kind: kind, button: button, point: point, modifiers: modifiers))
    }
}
