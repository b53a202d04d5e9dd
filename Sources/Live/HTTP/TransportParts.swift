import AsyncHTTPClient
import Locks
import Logging
import NIOCore
import NIOPosix
import Ports

/// Everything of a transport that must be ended: its event loop, the threads that resolve names, and every client, also those that are made
/// for a later request.
///
/// A client that is released before its end stops the process in debug builds, and else leaves its connections open. So all of them have
/// this one owner, which ends them even where `shutdown` was not called.
final class TransportParts: Sendable {
    let group: MultiThreadedEventLoopGroup
    let resolver: HostResolver
    let plain: PlainClients
    let routed: RouteClients
    private let isEnded = Locked(false)

    /// - Parameter common: what all clients have in common.
    init(_ common: HTTPClient.Configuration, contexts: TLSContexts, logger: Logger) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.group = group
        resolver = HostResolver(eventLoop: group.next())
        plain = PlainClients(common, group: group, logger: logger)
        routed = RouteClients { use in
            var configuration = common.limited(to: use.connections)
            configuration.localAddress = use.route.source?.text
            let opening = RouteOpening(route: use.route, contexts: contexts)
            configuration.http1_1ConnectionDebugInitializer = { channel in
                opening.open(channel).flatMap { ConnectionHandlers.add(to: channel) }
            }
            return HTTPClient(
                eventLoopGroupProvider: .shared(group), configuration: configuration, backgroundActivityLogger: logger)
        }
    }

    deinit {
        guard let end = begunEnd() else { return }
        // Nobody waits for it. It ends when the last connection is closed.
        Task { await end.run() }
    }

    /// Whether the end has begun; what is sent from then on fails.
    var hasEnded: Bool { isEnded.withLock { $0 } }

    /// Closes every connection.
    func shutdown() async {
        await begunEnd()?.run()
    }

    /// What is to be ended; nil if that was begun before.
    private func begunEnd() -> End? {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        return isFirst ? End(clients: plain.all + routed.end(), resolver: resolver, group: group) : nil
    }

    private struct End: Sendable {
        var clients: [HTTPClient]
        var resolver: HostResolver
        var group: MultiThreadedEventLoopGroup

        func run() async {
            for client in clients {
                // Fails only if it was shut down before, which is the intended state.
                try? await client.shutdown()
            }
            await resolver.shutdown()
            // As above.
            try? await group.shutdownGracefully()
        }
    }
}

/// What the connections of a client are for. Requests of different uses never share a connection.
enum ConnectionUse: Hashable {
    /// Requests one after the other.
    case kept
    /// One beacon each.
    case beacons
    /// One request each that failed on a kept connection.
    case fresh

    init(_ request: HTTPRequest) {
        self = request.isSentOnce ? .beacons : .kept
    }
}

extension HTTPClient.Configuration {
    /// With the limits of connections for the use.
    func limited(to use: ConnectionUse) -> Self {
        var configuration = self
        if use != .kept { configuration.connectionPool.idleTimeout = LiveHTTPTransport.idleLifetimeOfUnused }
        if use == .fresh { configuration.maximumUsesPerConnection = 1 }
        return configuration
    }
}
