/// Masks data that identifies a viewer or grants access in URLs before they leave the process in a dump, an export or a
/// log file.
///
/// The screen may show everything to the local user; a shared text may not (TERM-28).
package enum Redaction {
    package static let mask = "***"

    /// `url` with secret query values, secrets in its path and any user information masked, also those of URLs in its
    /// values; other bytes are unchanged.
    package static func url(_ url: String) -> String { scanned(parts(of: url)) }

    /// The parts of one URL. A token may have bytes that end a value elsewhere.
    private static func parts(of url: String) -> String {
        var reference = URIReference(url)
        if let authority = reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            reference.authority = Substring(mask + String(authority[at...]))
        }
        reference.path = Substring(path(reference.path))
        guard let query = reference.query else { return reference.text }
        var items = QueryItems(String(query))
        for (index, meaning) in URLParameter.meanings(of: items).enumerated()
        where meaning?.isSecret == true && items.items[index].value != nil {
            items.items[index].value = mask
        }
        reference.query = items.text.map { Substring($0) }
        return reference.text
    }

    /// What a recording replaces, in a text of any kind.
    private static func scanned(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var (result, position) = ("", 0)
        for span in SecretScan(bytes, beginsInQuery: false).spans {
            result += self.text(bytes[position..<span.lowerBound]) + mask
            position = span.upperBound
        }
        return position == 0 ? text : result + self.text(bytes[position...])
    }

    /// A path with the secrets in its segments masked: `/hdntl=…~hmac=…/`, `/session/1f0c…/`, `;jsessionid=…`.
    private static func path(_ path: Substring) -> String {
        guard path.utf8.count > SecretSegment.shortest else { return String(path) }
        let segments = Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return segments.indices.map { index in
            let segment = segments[index]
            let secret = SecretSegment.secret(of: segment) {
                segments[..<index].suffix(SecretSegment.reach).map { text($0).lowercased() }
            } precedesTwo: {
                segments[(index + 1)...].prefix(2).count { !$0.isEmpty } == 2
            }
            guard let secret else { return parameters(of: Substring(text(segment))) }
            return text(segment[..<secret.lowerBound]) + mask + text(segment[secret.upperBound...])
        }.joined(separator: "/")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A segment with the values of its secret parameters masked, up to the next one.
    private static func parameters(of segment: Substring) -> String {
        guard segment.utf8.contains(UInt8(ascii: "=")) else { return String(segment) }
        var result = ""
        var part = segment.startIndex
        while part < segment.endIndex {
            let end = segment.utf8[part...].firstIndex { ";~,&!".utf8.contains($0) } ?? segment.endIndex
            let equals = segment.utf8[part..<end].firstIndex(of: UInt8(ascii: "="))
            let name = equals.map { segment[part..<$0].lowercased() } ?? ""
            if let equals, URLParameter.meaning(of: name, beside: { [] })?.isSecret == true {
                result += "\(segment[part..<equals])=\(mask)"
                // A token of a network for delivery holds further parameters, all of which are its own.
                if URLParameter.isWholeToken(name: name) { return result }
            } else {
                result += segment[part..<end]
            }
            guard end < segment.endIndex else { break }
            part = segment.utf8.index(after: end)
            result += segment[end..<part]
        }
        return result
    }

    /// Header fields (lower case) whose whole value is secret.
    package static let secretFields: Set<String> = ["authorization", "proxy-authorization", "cookie"]

    /// The value of a header field without its secrets. A cookie that is set keeps its name and attributes.
    package static func field(_ name: String, _ value: String) -> String {
        let lowered = name.lowercased()
        if secretFields.contains(lowered) || URLParameter.secretNames.contains(lowered) { return mask }
        guard lowered == "set-cookie" else { return text(value) }
        let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
        let equals = value.utf8[..<end].firstIndex(of: UInt8(ascii: "="))
        return (equals.map { value[...$0] } ?? "") + mask + text(String(value[end...]))
    }

    /// The key of a session: an address, which may be shown, a blank, and the session's identifier, which is masked.
    package static func sessionKey(_ key: String) -> String {
        let parts = key.split(ascii: " ", maxSplits: 1)
        let address = url(String(parts[0]))
        return parts.count > 1 ? "\(address) \(mask)" : address
    }

    /// Free text with every word that looks like a URL redacted, and the secrets of relative references and of JSON in it.
    package static func text(_ text: String) -> String {
        guard text[...].schemeEnd != nil else { return scanned(text) }
        return scanned(replacingWords(of: text, word))
    }

    /// Punctuation after a URL belongs to the sentence. Before it there may be some as well, such as a bracket: then the word as a
    /// whole is no URL, and its user and password are found by themselves.
    private static func word(_ word: Substring) -> String {
        guard word.schemeEnd != nil else { return String(word) }
        let tail = word.reversed().prefix { ",.;:)".contains($0) }
        return credentials(in: parts(of: String(word.dropLast(tail.count)))) + String(tail.reversed())
    }

    /// Free text with user and password of every URL masked, and nothing else: errors and findings repeat the URL that a
    /// person typed. With `isBare` also those before an `@` without a scheme, as in `anna:secret@host/live.m3u8`.
    package static func credentials(in text: String, isBare: Bool = false) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        return replacingWords(of: text) { withoutCredentials($0, isBare: isBare) }
    }

    /// The text with its words replaced, which are between blanks, quotation marks and angle brackets.
    private static func replacingWords(of text: String, _ replacement: (Substring) -> String) -> String {
        var (result, rest) = ("", text[...])
        while let start = rest.unicodeScalars.firstIndex(where: { !isBreak($0) }) {
            result += rest[..<start]
            rest = rest[start...]
            let end = rest.unicodeScalars.firstIndex(where: isBreak) ?? rest.endIndex
            result += replacement(rest[..<end])
            rest = rest[end...]
        }
        return result + rest
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "'\"`<>|".unicodeScalars.contains(scalar)
    }

    /// A word may hold several URLs, as in a query. The user information ends at the last `@` of the authority
    /// (RFC 3986 section 3.2.1). A slash in a password ends the authority too early: then what follows the colon is
    /// no port.
    private static func withoutCredentials(_ word: Substring, isBare: Bool) -> String {
        guard let last = word.utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(word) }
        var (result, rest) = ("", word)
        var hasScheme = false
        while rest.startIndex < last, let mark = rest.schemeEnd {
            result += rest[..<mark]
            rest = rest[mark...]
            hasScheme = true
            let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
            let authority = rest[..<end]
            // Colons within an IPv6 literal begin no port.
            let colon = authority.utf8.last == UInt8(ascii: "]") ? nil : authority.utf8.lastIndex(of: UInt8(ascii: ":"))
            let port = colon.map { authority[authority.utf8.index(after: $0)...] } ?? ""
            let at =
                authority.utf8.lastIndex(of: UInt8(ascii: "@"))
                ?? (port.allSatisfy(\.isNumber) || last < mark ? nil : last)
            guard let at else { continue }
            result += mask
            rest = rest[at...]
        }
        guard isBare, !hasScheme, word[..<last].utf8.contains(UInt8(ascii: ":")) else { return result + rest }
        return mask + word[last...]
    }
}

extension Substring {
    /// The place after the next `://`.
    fileprivate var schemeEnd: Index? {
        var rest = utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if rest.starts(with: "//".utf8) { return rest.index(rest.startIndex, offsetBy: 2) }
        }
        return nil
    }
}
