/// Variables of playlists (rfc8216bis-22 section 4.4.2.3).
extension SecretScan {
    /// The variables that stand where a URL has a secret.
    struct VariablePlaces {
        /// Names of those that are the value of a secret parameter: `?token={$NAME}`.
        var parameters: Set<String> = []
        /// The segments of the path before each of those that follow a word such as `session`: `/session/{$NAME}/`.
        var segments: [String: [String]] = [:]
    }

    /// Longest name of a variable.
    private static let longestVariable = 64

    /// Whether a colon ends the name of a tag that defines a variable. It begins its line, so that each line is read once.
    func endsDefinitionTag(colon: Int) -> Bool {
        let tag: StaticString = "#EXT-X-DEFINE"
        let start = colon - tag.utf8CodeUnitCount
        guard start == 0 || start > 0 && bytes[start - 1] == 0x0A else { return false }
        return matches(tag, at: start)
    }

    /// The secret that a tag defines: by the name of the variable, as a web token, or because it stands where a secret is in a URL of the
    /// same text. Where the value is a part of a URL with a secret in it, that is found like any other.
    mutating func definition(after colon: Int) -> Range<Int>? {
        let attributes = quotedAttributes(after: colon)
        guard let name = attributes["NAME"], let text = attributes["VALUE"],
            let value = value(from: text.lowerBound, depth: 0), !isPartOfURL(value)
        else { return nil }
        if let secret = secret(named: name, value: { value }) { return secret }
        let places = variablePlaces ?? placesOfVariables()
        variablePlaces = places
        let variable = String(decoding: bytes[name], as: UTF8.self)
        if places.parameters.contains(variable) { return value }
        let segment = bytes[value].prefix { $0 != UInt8(ascii: "/") }
        return SecretSegment.secret(of: segment) { places.segments[variable] ?? [] }
    }

    /// Whether the value of a variable is an address, or has a secret that is found without the variable.
    private mutating func isPartOfURL(_ value: Range<Int>) -> Bool {
        for position in value where matches("://", at: position) || span(at: position) != nil { return true }
        return false
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

    private func placesOfVariables() -> VariablePlaces {
        var places = VariablePlaces()
        for place in bytes.indices where bytes[place] == UInt8(ascii: "{") && matches("{$", at: place) {
            guard place > 0 else { continue }
            let name = bytes[(place + 2)...].prefix(Self.longestVariable).prefix { $0.isWordByte }
            let variable = String(decoding: name, as: UTF8.self)
            switch bytes[place - 1] {
            case UInt8(ascii: "=") where isSecretParameter(nameEnd: place - 1): places.parameters.insert(variable)
            case UInt8(ascii: "/") where places.segments[variable] == nil:
                places.segments[variable] = segmentsBeforeSecret(at: place)
            default: break
            }
        }
        return places
    }

    /// The segments of a path before a place, if an identifier is a secret there.
    private func segmentsBeforeSecret(at place: Int) -> [String]? {
        let earlier = segments(before: place)
        let identifier = [UInt8](repeating: UInt8(ascii: "0"), count: SecretSegment.shortest)
        return SecretSegment.secret(of: identifier[...]) { earlier }.map { _ in earlier }
    }
}
