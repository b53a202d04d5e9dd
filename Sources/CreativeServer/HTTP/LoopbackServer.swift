import CreativeCache
import Locks
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import Ports

/// The loopback server: creatives and the interface of Prebid Cache on 127.0.0.1, HTTP and HTTPS on one port (CACHE-4).
/// It runs once: a second start has no effect, and after ``stop()`` it cannot be started.
package final class LoopbackServer: Sendable {
    package struct Configuration: Sendable {
        /// The port; 0 for any free one.
        package var port = LoopbackRules.defaultPort
        /// Whether it also listens on ::1, for resolvers that prefer it for `localhost`.
        package var usesIPv6 = false
        /// Nil for plain HTTP only.
        package var identity: TLSIdentity?
        /// An idle connection is closed after this time.
        package var idleLimit = LoopbackRules.idleLimit
        /// Time limit for a request and the reception of its answer.
        package var exchangeLimit = LoopbackRules.exchangeLimit

        package init() {}
    }

    /// The address on which it listens.
    package struct Address: Hashable, Sendable {
        package var port: Int
        package var isSecure: Bool
        package var certificateEnd: UnixTime?
    }

    private let shelf: CreativeShelf
    private let configuration: Configuration
    private let connections = Locked(0)
    private let life = Locked<Life>(.idle)

    private enum Life {
        case idle
        case running(MultiThreadedEventLoopGroup, Address)
        case stopped
    }

    /// Enough for one page. With several, the group traps when a thread accepts a connection for another one that has
    /// already ended.
    private static let threads = 1
    private static let backlog: Int32 = 64

    package init(_ shelf: CreativeShelf, configuration: Configuration) {
        self.shelf = shelf
        self.configuration = configuration
    }

    /// Returns when connections are accepted, without waiting for the port. Returns the address if it is already
    /// running.
    package func start() throws(CreativeServerError) -> Address {
        try life.withLock { life throws(CreativeServerError) in
            switch life {
            case .running(_, let address): return address
            case .stopped: throw .stopped
            case .idle:
                let (group, address) = try listen()
                life = .running(group, address)
                return address
            }
        }
    }

    private func listen() throws(CreativeServerError) -> (MultiThreadedEventLoopGroup, Address) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: Self.threads)
        do throws(CreativeServerError) {
            let tls = configuration.identity
            let first = try bind("127.0.0.1", configuration.port, tls?.context, group)
            let port = first.localAddress?.port ?? configuration.port
            shelf.setPort(port)
            if configuration.usesIPv6 { _ = try bind("::1", port, tls?.context, group) }
            return (group, Address(port: port, isSecure: tls != nil, certificateEnd: tls?.end))
        } catch {
            // Errors during shutdown do not change the error to report.
            try? group.syncShutdownGracefully()
            throw error
        }
    }

    /// Ends all connections; returns when they are closed.
    package func stop() {
        let group = life.withLock { life -> MultiThreadedEventLoopGroup? in
            defer { life = .stopped }
            guard case .running(let group, _) = life else { return nil }
            return group
        }
        // This also closes the channels of the group; a channel that is already closed is not an error.
        try? group?.syncShutdownGracefully()
    }

    private func bind(
        _ host: String, _ port: Int, _ tls: NIOSSLContext?, _ group: MultiThreadedEventLoopGroup
    ) throws(CreativeServerError) -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try CloseOnExec.apply(to: channel) }
            }
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try take(channel, tls) }
            }
        do {
            return try bootstrap.bind(host: host, port: port).wait()
        } catch {
            throw .cannotListen(ListenProblem(host: host, port: port, code: (error as? IOError)?.errnoCode))
        }
    }

    /// Adds the handlers of one connection, from the socket to the answer.
    private func take(_ channel: any Channel, _ tls: NIOSSLContext?) throws {
        let count = connections.withLock { count in
            count += 1
            return count
        }
        channel.closeFuture.whenComplete { [self] _ in connections.withLock { $0 -= 1 } }
        try CloseOnExec.apply(to: channel)
        guard count <= LoopbackRules.maximumConnections + LoopbackRules.surplusConnections else {
            throw TooManyConnections()
        }
        let facts = ConnectionFacts(
            at: channel.eventLoop.now, isSurplus: count > LoopbackRules.maximumConnections)
        try channel.pipeline.syncOperations.addHandlers(Self.handlers(shelf, configuration, tls, facts))
    }

    /// The handlers between the socket and the shelf.
    static func handlers(
        _ shelf: CreativeShelf, _ configuration: Configuration, _ tls: NIOSSLContext?, _ facts: ConnectionFacts
    ) -> [any ChannelHandler] {
        let headGuard = HeadGuard()
        let idle = TimeAmount.milliseconds(configuration.idleLimit.inMilliseconds)
        let exchange = TimeAmount.milliseconds(configuration.exchangeLimit.inMilliseconds)
        return [
            IdleStateHandler(allTimeout: idle), ExchangeLimit(exchange, connection: facts),
            SchemeSniffer(tls: tls, connection: facts), headGuard,
            HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder()),
            ExchangeHandler(shelf: shelf, headGuard: headGuard, connection: facts),
        ]
    }
}

/// Closes a connection before any handler is added.
private struct TooManyConnections: Error {}
