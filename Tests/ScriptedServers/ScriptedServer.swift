import Foundation
import Locks
import NIOCore
import NIOPosix
import TestSupport

/// A server on a loopback socket that answers with hand-written bytes, so that it can misbehave in every way.
package final class ScriptedServer: Sendable {
    /// What goes over the wire in answer to a request.
    package enum Step: Sendable {
        case send([UInt8])
        case close
        /// Closes with a TCP reset.
        case reset

        /// These bytes, whatever they are.
        package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }

        /// A whole answer with its length.
        package static func answer(_ status: String = "200 OK", _ fields: [String] = [], body: String = "") -> Step {
            let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
            return .text(head.map { $0 + "\r\n" }.joined() + "\r\n" + body)
        }
    }

    /// One request as it came.
    package struct Request: Sendable {
        /// Counts connections from 0.
        package var connection: Int
        package var head: String
        package var body: String

        /// `GET /path`
        package var line: String { head.split(separator: " ").prefix(2).joined(separator: " ") }
    }

    private let seen = Locked<[Request]>([])
    private let arrivals = Changes()
    private let connections = Locked(0)
    private let closings = Locked(0)
    private let channel: any Channel

    /// `script` gives the steps for each request; none leaves it without an answer. `greeting` is sent unasked. With
    /// one thread requests on several connections are seen in the order in which they came. `host` is 127.0.0.1 or ::1.
    package init(
        greeting: [Step] = [], hasOneThread: Bool = false, host: String = "127.0.0.1",
        script: @escaping @Sendable (Request) -> [Step]
    ) async throws {
        let box = Box()
        let threads = MultiThreadedEventLoopGroup.singleton
        channel = try await ServerBootstrap(group: hasOneThread ? threads.next() : threads)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(greeting: greeting) { head, body, connection in
                            let request = Request(connection: connection, head: head, body: body)
                            box.server?.seen.withLock { $0.append(request) }
                            box.server?.arrivals.announce()
                            return script(request)
                        } connect: {
                            box.server?.connections.withLock { count in
                                defer { count += 1 }
                                return count
                            } ?? 0
                        } disconnect: {
                            box.server?.closings.withLock { $0 += 1 }
                            box.server?.arrivals.announce()
                        })
                }
            }
            .bind(host: host, port: 0).get()
        box.set(self)
    }

    /// On its host.
    package var port: Int { channel.localAddress?.port ?? 0 }
    /// Whether this machine has ::1.
    package static var hasIPv6: Bool {
        (try? System.enumerateDevices().contains { $0.address?.ipAddress == "::1" }) ?? false
    }
    /// So far, in the order of their arrival.
    package var requests: [Request] { seen.withLock { $0 } }
    /// How many connections have been made.
    package var connectionCount: Int { connections.withLock { $0 } }

    /// Waits until the requests are as wanted.
    package func wait(for what: String, until isDone: @escaping @Sendable ([Request]) -> Bool) async throws {
        try await TestSupport.wait(for: what, on: arrivals.stream(), was: { "after \(self.requests.map(\.line))" }) {
            isDone(self.requests)
        }
    }

    /// Waits until a connection is closed.
    package func waitForClosing() async throws {
        try await TestSupport.wait(for: "the end of a connection", within: .seconds(30), on: arrivals.stream()) {
            self.closings.withLock { $0 > 0 }
        }
    }

    /// The address of a path on this server.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Stops listening.
    package func stop() async throws {
        try await channel.close()
    }

    /// Lets handlers reach the server that is made after them.
    private final class Box: Sendable {
        private let contents = Locked<ScriptedServer?>(nil)
        var server: ScriptedServer? { contents.withLock { $0 } }
        func set(_ server: ScriptedServer) { contents.withLock { $0 = server } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var received = ""
        private var connection = 0
        private let greeting: [Step]
        private let respond: @Sendable (String, String, Int) -> [Step]
        private let connect: @Sendable () -> Int
        private let disconnect: @Sendable () -> Void

        init(
            greeting: [Step], respond: @escaping @Sendable (String, String, Int) -> [Step],
            connect: @escaping @Sendable () -> Int, disconnect: @escaping @Sendable () -> Void
        ) {
            self.greeting = greeting
            self.respond = respond
            self.connect = connect
            self.disconnect = disconnect
        }

        func channelActive(context: ChannelHandlerContext) {
            connection = connect()
            perform(greeting, context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            disconnect()
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = Self.unwrapInboundIn(data)
            received += String(decoding: buffer.readableBytesView, as: UTF8.self)
            while let end = received.range(of: "\r\n\r\n") {
                let head = String(received[..<end.lowerBound])
                let length =
                    head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length: ") }
                    .flatMap { Int($0.dropFirst(16)) } ?? 0
                let rest = received[end.upperBound...]
                guard rest.utf8.count >= length else { return }
                let body = String(rest.prefix(length))
                received = String(rest.dropFirst(length))
                perform(respond(head, body, connection), context)
            }
        }

        private func perform(_ steps: [Step], _ context: ChannelHandlerContext) {
            for step in steps {
                switch step {
                case .send(let bytes):
                    context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
                case .close:
                    context.close(promise: nil)
                case .reset:
                    let close = context.eventLoop.makePromise(of: Void.self)
                    (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                        .cascade(to: close)
                    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
                    close.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
                }
            }
        }
    }
}
