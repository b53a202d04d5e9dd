/// The cookies of one chain of requests, separate for each host and discarded with the chain (RFC 6265 section 5).
///
/// A cookie is returned only to the host that set it, whatever its Domain attribute: without the list of public
/// suffixes, a company's domain cannot be distinguished from a registry's, and cookies of one ad server must not reach
/// another.
package struct CookieJar: Hashable, Sendable {
    private struct Cookie: Hashable, Sendable {
        var name: String
        var value: String
        var host: String
        var path: String
        var isSecure: Bool
    }

    private var cookies: [Cookie] = []

    /// Most cookies kept; the oldest is dropped first.
    package static let maximumCookies = 64
    /// Longest Set-Cookie field; longer ones are ignored.
    package static let maximumBytes = 4_096

    package init() {}

    package var isEmpty: Bool { cookies.isEmpty }

    /// Stores the cookies of all answers of an exchange, redirects included.
    package mutating func store(from exchange: HTTPExchange) {
        for hop in exchange.hops {
            guard let url = try? WebURL(hop.url) else { continue }  // a hop without a valid URL was never requested
            store(hop.fields, from: url)
        }
    }

    /// Stores the cookies of the Set-Cookie fields of an answer from `url`.
    package mutating func store(_ fields: [HTTPField], from url: WebURL) {
        for field in fields where field.name.lowercased() == "set-cookie" {
            guard field.value.utf8.count <= Self.maximumBytes else { continue }
            store(field.value, from: url)
        }
    }

    /// The value of the Cookie field of a request to `url`, longer paths first; nil when there is none.
    package func field(for url: WebURL) -> String? {
        let matching = cookies.filter {
            $0.host == url.host && (url.isSecure || !$0.isSecure) && Self.isPath(url.path, below: $0.path)
        }
        guard !matching.isEmpty else { return nil }
        let ordered = matching.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        return ordered.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    private mutating func store(_ text: String, from url: WebURL) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), equals > pair.startIndex else { return }
        var cookie = Cookie(
            name: Self.trimmed(pair[..<equals]), value: Self.trimmed(pair[pair.index(after: equals)...]),
            host: url.host, path: Self.defaultPath(of: url.path), isSecure: false)
        var isDeletion = false
        for attribute in parts.dropFirst() {
            let name = attribute.prefix { $0 != "=" }
            let value = Self.trimmed(attribute.dropFirst(name.count + 1))
            switch Self.trimmed(name).lowercased() {
            case "path" where value.hasPrefix("/"): cookie.path = value
            case "secure": cookie.isSecure = true
            case "max-age": isDeletion = Int64(value).map { $0 <= 0 } ?? value.hasPrefix("-")
            case "expires": isDeletion = isDeletion || Self.isLongAgo(value)
            default: break
            }
        }
        guard !Self.hasControls(cookie.name), !Self.hasControls(cookie.value) else { return }
        cookies.removeAll { $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path }
        if !isDeletion { cookies.append(cookie) }
        if cookies.count > Self.maximumCookies { cookies.removeFirst() }
    }

    /// The path up to its last slash (RFC 6265 section 5.1.4).
    private static func defaultPath(of path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func isPath(_ path: String, below prefix: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        guard path.hasPrefix(prefix) else { return false }
        return prefix.hasSuffix("/") || path.count == prefix.count || path.dropFirst(prefix.count).hasPrefix("/")
    }

    /// Servers delete a cookie with a date at the start of Unix time; no chain lasts long enough for a real date to
    /// pass.
    private static func isLongAgo(_ date: String) -> Bool {
        let years = date.split { !$0.isNumber }.compactMap { $0.count == 4 ? Int($0) : nil }
        return years.contains { $0 < 1_990 }
    }

    private static func hasControls(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<Character> = [" ", "\t"]
        return String(text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
