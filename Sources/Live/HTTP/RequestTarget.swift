import NIOCore
import NIOHTTP1
import NIOHTTP2
import Ports

/// Keeps the escapes of a URL from the HTTP client, which reads a path as UTF-8: for one whose escapes are something else (`/caf%E9`) it
/// requests `/`. It gets the percent signs themselves escaped, and the connection has the former ones again (RFC 3986 section 2.4).
final class RequestTarget: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Adds one to a connection with the handlers of HTTP/1.1.
    static func restore(on channel: any Channel) -> EventLoopFuture<Void> {
        ConnectionHandlers.add(RequestTarget(), to: channel, after: ByteToMessageHandler<HTTPResponseDecoder>.self)
    }

    /// Adds one to a stream of HTTP/2.
    static func restoreOnStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        ConnectionHandlers.add(RequestTarget(), to: channel, after: HTTP2FramePayloadToHTTP1ClientCodec.self)
    }

    /// The path and query of a URL as the client gets them.
    static func hidden(_ url: WebURL) -> String { url.wireTarget.replacing("%", with: "%25") }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = Self.unwrapOutboundIn(data), head.uri.utf8.contains(UInt8(ascii: "%")) else {
            return context.write(data, promise: promise)
        }
        head.uri = head.uri.replacing("%25", with: "%")
        context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    }
}
