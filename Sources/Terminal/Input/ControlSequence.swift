import Screen

/// Control sequences: CSI, parameters, intermediates, one final byte (ECMA-48 section 5.4).
struct ControlSequence: Equatable {
    /// `<`, `=`, `>` or `?` in front of the parameters, 0 when there is none.
    let prefix: UInt8
    /// The numbers, each with its sub-parameters after colons; nil where none is written or it is too large.
    let parameters: [[Int?]]
    /// Whether there are bytes 0x20–0x2F before the final byte.
    let hasIntermediates: Bool
    /// What the sequence means.
    let final: UInt8

    /// Largest number read; a longer one counts as not written.
    private static let numberLimit = 0x10FFFF

    /// The event at the start of `bytes`, which start with ESC [.
    static func step(at bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        let body = bytes.dropFirst(2)
        guard let first = body.first else { return .wait }
        if first == UInt8(ascii: "[") { return linuxConsole(body) }
        if first == UInt8(ascii: "M") { return MouseReport.x10(body) }
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return bytes.count < InputDecoder.sequenceLimit ? .wait : .overlong(bytes.count)
        }
        let length = end - bytes.startIndex
        guard length < InputDecoder.sequenceLimit else { return .overlong(length) }
        // A control byte breaks the sequence off; an escape among them starts the next one.
        guard (0x40...0x7E).contains(bytes[end]) else {
            return .event(nil, bytes[end] == Byte.escape ? length : length + 1)
        }
        let sequence = ControlSequence(body[body.startIndex..<end], final: bytes[end])
        if sequence.isPasteStart { return .paste(length + 1) }
        return .event(sequence.event, length + 1)
    }

    /// The console of Linux writes F1–F5 as ESC [ [ A to E.
    private static func linuxConsole(_ body: ArraySlice<UInt8>) -> InputDecoder.Step {
        guard let letter = body.dropFirst().first else { return .wait }
        guard letter != Byte.escape else { return .event(nil, 3) }
        guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(letter) else { return .event(nil, 4) }
        return .event(.key(KeyPress(.f(Int(letter - UInt8(ascii: "A")) + 1))), 4)
    }

    /// Splits what is between ESC [ and the final byte.
    init(_ body: ArraySlice<UInt8>, final: UInt8) {
        self.final = final
        let isPrefixed = body.first.map { (0x3C...0x3F).contains($0) } ?? false
        prefix = isPrefixed ? body.first ?? 0 : 0
        let text = body.dropFirst(isPrefixed ? 1 : 0).prefix { (0x30...0x3B).contains($0) }
        hasIntermediates = text.endIndex != body.endIndex
        parameters = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { group in
            group.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(ControlSequence.number)
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 7 else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value <= numberLimit ? value : nil
    }

    /// Parameter `index`, nil when it is not written.
    func parameter(_ index: Int, sub: Int = 0) -> Int? {
        guard index < parameters.count, sub < parameters[index].count else { return nil }
        return parameters[index][sub]
    }

    private var isPasteStart: Bool {
        prefix == 0 && !hasIntermediates && final == UInt8(ascii: "~") && parameter(0) == 200
    }
}

/// Single shifts: ESC O and one letter, as keypads in application mode write.
enum SingleShift {
    /// The event at the start of `bytes`, which start with ESC O.
    static func step(at bytes: ArraySlice<UInt8>) -> InputDecoder.Step {
        let body = bytes.dropFirst(2)
        // Some terminals put the modifier in between: ESC O 5 P.
        let digits = body.prefix { (0x30...0x39).contains($0) }.prefix(2)
        guard let letter = body.dropFirst(digits.count).first else { return .wait }
        let length = 3 + digits.count
        guard letter != Byte.escape else { return .event(nil, length - 1) }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard let key = KeyTable.singleShift[letter],
            let modifiers = Modifiers(parameter: digits.isEmpty ? nil : code)
        else { return .event(nil, length) }
        return .event(.key(KeyPress(normalizing: key.key, key.modifiers.union(modifiers))), length)
    }
}
