/// Members of JSON.
extension SecretScan {
    /// The value of `"name": "value"` in a JSON body, or of `\"name\":\"value\"` in a text within one.
    func member(colon: Int) -> Range<Int>? {
        var end = colon
        while end > 0, bytes[end - 1].isBlank { end -= 1 }
        guard end > 1, bytes[end - 1] == UInt8(ascii: "\"") else { return nil }
        end -= 1
        let isEscaped = bytes[end - 1] == UInt8(ascii: "\\")
        if isEscaped { end -= 1 }
        var start = end
        while start > 0, end - start < Self.longestName, bytes[start - 1].isNameByte { start -= 1 }
        guard start > 0, bytes[start - 1] == UInt8(ascii: "\"") else { return nil }
        return secret(named: start..<end) { quoted(after: colon + 1, isEscaped: isEscaped) }
    }

    /// The secret in what has a name outside of a URL, where some names are ordinary words. Of an address the secrets are found by
    /// themselves.
    /// - Parameter value: called only where the name may be that of a secret.
    func secret(named range: Range<Int>, value: () -> Range<Int>?) -> Range<Int>? {
        let name = name(range)
        let isIdentifier = Self.identifierNames.contains(name)
        guard isIdentifier || isSecret(range, isInURL: false), let value = value(),
            !isIdentifier || SecretSegment.isIdentifier(bytes[value]) && !isAddress(value)
        else { return nil }
        return identifier(value, named: name)
    }

    /// Whether it is a URL and nothing else; the key of a session is one with an identifier behind it.
    private func isAddress(_ value: Range<Int>) -> Bool {
        guard !bytes[value].contains(0x20) else { return false }
        return value.contains { matches("://", at: $0) || matches(":\\/\\/", at: $0) }
    }

    /// What is between quotation marks, which follow blanks; nil if it is empty or never ends.
    private func quoted(after place: Int, isEscaped: Bool) -> Range<Int>? {
        var first = place
        while first < bytes.count, bytes[first].isBlank { first += 1 }
        if isEscaped {
            guard first < bytes.count, bytes[first] == UInt8(ascii: "\\") else { return nil }
            first += 1
        }
        guard first < bytes.count, bytes[first] == UInt8(ascii: "\"") else { return nil }
        first += 1
        var last = first
        while last < bytes.count, bytes[last] != UInt8(ascii: "\"") {
            if isEscaped, matches("\\\"", at: last) { break }
            last += bytes[last] == UInt8(ascii: "\\") ? 2 : 1
        }
        return last > first && last < bytes.count ? first..<last : nil
    }
}
