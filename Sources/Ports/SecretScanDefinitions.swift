/// Variables of playlists (rfc8216bis-22 section 4.4.2.3).
extension SecretScan {
    /// Longest name of a variable.
    private static let longestVariable = 64

    /// Whether a colon ends the name of a tag that defines a variable. It begins its line, so that each line is read once.
    func endsDefinitionTag(colon: Int) -> Bool {
        let tag: StaticString = "#EXT-X-DEFINE"
        let start = colon - tag.utf8CodeUnitCount
        guard start == 0 || start > 0 && bytes[start - 1] == 0x0A else { return false }
        return matches(tag, at: start)
    }

    /// The value that a tag defines, if it is a secret: by its name, as a web token, or because it stands where a secret is in a URL of the
    /// same text.
    mutating func definition(after colon: Int) -> Range<Int>? {
        let attributes = quotedAttributes(after: colon)
        guard let name = attributes["NAME"], let value = attributes["VALUE"], !value.isEmpty else { return nil }
        if isSecret(name) { return value }
        if let token = SecretSegment.secret(of: bytes[value], after: { [] }) { return token }
        let known = secretVariables ?? variablesInPlaceOfSecrets()
        secretVariables = known
        return known.contains(String(decoding: bytes[name], as: UTF8.self)) ? value : nil
    }

    /// The quoted values of the attributes of a tag, which ends with its line.
    private func quotedAttributes(after colon: Int) -> [String: Range<Int>] {
        var attributes: [String: Range<Int>] = [:]
        var (start, position) = (colon + 1, colon + 1)
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
            switch bytes[position] {
            case UInt8(ascii: ","): start = position + 1
            case UInt8(ascii: "=") where matches("=\"", at: position):
                let first = position + 2
                let length = bytes[first...].prefix { $0 != UInt8(ascii: "\"") && $0 != 0x0A }.count
                attributes[String(decoding: bytes[start..<position], as: UTF8.self)] = first..<first + length
                position = first + length
                continue
            default: break
            }
            position += 1
        }
        return attributes
    }

    /// The names of the variables that are the value of a secret parameter, or a secret segment of a path: `?token={$NAME}`.
    private func variablesInPlaceOfSecrets() -> Set<String> {
        var names: Set<String> = []
        for place in bytes.indices where bytes[place] == UInt8(ascii: "{") && matches("{$", at: place) {
            let name = bytes[(place + 2)...].prefix(Self.longestVariable).prefix { $0.isWordByte }
            guard isInPlaceOfSecret(place) else { continue }
            names.insert(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    private func isInPlaceOfSecret(_ place: Int) -> Bool {
        guard place > 0 else { return false }
        if bytes[place - 1] == UInt8(ascii: "=") { return isSecretParameter(nameEnd: place - 1) }
        guard bytes[place - 1] == UInt8(ascii: "/") else { return false }
        let identifier = [UInt8](repeating: UInt8(ascii: "0"), count: SecretSegment.shortest)
        return SecretSegment.secret(of: identifier[...], after: { segments(before: place) }) != nil
    }
}
