import NIOCore
import Ports

/// Finds the routes of a URL, and checks their addresses before anything is sent.
///
/// What resolves names here, a direct connection or `socks5`, has each address checked. An HTTP proxy and `socks5h`
/// resolve names themselves: for them only hosts that are addresses, and `localhost`, can be checked.
struct RoutePlanner: Sendable {
    typealias Endpoint = AddressOverrides.Endpoint

    /// Most routes that are tried for one request.
    static let routes = 8

    let plan: ConnectionPlan
    let resolver: HostResolver
    /// Whose names are resolved; those of proxies are among them.
    var names = HostResolver.Names.ofOthers

    /// Resolves names as they are resolved for a request.
    func resolving(for request: HTTPRequest) -> RoutePlanner {
        var planner = self
        planner.names = request.audience == .stream ? .ofStreams : .ofOthers
        return planner
    }

    /// The routes to try one after the other; nil is the plain way.
    func routes(
        to url: WebURL, reach: AddressRule.Reach, server: TLSContexts.Peer = .other, deadline: NIODeadline
    ) async throws(HTTPFailure) -> [Route]? {
        if plan.isPlain {
            try Self.check(url, try await resolver.addresses(of: url.host, names, deadline: deadline), reach: reach)
            return nil
        }
        let origin = Endpoint(host: url.host, port: url.port)
        let target = plan.overrides.target(of: origin)
        guard let proxy = plan.proxies.proxy(for: url) else {
            let found = try await addresses(of: target, deadline: deadline)
            try Self.check(url, found, reach: reach)
            if plan.family == nil, plan.source == nil, target == origin, plan.overrides.addresses(of: target) == nil {
                return nil
            }
            return try usable(found, for: target.host).map { peer, source in
                Route(
                    peer: peer, port: target.port, source: source, hop: .direct, origin: origin,
                    isSecure: url.isSecure, server: url.isSecure ? server : .other,
                    refusesLocalPeers: reach == .publicOnly)
            }
        }
        let targets = try await targets(target, of: url, through: proxy, reach: reach, deadline: deadline)
        let place = Endpoint(host: proxy.host, port: proxy.port)
        let peers = try usable(try await proxyAddresses(of: place, deadline: deadline), for: proxy.host)
        let isForwarded = proxy.kind.isHTTP && !url.isSecure && target == origin
        let routes = targets.flatMap { target in
            peers.map { peer, source in
                Route(
                    peer: peer, port: proxy.port, source: source,
                    hop: isForwarded ? .forward(proxy) : .tunnel(proxy, to: target), origin: origin,
                    isSecure: url.isSecure, server: url.isSecure ? server : .other, refusesLocalPeers: false)
            }
        }
        return Array(routes.prefix(Self.routes))
    }

    /// The same where the plain way is written as routes, one for each address.
    func plainRoutes(
        to url: WebURL, reach: AddressRule.Reach, server: TLSContexts.Peer, deadline: NIODeadline
    ) async throws(HTTPFailure) -> [Route] {
        if let routes = try await routes(to: url, reach: reach, server: server, deadline: deadline) { return routes }
        let origin = Endpoint(host: url.host, port: url.port)
        let found = try await addresses(of: origin, deadline: deadline)
        return found.prefix(Self.routes).map { peer in
            Route(
                peer: peer, port: url.port, hop: .direct, origin: origin, isSecure: url.isSecure,
                server: url.isSecure ? server : .other, refusesLocalPeers: reach == .publicOnly)
        }
    }

