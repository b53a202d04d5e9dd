import NIOCore
import NIOSSL

/// Serves HTTP and HTTPS on one port: a TLS connection begins with a handshake record, which no HTTP method begins with.
final class SchemeSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Content type of a handshake record (RFC 8446 5.1).
    private static let handshakeRecord: UInt8 = 22

    private let tls: NIOSSLContext?
    private let connection: ConnectionFacts

    init(tls: NIOSSLContext?, connection: ConnectionFacts) {
        self.tls = tls
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let first = unwrapInboundIn(data)
        guard first.getInteger(at: first.readerIndex, as: UInt8.self) == Self.handshakeRecord else {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
            return
        }
        guard let tls else {
            context.close(promise: nil)
            return
        }
        connection.isSecure = true
        let pipeline = context.pipeline
        do {
            try pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
        } catch {
            context.close(promise: nil)
            return
        }
        pipeline.syncOperations.removeHandler(self, promise: nil)
        pipeline.syncOperations.fireChannelRead(data)
    }
}

/// What the handlers of one connection tell each other; used on its event loop only.
final class ConnectionFacts {
    var isSecure = false
    /// When a client had taken an answer for the last time, or else the connection began.
    var exchangedAt: NIODeadline

    init(at now: NIODeadline) {
        exchangedAt = now
    }
}
