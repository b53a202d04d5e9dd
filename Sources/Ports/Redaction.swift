/// Masks data that identifies a viewer or grants access in URLs before they leave the process in a dump, an export or a
/// log file.
///
/// The screen may show everything to the local user; a shared text may not (TERM-28).
package enum Redaction {
    /// Query parameter names (lower case) whose values are masked.
    package static let secretNames: Set<String> = [
        "sessid", "sessionid", "session", "sid", "aws.sessionid", "paln", "token", "access_token", "auth",
        "authorization",
        "key", "apikey", "api_key", "sig", "signature", "hdnts", "hdnea", "policy", "password", "pwd", "uid", "userid",
        "user_id", "idfa", "gaid", "ifa", "email",
    ]
    package static let mask = "***"

    /// `url` with secret query values and any user information masked; other bytes are unchanged.
    package static func url(_ url: String) -> String {
        var reference = URIReference(url)
        if let authority = reference.authority, let at = authority.lastIndex(of: "@") {
            reference.authority = Substring(mask + String(authority[at...]))
        }
        guard let query = reference.query else { return reference.text }
        var items = QueryItems(String(query))
        for index in items.items.indices
        where items.items[index].value != nil && secretNames.contains(items.items[index].name.lowercased()) {
            items.items[index].value = mask
        }
        reference.query = items.text.map { Substring($0) }
        return reference.text
    }

    /// Free text with every word that looks like a URL redacted.
    package static func text(_ text: String) -> String {
        guard text.contains("://") else { return text }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return words.map(word).joined(separator: " ")
    }

    /// Punctuation after a URL belongs to the sentence.
    private static func word(_ word: Substring) -> String {
        guard word.contains("://") else { return String(word) }
        let tail = word.reversed().prefix { ",.;:)".contains($0) }
        return url(String(word.dropLast(tail.count))) + String(tail.reversed())
    }
}
