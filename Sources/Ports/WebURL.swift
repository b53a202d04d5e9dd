/// Why a text is not a URL that can be requested.
package enum WebURLProblem: Error, Hashable, Sendable {
    case empty
    case tooLong
    /// The byte at this offset is a space, a control character or not ASCII.
    case badCharacter(offset: Int)
    case notHTTP(scheme: String?)
    case missingHost
    case badHost
    /// Names of hosts are requested as written, and no server has one beyond ASCII; its Punycode form is not computed.
    case hostBeyondASCII
    case badPort

    /// The problem as a predicate, such as "has no host".
    package var explanation: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "is longer than \(Limits.urlBytes) bytes"
        case .badCharacter(let offset): "has a space, control or non-ASCII character at byte \(offset)"
        case .notHTTP(.some(let scheme)): "has the scheme '\(scheme)', not http or https"
        case .notHTTP(.none): "is not absolute: it has no http:// or https://"
        case .missingHost: "has no host"
        case .badHost: "has a malformed host"
        case .hostBeyondASCII: "has a host beyond ASCII, which is requested in its Punycode form (xn--) only"
        case .badPort: "has a port that is not 1 to 65535"
        }
    }
}

/// An absolute http or https URL, validated once. The text is kept as written.
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let isSecure: Bool
    /// The host in lower case, without the brackets of an IPv6 literal.
    package let host: String
    /// The effective port, 80 or 443 when none is written.
    package let port: Int

    package var description: String { text }
    package var reference: URIReference { URIReference(text) }
    package var path: String { String(reference.path) }
    package var query: String? { reference.query.map(String.init) }
    /// Scheme, host and port: connections are reused, and servers compared, by this value.
    package var origin: String { "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    package init(_ text: String) throws(WebURLProblem) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Limits.urlBytes else { throw .tooLong }
        let reference = URIReference(text)
        if let offset = text.utf8.enumerated().first(where: { $1 <= 0x20 || $1 >= 0x7F })?.offset {
            throw reference.authority?.isBeyondASCII == true ? .hostBeyondASCII : .badCharacter(offset: offset)
        }
        switch reference.scheme?.lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        case let other: throw .notHTTP(scheme: other)
        }
        guard let authority = reference.authority, !authority.isEmpty else { throw .missingHost }
        let (host, port) = try Self.split(authority: authority)
        self.text = text
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
    }

    /// A URL as a document has it: what must be escaped and is not (spaces, letters beyond ASCII), is escaped as browsers do it. U+FFFD
    /// stands for bytes that were no UTF-8, so the address is damaged: another one is not made of it.
    package init(written text: String) throws(WebURLProblem) {
        if let mark = text.firstIndex(of: "\u{FFFD}") {
            throw .badCharacter(offset: text.utf8.distance(from: text.startIndex, to: mark))
        }
        func isPlain(_ byte: UInt8) -> Bool { byte != 0x20 && byte < 0x80 }
        if let authority = URIReference(text).authority, !authority.utf8.allSatisfy(isPlain) {
            throw authority.isBeyondASCII ? .hostBeyondASCII : .badHost
        }
        try self.init(text.utf8.allSatisfy(isPlain) ? text : text.percentEncoded(except: isPlain))
    }

    /// `reference` resolved against this URL, escaped as ``init(written:)`` does it.
    package func resolving(_ reference: some StringProtocol) throws(WebURLProblem) -> WebURL {
        try WebURL(written: URIReference.resolve(reference, against: self.reference))
    }

    /// The URL with another path and query; scheme and authority cannot be changed.
    package func with(path: String, query: String?) throws(WebURLProblem) -> WebURL {
        var reference = self.reference
        reference.path = Substring(path)
        reference.query = query.map { Substring($0) }
        reference.fragment = nil
        return try WebURL(reference.text)
    }

    private static func split(authority: Substring) throws(WebURLProblem) -> (host: String, port: Int?) {
        var rest = authority
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) { rest = rest[rest.utf8.index(after: at)...] }
        let host: Substring
        if rest.utf8.first == UInt8(ascii: "[") {
            guard let close = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost }
            host = rest[rest.utf8.index(after: rest.startIndex)..<close]
            guard host.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0.isHexDigit })
            else { throw .badHost }
            rest = rest[rest.utf8.index(after: close)...]
        } else {
            host = rest.prefix { $0 != ":" }
            guard host.utf8.allSatisfy(\.isHostCharacter) else { throw .badHost }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty else { throw .missingHost }
        return (host.lowercased(), try port(of: rest))
    }

    /// `rest` is the text after the host: empty, `:` or `:digits`.
    private static func port(of rest: Substring) throws(WebURLProblem) -> Int? {
        guard let colon = rest.utf8.first else { return nil }
        guard colon == UInt8(ascii: ":") else { throw .badHost }
        let digits = rest.dropFirst()
        if digits.isEmpty { return nil }
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { throw .badPort }
        return port
    }
}

extension Substring {
    fileprivate var isBeyondASCII: Bool { utf8.contains { $0 >= 0x80 } }
}

extension UInt8 {
    /// The characters of an RFC 3986 reg-name: unreserved, sub-delims and percent signs.
    package var isHostCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
