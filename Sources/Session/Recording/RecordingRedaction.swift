import Ports

/// Replaces secrets in a recording. The same secret is always replaced by the same word of the same length, so that
/// texts derived from equal values stay equal and a replay shows the same session. The words are numbered and reveal
/// nothing.
///
/// Secrets are: what `SecretScan` finds (values with secret names, user information, identifiers in paths); the value of a cookie
/// or of an authorisation field; and every later occurrence of such a value as a word.
package struct RecordingRedaction: Sendable {
    /// The setting `--redact`.
    package enum Setting: String, Sendable, CaseIterable {
        case standard, none
    }

    /// Maximum number of distinct secrets; further ones share one word.
    static let capacity = 10_000
    /// Shorter values are replaced only after their names, not wherever the word occurs.
    static let shortestWord = 8

    private var words: [[UInt8]: [UInt8]] = [:]
    /// Lengths of the secrets that are searched for as words.
    private var wordLengths: Set<Int> = []

    init() {}

    /// Redacts every string in a line of a recording.
    mutating func value(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(self.text(text))
        case .array(let values):
            if let pair = pair(values) { pair } else { .array(values.map { self.value($0) }) }
        case .object(let object):
            .object(JSONObject(object.members.map { .init(name: $0.name, value: member($0)) }))
        case .null, .bool, .integer, .double, .number: value
        }
    }

    /// Redacts a body.
    mutating func bytes(_ bytes: [UInt8]) -> [UInt8] {
        let spans = SecretScan(bytes).spans
        for span in spans { learn(bytes[span]) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for span in spans {
            appendReplacingWords(of: bytes[position..<span.lowerBound], to: &result)
            result += word(for: bytes[span])
            position = span.upperBound
        }
        appendReplacingWords(of: bytes[position...], to: &result)
        return result
    }

    private mutating func text(_ text: String) -> String {
        String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
    }

    private mutating func secret(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return "" }
        learn(bytes[...])
        return String(decoding: word(for: bytes[...]), as: UTF8.self)
    }

    /// The identifier of a session without the place that serves it, as everywhere else.
    private mutating func identifier(_ text: Substring) -> String {
        let identifier = String(decoding: SecretSegment.withoutPlace(Array(text.utf8)[...]), as: UTF8.self)
        return secret(identifier) + Substring(text.utf8.dropFirst(identifier.utf8.count))
    }

    private mutating func member(_ member: JSONObject.Member) -> JSONValue {
        // In a journal entry: the server's address and the session's identifier, or the manifest's address.
        guard member.name == "session", let text = member.value.stringValue else { return value(member.value) }
        guard let blank = text.utf8.lastIndex(of: UInt8(ascii: " ")) else {
            return .string(text.contains("://") ? self.text(text) : secret(text))
        }
        let start = text.utf8.index(after: blank)
        return .string(self.text(String(text[..<start])) + identifier(text[start...]))
    }

    /// Header fields and macros are pairs of name and value.
    private mutating func pair(_ values: [JSONValue]) -> JSONValue? {
        guard values.count == 2, let name = values[0].stringValue, let text = values[1].stringValue else { return nil }
        let lowered = name.lowercased()
        if lowered == "set-cookie" { return [.string(name), .string(cookie(text))] }
        // What a session reports depends on the schemes; the rest may name a user or a nonce.
        if lowered == "www-authenticate" {
            return [.string(name), .string(LoginScheme.offered(in: text).map(\.rawValue).joined(separator: ", "))]
        }
        guard Redaction.secretFields.contains(lowered) || URLParameter.secretNames.contains(lowered) else { return nil }
        return [.string(name), .string(secret(text))]
    }

    /// The name and attributes of a cookie are kept, because sessions depend on them.
    private mutating func cookie(_ text: String) -> String {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return secret(text) }
        let start = text.utf8.index(after: equals)
        let end = text.utf8[start...].firstIndex(of: UInt8(ascii: ";")) ?? text.endIndex
        return text[..<start] + secret(text[start..<end]) + self.text(String(text[end...]))
    }

    private mutating func learn(_ secret: ArraySlice<UInt8>) {
        let plain = Self.plain(secret)
        guard words[plain] == nil, words.count < Self.capacity else { return }
        words[plain] = Self.word(number: words.count + 1, for: secret)
        let hasDigit = plain.contains { (0x30...0x39).contains($0) }
        guard plain.count >= Self.shortestWord, plain.allSatisfy(\.isWordByte), hasDigit else { return }
        wordLengths.insert(plain.count)
    }

    private func word(for secret: ArraySlice<UInt8>) -> [UInt8] {
        words[Self.plain(secret)] ?? Array(Redaction.mask.utf8)
    }

    /// A secret may be escaped in one place and not in another.
    private static func plain(_ secret: ArraySlice<UInt8>) -> [UInt8] {
        guard secret.contains(UInt8(ascii: "%")),
            let decoded = String(decoding: secret, as: UTF8.self).percentDecoded
        else { return Array(secret) }
        return Array(decoded.utf8)
    }

    /// A hexadecimal number stays one, because addresses of some services are recognised by it, and so does a web token, which is a secret
    /// by its form alone: a replay masks it as the session did.
    private static func word(number: Int, for secret: ArraySlice<UInt8>) -> [UInt8] {
        var (head, tail) = ("r", String(number))
        if SecretSegment.isWebToken(secret) {
            (head, tail) = ("eyJ", ".0.\(number)")
        } else if secret.allSatisfy(\.isHexDigit) {
            head = "a"
        }
        let zeros = max(0, secret.count - head.utf8.count - tail.utf8.count)
        return Array(head.utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: zeros) + Array(tail.utf8)
    }

    private func appendReplacingWords(of bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard !wordLengths.isEmpty else {
            result += bytes
            return
        }
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let start = position
            while position < bytes.endIndex, bytes[position].isWordByte { position += 1 }
            let run = bytes[start..<position]
            if wordLengths.contains(run.count), let word = words[Array(run)] { result += word } else { result += run }
            while position < bytes.endIndex, !bytes[position].isWordByte {
                result.append(bytes[position])
                position += 1
            }
        }
    }
}
