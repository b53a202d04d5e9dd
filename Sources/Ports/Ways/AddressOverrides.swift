/// Where to connect instead of the addresses of a name server: `--resolve` and `--connect-to`, as curl 8 has them.
package struct AddressOverrides: Hashable, Sendable {
    /// A host with its port. The host is in lower case and without brackets.
    package struct Endpoint: Hashable, Sendable {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// `host:port`, an IPv6 literal in brackets.
        package var text: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    /// Why a text is not an override, as a predicate with its remedy.
    package struct Problem: Error, Hashable, Sendable {
        package let explanation: String
    }

    /// Most overrides of a kind, and most addresses of one.
    package static let limit = 256

    private struct Connection: Hashable, Sendable {
        /// Nil is any host, any port.
        var host: String?
        var port: Int?
        /// Nil keeps that of the URL.
        var otherHost: String?
        var otherPort: Int?
    }

    /// By endpoint; the host `*` is any host on the port.
    private var addresses: [Endpoint: [NetworkAddress]] = [:]
    private var connections: [Connection] = []

    package init() {}

    package var isEmpty: Bool { addresses.isEmpty && connections.isEmpty }

    /// The addresses that `--resolve` gives an endpoint; nil leaves it to the name server.
    package func addresses(of endpoint: Endpoint) -> [NetworkAddress]? {
        addresses[endpoint] ?? addresses[Endpoint(host: "*", port: endpoint.port)]
    }

    /// Where `--connect-to` leads for an endpoint; the first that matches counts.
    package func target(of endpoint: Endpoint) -> Endpoint {
        let found = connections.first { connection in
            (connection.host ?? endpoint.host) == endpoint.host && (connection.port ?? endpoint.port) == endpoint.port
        }
        guard let found else { return endpoint }
        return Endpoint(host: found.otherHost ?? endpoint.host, port: found.otherPort ?? endpoint.port)
    }

    /// Adds `HOST:PORT:ADDRESS[,ADDRESS…]`. IPv6 addresses may be in brackets; the host `*` is any host.
    package mutating func addResolve(_ text: String) throws(Problem) {
        let usage = Problem(explanation: "is not HOST:PORT:ADDRESS; write host.example:443:192.0.2.1")
        var rest = Substring(text)
        guard let host = Self.takeHost(&rest), !host.isEmpty, let port = Self.takeField(&rest).flatMap(Self.port) else {
            throw usage
        }
        var found: [NetworkAddress] = []
        for member in rest.split(separator: ",", omittingEmptySubsequences: false) {
            let bare = member.hasPrefix("[") && member.hasSuffix("]") ? member.dropFirst().dropLast() : member
            guard let address = NetworkAddress(bare), !bare.contains("%") else {
                throw Problem(explanation: "has '\(member)', which is not an IP address; --connect-to takes host names")
            }
            found.append(address)
        }
        guard addresses.count < Self.limit, found.count <= Self.limit else {
            throw Problem(explanation: "is more than \(Self.limit) overrides or addresses; give fewer")
        }
        addresses[Endpoint(host: host, port: port)] = found
    }

    /// Adds `HOST1:PORT1:HOST2:PORT2`. An empty first host or port is any, an empty second one that of the URL.
    package mutating func addConnection(_ text: String) throws(Problem) {
        let usage = Problem(
            explanation: "is not HOST1:PORT1:HOST2:PORT2; write host.example:443:edge.example:8443")
        var rest = Substring(text)
        guard let host = Self.takeHost(&rest), let port = Self.takeField(&rest), let other = Self.takeHost(&rest),
            port.isEmpty || Self.port(port) != nil, rest.isEmpty || Self.port(rest) != nil,
            other.isEmpty || (try? WebURL("http://\(Self.bracketed(other))/"))?.host == other
        else { throw usage }
        guard connections.count < Self.limit else {
            throw Problem(explanation: "is more than \(Self.limit) overrides; give fewer")
        }
        connections.append(
            Connection(
                host: host.isEmpty ? nil : host, port: Self.port(port), otherHost: other.isEmpty ? nil : other,
                otherPort: Self.port(rest)))
    }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    private static func port(_ text: Substring) -> Int? {
        guard let port = Int(text), (1...65_535).contains(port), text.allSatisfy(\.isNumber) else { return nil }
        return port
    }

    /// The text before the next colon, which is removed too; nil without a colon.
    private static func takeField(_ rest: inout Substring) -> Substring? {
        guard let colon = rest.firstIndex(of: ":") else { return nil }
        defer { rest = rest[rest.index(after: colon)...] }
        return rest[..<colon]
    }

    /// A host before the next colon, in brackets if it has colons itself.
    private static func takeHost(_ rest: inout Substring) -> String? {
        guard rest.first == "[" else { return takeField(&rest).map { $0.lowercased() } }
        guard let close = rest.firstIndex(of: "]") else { return nil }
        let host = rest[rest.index(after: rest.startIndex)..<close]
        rest = rest[rest.index(after: close)...]
        guard NetworkAddress(host) != nil, rest.first == ":" else { return nil }
        rest.removeFirst()
        return host.lowercased()
    }
}
