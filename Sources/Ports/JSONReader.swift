/// Position of and reason for a JSON syntax error.
package struct JSONProblem: Error, Hashable, Sendable {
    /// The reason as a clause, e.g. "expected ':' after the name".
    package var message: String
    /// 1-based line.
    package var line: Int
    /// 1-based column in bytes.
    package var column: Int
}

/// Parses one JSON text (RFC 8259) from bytes. Syntax is strict; content is lenient: a byte order mark is skipped, and
/// bytes that are not UTF-8 and lone surrogates become U+FFFD. Depth is limited by `Limits.jsonDepth`.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// The array of the root whose elements are parsed separately.
    private var split: JSONSplit?
    /// Number of members of the object that ended last. The next one to begin is mostly like it; only that one reserves as much, so
    /// that no text gets more than twice the room that its members need.
    private var likelyMembers = 0

    package static func read(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
        try read(bytes, split: nil).value
    }

    /// Parses a document and the elements of one array of its root separately (``JSONSplit``).
    package static func read(_ bytes: [UInt8], splitting split: inout JSONSplit) throws(JSONProblem) -> JSONValue {
        let (value, elements) = try read(bytes, split: split)
        if let elements { split = elements }
        return value
    }

    private static func read(
        _ bytes: [UInt8], split: JSONSplit?
    ) throws(JSONProblem) -> (value: JSONValue, split: JSONSplit?) {
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<(JSONValue, JSONSplit?), JSONProblem> in
            var reader = JSONReader(bytes: buffer)
            reader.split = split
            do throws(JSONProblem) {
                return .success((try reader.document(), reader.split))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    package static func read(_ text: String) throws(JSONProblem) -> JSONValue {
        try read(Array(text.utf8))
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private mutating func document() throws(JSONProblem) -> JSONValue {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        skipBlanks()
        let value = try value(depth: 0)
        skipBlanks()
        guard position == bytes.count else { throw problem("unexpected text after the end of the document") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
        guard depth < Limits.jsonDepth else { throw problem("nested deeper than \(Limits.jsonDepth) levels") }
        guard let first = peek else { throw problem("ends where a value is expected") }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw problem("expected a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONProblem) -> JSONValue {
        position += 1
        var members: [JSONObject.Member] = []
        skipBlanks()
        if take(UInt8(ascii: "}")) { return .object(JSONObject(members)) }
        members.reserveCapacity(likelyMembers)
        likelyMembers = 0
        while true {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw problem("expected a quoted name") }
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw problem("expected ':' after the name") }
            skipBlanks()
            if depth > 0 || name != split?.name {
                members.append(JSONObject.Member(name: name, value: try value(depth: depth + 1)))
            } else if peek == UInt8(ascii: "[") {
                try splitArray(depth: depth + 1)
            } else {
                split?.elements = nil
                members.append(JSONObject.Member(name: name, value: try value(depth: depth + 1)))
            }
            skipBlanks()
            if take(UInt8(ascii: "}")) {
                likelyMembers = members.count
                return .object(JSONObject(members))
            }
            guard take(UInt8(ascii: ",")) else { throw problem("expected ',' or '}'") }
        }
    }

    private mutating func array(depth: Int) throws(JSONProblem) -> JSONValue {
        position += 1
        var values: [JSONValue] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            skipBlanks()
            values.append(try value(depth: depth + 1))
            skipBlanks()
            if take(UInt8(ascii: "]")) { return .array(values) }
            guard take(UInt8(ascii: ",")) else { throw problem("expected ',' or ']'") }
        }
    }

    /// Parses an array whose elements are added to ``split``; known elements are skipped.
    private mutating func splitArray(depth: Int) throws(JSONProblem) {
        position += 1
        split?.begin()
        skipBlanks()
        if take(UInt8(ascii: "]")) { return }
        while true {
            skipBlanks()
            let start = position
            if let known = split?.takeKnown(UnsafeBufferPointer(rebasing: bytes[start...]), at: start) {
                position += known
            } else {
                let value = try value(depth: depth + 1)
                split?.take(value, at: start..<position)
            }
            skipBlanks()
            if take(UInt8(ascii: "]")) { return }
            guard take(UInt8(ascii: ",")) else { throw problem("expected ',' or ']'") }
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else {
                position = start
                throw problem("expected '\(word)'")
            }
        }
        return value
    }

    private mutating func number() throws(JSONProblem) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let integerStart = position
        skipDigits()
        let digits = position - integerStart
        guard digits == 1 || (digits > 1 && bytes[integerStart] != UInt8(ascii: "0")) else {
            throw problem("malformed number")
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try requireDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try requireDigits()
        }
        if isWhole, let integer = integer(start..<position) { return .integer(integer) }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        return JSONValue(fractionalNumber: text, length: position - start)
    }

    /// The whole number in a range of digits after an optional sign; nil beyond an Int64.
    private func integer(_ range: Range<Int>) -> Int64? {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var number: Int64 = 0
        for byte in bytes[range].dropFirst(isNegative ? 1 : 0) {
            let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte &- UInt8(ascii: "0"))
            let (sum, isLarger) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isLarge, !isLarger else { return nil }
            number = sum
        }
        return number
    }

    private mutating func requireDigits() throws(JSONProblem) {
        let start = position
        skipDigits()
        guard position > start else { throw problem("malformed number") }
    }

    private mutating func skipDigits() {
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }

    /// Strings without escapes, which are nearly all, are copied in one piece.
    private mutating func string() throws(JSONProblem) -> String {
        position += 1
        let start = position
        skipPlain()
        switch peek {
        case UInt8(ascii: "\""):
            position += 1
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), as: UTF8.self)
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        case nil: throw problem("unterminated string")
        default: throw problem("control character in a string")
        }
    }

    /// Goes on to the next quote, backslash or control character, or to the end.
    private mutating func skipPlain() {
        if let base = UnsafeRawPointer(bytes.baseAddress) {
            while position &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let marks = Self.marks(in: word)
                guard marks == 0 else {
                    position &+= marks.trailingZeroBitCount / 8
                    return
                }
                position &+= 8
            }
        }
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    }

    /// The high bit of each byte that ends the plain part of a string. A borrow may wrongly mark bytes above the first marked one,
    /// so only the first is used.
    private static func marks(in word: UInt64) -> UInt64 {
        word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\"")) | word.marks(of: UInt8(ascii: "\\"))
    }

    private mutating func escapedString(from start: Int) throws(JSONProblem) -> String {
        var buffer = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: buffer, as: UTF8.self)
            case UInt8(ascii: "\\"): try appendEscape(to: &buffer)
            case 0..<0x20: throw problem("control character in a string")
            default: buffer.append(byte)
            }
        }
        throw problem("unterminated string")
    }

    private mutating func appendEscape(to buffer: inout [UInt8]) throws(JSONProblem) {
        guard let byte = peek else { throw problem("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"): buffer.append(contentsOf: Array(String(try unicodeEscape()).utf8))
        default: throw problem("unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONProblem) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let unit = try hexUnit()
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? replacement }
        let afterHigh = position
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            position = afterHigh
            return replacement
        }
        let low = try hexUnit()
        guard (0xDC00..<0xE000).contains(low) else {
            position = afterHigh
            return replacement
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
    }

    private mutating func hexUnit() throws(JSONProblem) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek?.hexDigitValue else {
                throw problem("expected four hexadecimal digits after \\u")
            }
            position += 1
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func problem(_ message: String) -> JSONProblem {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSONProblem(message: message, line: line, column: column)
    }
}
