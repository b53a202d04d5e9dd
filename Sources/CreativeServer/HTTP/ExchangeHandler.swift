import CreativeCache
import NIOCore
import NIOHTTP1
import Ports

/// Reads one request, passes it to the shelf, and writes the answer; requests of a connection are handled one by one.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let shelf: CreativeShelf
    private let headGuard: HeadGuard
    private let connection: ConnectionFacts
    private var request: LoopbackRequest?
    private var keepsAlive = true
    private var began = ContinuousClock.now

    init(shelf: CreativeShelf, headGuard: HeadGuard, connection: ConnectionFacts) {
        self.shelf = shelf
        self.headGuard = headGuard
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !headGuard.isClosed else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes): request?.body.append(contentsOf: bytes.readableBytesView)
        case .end:
            guard let request else { return }
            self.request = nil
            let began = began
            let answer = shelf.answer(
                request, isSecure: connection.isSecure, took: { ContinuousClock.now - began })
            write(answer, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as HeadGuard.Refused: refuse(event.refusal, context)
        case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The decoder rejected bytes that the guard accepted, or TLS failed.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder also reports a request that its client did not complete.
        guard error is HTTPParserError, !headGuard.isClosed, context.channel.isActive else {
            context.close(promise: nil)
            return
        }
        refuse(.badRequest, context)
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        began = .now
        let fields = head.headers.map { HTTPField(received: $0.name, $0.value) }
        let method = head.method.rawValue
        if connection.isSurplus { return refuse(.tooManyConnections, to: method, context) }
        // Bodies must have a length; after a protocol upgrade, a connection has no further request.
        guard fields["transfer-encoding"] == nil, fields["upgrade"] == nil else {
            return refuse(.badRequest, to: method, context)
        }
        var length = 0
        if let text = fields["content-length"] {
            guard let number = Int(text), number >= 0 else { return refuse(.badRequest, to: method, context) }
            length = number
        }
        guard length <= LoopbackRules.maximumBodyBytes else { return refuse(.bodyTooLong, to: method, context) }
        keepsAlive = head.version.minor > 0 && head.isKeepAlive
        headGuard.bodyBytes = length
        request = LoopbackRequest(
            method: method, target: head.uri, requiresHost: head.version.minor > 0, fields: fields)
        if length > 0, fields["expect"]?.lowercased() == "100-continue" {
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
            context.flush()
        }
    }

    private func refuse(_ refusal: LoopbackRefusal, to method: String = "GET", _ context: ChannelHandlerContext) {
        request = nil
        keepsAlive = false
        write(shelf.refuse(refusal, to: method, isSecure: connection.isSecure), context)
    }

    private func write(_ answer: LoopbackAnswer, _ context: ChannelHandlerContext) {
        let closes = answer.closes || !keepsAlive
        var fields = HTTPHeaders(answer.fields.map { ($0.name, $0.value) })
        if answer.status != 204 { fields.add(name: "Content-Length", value: String(answer.body.count)) }
        fields.add(name: "Connection", value: closes ? "close" : "keep-alive")
        // For a custom status the encoder announces chunks, even where no body is allowed (RFC 9112 6.1).
        let status =
            answer.status == 204
            ? HTTPResponseStatus.noContent
            : .custom(code: UInt(clamping: answer.status), reasonPhrase: answer.reason)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
        if !answer.omitsBody, !answer.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        }
        guard closes else { return end(context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        headGuard.close()
        // The output is closed after the answer: a full close would lose the answer for a client that is still sending.
        context.close(mode: .output, promise: nil)
    }

    /// Ends an answer on a persistent connection: the exchange is over when the client has received it.
    private func end(_ context: ChannelHandlerContext) {
        let loop = context.eventLoop
        let promise = loop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [connection] in connection.exchangedAt = loop.now }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }
}
