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
    /// Gets the certificates of the server, whose handshake fails then; nil verifies them.
    var inspection: (@Sendable ([NIOSSLCertificate]) -> Void)?
    /// Whether the server may choose HTTP/2: only for a connection that no request uses.
    var offersHTTP2 = false
    /// Called for each step that succeeded.
    var note: (@Sendable (Stage) -> Void)?

    /// How far a connection has come.
    enum Stage: Sendable {
        case connected
        /// The proxy passes bytes on.
        case passed
        /// With the version of TLS, the protocol that was agreed on, and the server's certificate.
        case secured(version: String, protocolName: String?, ServerCertificate?, isVerified: Bool)
    }

    /// Completes when the connection is ready. Fails with a `HTTPFailure` where the proxy is at fault, and closes the
    /// connection.
    func open(_ channel: any Channel) -> EventLoopFuture<Void> {
        let timer = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
        let opened = checkPeer(channel)
            .map { note?(.connected) }
            .flatMap { secureProxy(channel) }
            .flatMap { shakeHands(channel) }
            .map { if route.proxy != nil { note?(.passed) } }
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
        return secured(channel) { try contexts.handler(for: proxy.host, peer: .proxy) }
            .map { _ in }
            .flatMapErrorThrowing { error in
                throw FailureWording.handshake(error, with: "proxy \(proxy.text): ")
            }
    }

    private func secureServer(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard route.isSecure else { return channel.eventLoop.makeSucceededVoidFuture() }
        let (host, peer) = (route.origin.host, route.server)
        let secured = secured(channel) {
            try inspection.flatMap { try contexts.inspection(of: host, peer: peer, $0) }
                ?? contexts.handler(for: host, peer: peer, offersHTTP2: offersHTTP2)
        }
        guard let note else { return secured.map { _ in } }
        let isVerified = contexts.verifies(peer)
        return secured.map { session in
            let version = session.handler.value.tlsVersion?.name ?? ""
            let certificate = session.handler.value.peerCertificate.map(ServerCertificate.init)
            note(
                .secured(
                    version: version, protocolName: session.protocolName, certificate, isVerified: isVerified))
        }
    }

    /// A finished handshake.
    private struct Session: Sendable {
        var handler: NIOLoopBound<NIOSSLClientHandler>
        var protocolName: String?
    }

    private func secured(
        _ channel: any Channel, _ make: () throws -> NIOSSLClientHandler
    ) -> EventLoopFuture<Session> {
        let done = channel.eventLoop.makePromise(of: String?.self)
        do {
            let sync = channel.pipeline.syncOperations
            let next = try sync.handler(type: HTTPRequestEncoder.self)
            let handler = try make()
            let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
            try sync.addHandler(handler, position: .before(next))
            try sync.addHandler(TLSWaiting(done), position: .before(next))
            return done.futureResult.map { Session(handler: bound, protocolName: $0) }
        } catch {
            done.fail(error)
            return channel.eventLoop.makeFailedFuture(error)
        }
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

    private let done: EventLoopPromise<String?>
    private var isDone = false

    /// - Parameter done: gets the protocol that was agreed on.
    init(_ done: EventLoopPromise<String?>) {
        self.done = done
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let protocolName)? = event as? TLSUserEvent, !isDone else {
            return context.fireUserInboundEventTriggered(event)
        }
        isDone = true
        done.succeed(protocolName)
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

extension TLSVersion {
    fileprivate var name: String {
        switch self {
        case .tlsv1: "TLS 1.0"
        case .tlsv11: "TLS 1.1"
        case .tlsv12: "TLS 1.2"
        case .tlsv13: "TLS 1.3"
        }
    }
}
