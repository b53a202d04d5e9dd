import CreativeCache
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
package import Ports
import Synchronization

/// The loopback server: creatives and the interface of Prebid Cache on 127.0.0.1, HTTP and HTTPS on one port
/// (CACHE-4). It runs once: starting it again changes nothing, and after ``stop()`` it stays stopped.
package final class LoopbackServer: Sendable {
    package struct Configuration: Sendable {
        /// 0 for a free one.
        package var port = LoopbackRules.defaultPort
        /// Also on ::1, for resolvers that prefer it for `localhost`.
        package var usesIPv6 = false
        /// Nil serves plain HTTP only.
        package var identity: TLSIdentity?
        /// A connection without traffic is closed after it.
        package var idleLimit = LoopbackRules.idleLimit
        /// A request, and the taking of its answer, may take so long.
        package var exchangeLimit = LoopbackRules.exchangeLimit

        package init() {}
    }

    /// Where it listens.
    package struct Address: Hashable, Sendable {
        package var port: Int
        package var isSecure: Bool
        package var certificateEnd: UnixTime?
    }

    private let shelf: CreativeShelf
    private let configuration: Configuration
    private let connections = Atomic<Int>(0)
    private let life = Mutex<Life>(.idle)

    private enum Life {
        case idle
        case running(MultiThreadedEventLoopGroup, Address)
        case stopped
    }

    /// Enough for one page; more would only take time from the rest of the machine.
    private static let threads = 2
    private static let backlog: Int32 = 64

    package init(_ shelf: CreativeShelf, configuration: Configuration) {
        self.shelf = shelf
        self.configuration = configuration
    }

    /// Returns when connections are accepted: taking a port waits for nobody. Where it is when it runs already.
    package func start() throws(CreativeServerError) -> Address {
        try life.withLock { life throws(CreativeServerError) in
            switch life {
            case .running(_, let address): return address
            case .stopped: throw .cannotListen(port: configuration.port, reason: "the server is stopped")
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
            // What goes wrong while shutting down changes nothing about the error.
            try? group.syncShutdownGracefully()
            throw error
        }
    }

    /// Ends all connections; returns when they are gone.
    package func stop() {
        let group = life.withLock { life -> MultiThreadedEventLoopGroup? in
            defer { life = .stopped }
            guard case .running(let group, _) = life else { return nil }
            return group
        }
        // It closes the channels of the group, too; one that is closed already is what is wanted.
        try? group?.syncShutdownGracefully()
    }

    private func bind(
        _ host: String, _ port: Int, _ tls: NIOSSLContext?, _ group: MultiThreadedEventLoopGroup
    ) throws(CreativeServerError) -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try take(channel, tls) }
            }
        do {
            return try bootstrap.bind(host: host, port: port).wait()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw .portTaken(port)
        } catch {
            throw .cannotListen(port: port, reason: "\(error)")
        }
    }

    /// One connection's handlers, from the socket to the answer.
    private func take(_ channel: any Channel, _ tls: NIOSSLContext?) throws {
        let count = connections.wrappingAdd(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { [self] _ in connections.wrappingSubtract(1, ordering: .relaxed) }
        guard count <= LoopbackRules.maximumConnections else { throw TooManyConnections() }
        try channel.pipeline.syncOperations.addHandlers(
            Self.handlers(shelf, configuration, tls, at: channel.eventLoop.now))
    }

    /// What stands between the socket and the shelf.
    static func handlers(
        _ shelf: CreativeShelf, _ configuration: Configuration, _ tls: NIOSSLContext?, at now: NIODeadline
    ) -> [any ChannelHandler] {
        let facts = ConnectionFacts(at: now)
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

/// Closes a connection before it has any handler.
private struct TooManyConnections: Error {}
