import NIOCore
import Ports

/// Performs the handshake with a proxy, and removes itself when the tunnel is open.
final class ProxyHandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var handshake: ProxyHandshake
    private let proxy: ProxyServer
    private let done: EventLoopPromise<Void>
    private var isDone = false

    init(_ handshake: ProxyHandshake, proxy: ProxyServer, done: EventLoopPromise<Void>) {
        self.handshake = handshake
        self.proxy = proxy
        self.done = done
    }

    func handlerAdded(context: ChannelHandlerContext) {
        send(handshake.opening, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = Self.unwrapInboundIn(data)
        guard !isDone else { return context.fireChannelRead(Self.wrapInboundOut(buffer)) }
        switch handshake.received(buffer.readableBytesView) {
        case .wait: return
        case .send(let bytes): send(bytes, context)
        case .failed(let fault, let clause):
            fail(fault, clause)
            context.close(promise: nil)
        case .done(let rest):
            isDone = true
            // What follows adds its handlers after this one, which then passes on the bytes that came early.
            done.succeed(())
            if !rest.isEmpty { context.fireChannelRead(Self.wrapInboundOut(ByteBuffer(bytes: rest))) }
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isDone { context.fireChannelReadComplete() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDone else { return context.fireErrorCaught(error) }
        fail(.notAProxy, "connection lost before its answer")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.notAProxy, "connection closed before its answer")
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(.notAProxy, "connection closed before its answer")
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func fail(_ fault: ProxyFault, _ clause: String) {
        guard !isDone else { return }
        isDone = true
        done.fail(HTTPFailure.proxy(fault, "proxy \(proxy.text) \(clause)"))
    }
}
