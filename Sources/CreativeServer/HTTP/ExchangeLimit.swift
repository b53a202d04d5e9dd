import NIOCore

/// Ends a connection on which no exchange came to its end for too long: bytes that come one by one, of a request, a handshake
/// or nothing at all, keep it from being idle, and it has one of few places (CACHE-5).
final class ExchangeLimit: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let limit: TimeAmount
    private let connection: ConnectionFacts
    private var check: Scheduled<Void>?

    init(_ limit: TimeAmount, connection: ConnectionFacts) {
        self.limit = limit
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { watch(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
    }

    /// Looks again when the time of the exchange under way would be over.
    private func watch(_ context: ChannelHandlerContext) {
        let end = connection.exchangedAt + limit
        guard end > context.eventLoop.now else { return context.close(promise: nil) }
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [weak self] in
            self?.watch(context)
        }
    }
}
