/// A proxy as `--proxy` and the proxy variables of the environment write it: `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT]`,
/// as curl 8 reads it.
package struct ProxyServer: Hashable, Sendable {
    /// How the proxy is spoken to.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case http, https
        /// SOCKS version 5 (RFC 1928); host names are resolved here.
        case socks5
        /// SOCKS version 5; the proxy resolves host names.
        case socks5h

        /// Whether the proxy speaks HTTP.
        package var isHTTP: Bool { self == .http || self == .https }
    }

    /// Name and password, without percent encoding.
    package struct Login: Hashable, Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// Why a text is not a proxy, as a predicate with its remedy.
    package struct Problem: Error, Hashable, Sendable {
        package let explanation: String
    }

    package var kind: Kind
    /// In lower case, without the brackets of an IPv6 literal.
    package var host: String
    package var port: Int
    package var login: Login?

    /// Most bytes of a user name or password: SOCKS has one byte for their length (RFC 1929 section 2).
    package static let loginBytes = 255

    /// Reads the text of a proxy. Without a scheme it is an HTTP proxy; the port is 1080 (https: 443) without one.
    package init(_ text: String) throws(Problem) {
        let parts = Self.split(text)
        kind = try Self.kind(parts.scheme)
        do throws(WebURLProblem) {
            // The rules for host and port are those of any URL; the path is ignored.
            let url = try WebURL("\(kind == .https ? "https" : "http")://\(parts.place)/")
            host = url.host
            port = parts.hasPort ? url.port : kind == .https ? 443 : 1_080
        } catch {
            throw Problem(explanation: "\(error.explanation); write http://HOST:PORT or socks5h://HOST:PORT")
        }
        login = try parts.login.map(Self.login)
    }

    /// Without name and password: `http://proxy.example:3128`.
    package var text: String { "\(kind.rawValue)://\(place)" }
    /// `proxy.example:3128`
    package var place: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    private struct Parts {
        var scheme: Substring?
        var login: Substring?
        var place: Substring
        var hasPort: Bool
    }

    private static func split(_ text: String) -> Parts {
        var rest = Substring(text)
        var scheme: Substring?
        if let mark = rest.range(of: "://") {
            scheme = rest[..<mark.lowerBound]
            rest = rest[mark.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        let login = rest.lastIndex(of: "@").map { rest[..<$0] }
        if let login { rest = rest[rest.index(after: login.endIndex)...] }
        let afterHost = rest.lastIndex(of: "]").map { rest[$0...] } ?? rest
        let hasPort = afterHost.lastIndex(of: ":").map { afterHost.index(after: $0) < afterHost.endIndex } ?? false
        return Parts(scheme: scheme, login: login, place: rest, hasPort: hasPort)
    }

    private static func kind(_ scheme: Substring?) throws(Problem) -> Kind {
        guard let scheme else { return .http }
        if let kind = Kind(rawValue: scheme.lowercased()) { return kind }
        if scheme.lowercased().hasPrefix("socks") {
            throw Problem(explanation: "has the scheme '\(scheme)', which is not supported; use socks5 or socks5h")
        }
        throw Problem(explanation: "has the scheme '\(scheme)'; use http, https, socks5 or socks5h")
    }

    private static func login(_ text: Substring) throws(Problem) -> Login {
        let colon = text.firstIndex(of: ":")
        let user = String(colon.map { text[..<$0] } ?? text)
        let password = colon.map { String(text[text.index(after: $0)...]) } ?? ""
        let login = Login(user: user.percentDecoded ?? user, password: password.percentDecoded ?? password)
        for part in [login.user, login.password] {
            guard part.utf8.count <= loginBytes, part.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Problem(
                    explanation:
                        "has a user or password with control characters or of more than \(loginBytes) bytes; shorten it"
                )
            }
        }
        return login
    }

    /// `text` with its user name and password masked, also if it is not a valid proxy.
    package static func masked(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        let start = text.range(of: "://").map(\.upperBound) ?? text.startIndex
        return start <= at ? text[..<start] + Redaction.mask + text[at...] : Redaction.mask
    }
}

extension StringProtocol {
    /// The first place of `other`, compared byte by byte.
    fileprivate func range(of other: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if let end = index(start, offsetBy: other.count, limitedBy: endIndex), self[start..<end] == other {
                return start..<end
            }
            start = index(after: start)
        }
        return nil
    }
}
