/// The clients that the loopback server answers, and its limits (CACHE-4, CACHE-5).
package struct LoopbackRules: Hashable, Sendable {
    package static let defaultPort = 16_257
    /// The default ports of http and https.
    private static let schemePorts: Set<Int> = [80, 443]
    /// Most bytes of request line and header fields.
    package static let maximumHeaderBytes = 8 << 10
    /// Most bytes of a body. Ten values of 10 KiB need less, even with each byte escaped.
    package static let maximumBodyBytes = 1 << 20
    /// An idle connection is closed after this time.
    package static let idleLimit: Duration = .seconds(5)
    /// A connection is closed after this time without a completed answer, even if bytes arrive.
    package static let exchangeLimit: Duration = .seconds(30)
    /// Most simultaneous connections; further ones are closed immediately.
    package static let maximumConnections = 64
    /// Further connections that receive an answer, 503; any more are closed.
    package static let surplusConnections = 64

    /// The port that a Host header must contain.
    package var port: Int
    /// Host names in addition to `localhost`, `127.0.0.1` and `[::1]`.
    package var extraHosts: Set<String> = []
    /// Origins whose pages may write; none by default.
    package var allowedOrigins: Set<String> = []
    /// Whether pages of every origin may read; if not, no CORS field is sent.
    package var sharesWithPages = true
    /// Whether writers may choose ids.
    package var allowsOwnKeys = false
    /// Most values in one write, `max_num_values` of Prebid Cache.
    package var maximumValues = 10
    /// Most bytes of one value, type name included, `max_size_bytes` of Prebid Cache.
    package var maximumValueBytes = 10_240
    /// The `x-pbc-api-key` that writers must send; nil requires none.
    package var writeKey: String?

    package init(port: Int = defaultPort) {
        self.port = port
    }

    /// Whether a Host field has the name and the port of this server (CACHE-5, DNS rebinding).
    package func isOwn(host field: String) -> Bool {
        guard field.utf8.count <= 255 else { return false }
        let text = field.lowercased()
        let suffix = ":\(port)"
        // The default port of a scheme is omitted.
        guard text.hasSuffix(suffix) || Self.schemePorts.contains(port) else { return false }
        let host = text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
        return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || extraHosts.contains(host)
    }
}
