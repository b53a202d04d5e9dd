import Ports

/// One way to a server that is not the plain one: an address to connect to, and what happens on the connection until a
/// request can be written. Requests share connections if their routes are equal.
struct Route: Hashable, Sendable {
    /// What the connection leads through.
    enum Hop: Hashable, Sendable {
        case direct
        /// The proxy gets the request with its whole URL (RFC 9112 section 3.2.2).
        case forward(ProxyServer)
        /// The proxy passes bytes on to the target.
        case tunnel(ProxyServer, to: AddressOverrides.Endpoint)
    }

    /// The address of the server or the proxy.
    var peer: NetworkAddress
    var port: Int
    /// The address of this computer to connect from; nil leaves it to the system.
    var source: NetworkAddress?
    var hop: Hop
    /// The host and port of the URL.
    var origin: AddressOverrides.Endpoint
    var isSecure: Bool
    /// How TLS treats the server.
    var server = TLSContexts.Peer.other
    /// Whether the peer must have a public address.
    var refusesLocalPeers: Bool

    var proxy: ProxyServer? {
        switch hop {
        case .direct: nil
        case .forward(let proxy), .tunnel(let proxy, _): proxy
        }
    }

    /// `http://192.0.2.1:443`: for the client the connection is a plain one, because TLS is part of its opening.
    var clientOrigin: String {
        let text = peer.text
        return "http://\(peer.family == .ipv6 ? "[\(text)]" : text):\(port)"
    }

    /// The value of the field `Host`.
    var hostField: String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return origin.port == (isSecure ? 443 : 80) ? host : "\(host):\(origin.port)"
    }
}
