import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import Ports

/// Makes a connection ready for requests: TLS with the proxy, the handshake with the proxy, TLS with the server, each a
/// handler that is added before those of HTTP.
struct RouteOpening: Sendable {
    /// Time limit for all of it. A request gives up before; the connection may serve the next one.
    static let patience: TimeAmount = .seconds(20)

    let route: Route
    let contexts: TLSContexts

    /// Completes when the connection is ready. Fails with a `HTTPFailure` where the proxy is at fault, and closes the
    /// connection.
    func open(_ channel: any Channel) -> EventLoopFuture<Void> {
        let timer = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        let opened = checkPeer(channel)
            .flatMap { secureProxy(channel) }
            .flatMap { shakeHands(channel) }
            .flatMap { secureServer(channel) }
        opened.whenComplete { result in
            timer.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        return opened
    }

    private func checkPeer(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard route.refusesLocalPeers else { return channel.eventLoop.makeSucceededVoidFuture() }
        return Self.checkPeer(channel, host: route.origin.host)
    }

    /// Fails if the peer is not at a public address.
    static func checkPeer(_ channel: any Channel, host: String) -> EventLoopFuture<Void> {
        guard let text = channel.remoteAddress?.ipAddress, NetworkAddress(text)?.reach == .global else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(RoutePlanner.notPublic(host))
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }

    private func secureProxy(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let proxy = route.proxy, proxy.kind == .https else { return channel.eventLoop.makeSucceededVoidFuture() }
        return secure(channel, host: proxy.host, peer: .proxy).flatMapErrorThrowing { error in
            throw FailureWording.handshake(error, with: "proxy \(proxy.text): ")
        }
    }

    private func secureServer(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard route.isSecure else { return channel.eventLoop.makeSucceededVoidFuture() }
        return secure(channel, host: route.origin.host, peer: route.server)
    }

    private func secure(_ channel: any Channel, host: String, peer: TLSContexts.Peer) -> EventLoopFuture<Void> {
        let done = channel.eventLoop.makePromise(of: Void.self)
        do {
            let sync = channel.pipeline.syncOperations
            let next = try sync.handler(type: HTTPRequestEncoder.self)
            try sync.addHandler(contexts.handler(for: host, peer: peer), position: .before(next))
            try sync.addHandler(TLSWaiting(done), position: .before(next))
        } catch {
            done.fail(error)
        }
        return done.futureResult
    }

    private func shakeHands(_ channel: any Channel) -> EventLoopFuture<Void> {
        let done = channel.eventLoop.makePromise(of: Void.self)
        do {
            let sync = channel.pipeline.syncOperations
            let next = try sync.handler(type: HTTPRequestEncoder.self)
            switch route.hop {
            case .direct: done.succeed(())
            case .forward(let proxy):
                let handler = ForwardedRequests(origin: route.hostField, login: proxy.login)
                try sync.addHandler(handler, position: .after(next))
                done.succeed(())
            case .tunnel(let proxy, let target):
                let handshake: ProxyHandshake =
                    proxy.kind.isHTTP
                    ? .connect(ConnectHandshake(target: target, login: proxy.login))
                    : .socks(SOCKSHandshake(target: target, login: proxy.login))
                let handler = ProxyHandshakeHandler(handshake, proxy: proxy, done: done)
                try sync.addHandler(handler, position: .before(next))
            }
        } catch {
            done.fail(error)
        }
        return done.futureResult
    }
}

/// Waits for the end of a TLS handshake, and keeps what happens until then from the handlers of HTTP.
private final class TLSWaiting: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let done: EventLoopPromise<Void>
    private var isDone = false

    init(_ done: EventLoopPromise<Void>) {
        self.done = done
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent, !isDone else {
            return context.fireUserInboundEventTriggered(event)
        }
        isDone = true
        done.succeed(())
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isDone { context.fireChannelReadComplete() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDone else { return context.fireErrorCaught(error) }
        fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(HTTPFailure(.tls, "closed during the TLS handshake"))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(HTTPFailure(.tls, "closed during the TLS handshake"))
    }

    private func fail(_ error: any Error) {
        guard !isDone else { return }
        isDone = true
        done.fail(error)
    }
}
