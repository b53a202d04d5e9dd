/// Whom the loopback server answers, and what it takes (CACHE-4, CACHE-5).
package struct LoopbackRules: Hashable, Sendable {
    package static let defaultPort = 16_257
    /// Of http and https.
    private static let schemePorts: Set<Int> = [80, 443]
    /// Bytes of request line and header fields.
    package static let maximumHeaderBytes = 8 << 10
    /// Bytes of a body. Ten values of 10 KiB, each byte escaped, need less.
    package static let maximumBodyBytes = 1 << 20
    /// A connection without traffic is closed after it.
    package static let idleLimit: Duration = .seconds(5)
    /// A connection on which no answer was taken for so long is closed, whatever comes on it.
    package static let exchangeLimit: Duration = .seconds(30)
    /// More connections at once are closed at the start.
    package static let maximumConnections = 64

    /// The port that a Host header must name.
    package var port: Int
    /// Host names beside `localhost`, `127.0.0.1` and `[::1]`.
    package var extraHosts: Set<String> = []
    /// Origins whose pages may write; by default none.
    package var allowedOrigins: Set<String> = []
    /// Pages of every origin may read; else no CORS field is sent.
    package var sharesWithPages = true
    /// Writers may choose ids.
    package var allowsOwnKeys = false
    /// Values of one write, `max_num_values` of Prebid Cache.
    package var maximumValues = 10
    /// Bytes of one value with its type's name in front, `max_size_bytes` of Prebid Cache.
    package var maximumValueBytes = 10_240
    /// What writers must send as `x-pbc-api-key`; nil asks for none.
    package var writeKey: String?

    package init(port: Int = defaultPort) {
        self.port = port
    }

    /// Whether a Host field names this server, with its port (CACHE-5, DNS rebinding).
    package func isOwn(host field: String) -> Bool {
        guard field.utf8.count <= 255 else { return false }
        let text = field.lowercased()
        let suffix = ":\(port)"
        // The port of the scheme is not written.
        guard text.hasSuffix(suffix) || Self.schemePorts.contains(port) else { return false }
        let host = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
        return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || extraHosts.contains(host)
    }
}
