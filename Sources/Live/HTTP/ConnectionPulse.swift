import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Notices that nothing comes over a connection of HTTP/2 any more, as after a change of the network.
///
/// The library gives each request to a host to such a connection while its socket is open, and the system ends that only after many
/// minutes. A request of HTTP/1.1 that is given up on takes its connection along. One of HTTP/2 here asks the other end, if not one byte
/// has come since it was made: a server may have nothing to send while it holds answers back, as to reloads of a playlist that block, and
/// the others of these requests must not lose their connection. One that does not answer the question is closed.
final class ConnectionPulse: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// A request that is given up on earlier shows nothing about its connection.
    static let least: TimeAmount = .seconds(1)
    /// How long the other end may take to answer a PING, which it does before anything else (RFC 9113 section 6.7).
    static let answerTime: TimeAmount = .seconds(1)

    private var context: ChannelHandlerContext?
    /// When the last bytes came.
    private var last: NIODeadline
    /// Whether the other end was asked and its time has not passed.
    private var isAsking = false
    /// How many streams were opened.
    private var streams = 0

    private init(at now: NIODeadline) {
        last = now
    }

    /// Adds one to a connection.
    static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pulse = ConnectionPulse(at: channel.eventLoop.now)
            try channel.pipeline.syncOperations.addHandler(pulse, position: .first)
        }
    }

    /// Adds to a stream of such a connection what reports the end of its request.
    static func watchStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let codec = try sync.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            try sync.addHandler(StreamEnd(at: channel.eventLoop.now), position: .after(codec))
        }
    }

    /// Notes a further stream, and returns the number of those before.
    func addStream() -> Int {
        defer { streams += 1 }
        return streams
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        last = context.eventLoop.now
        context.fireChannelRead(data)
    }

    /// A request that was made at that time is given up on without an answer.
    fileprivate func gaveUp(since began: NIODeadline) {
        guard let context, !isAsking, last <= began, context.eventLoop.now - began >= Self.least else { return }
        isAsking = true
        // Later, because the library is still ending the request.
        context.eventLoop.assumeIsolated().execute { self.ask() }
    }

    private func ask() {
        guard let context else { return }
        let asked = context.eventLoop.now
        let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: 0), ack: false))
        context.pipeline.syncOperations.writeAndFlush(NIOAny(ping), promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.answerTime) {
            self.isAsking = false
            // Closed from here, the connection does not wait for the server's part of TLS.
            if self.last <= asked { self.context?.close(promise: nil) }
        }
    }
}

/// Reports a request that is given up on without an answer to the connection of its stream.
private final class StreamEnd: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private let began: NIODeadline
    private var isAnswered = false

    init(at now: NIODeadline) {
        began = now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAnswered = true
        context.fireChannelRead(data)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        guard !isAnswered, let connection = context.channel.parent else { return }
        // A connection that has closed in the meantime has no handlers.
        try? connection.pipeline.syncOperations.handler(type: ConnectionPulse.self).gaveUp(since: began)
    }
}
