import Locks
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// HTTP over TLS on 127.0.0.1 with the certificate of a folder, in HTTP/2 where the client offers it (RFC 9113 section 3.2), else in
/// HTTP/1.1.
package final class HTTP2Server: Sendable {
    /// What it does with a request.
    package enum Reply: Sendable {
        case body(String)
        /// Heads with nothing but these statuses, whatever they are; the last one ends the stream.
        case statuses([String])
        /// Resets the stream without an answer (RFC 9113 section 5.4.2).
        case resetStream
        /// Closes the connection without an answer.
        case closeConnection
        /// Does nothing.
        case silence
        /// Nothing more of the connection arrives, as if the network were gone.
        case deafness
    }

    private let seen = Locked<[String]>([])
    private let connections = Locked(0)
    private let channel: any Channel

    /// - Parameter reply: to a request for the path.
    package init(
        _ folder: CertificateFolder, reply: @escaping @Sendable (String) -> Reply = { .body("answer to \($0)") }
    ) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(folder.file("server.pem")).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: folder.file("server.key"), format: .pem)))
        configuration.applicationProtocols = ["h2", "http/1.1"]
        let context = try NIOSSLContext(configuration: configuration)
        let (seen, connections) = (seen, connections)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }.flatMap {
                    channel.configureCommonHTTPServerPipeline { part in
                        part.eventLoop.makeCompletedFuture {
                            let handler = Handler { line, version in
                                seen.withLock { $0.append("\(line) \(version)") }
                                return reply(String(line.split(separator: " ").last ?? ""))
                            }
                            try part.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// On 127.0.0.1.
    package var port: Int { channel.localAddress?.port ?? 0 }
    /// `GET /path 2`, in the order of arrival.
    package var requests: [String] { seen.withLock { $0 } }
    /// How many connections have been made.
    package var connectionCount: Int { connections.withLock { $0 } }

    /// The address of a path on this server.
    package func url(_ path: String) -> String { "https://localhost:\(port)\(path)" }

    /// Drops all bytes that arrive.
    private final class Deafness: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: @Sendable (_ line: String, _ version: Int) -> Reply
        private var reply = Reply.resetStream

        init(answer: @escaping @Sendable (String, Int) -> Reply) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch Self.unwrapInboundIn(data) {
            case .head(let head): reply = answer("\(head.method) \(head.uri)", head.version.major)
            case .body: break
            case .end: perform(context)
            }
        }

        /// Around the codec, which knows only statuses of HTTP. One in HTTP/1.1 gets no answer.
        private func writeHeads(_ statuses: [String], _ context: ChannelHandlerContext) {
            let codec = HTTP2FramePayloadToHTTP1ServerCodec.self
            guard let beside = try? context.pipeline.syncOperations.context(handlerType: codec) else { return }
            for (index, status) in statuses.enumerated() {
                let head = HTTP2Frame.FramePayload.Headers(
                    headers: HPACKHeaders([(":status", status)]), endStream: index + 1 == statuses.count)
                beside.writeAndFlush(NIOAny(HTTP2Frame.FramePayload.headers(head)), promise: nil)
            }
        }

        private func perform(_ context: ChannelHandlerContext) {
            switch reply {
            case .body(let text):
                let fields: HTTPHeaders = ["content-length": "\(text.utf8.count)"]
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
                context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
                context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
                context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            case .statuses(let statuses): writeHeads(statuses, context)
            case .resetStream: context.close(promise: nil)
            case .closeConnection: (context.channel.parent ?? context.channel).close(promise: nil)
            case .silence: break
            case .deafness:
                let connection = context.channel.parent ?? context.channel
                // A connection that has closed in the meantime is deaf already.
                try? connection.pipeline.syncOperations.addHandler(Deafness(), position: .first)
            }
        }
    }
}
