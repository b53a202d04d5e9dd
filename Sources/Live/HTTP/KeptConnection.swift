import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Marks the failure of a request that was lost with its connection, if that had carried requests before and nothing of an answer came.
///
/// A server may close a connection that it keeps at any time, also while a request is on its way (RFC 9112 section 9.5). Such a failure
/// shows nothing about the server.
final class KeptConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    /// Why such a request failed.
    struct Lost: Error {
        var cause: any Error
    }

    /// How many requests the connection has carried.
    private var requests: Int
    /// Whether a request has been written, nothing of its answer has come, and the client has not given up on it.
    private var isWaiting = false

    private init(requests: Int) {
        self.requests = requests
    }

    /// Adds one to a connection with the handlers of HTTP/1.1.
    static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let decoder = try sync.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try sync.addHandler(KeptConnection(requests: 0), position: .after(decoder))
        }
    }

    /// Adds one to a stream of a connection of HTTP/2 that has a `ConnectionPulse`.
    static func watchStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let codec = try sync.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            // A connection that has closed in the meantime has no handlers.
            let pulse = try? channel.parent?.pipeline.syncOperations.handler(type: ConnectionPulse.self)
            let handler = KeptConnection(requests: pulse?.addStream() ?? 0)
            try sync.addHandler(handler, position: .after(codec))
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = Self.unwrapOutboundIn(data) {
            requests += 1
            isWaiting = true
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isWaiting = false
        context.fireChannelRead(data)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        isWaiting = false
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isLost { context.fireErrorCaught(Lost(cause: HTTPClientError.remoteConnectionClosed)) }
        isWaiting = false
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Before an answer the client takes no notice of an end without an alert either; the connection is reported as closed next.
        if case .uncleanShutdown? = error as? NIOSSLError { return context.fireErrorCaught(error) }
        context.fireErrorCaught(isLost && Self.isLoss(error) ? Lost(cause: error) : error)
        isWaiting = false
    }

    private var isLost: Bool { isWaiting && requests > 1 }

    /// Whether an error is the end of the connection, or of a stream whose request the server has not processed (RFC 9113 section 8.7).
    private static func isLoss(_ error: any Error) -> Bool {
        switch error {
        case let error as IOError: [ECONNRESET, ECONNABORTED, EPIPE].contains(error.errnoCode)
        case let error as NIOHTTP2Errors.StreamClosed: error.errorCode == .refusedStream
        default: false
        }
    }
}
