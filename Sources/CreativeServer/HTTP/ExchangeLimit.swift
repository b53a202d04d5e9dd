import NIOCore

/// Ends a connection whose exchange takes too long, from the first byte of a request until its answer is taken: bytes that
/// come one by one keep a connection from being idle, and it has one of few places (bidding-formats-cache 4.4.6).
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

    /// Looks again when the exchange under way, or one that begins now, would be over its time.
    private func watch(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let end = (connection.busySince ?? now) + limit
        guard end > now else { return context.close(promise: nil) }
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [weak self] in
            self?.watch(context)
        }
    }
}
