package import Ports

/// How requests leave this computer, for all requests of the process.
package struct ConnectionPlan: Sendable {
    /// The proxy of each URL.
    package var proxies = ProxyChoice()
    /// Addresses and endpoints that replace those of name servers.
    package var overrides = AddressOverrides()
    /// Nil uses both families.
    package var family: AddressFamily?
    /// Nil leaves the choice to the system.
    package var source: SourceAddress?

    /// Which certificates are trusted, and which one is shown.
    package var tls = TLSSettings()

    /// Time limit for each whole request, redirects included; nil leaves each request its own.
    package var timeout: Duration?
    /// Most requests a second; nil has no limit.
    package var maximumRate: Double?

    /// Directly, by the answers of name servers.
    package init() {}

    /// Whether every request is a plain one: direct, to what name servers answer.
    var isPlain: Bool { !proxies.hasProxy && overrides.isEmpty && family == nil && source == nil }
}

/// A version of the Internet protocol.
package enum AddressFamily: String, Hashable, Sendable, CaseIterable {
    case ipv4, ipv6

    /// `IPv4`
    package var name: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

extension NetworkAddress {
    /// The version of the address.
    package var family: AddressFamily {
        switch self {
        case .v4: .ipv4
        case .v6: .ipv6
        }
    }
}

/// The addresses of this computer that connections start from.
package struct SourceAddress: Hashable, Sendable {
    /// The interface or address as the user wrote it.
    package var name: String
    /// At most one of each family.
    package var addresses: [NetworkAddress]

    package init(name: String, addresses: [NetworkAddress]) {
        self.name = name
        self.addresses = addresses
    }

    /// Nil when there is none of the family.
    package func address(_ family: AddressFamily) -> NetworkAddress? {
        addresses.first { $0.family == family }
    }
}
