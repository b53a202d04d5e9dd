/// Masks data that identifies a viewer or grants access in URLs before they leave the process in a dump, an export or a
/// log file.
///
/// The screen may show everything to the local user; a shared text may not (TERM-28).
package enum Redaction {
    /// Path segments (lower case) after which a long segment is an identifier or a token: `/session/1f0c…/`.
    package static let secretSegments: Set<String> = [
        "session", "sessions", "sess", "sessid", "sessionid", "sid", "token", "tokens", "auth", "jwt", "sig",
        "signature", "hdntl", "hdnts", "hdnea",
    ]
    /// Shortest segment after one of ``secretSegments`` that is masked.
    package static let shortestSegment = 12
    package static let mask = "***"

    /// `url` with secret query values and any user information masked; other bytes are unchanged.
    package static func url(_ url: String) -> String {
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

    /// A path with the secrets in its segments masked: `/hdntl=…~hmac=…/`, `/session/1f0c…/`, `;jsessionid=…`.
    private static func path(_ path: Substring) -> String {
        guard path.utf8.count > shortestSegment else { return String(path) }
        let segments = path.split(ascii: "/")
        return segments.indices.map { index in
            isSecret(segments[index], after: segments[..<index]) ? mask : parameters(of: segments[index])
        }.joined(separator: "/")
    }

    /// Whether a segment is a secret by its form, or an identifier by its place.
    private static func isSecret(_ segment: Substring, after earlier: ArraySlice<Substring>) -> Bool {
        if isWebToken(segment) { return true }
        guard isIdentifier(segment), let before = earlier.last?.lowercased() else { return false }
        return secretSegments.contains(before) || isFollowedBySession(earlier.map { $0.lowercased() })
    }

    /// Whether the session is next in an address of a service: `/v1/tracking/ACCOUNT/CONFIGURATION/`, `/linear/…/stream/` and
    /// `/session/ping/`.
    private static func isFollowedBySession(_ segments: [String]) -> Bool {
        switch segments.last {
        case "ping": return segments.dropLast().last == "session"
        case "stream", "streams": return segments.contains { ["linear", "ondemand", "ssai"].contains($0) }
        default:
            let place = Array(segments.suffix(4))
            guard place.count == 4, place[0] == "v1", ["manifest", "tracking", "segment"].contains(place[1]) else {
                return false
            }
            return place[2].utf8.count >= 8 && place[2].allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }

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

    /// Long enough, and with a digit: a word such as `configuration` is none.
    private static func isIdentifier(_ segment: Substring) -> Bool {
        segment.utf8.count >= shortestSegment && segment.utf8.contains { (0x30...0x39).contains($0) }
    }

    /// A JSON Web Token (RFC 7519): three parts in Base64, of which the first begins with `{"`.
    private static func isWebToken(_ segment: Substring) -> Bool {
        segment.hasPrefix("eyJ") && segment.split(separator: ".").count == 3
    }

    /// The key of a session: an address, which may be shown, a blank, and the session's identifier, which is masked.
    package static func sessionKey(_ key: String) -> String {
        let parts = key.split(ascii: " ", maxSplits: 1)
        let address = url(String(parts[0]))
        return parts.count > 1 ? "\(address) \(mask)" : address
    }

    /// Free text with every word that looks like a URL redacted.
    package static func text(_ text: String) -> String {
        guard text[...].schemeEnd != nil else { return text }
        return text.split(ascii: " ").map(word).joined(separator: " ")
    }

    /// Punctuation after a URL belongs to the sentence. Before it there may be some as well, such as a quotation mark or a line feed: then
    /// the word as a whole is no URL, and its user and password are found by themselves.
    private static func word(_ word: Substring) -> String {
        guard word.schemeEnd != nil else { return String(word) }
        let tail = word.reversed().prefix { ",.;:)".contains($0) }
        return credentials(in: url(String(word.dropLast(tail.count)))) + String(tail.reversed())
    }

    /// Free text with user and password of every URL masked, and nothing else: errors and findings repeat the URL that a
    /// person typed. With `isBare` also those before an `@` without a scheme, as in `anna:secret@host/live.m3u8`.
    package static func credentials(in text: String, isBare: Bool = false) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var (result, rest) = ("", text[...])
        while let start = rest.unicodeScalars.firstIndex(where: { !isBreak($0) }) {
            result += rest[..<start]
            rest = rest[start...]
            let end = rest.unicodeScalars.firstIndex(where: isBreak) ?? rest.endIndex
            result += withoutCredentials(rest[..<end], isBare: isBare)
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
