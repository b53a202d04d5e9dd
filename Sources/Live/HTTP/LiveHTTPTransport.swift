import AsyncHTTPClient
package import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
package import Ports

/// HTTP over real sockets. One per process: it owns the connections, which are reused.
///
/// Redirects are followed here, hop by hop, so that each can be recorded and its address checked. The address rule is
/// checked twice: on every address the name resolves to, before anything is sent, and on the peer of each new
/// connection, because a name may resolve differently the second time (DNS rebinding). Requests under different rules
/// never share a connection. Proxy variables of the environment are not used.
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

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let resolver: HostResolver
    private let anywhere: HTTPClient
    private let publicOnly: HTTPClient
    private let logger: Logger
    private let interfaces: NetworkInterfaces

    /// A logger that discards everything.
    package static let silence = Logger(label: "adtop.http") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - trustRootsFile: a PEM file of additional certificates to trust. Throws if it cannot be read.
    ///   - sessions: number of sessions that share the transport.
    ///   - openFiles: maximum number of open files of the process, so that one host cannot use them all.
    ///   - logger: receives the log of the HTTP client.
    ///   - interfaces: the network interfaces that requests need.
    package init(
        trustRootsFile: String? = nil, sessions: Int = 1, openFiles: Int = .max, logger: Logger = silence,
        interfaces: NetworkInterfaces = .system
    ) throws(FileProblem) {
        (self.logger, self.interfaces) = (logger, interfaces)
        var tls = TLSConfiguration.makeClientConfiguration()
        if let trustRootsFile {
            do {
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(trustRootsFile))]
            } catch {
                throw FileProblem(path: trustRootsFile, reason: .malformed("is not a PEM file of certificates"))
            }
        }
        resolver = HostResolver(eventLoop: group.next())
        let perHost = Self.connections(sessions: sessions, openFiles: openFiles)
        let idle = sessions > 1 ? Self.idleLifetimeOfMany : Self.idleConnectionLifetime
        anywhere = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: Self.configuration(tls: tls, perHost: perHost, idle: idle),
            backgroundActivityLogger: logger)
        publicOnly = HTTPClient(
            eventLoopGroupProvider: .shared(group),
            configuration: Self.configuration(tls: tls, perHost: perHost, idle: idle, refusesLocalPeers: true),
            backgroundActivityLogger: logger)
    }

    /// Number of connections to one origin: at most half of the open files, and at least what one session needs.
    static func connections(sessions: Int, openFiles: Int) -> Int {
        let wanted = (max(1, sessions) - 1).multipliedSaturating(by: connectionsPerSession)
            .addingSaturating(connectionsPerHost)
        return max(connectionsPerHost, min(wanted, openFiles / 2))
    }

    /// Closes every connection; must be called once, after the last request.
    package func shutdown() async {
        // Each fails only if it was shut down before, which is the intended state.
        try? await anywhere.shutdown()
        try? await publicOnly.shutdown()
        await resolver.shutdown()
        try? await group.shutdownGracefully()
    }

    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        await send(request) {}
    }

    package func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        await run(RequestCourse(request), onWritten)
    }

    /// Sends what a course names, hop by hop.
    func run(_ course: RequestCourse, _ onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        var course = course
        let request = course.request
        if request.needsInterface, let failure = interfaces.problem(of: request.url) {
            course.failed(failure)
            return course.exchange
        }
        while let hop = course.next() {
            do throws(HTTPFailure) {
                let resolution = NIODeadline.now()
                let addresses = try await resolver.addresses(
                    of: hop.url.host, deadline: min(course.deadline, resolution + TimeAmount(request.connectTimeout)))
                course.resolved(in: NIODeadline.now() - resolution)
                try Self.check(hop.url, addresses, reach: Self.reach(of: request, at: hop.url))
            } catch {
                course.failed(error)
                break
            }
            await perform(hop, &course, onWritten)
        }
        return course.exchange
    }

    private func perform(
        _ hop: RequestCourse.Hop, _ course: inout RequestCourse, _ onWritten: @escaping @Sendable () -> Void
    ) async {
        let request = course.request
        let delegate = HopDelegate(
            maximumBodyBytes: request.maximumBodyBytes, cutsLongBody: request.cutsLongBody, onWritten: onWritten)
        let start = NIODeadline.now()
        var problem: (any Error)?
        do {
            let prepared = try HTTPClient.Request(
                url: hop.url.text, method: HTTPMethod(hop.method), headers: HTTPHeaders(hop.fields),
                body: hop.body.isEmpty ? nil : .bytes(hop.body))
            let client = Self.reach(of: request, at: hop.url) == .publicOnly ? publicOnly : anywhere
            let task = client.execute(
                request: prepared, delegate: delegate, deadline: course.deadline, logger: logger)
            let patience = task.eventLoop.scheduleTask(in: TimeAmount(request.connectTimeout)) {
                delegate.stopUnlessConnected(task)
            }
            defer { patience.cancel() }
            try await withTaskCancellationHandler {
                try await task.futureResult.get()
            } onCancel: {
                task.cancel()
            }
        } catch {
            problem = error
        }
        var record = delegate.record
        if let problem, FailureWording.isInflationLimit(problem) {
            if request.cutsLongBody { record.stop = .bodyCut }
        }
        if case .bodyCut? = record.stop { problem = nil }
        course.answered(
            record, started: start,
            failure: problem.map { FailureWording.failure(for: $0, record: record, request: request) })
    }

    /// The host that a person typed may have any address, also where it is redirected to itself.
    private static func reach(of request: HTTPRequest, at url: WebURL) -> AddressRule.Reach {
        url.host == request.trustedHost ? .anywhere : request.addressRule.reach(of: url.host)
    }

    private static func check(
        _ url: WebURL, _ addresses: [NetworkAddress], reach: AddressRule.Reach
    ) throws(HTTPFailure) {
        switch reach {
        case .anywhere: return
        case .publicOnly: guard addresses.contains(where: { $0.reach != .global }) else { return }
        // A name that resolves to loopback now may resolve otherwise for the connection.
        case .loopbackOnly: guard url.literalReach != .loopback else { return }
        }
        throw reach == .publicOnly ? notPublic(url.host) : notLoopback(url.host)
    }

    private static func notPublic(_ host: String) -> HTTPFailure {
        HTTPFailure(
            .addressNotAllowed,
            "\(host) has a private or loopback address; --allow-host \(host) or --allow-private allows it")
    }

    private static func notLoopback(_ host: String) -> HTTPFailure {
        HTTPFailure(.addressNotAllowed, "\(host) is not on this machine; --fire sends to it")
    }

    private static func configuration(
        tls: TLSConfiguration, perHost: Int, idle: TimeAmount, refusesLocalPeers: Bool = false
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        // A limit of the size, not of the ratio: metadata and pods repeat themselves and compress well, and to ask again
        // without compression would request an ad decision twice. Most requests have a lower limit of their own.
        configuration.decompression = .enabled(limit: .size(Limits.inflatedBytes))
        configuration.tlsConfiguration = tls
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(Limits.connectTimeout))
        configuration.connectionPool.idleTimeout = idle
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = perHost
        // A refused connection must be reported immediately, not after five seconds of attempts.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        if refusesLocalPeers {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                guard let text = channel.remoteAddress?.ipAddress, NetworkAddress(text)?.reach == .global else {
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(notPublic("host"))
                }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
        }
        return configuration
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        self = .microseconds(duration.inMicroseconds)
    }
}

extension NIOHTTP1.HTTPMethod {
    fileprivate init(_ method: Ports.HTTPMethod) {
        self = NIOHTTP1.HTTPMethod(rawValue: method.rawValue)
    }
}

extension HTTPHeaders {
    fileprivate init(_ fields: [HTTPField]) {
        self.init(fields.map { ($0.name, $0.value) })
    }
}
