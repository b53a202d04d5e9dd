/// A header field that a person gives: it replaces the program's own field of that name, or removes it.
package struct HeaderField: Hashable, Sendable {
    package var name: String
    /// Nil removes the program's own field.
    package var value: String?

    package init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// Why a text is not a header field; a clause that repeats nothing of a value, which may be secret.
    package struct Problem: Error, Hashable, Sendable {
        package var explanation: String
    }

    /// Fields that say where a message ends: given by a person, they would break it.
    private static let framing: Set<String> = ["content-length", "transfer-encoding"]

    /// Reads the forms of curl: `Name: value`; `Name:` removes the field, `Name;` sends it empty.
    package init(_ text: some StringProtocol) throws(Problem) {
        guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            throw Problem(explanation: "contains a line break")
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            guard text.hasSuffix(";"), text.dropLast().utf8.allSatisfy(\.isToken), text.utf8.count > 1 else {
                throw Problem(explanation: "is not 'Name: value': it has no colon")
            }
            self.init(try Self.name(text.dropLast()), "")
            return
        }
        let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw Problem(explanation: "contains a control character")
        }
        let trimmed = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        self.init(try Self.name(text[..<colon]), trimmed.isEmpty ? nil : trimmed)
    }

    private static func name(_ text: some StringProtocol) throws(Problem) -> String {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isToken) else {
            throw Problem(explanation: "has a name that is not a header name (letters, digits and hyphens)")
        }
        guard !framing.contains(text.lowercased()) else {
            throw Problem(explanation: "has the name \(text), which the program sets itself")
        }
        return String(text)
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110 section 5.6.2.
    fileprivate var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}

/// A host, and a port if only that one is meant: `cdn.example.com`, `cdn.example.com:8443`, `[2001:db8::1]:80`.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, without brackets.
    package var host: String
    package var port: Int?

    package init(host: String, port: Int? = nil) {
        self.host = host.lowercased()
        self.port = port
    }

    /// Nil when the text is not a host with or without a port: a name, which has no wildcard, or an address.
    package init?(_ text: some StringProtocol) {
        let isBareIPv6 = !text.hasPrefix("[") && NetworkAddress(text) != nil && text.contains(":")
        let authority = isBareIPv6 ? "[\(text)]" : String(text)
        guard !authority.contains(where: { "/?#@".contains($0) }), let url = try? WebURL("http://\(authority)/") else {
            return nil
        }
        let afterHost = authority.utf8.lastIndex(of: UInt8(ascii: "]")).map { authority[$0...] } ?? authority[...]
        guard afterHost.utf8.last != UInt8(ascii: ":"), Self.isHost(url.host) else { return nil }
        self.init(host: url.host, port: afterHost.contains(":") ? url.port : nil)
    }

    /// Whether a request may go there. A URL may have other characters in its host (RFC 3986 section 3.2.2), but no name that
    /// is looked up has them (RFC 1123 section 2.1; underscores are seen in the field).
    private static func isHost(_ host: String) -> Bool {
        guard !host.contains(":") else { return NetworkAddress(host) != nil }
        let labels = (host.hasSuffix(".") ? host.dropLast() : host[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                    default: false
                    }
                }
        }
    }

    package func matches(_ url: WebURL) -> Bool { url.host == host && (port == nil || port == url.port) }

    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }
}
