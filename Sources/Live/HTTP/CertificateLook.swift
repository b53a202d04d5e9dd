import Locks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Ports

extension LiveHTTPTransport {
    /// The failure with the certificate that was rejected, for the requests that open a stream.
    ///
    /// The TLS library reports only that verification failed. A second connection on the same way shows the certificates;
    /// its handshake always fails, so that it can neither be used nor weaken the verification of the first.
    /// - Parameter route: the way of the request; nil is the plain one.
    func explained(
        _ failure: HTTPFailure?, _ course: RequestCourse, at url: WebURL, over route: Route?
    ) async -> HTTPFailure? {
        guard let failure, course.request.audience == .stream else { return failure }
        let deadline = min(course.deadline, .now() + .microseconds(course.request.connectTimeout.inMicroseconds))
        return await explained(failure, course.request, at: url, over: route, deadline: deadline)
    }

    /// The same for a connection of any purpose that is only tried.
    func explained(
        _ failure: HTTPFailure, _ request: HTTPRequest, at url: WebURL, over route: Route?, deadline: NIODeadline
    ) async -> HTTPFailure {
        guard let rejection = failure.rejection, rejection != .clientCertificate else { return failure }
        var failure = failure
        do throws(HTTPFailure) {
            let way = try await way(to: url, of: request, over: route, deadline: deadline)
            let chain = await certificates(over: way, deadline: deadline)
            let found = CertificateRejection.judge(
                chain, for: url.host, isOtherHost: rejection == .otherHost, at: SystemTimeSource().now().wall)
            if let found { (failure.rejection, failure.message) = (found.reason, found.clause) }
        } catch {
            // The name or the address has changed meanwhile: the failure stays as it is.
        }
        return failure
    }

    private func way(
        to url: WebURL, of request: HTTPRequest, over route: Route?, deadline: NIODeadline
    ) async throws(HTTPFailure) -> Route {
        if let route { return route }
        let routes = try await planner.resolving(for: request).plainRoutes(
            to: url, reach: Self.reach(of: request, at: url), server: server(of: request, at: url), deadline: deadline)
        guard let first = routes.first else { throw HTTPFailure(.resolve, "host has no address") }
        return first
    }

    /// The certificates that the server of the route sends, its own first; empty if there is no connection in time.
    private func certificates(over route: Route, deadline: NIODeadline) async -> [ServerCertificate] {
        let chain = Locked<[ServerCertificate]>([])
        let opening = RouteOpening(
            route: route, contexts: contexts,
            inspection: { found in
                let read = found.prefix(Self.longestChain).map(ServerCertificate.init)
                chain.withLock { $0 = read }
            })
        // The handshake is made to fail.
        if let channel = try? await connect(opening, deadline: deadline) { try? await channel.close() }
        return chain.withLock { $0 }
    }

    /// Most certificates of a server that are read.
    private static let longestChain = 10

    /// A connection over the route, ready for a request. Throws what the library throws.
    func connect(_ opening: RouteOpening, deadline: NIODeadline) async throws -> any Channel {
        let (route, loop) = (opening.route, group.next())
        let made = Locked<(any Channel)?>(nil)
        var bootstrap = ClientBootstrap(group: loop).connectTimeout(max(.zero, deadline - .now()))
            .channelInitializer { channel in
                made.withLock { $0 = channel }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                }
            }
        if let source = route.source {
            bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source.text, port: 0))
        }
        let address = try SocketAddress(ipAddress: route.peer.text, port: route.port)
        let opened = bootstrap.connect(to: address).flatMap { channel in
            let timer = loop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
            return opening.open(channel).always { _ in timer.cancel() }.map { channel }
        }
        return try await withTaskCancellationHandler {
            try await opened.get()
        } onCancel: {
            made.withLock { $0 }?.close(promise: nil)
        }
    }
}
