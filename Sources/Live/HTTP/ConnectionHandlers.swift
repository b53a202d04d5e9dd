import NIOCore

/// The handlers of this program on a connection whose handlers of HTTP the client has added.
enum ConnectionHandlers {
    /// Adds them to a connection of HTTP/1.1 that is ready for requests.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        RequestTarget.restore(on: channel)
            .flatMap { AnswerHeadHandler.add(to: channel) }
            .flatMap { KeptConnection.watch(channel) }
    }

    /// Adds them to a stream of HTTP/2.
    static func addToStream(_ channel: any Channel) -> EventLoopFuture<Void> {
        RequestTarget.restoreOnStream(channel)
            .flatMap { AnswerOrder.addToStream(channel) }
            .flatMap { ConnectionPulse.watchStream(channel) }
            .flatMap { KeptConnection.watchStream(channel) }
    }

    /// Adds one to a connection, behind the handler of a type.
    static func add<Other: ChannelHandler>(
        _ handler: @autoclosure () -> some ChannelHandler, to channel: any Channel, after type: Other.Type
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let sync = channel.pipeline.syncOperations
            try sync.addHandler(handler(), position: .after(sync.handler(type: type)))
        }
    }
}
