import Foundation
import Locks
import NIOCore
import NIOPosix
package import NIOSSL

/// A proxy on a loopback socket. It connects to 127.0.0.1 whatever host it is asked for, so that a test can name hosts
/// that no name server knows, and records what it was asked.
package final class ScriptedProxy: Sendable {
    /// How it is spoken to.
    package enum Kind: Sendable {
        case http, socks
    }

    /// What it does instead of its work.
    package enum Refusal: Sendable {
        /// The whole answer to a request or to CONNECT.
        case answer(String)
        /// The reply code of SOCKS.
        case code(UInt8)
        /// Closes the connection when it is asked.
        case close
        /// Never answers.
        case silence
    }

    private let seen = Locked<[String]>([])
    private let channel: any Channel

    /// - Parameters:
    ///   - login: `user:password` that it wants.
    ///   - tls: its certificate, for an HTTPS proxy.
    package init(
        _ kind: Kind = .http, login: String? = nil, refusal: Refusal? = nil, tls: NIOSSLContext? = nil
    ) async throws {
        let seen = seen
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    let session = Session(kind: kind, login: login, refusal: refusal) { line in
                        seen.withLock { $0.append(line) }
                    }
                    try channel.pipeline.syncOperations.addHandler(session)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// TLS for an HTTPS proxy, from PEM files.
    package static func context(certificate: String, key: String) throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))))
    }

    /// On 127.0.0.1.
    package var port: Int { channel.localAddress?.port ?? 0 }
    /// What it was asked for: `CONNECT host:443`, `GET http://host/`, `SOCKS host:443`.
    package var requests: [String] { seen.withLock { $0 } }

    /// Stops listening.
    package func stop() async throws {
        try await channel.close()
    }

    /// One connection of a client.
    private final class Session: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private enum State {
            case greeting, login, request, open
        }

        private let kind: Kind
        private let login: String?
        private let refusal: Refusal?
        private let note: @Sendable (String) -> Void
        private var state: State
        private var received: [UInt8] = []
        private var server: (any Channel)?

        init(kind: Kind, login: String?, refusal: Refusal?, note: @escaping @Sendable (String) -> Void) {
            (self.kind, self.login, self.refusal, self.note) = (kind, login, refusal, note)
            state = kind == .socks ? .greeting : .request
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Self.unwrapInboundIn(data).readableBytesView
            proceed(context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            server?.close(promise: nil)
            context.fireChannelInactive()
        }

        private func proceed(_ context: ChannelHandlerContext) {
            switch state {
            case .greeting:
                guard received.count >= 2, received.count >= 2 + Int(received[1]) else { return }
                let method: UInt8 = login == nil ? 0 : 2
                let isOffered = received[2..<(2 + Int(received[1]))].contains(method)
                received.removeFirst(2 + Int(received[1]))
                state = login == nil ? .request : .login
                send([5, isOffered ? method : 255], context)
                proceed(context)
            case .login:
                guard received.count >= 2, received.count >= 3 + Int(received[1]) else { return }
                let user = received[2..<(2 + Int(received[1]))]
                let rest = received[(2 + Int(received[1]))...]
                guard let length = rest.first, rest.count >= 1 + Int(length) else { return }
                let given = Array(user) + [UInt8(ascii: ":")] + rest.dropFirst().prefix(Int(length))
                received = Array(rest.dropFirst(1 + Int(length)))
                state = .request
                send([1, given == Array((login ?? "").utf8) ? 0 : 1], context)
                proceed(context)
            case .request: kind == .socks ? socksRequest(context) : httpRequest(context)
            case .open:
                let words = String(decoding: received, as: UTF8.self).split(separator: " ", maxSplits: 2)
                // A connection is used again: each further request with a whole URL counts.
                if kind == .http, words.count == 3, words[1].hasPrefix("http://") { note("\(words[0]) \(words[1])") }
                pass(context)
            }
        }

        private func socksRequest(_ context: ChannelHandlerContext) {
            guard received.count >= 7 else { return }
            let length = received[3] == 1 ? 4 : received[3] == 4 ? 16 : 1 + Int(received[4])
            guard received.count >= 6 + length else { return }
            let host =
                switch received[3] {
                case 1: received[4..<8].map(String.init).joined(separator: ".")
                case 3: String(decoding: received[5..<(4 + length)], as: UTF8.self)
                default: "[\(length) bytes]"
                }
            let port = Int(received[4 + length]) << 8 + Int(received[5 + length])
            received.removeFirst(6 + length)
            note("SOCKS \(host):\(port)")
            if refuse(context) { return }
            open(port, context, answer: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        }

        private func httpRequest(_ context: ChannelHandlerContext) {
            let text = String(decoding: received, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { return }
            let head = String(text[..<end.lowerBound])
            let words = head.prefix { $0 != "\r\n" }.split(separator: " ").map(String.init)
            guard words.count == 3 else { return }
            // No client asks a proxy for a mere path: a program of another test asks a server that had this port before.
            guard words[0] == "CONNECT" || words[1].contains("://") else { return context.close(promise: nil) }
            note("\(words[0]) \(words[1])")
            if refuse(context) { return }
            if let login, !head.contains("Proxy-Authorization: Basic \(Data(login.utf8).base64EncodedString())") {
                received = []
                return send(
                    Array(
                        "HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
                            .utf8), context)
            }
            let port = (words[0] == "CONNECT" ? words[1] : String(words[1].dropFirst(7).prefix { $0 != "/" }))
                .split(separator: ":").last.flatMap { Int($0) }
            if words[0] == "CONNECT" {
                received = Array(text[end.upperBound...].utf8)
                open(port ?? 443, context, answer: Array("HTTP/1.1 200 Open\r\n\r\n".utf8))
            } else {
                open(port ?? 80, context, answer: [])
            }
        }

        private func refuse(_ context: ChannelHandlerContext) -> Bool {
            switch refusal {
            case .answer(let text)?: send(Array(text.utf8), context)
            case .code(let code)?: send([5, code, 0, 1, 0, 0, 0, 0, 0, 0], context)
            case .close?: context.close(promise: nil)
            case .silence?: break
            case nil: return false
            }
            received = []
            return true
        }

        private func open(_ port: Int, _ context: ChannelHandlerContext, answer: [UInt8]) {
            let client = context.channel
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Echo(to: client))
                    }
                }
                .connect(host: "127.0.0.1", port: port)
                .whenComplete { result in
                    let (session, context) = bound.value
                    guard case .success(let server) = result else { return context.close(promise: nil) }
                    session.server = server
                    session.state = .open
                    if !answer.isEmpty { session.send(answer, context) }
                    session.pass(context)
                }
        }

        /// Passes on what came; a request line with a whole URL loses scheme and authority.
        private func pass(_ context: ChannelHandlerContext) {
            guard let server, !received.isEmpty else { return }
            var text = String(decoding: received, as: UTF8.self)
            if kind == .http, let start = text.range(of: " http://"),
                text.range(of: "\r\n").map({ start.lowerBound < $0.lowerBound }) ?? false
            {
                let path = text[start.upperBound...].firstIndex(of: "/") ?? start.upperBound
                text.replaceSubrange(start.lowerBound..<path, with: " ")
                received = Array(text.utf8)
            }
            server.writeAndFlush(ByteBuffer(bytes: received), promise: nil)
            received = []
        }

        private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }

    /// Passes the bytes of the server on to the client.
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let client: any Channel

        init(to client: any Channel) {
            self.client = client
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            client.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            client.close(promise: nil)
        }
    }
}
