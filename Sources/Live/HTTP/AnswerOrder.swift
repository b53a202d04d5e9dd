import AsyncHTTPClient
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Ports

/// Gives the client the parts of an answer only in the order of HTTP: interim heads, one final head, the body, the end (RFC 9110 section 15,
/// RFC 9112 section 6). A request whose answer is something else fails, and its connection is closed.
///
/// The client ends the process at a part that it does not expect, so this is the one place that decides what it gets. It ignores every
/// head below 200, and the decoders end an answer after each final head, also after one with a status below 100.
final class AnswerOrder: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    /// Most interim answers to one request (RFC 9110 section 15.2), which could keep a core busy until the time limit; servers send a
    /// few, such as 100 and 103.
    static let mostInterim = 64

    private enum State {
        /// No answer is expected.
        case idle
        case inHead(interim: Int)
        case inBody
        /// The request has failed; what still comes is dropped.
        case failed
    }

    private var state = State.idle
    private var context: ChannelHandlerContext?
    /// The end of an answer, until all bytes that came with it are parsed.
    private var end: NIOAny?
    private var isReading = false
    /// Whether the connection takes no further request, and whether one was given to it all the same.
    private var isSpoiled = false
    private var hasDropped = false

    /// Adds one to a stream of HTTP/2.
    static func addToStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            let codec = try sync.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            try sync.addHandler(StreamStatus(), position: .before(codec))
            try sync.addHandler(AnswerOrder(), position: .after(codec))
        }
    }

    /// What is wrong with a status: it has three digits, of which the first is at least 1. Those above 599 are passed on (RFC 9110
    /// section 15).
    static func failure(of status: String) -> HTTPFailure? {
        let isStatus = status.utf8.count == 3 && status.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isStatus, !status.hasPrefix("0") { return nil }
        return HTTPFailure(.protocolError, "answer has the status '\(status.prefix(9))', which is not one of HTTP")
    }

    /// Whether no answer is expected, or the expected one is complete.
    var isAnswered: Bool { if case .idle = state { true } else { false } }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Bytes are given to the decoder now.
    func readBegan() { isReading = true }

    /// The decoder has parsed these bytes.
    func readEnded() {
        isReading = false
        if let context { passEnd(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isHead = if case .head = Self.unwrapOutboundIn(data) { true } else { false }
        guard !isSpoiled else {
            if isHead { hasDropped = true }
            promise?.fail(HTTPClientError.remoteConnectionClosed)
            return
        }
        if isHead { state = .inHead(interim: 0) }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (Self.unwrapInboundIn(data), state) {
        case (.head(let head), .inHead(let interim)):
            if let failure = judge(head, after: interim) { return fail(failure, context) }
            context.fireChannelRead(data)
        case (.body, .inBody): context.fireChannelRead(data)
        case (.end, .inBody):
            state = .idle
            end = data
            if !isReading { passEnd(context) }
        case (_, .failed): return
        default: fail(HTTPFailure(.protocolError, "answer is not HTTP"), context)
        }
    }

    /// The answer before it is whole, and its request does not fail with what follows it (RFC 9112 section 6.3).
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isSpoiled = isSpoiled || isAnswered
        passEnd(context)
        context.fireErrorCaught(hasDropped ? KeptConnection.Lost(cause: HTTPClientError.remoteConnectionClosed) : error)
    }

    private func passEnd(_ context: ChannelHandlerContext) {
        guard let end else { return }
        self.end = nil
        context.fireChannelRead(end)
    }

    private func judge(_ head: HTTPResponseHead, after interim: Int) -> HTTPFailure? {
        let code = head.status.code
        if let failure = Self.failure(of: code.zeroPadded(to: 3)) { return failure }
        // The decoder of HTTP/1 ends an answer after a 101.
        guard code < 200, code != 101 else {
            state = .inBody
            return nil
        }
        state = .inHead(interim: interim + 1)
        guard interim >= Self.mostInterim else { return nil }
        return HTTPFailure(.protocolError, "more than \(Self.mostInterim) interim answers (1xx)")
    }

    private func fail(_ failure: HTTPFailure, _ context: ChannelHandlerContext) {
        state = .failed
        context.fireErrorCaught(failure)
        context.close(promise: nil)
    }

    /// Judges the status of HTTP/2 before the codec, which takes one that begins with 1 for an interim answer, ends the process at an empty or a
    /// negative one, and does not know that there is no 101 (RFC 9113 section 8.6).
    private final class StreamStatus: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private var hasFailed = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasFailed else { return }
            guard case .headers(let head) = Self.unwrapInboundIn(data),
                let status = head.headers.first(name: ":status"),
                let failure = status == "101" ? Self.switching : AnswerOrder.failure(of: status)
            else { return context.fireChannelRead(data) }
            hasFailed = true
            context.fireErrorCaught(failure)
            context.close(promise: nil)
        }

        private static let switching = HTTPFailure(
            .protocolError, "answer has the status '101', which HTTP/2 does not have")
    }
}
