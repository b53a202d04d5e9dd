import NIOCore
import NIOHTTP1
import Ports

/// Gives an HTTP proxy the whole URL of each request (RFC 9112 section 3.2.2), and the login of the proxy.
final class ForwardedRequests: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let origin: String
    private let authorization: String?

    /// - Parameter origin: host and port of the URLs.
    init(origin: String, login: ProxyServer.Login?) {
        self.origin = origin
        authorization = login?.basic
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = Self.unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.uri = "http://\(origin)\(head.uri)"
        if let authorization { head.headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization) }
        context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    }
}
