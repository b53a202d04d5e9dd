import AsyncHTTPClient
package import Logging
import NIOCore
import NIOPosix
import NIOSSL
package import Ports

/// HTTP over real sockets. One per process: it owns the connections, which are reused.
///
/// Redirects are followed here, hop by hop, so that each can be recorded and its address checked. The address rule is
/// checked twice: on every address the name resolves to, before anything is sent, and on the peer of each new
/// connection, because a name may resolve differently the second time (DNS rebinding). Requests under different rules
/// never share a connection. What a proxy resolves is checked only as far as `RoutePlanner` can.
package final class LiveHTTPTransport: HTTPTransport {
    /// Maximum number of connections to one origin: all beacons of a session, and additional ones for requests that a
    /// server may hold for long, so that a blocking playlist request never delays a beacon.
    static let connectionsPerHost = Limits.beaconsInFlight + 8
    /// Additional connections to one origin per further session: one for a blocking request and one for another.
    static let connectionsPerSession = 2
    static let idleConnectionLifetime: TimeAmount = .seconds(60)
    /// Idle time of connections for many sessions: after a burst of beacons hundreds of connections with their buffers
    /// are open, and the next polls need few.
    static let idleLifetimeOfMany: TimeAmount = .seconds(10)
    /// Idle time of connections that were opened for a beacon, or for another request that has a connection of its own, and have carried
    /// none, shorter than that of servers: what is written while a server closes its end is lost, and a beacon is not written twice
    /// (RFC 9112 section 9.3.1).
    static let idleLifetimeOfUnused: TimeAmount = .seconds(1)

    let parts: TransportParts
    let planner: RoutePlanner
    let contexts: TLSContexts
    /// For requests that may show the client certificate; nil without one.
    private let identity: TLSConfiguration?
    /// For trackers where other servers are not verified; nil where all are treated alike.
    private let verified: TLSConfiguration?
    /// Nil lets every request leave at once.
    private let pace: RequestPace?
    let logger: Logger
    private let interfaces: NetworkInterfaces

    var group: MultiThreadedEventLoopGroup { parts.group }
    var resolver: HostResolver { parts.resolver }

    /// A logger that discards everything.
    package static let silence = Logger(label: "adtop.http") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - plan: proxies, addresses and certificates.
    ///   - sessions: number of sessions that share the transport.
    ///   - openFiles: maximum number of open files of the process, so that one host cannot use them all.
    ///   - logger: receives the log of the HTTP client.
    ///   - interfaces: the network interfaces that requests need.
    package init(
        plan: ConnectionPlan = ConnectionPlan(), sessions: Int = 1, openFiles: Int = .max, logger: Logger = silence,
        interfaces: NetworkInterfaces = .system
    ) {
        (self.logger, self.interfaces) = (logger, interfaces)
        let common = Self.configuration(
            tls: plan.tls.configuration(showsIdentity: false),
            perHost: Self.connections(sessions: sessions, openFiles: openFiles),
            idle: sessions > 1 ? Self.idleLifetimeOfMany : Self.idleConnectionLifetime)
        contexts = TLSContexts(plan.tls)
        let parts = TransportParts(common, contexts: contexts, logger: logger)
        self.parts = parts
        planner = RoutePlanner(plan: plan, resolver: parts.resolver)
        verified = plan.tls.isInsecure && plan.tls.verifiesTrackers ? plan.tls.proxyConfiguration : nil
        pace = plan.maximumRate.map { RequestPace(perSecond: $0, eventLoop: parts.group.next()) }
        identity = plan.tls.hasIdentity ? plan.tls.configuration(showsIdentity: true) : nil
    }

    /// Number of connections to one origin: at most half of the open files, and at least what one session needs.
    static func connections(sessions: Int, openFiles: Int) -> Int {
        let wanted = (max(1, sessions) - 1).multipliedSaturating(by: connectionsPerSession)
            .addingSaturating(connectionsPerHost)
        return max(connectionsPerHost, min(wanted, openFiles / 2))
    }

    /// Closes every connection; must be called once, after the last request.
    package func shutdown() async {
        await parts.shutdown()
    }

    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        await send(request) {}
    }

    package func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        await run(request, { RequestCourse($0) }, onWritten)
    }

    /// Sends what a course of the request names, hop by hop.
    func run(
        _ request: HTTPRequest, _ begin: (HTTPRequest) -> RequestCourse, _ onWritten: @escaping @Sendable () -> Void
    ) async -> HTTPExchange {
        let request = request.limited(by: planner.plan.timeout)
        let pacing = await turn(of: request)
        var course = begin(request)
        if let pacing {
            course.failed(pacing)
            return course.exchange
        }
        if request.needsInterface, let failure = interfaces.problem(of: request.url) {
            course.failed(failure)
            return course.exchange
        }
        while let hop = course.next() {
            if !course.exchange.hops.isEmpty, let failure = await turn(of: request) {
                course.failed(failure)
                break
            }
            do throws(HTTPFailure) {
                let resolution = NIODeadline.now()
                let routes = try await planner.resolving(for: request).routes(
                    to: hop.url, reach: Self.reach(of: request, at: hop.url),
                    server: server(of: request, at: hop.url),
                    deadline: min(course.deadline, resolution + TimeAmount(request.connectTimeout)))
                course.resolved(in: NIODeadline.now() - resolution)
                if let routes {
                    await perform(hop, &course, over: parts.routed.ordered(routes), onWritten)
                } else {
                    await perform(hop, &course, onWritten)
                }
            } catch {
                course.failed(error)
                break
            }
        }
        return course.exchange
    }

    /// How TLS treats the server of a hop.
    func server(of request: HTTPRequest, at url: WebURL) -> TLSContexts.Peer {
        let isLocal = url.literalReach == .loopback || url.literalReach == .local
        switch request.audience {
        case .stream where identity != nil: return .stream
        case .tracker where verified != nil && !isLocal: return .verified
        default: return .other
        }
    }

    /// Waits until the rate lets the request leave; the time limits of the request begin then.
    func turn(of request: HTTPRequest) async -> HTTPFailure? {
        guard let pace else { return nil }
        do throws(HTTPFailure) {
            try await pace.turn(isBeacon: request.audience == .tracker)
            return nil
        } catch {
            return error
        }
    }

    private func perform(
        _ hop: RequestCourse.Hop, _ course: inout RequestCourse, _ onWritten: @escaping @Sendable () -> Void
    ) async {
        let reach = Self.reach(of: course.request, at: hop.url)
        let start = NIODeadline.now()
        var order = HopAttempt.Order(
            url: hop.url.wireOrigin + RequestTarget.hidden(hop.url), connectTimeout: course.request.connectTimeout)
        switch server(of: course.request, at: hop.url) {
        case .stream: order.tls = identity
        case .verified: order.tls = verified
        case .other, .proxy: break
        }
        let (plan, progress) = (order, course)
        let result = await delivered(hop, of: course.request) { hop, use in
            let client = parts.plain.client(for: progress.request, use, reach: reach)
            return await attempt(hop, progress, with: client, plan, onWritten)
        }
        let failure = await explained(result.failure, course, at: hop.url, over: nil)
        course.answered(result.record, started: start, failure: failure)
    }

    /// Tries one route after the other, until one connects.
    private func perform(
        _ hop: RequestCourse.Hop, _ course: inout RequestCourse, over routes: [Route],
        _ onWritten: @escaping @Sendable () -> Void
    ) async {
        var hop = hop
        let start = NIODeadline.now()
        for (index, route) in routes.enumerated() {
            if hop.fields["host"] == nil { hop.fields.insert(HTTPField("Host", route.hostField), at: 0) }
            let left = routes.count - index
            let order = HopAttempt.Order(
                url: route.clientOrigin + RequestTarget.hidden(hop.url),
                connectTimeout: course.request.connectTimeout / left)
            let progress = course
            var result = await delivered(hop, of: course.request) { hop, use in
                await parts.routed.with(RouteClients.Use(route: route, connections: use)) { client in
                    await attempt(hop, progress, with: client, order, onWritten)
                } ?? .afterEnd
            }
            if let failure = result.failure, result.record.requestSent == nil {
                let isUnreachable = failure.concernsRoute
                if isUnreachable { parts.routed.noteFailure(of: route) }
                if isUnreachable, left > 1, NIODeadline.now() < course.deadline { continue }
                if !result.isExplained, let proxy = route.proxy {
                    result.failure = FailureWording.through(proxy, failure)
                }
            }
            result.judgeAnswer(of: route)
            result.failure = await explained(result.failure, course, at: hop.url, over: route)
            return course.answered(result.record, started: start, failure: result.failure)
        }
    }

    /// The host that a person typed may have any address, also where it is redirected to itself.
    static func reach(of request: HTTPRequest, at url: WebURL) -> AddressRule.Reach {
        url.host == request.trustedHost ? .anywhere : request.addressRule.reach(of: url.host)
    }

    private static func configuration(
        tls: TLSConfiguration, perHost: Int, idle: TimeAmount
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        // `HopDelegate` inflates what comes.
        configuration.decompression = .disabled
        configuration.tlsConfiguration = tls
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(Limits.connectTimeout))
        configuration.connectionPool.idleTimeout = idle
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = perHost
        // A refused connection must be reported immediately, not after five seconds of attempts.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return configuration
    }
}

extension HTTPRequest {
    /// With the time limit of the user, and on top of it what a server may hold the request for.
    func limited(by timeout: Duration?) -> HTTPRequest {
        guard let timeout else { return self }
        var request = self
        request.totalTimeout = timeout + hold
        request.connectTimeout = min(connectTimeout, timeout)
        return request
    }
}

extension HTTPFailure {
    /// Whether there was no connection on this route, so that another address may work. Another address of a proxy has the same logins
    /// and certificate.
    fileprivate var concernsRoute: Bool {
        switch kind {
        case .connect, .connectTimeout: true
        case .proxy: proxyFault != .login && proxyFault != .certificate
        default: false
        }
    }
}

extension TimeAmount {
    init(_ duration: Duration) {
        self = .microseconds(duration.inMicroseconds)
    }
}
