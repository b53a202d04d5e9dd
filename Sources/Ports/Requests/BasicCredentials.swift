/// User and password of the Basic scheme (RFC 7617), as a URL has them before its host.
package struct BasicCredentials: Hashable, Sendable {
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The user information of a URL, with its percent escapes decoded; nil when the URL has none.
    package init?(of url: WebURL) {
        guard url.text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        guard let authority = url.reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return nil
        }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = parts.first, !(user.isEmpty && parts.count == 1) else { return nil }
        self.init(user: Self.decoded(user), password: parts.count > 1 ? Self.decoded(parts[1]) : "")
    }

    /// The value of the Authorization field.
    package var fieldValue: String { "Basic " + Base64.encode(Array("\(user):\(password)".utf8)) }

    private static func decoded(_ text: Substring) -> String { String(text).percentDecoded ?? String(text) }
}

extension WebURL {
    /// The URL without user and password: what names a stream, on the screen and in the journal.
    package var withoutCredentials: WebURL {
        var reference = self.reference
        guard let authority = reference.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return self
        }
        reference.authority = authority[authority.utf8.index(after: at)...]
        // The rest of a valid URL is one.
        return (try? WebURL(reference.text)) ?? self
    }
}
