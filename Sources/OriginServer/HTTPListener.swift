package import Hummingbird
import HummingbirdCore
import Locks
import Logging
import NIOCore
package import Ports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A port on loopback whose requests a responder answers. It starts and stops only once, and can be stopped at any
/// moment, also while connections arrive.
package final class HTTPListener: Sendable {
    /// How long a connection may be without a whole request before it is closed; clients keep idle ones for up to a minute.
    package static let idleLimit: Duration = .seconds(75)

    private let host: String
    private let port: Int
    private let idleLimit: Duration
    private let logger: Logger
    private let life = Locked(Life())

    private struct Life {
        var isStopping = false
        /// Runs the library's server; ends when it is cancelled or the port cannot be bound.
        var task: Task<Void, Never>?
        /// The listening socket; nil until it is bound.
        var channel: (any Channel)?
    }

    /// Whether no more connections are taken.
    fileprivate var isStopping: Bool { life.withLock(\.isStopping) }

    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - label: the name of the library's logger, which writes nothing: the dashboard uses the terminal.
    package init(
        host: String = "127.0.0.1", port: Int, label: String, idleLimit: Duration = HTTPListener.idleLimit
    ) {
        (self.host, self.port, self.idleLimit) = (host, port, idleLimit)
        logger = Logger(label: label, factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns the port once connections are accepted. `onListening` runs with it before the first connection.
    package func start<Responder: HTTPResponder>(
        _ responder: Responder, onListening: @escaping @Sendable (_ port: Int) -> Void = { _ in }
    ) async throws(ListenProblem) -> Int
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (ports, bound) = AsyncThrowingStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder { [self] responder in
                let idle = HTTP1Channel.Configuration(idleTimeout: .milliseconds(idleLimit.inMilliseconds))
                return ConnectionSetup(channel: HTTP1Channel(responder: responder, configuration: idle), listener: self)
            },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [self] channel in
                await Self.closeOnExec(channel)
                life.withLock { $0.channel = channel }
                let port = channel.localAddress?.port ?? port
                onListening(port)
                bound.yield(port)
            },
            // One event loop: see `ConnectionSetup`.
            eventLoopGroupProvider: .shared(EventLoopGroupProvider.singleton.eventLoopGroup.any()),
            logger: logger)
        life.withLock { life in
            guard !life.isStopping else { return bound.finish() }
            // Ended by `stop`, which cancels it and waits for it, or by a failed bind.
            life.task = Task {
                do {
                    try await application.run()
                    bound.finish()
                } catch {
                    bound.finish(throwing: error)
                }
            }
        }
        do {
            for try await port in ports { return port }
        } catch {
            throw ListenProblem(host: host, port: port, code: (error as? IOError)?.errnoCode)
        }
        throw ListenProblem(host: host, port: port, code: nil)
    }

    /// Stops accepting, ends open connections and unfinished answers, and returns when all have ended.
    package func stop() async {
        let life = life.withLock { life in
            life.isStopping = true
            return life
        }
        if let channel = life.channel {
            // Only a closed socket keeps the connections that it has accepted when its task is cancelled.
            channel.close(promise: nil)
            // It never fails.
            try? await channel.closeFuture.get()
        }
        life.task?.cancel()
        await life.task?.value
    }

    /// Keeps the socket from programs that are started later. The runtime starts one for the backtrace of a crash, which
    /// may wait for a terminal: with an inherited listening socket it would keep the port.
    private static func closeOnExec(_ channel: any Channel) async {
        // A channel that has closed in the meantime has no socket.
        try? await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            }
        }.get()
    }
}

/// A connection that is set up only while the listener can still take it. The library traps when one that was set up is
/// dropped, and it drops those whose listening socket closes meanwhile. On the event loop of that socket, setting up and
/// handing over are one step, so none is between the two when the socket closes.
private struct ConnectionSetup: ServerChildChannel {
    let channel: HTTP1Channel
    let listener: HTTPListener

    func setup(channel connection: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard !listener.isStopping else {
            connection.close(promise: nil)
            return connection.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        return channel.setup(channel: connection, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await channel.handle(value: value, logger: logger)
    }
}
