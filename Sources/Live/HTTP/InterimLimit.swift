import NIOCore
import NIOHTTP1
import NIOHTTP2
import Ports

/// Ends a request to a server that sends interim answers without end (RFC 9110 section 15.2), which would keep a core busy
/// until the time limit.
final class InterimLimit: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// Most interim answers to one request; servers send a few, such as 100 and 103.
    static let most = 64

    private var count = 0

    /// Adds one to a connection with the handlers of HTTP/1.1.
    static func limit(_ channel: any Channel) -> EventLoopFuture<Void> {
        ConnectionHandlers.add(InterimLimit(), to: channel, after: ByteToMessageHandler<HTTPResponseDecoder>.self)
    }

    /// Adds one to a stream of HTTP/2.
    static func limitStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        ConnectionHandlers.add(InterimLimit(), to: channel, after: HTTP2FramePayloadToHTTP1ClientCodec.self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = Self.unwrapInboundIn(data) {
            count = head.status.code < 200 ? count + 1 : 0
            if count > Self.most {
                if count == Self.most + 1 { end(context) }
                return
            }
        }
        context.fireChannelRead(data)
    }

    private func end(_ context: ChannelHandlerContext) {
        let message = "more than \(Self.most) interim answers (1xx)"
        context.fireErrorCaught(HTTPFailure(.protocolError, message))
        context.close(promise: nil)
    }
}
