import NIOCore

/// Closes a connection on which no exchange was completed for too long: a request or handshake sent byte by byte keeps
/// a connection from being idle while it occupies one of a few slots (CACHE-5).
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

    /// Schedules the next check for the time limit of the current exchange.
    private func watch(_ context: ChannelHandlerContext) {
        let end = connection.exchangedAt + limit
        guard end > context.eventLoop.now else { return context.close(promise: nil) }
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [weak self] in
            self?.watch(context)
        }
    }
}
