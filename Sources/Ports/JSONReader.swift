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
    let bytes: UnsafeBufferPointer<UInt8>
    /// Of the next byte.
    var position = 0
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

    var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func problem(_ message: String) -> JSONProblem {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSONProblem(message: message, line: line, column: column)
    }
}
