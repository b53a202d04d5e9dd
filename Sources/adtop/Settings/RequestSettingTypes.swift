import HLS
import Ports

extension SettingType<[HeaderField]> {
    /// One `Name: value` on each line.
    static let headers = Self { text throws(SettingProblem) in
        var fields: [HeaderField] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            fields.append(try Settings.header(line))
        }
        return fields
    }
}

extension SettingType<[RequestIdentity.HostField]> {
    /// One `HOST[:PORT] Name: value` on each line.
    static let hostHeaders = Self { text throws(SettingProblem) in
        var fields: [RequestIdentity.HostField] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let name = line.prefix { $0 != " " && $0 != "\t" }
            guard let host = HostPattern(name) else {
                throw SettingProblem(
                    name.contains("*") || name.hasPrefix(".")
                        ? "begins with a pattern, and a pattern matches no host; give the whole name of one host"
                        : "does not begin with a host; give HOST[:PORT] 'Name: value'")
            }
            fields.append(.init(host, try Settings.header(line.dropFirst(name.count).drop { $0 == " " || $0 == "\t" })))
        }
        return fields
    }
}

extension SettingType<[String]> {
    /// `NAME=VALUE` pairs, with semicolons or line breaks between them.
    static let cookies = Self { text throws(SettingProblem) in
        var pairs: [String] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "\n" }) {
            let pair = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else {
                throw SettingProblem("is not NAME=VALUE; --cookie-jar reads a file of cookies")
            }
            guard pair.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                throw SettingProblem("is not printable ASCII")
            }
            pairs.append(pair)
        }
        guard !pairs.isEmpty else { throw SettingProblem("is not NAME=VALUE") }
        return pairs
    }
}

extension SettingType<String> {
    /// The name of a player, or the text itself.
    static let userAgent = Self(
        read: { text throws(SettingProblem) in
            if let agent = PlayerAgent(rawValue: text) { return agent.text }
            return try Settings.fieldValue(text)
        }, words: PlayerAgent.allCases.map(\.rawValue))

    /// The name of an environment variable.
    static let variable = Self { text throws(SettingProblem) in
        let isName = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
        }
        guard !text.isEmpty, isName else {
            throw SettingProblem("is not the name of an environment variable")
        }
        return text
    }

    static let address = Self { text throws(SettingProblem) in
        guard NetworkAddress(text) != nil else { throw SettingProblem("is not an IP address") }
        return text
    }

    static let referer = Self { text throws(SettingProblem) in
        do throws(WebURLProblem) {
            return try WebURL(text).withoutCredentials.text
        } catch {
            throw SettingProblem(error.explanation)
        }
    }

    /// Without a path, as browsers send it (RFC 6454 section 6.2); `null` is one.
    static let origin = Self { text throws(SettingProblem) in
        if text == "null" { return text }
        let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = try? WebURL(bare), url.path.isEmpty, url.query == nil, url.reference.fragment == nil,
            url.withoutCredentials == url
        else { throw SettingProblem("is not an origin such as https://www.example.com") }
        return bare
    }
}

extension Settings {
    fileprivate static func header(_ text: some StringProtocol) throws(SettingProblem) -> HeaderField {
        do throws(HeaderField.Problem) {
            return try HeaderField(text)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }
}

extension Setting {
    /// The text for output: what may be secret is masked, names stay.
    func masked(_ text: String) -> String {
        let mask = Redaction.mask
        func lines(_ form: (Substring) -> String) -> String {
            text.split(separator: "\n").map(form).joined(separator: ", ")
        }
        switch self {
        case .cacheWriteKey: return mask
        case .header: return lines { (try? HeaderField($0))?.masked ?? mask }
        case .headerFor:
            return lines { line in
                let host = line.prefix { $0 != " " }
                let field = try? HeaderField(line.dropFirst(host.count).drop { $0 == " " })
                return "\(HostPattern(host)?.description ?? mask) \(field?.masked ?? mask)"
            }
        case .cookie:
            let pairs = text.split { $0 == ";" || $0 == "\n" }
            return pairs.map { pair in
                let parts = pair.split(ascii: "=", maxSplits: 1)
                return parts.count > 1 ? "\(parts[0].drop { $0 == " " })=\(mask)" : mask
            }.joined(separator: "; ")
        case .proxy: return ProxyServer.masked(text)
        case .variant: return VariantWish(text)?.shown ?? text
        case .referer, .vast, .vmap, .adServer, .adServerDevelopment: return Redaction.url(text)
        default: return text
        }
    }
}
