/// Escapes: a URL in the value of another has `%2F` for a slash, one in the value of that `%252F`, and so on.
extension SecretScan {
    /// Most times that a byte is escaped; beyond that it is not recognised.
    private static let deepest = 8

    /// One escaped byte.
    struct Escape {
        var byte: UInt8
        /// Bytes of the text.
        var length: Int
        /// How often it is escaped; 1 in the value of a URL.
        var depth: Int
    }

    /// The byte that is escaped at a place.
    func escape(at position: Int) -> Escape? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "%") else { return nil }
        var digits = position + 1
        var depth = 1
        while depth < Self.deepest, matches("25", at: digits), byte(ofDigits: digits + 2) != nil {
            digits += 2
            depth += 1
        }
        return byte(ofDigits: digits).map { Escape(byte: $0, length: digits + 2 - position, depth: depth) }
    }

    /// The escape that ends at a place.
    func escape(before end: Int) -> Escape? {
        var mark = end - 3
        while mark > 0, bytes[mark] != UInt8(ascii: "%"), end - mark <= 2 * Self.deepest, matches("25", at: mark - 1) {
            mark -= 2
        }
        guard mark >= 0, let escape = escape(at: mark), mark + escape.length == end else { return nil }
        return escape
    }

    /// Whether one of these bytes is escaped at a place, at most so often as the URL in which it is.
    func isEscape(of marks: StaticString, at position: Int, depth: Int) -> Bool {
        guard depth > 0, let escape = escape(at: position), escape.depth <= depth else { return false }
        return marks.withUTF8Buffer { $0.contains(escape.byte) }
    }

    /// The text of a name in lower case, without escapes.
    func name(_ range: Range<Int>) -> String {
        guard bytes[range].contains(UInt8(ascii: "%")) else {
            return String(decoding: bytes[range], as: UTF8.self).lowercased()
        }
        var (name, position): ([UInt8], Int) = ([], range.lowerBound)
        while position < range.upperBound {
            let escape = escape(at: position)
            name.append(escape?.byte ?? bytes[position])
            position += escape?.length ?? 1
        }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private func byte(ofDigits position: Int) -> UInt8? {
        position + 1 < bytes.count ? UInt8(hexDigits: bytes[position], bytes[position + 1]) : nil
    }
}
