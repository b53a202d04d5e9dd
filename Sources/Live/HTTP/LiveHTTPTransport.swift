import AsyncHTTPClient
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import Ports

/// HTTP over real sockets. One per process: it holds the connections that are used again.
///
/// Redirects are followed here, hop by hop, so that each can be recorded and its address checked. The address rule is
/// checked twice: on every address the name resolves to, before anything is sent, and on the peer of each new
/// connection, because a name may resolve differently the second time (DNS rebinding). Requests under different rules
/// never share a connection. Proxy variables of the environment are not used.
package final class LiveHTTPTransport: HTTPTransport {
    /// To one origin at a time: all beacons of a session, and beside them what a server may hold for long, so that a
    /// blocking playlist request never makes a beacon wait.
    static let connectionsPerHost = Limits.beaconsInFlight + 8
    /// To one origin for each session beyond the first: a request that the server holds, and another one.
    static let connectionsPerSession = 2
    static let idleConnectionLifetime: TimeAmount = .seconds(60)
    /// The same for many sessions together: a burst of beacons leaves hundreds of connections with their buffers, and the
    /// next polls need few.
    static let idleLifetimeOfMany: TimeAmount = .seconds(10)

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let resolver: HostResolver
    private let anywhere: HTTPClient
    private let publicOnly: HTTPClient
    private let logger: Logger
    private let interfaces: NetworkInterfaces

    /// Says nothing.
    package static let silence = Logger(label: "adtop.http") { _ in SwiftLogNoOpLogHandler() }

    /// - Parameters:
    ///   - trustRootsFile: a PEM file of further certificates to trust, beside the system's. Throws when it cannot be
    ///     read.
    ///   - sessions: that share it.
    ///   - openFiles: of the process at most, so that one host cannot take them all.
    ///   - logger: for what the HTTP client has to say.
    ///   - interfaces: what requests are asked of that need one.
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

    /// Connections to one origin: half of what may be open at most, and no fewer than one session needs.
    static func connections(sessions: Int, openFiles: Int) -> Int {
        let wanted = (max(1, sessions) - 1).multipliedSaturating(by: connectionsPerSession)
            .addingSaturating(connectionsPerHost)
        return max(connectionsPerHost, min(wanted, openFiles / 2))
    }

    /// Closes every connection; must be called once, after the last request.
    package func shutdown() async {
        // Each fails only when it was shut down before, which is what is wanted.
        try? await anywhere.shutdown()
        try? await publicOnly.shutdown()
        await resolver.shutdown()
        try? await group.shutdownGracefully()
    }

    package func send(_ request: HTTPRequest) async -> HTTPExchange {
        var course = RequestCourse(request)
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
                try Self.check(addresses, rule: request.addressRule)
            } catch {
                course.failed(error)
                break
            }
            await perform(hop, &course)
        }
        return course.exchange
    }

    private func perform(_ hop: RequestCourse.Hop, _ course: inout RequestCourse) async {
        let request = course.request
        let delegate = HopDelegate(maximumBodyBytes: request.maximumBodyBytes, cutsLongBody: request.cutsLongBody)
        let start = NIODeadline.now()
        var problem: (any Error)?
        do {
            let prepared = try HTTPClient.Request(
                url: hop.url.text, method: HTTPMethod(hop.method), headers: HTTPHeaders(hop.fields),
                body: hop.body.isEmpty ? nil : .bytes(hop.body))
            let client = request.addressRule == .publicOnly ? publicOnly : anywhere
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
            if request.cutsLongBody {
                record.stop = .bodyCut
            } else if course.repeatUncompressed() {
                return
            }
        }
        if case .bodyCut? = record.stop { problem = nil }
        course.answered(
            record, started: start,
            failure: problem.map { FailureWording.failure(for: $0, record: record, request: request) })
    }

    private static func check(_ addresses: [NetworkAddress], rule: AddressRule) throws(HTTPFailure) {
        guard rule == .publicOnly, addresses.contains(where: { $0.reach != .global }) else { return }
        throw notAllowed
    }

    private static let notAllowed = HTTPFailure(.addressNotAllowed, "host has a private or loopback address")

    private static func configuration(
        tls: TLSConfiguration, perHost: Int, idle: TimeAmount, refusesLocalPeers: Bool = false
    ) -> HTTPClient.Configuration {
        // This one inflates up to 25 times; see `RequestCourse.repeatUncompressed` for what compresses better.
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.tlsConfiguration = tls
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: TimeAmount(Limits.connectTimeout))
        configuration.connectionPool.idleTimeout = idle
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = perHost
        // A refused connection is an answer that people want to see now, not after five seconds of attempts.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        if refusesLocalPeers {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                guard let text = channel.remoteAddress?.ipAddress, NetworkAddress(text)?.reach == .global else {
                    channel.close(promise: nil)
                    return channel.eventLoop.makeFailedFuture(notAllowed)
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
