import Ports

/// The schemes of logins that servers ask for (RFC 9110 section 11.6.1), as far as they are known here.
enum LoginScheme: String, CaseIterable {
    case basic = "Basic"
    case bearer = "Bearer"
    case digest = "Digest"
    case negotiate = "Negotiate"
    case ntlm = "NTLM"

    /// Whether a person can give what the scheme asks for.
    private var isSupported: Bool { self == .basic || self == .bearer }

    /// Whether an answer asks for schemes of which none is supported. A scheme that is not known may be one of bearer tokens.
    static func areUnsupported(in fields: [HTTPField]) -> Bool {
        let schemes = fields.filter { $0.name.lowercased() == "www-authenticate" }.flatMap { offered(in: $0.value) }
        return !schemes.isEmpty && !schemes.contains(where: \.isSupported)
    }

    /// The known schemes of the challenges in a field's value. A challenge begins with its scheme; its parameters have a `=`, and
    /// follow behind commas like other challenges.
    static func offered(in value: String) -> [LoginScheme] {
        var isQuoted = false
        let parts = value.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        return parts.compactMap { part in
            let word = part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }.lowercased()
            return allCases.first { $0.rawValue.lowercased() == word }
        }
    }
}