    /// What the proxy is asked to connect to.
    private func targets(
        _ target: Endpoint, of url: WebURL, through proxy: ProxyServer, reach: AddressRule.Reach, deadline: NIODeadline
    ) async throws(HTTPFailure) -> [Endpoint] {
        guard proxy.kind == .socks5 else {
            try Self.checkLiteral(url, target, reach: reach)
            guard proxy.kind.isHTTP || target.host.utf8.count <= 255 else {
                throw HTTPFailure(.resolve, "host name is longer than 255 bytes, the limit of SOCKS")
            }
            return [target]
        }
        let found = try await addresses(of: target, deadline: deadline)
        try Self.check(url, found, reach: reach)
        let wanted = found.filter { plan.family == nil || $0.family == plan.family }
        guard !wanted.isEmpty else { throw Self.noAddress(target.host, plan.family) }
        return wanted.map { Endpoint(host: $0.text, port: target.port) }
    }

    private func addresses(of endpoint: Endpoint, deadline: NIODeadline) async throws(HTTPFailure) -> [NetworkAddress] {
        if let given = plan.overrides.addresses(of: endpoint) { return given }
        return try await resolver.addresses(of: endpoint.host, names, deadline: deadline)
    }

    private func proxyAddresses(
        of place: Endpoint, deadline: NIODeadline
    ) async throws(HTTPFailure) -> [NetworkAddress] {
        do throws(HTTPFailure) {
            return try await addresses(of: place, deadline: deadline)
        } catch {
            let message = "proxy \(place.text): \(error.message)"
            throw error.kind == .resolve
                ? .proxy(.unreachable, message) : HTTPFailure(error.kind, message, proxyFault: .unreachable)
        }
    }

    /// The addresses of the wanted family, each with the address of this computer to connect from.
    private func usable(
        _ addresses: [NetworkAddress], for host: String
    ) throws(HTTPFailure) -> [(peer: NetworkAddress, source: NetworkAddress?)] {
        let wanted = addresses.filter { plan.family == nil || $0.family == plan.family }
        guard !wanted.isEmpty else { throw Self.noAddress(host, plan.family) }
        guard let source = plan.source else { return wanted.map { ($0, nil) } }
        let reached = wanted.compactMap { peer in source.address(peer.family).map { (peer, Optional($0)) } }
        if reached.isEmpty, let family = wanted.first?.family {
            throw HTTPFailure(
                .connect, "--interface \(source.name) has no \(family.name) address to reach \(host) from")
        }
        return reached
    }

    private static func noAddress(_ host: String, _ family: AddressFamily?) -> HTTPFailure {
        HTTPFailure(.resolve, "\(host) has no \(family?.name ?? "IP") address")
    }

    static func check(_ url: WebURL, _ addresses: [NetworkAddress], reach: AddressRule.Reach) throws(HTTPFailure) {
        switch reach {
        case .anywhere: return
        case .publicOnly: guard addresses.contains(where: { $0.reach != .global }) else { return }
        // A name that resolves to loopback now may resolve otherwise for the connection.
        case .loopbackOnly:
            guard url.literalReach != .loopback || addresses.contains(where: { $0.reach != .loopback }) else { return }
        }
        throw reach == .publicOnly ? notPublic(url.host) : notLoopback(url.host)
    }

    /// The rule as far as it can be judged where a proxy resolves the name.
    private static func checkLiteral(_ url: WebURL, _ target: Endpoint, reach: AddressRule.Reach) throws(HTTPFailure) {
        let hosts = [url.host, target.host]
        switch reach {
        case .anywhere: return
        // A proxy may read other notations of an address.
        case .publicOnly:
            guard hosts.contains(where: { (WebURL.writtenReach(of: $0) ?? .global) != .global }) else { return }
        case .loopbackOnly:
            guard hosts.contains(where: { WebURL.literalReach(of: $0) != .loopback }) else { return }
        }
        throw reach == .publicOnly ? notPublic(url.host) : notLoopback(url.host)
    }

    static func notPublic(_ host: String) -> HTTPFailure {
        HTTPFailure(
            .addressNotAllowed,
            "\(host) has a private or loopback address; --allow-host \(host) or --allow-private allows it")
    }

    private static func notLoopback(_ host: String) -> HTTPFailure {
        HTTPFailure(.addressNotAllowed, "\(host) is not on this machine; --fire sends to it")
    }
}
