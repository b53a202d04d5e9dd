import NIOCore
import NIOHTTP1
import Ports

/// Gives the decoder of HTTP/1.1 the odd heads that browsers accept as the grammar has them: the decoder rejects them, and cannot be told not
/// to.
///
/// What comes behind an answer is no answer (RFC 9112 section 6.3), but the decoder keeps a part of a head for the next request. So it gets
/// empty lines behind each answer: it skips them, unless it has such a part, which they end. Then it reports an answer without a
/// request, and the client closes the connection.
final class AnswerHeadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let emptyLines = ByteBuffer(string: "\r\n\r\n")

    private var heads = AnswerHeads()
    private let order: AnswerOrder

    private init(_ order: AnswerOrder) { self.order = order }

    /// Adds one to a connection with the handlers of HTTP/1.1, behind those of TLS, and an `AnswerOrder` behind the decoder.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let encoder = try sync.handler(type: HTTPRequestEncoder.self)
            let decoder = try sync.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let order = AnswerOrder()
            let handler = AnswerHeadHandler(order)
            try sync.addHandler(handler, position: .before(encoder))
            try sync.addHandler(WrittenRequests(handler), position: .after(encoder))
            try sync.addHandler(order, position: .after(decoder))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        order.readBegan()
        decode(data, context)
        if order.isAnswered { context.fireChannelRead(Self.wrapInboundOut(Self.emptyLines)) }
        order.readEnded()
    }

    private func decode(_ data: NIOAny, _ context: ChannelHandlerContext) {
        guard heads.isInHead else { return context.fireChannelRead(data) }
        var buffer = Self.unwrapInboundIn(data)
        let (text, used) = heads.received(buffer.readableBytesView)
        buffer.moveReaderIndex(forwardBy: used)
        if !text.isEmpty { pass(text, context) }
        if buffer.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(buffer)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let rest = heads.left()
        if !rest.isEmpty { pass(rest, context) }
        context.fireChannelInactive()
    }

    private func pass(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.fireChannelRead(Self.wrapInboundOut(context.channel.allocator.buffer(bytes: bytes)))
    }

    /// Notes the requests, whose answers are next.
    private final class WrittenRequests: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart

        private let answers: AnswerHeadHandler

        init(_ answers: AnswerHeadHandler) { self.answers = answers }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head = Self.unwrapOutboundIn(data) { answers.heads.requestWritten() }
            context.write(data, promise: promise)
        }
    }
}
