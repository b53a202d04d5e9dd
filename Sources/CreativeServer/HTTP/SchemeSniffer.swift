import NIOCore
import NIOSSL

/// Serves HTTP and HTTPS on one port: a TLS connection begins with a handshake record, whose first byte begins no HTTP
/// method.
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

/// State that the handlers of one connection share; used only on its event loop.
final class ConnectionFacts {
    var isSecure = false
    /// Whether it exceeds the number of connections, so that its first request is answered with 503.
    let isSurplus: Bool
    /// When a client last received a complete answer, or else when the connection began.
    var exchangedAt: NIODeadline

    init(at now: NIODeadline, isSurplus: Bool = false) {
        exchangedAt = now
        self.isSurplus = isSurplus
    }
}
