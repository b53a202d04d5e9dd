import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
package import Ports

/// A client of one connection that sends bytes unchanged and reads one answer at a time. Used for measurements, and to
/// check answers to requests that no HTTP library would send.
package final class LoopbackProbe: Sendable {
    /// The trusted certificates.
    package enum Scheme: Sendable, Hashable {
        case plain
        /// TLS; `authority` is the certificate of the authority as PEM, `name` the name of the server.
        case secure(authority: String, name: String)
    }

    package struct Answer: Hashable, Sendable {
        package var status: Int
        package var reason: String
        package var fields: [HTTPField]
        package var body: [UInt8]
    }

    /// Why there is no answer, as a clause.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var clause: String
        package var description: String { clause }

        package init(clause: String) {
            self.clause = clause
        }

        /// Our words for whatever the network library throws.
        init(_ error: any Error) {
            switch error {
            case let problem as Self: self = problem
            case let error as IOError: clause = SystemErrorText.words(error.errnoCode)
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: clause = "the TLS handshake failed"
            case ChannelError.connectTimeout: clause = "no connection in time"
            case is ChannelError: clause = "the connection was closed without an answer"
            default: clause = "the connection failed"
            }
        }
    }

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let reader: NIOLoopBound<AnswerReader>
    private static let timeLimit = TimeAmount.seconds(10)

    /// Connects; with TLS it returns after the handshake. `loops` belongs to the caller.
    package convenience init(port: Int, scheme: Scheme, on loops: ProbeLoops) throws(Problem) {
        try self.init(port: port, scheme: scheme, group: loops.group)
    }

    private init(port: Int, scheme: Scheme, group: MultiThreadedEventLoopGroup) throws(Problem) {
        self.group = group
        do {
            let context = try Self.context(scheme)
            let loop = group.next()
            (channel, reader) = try ClientBootstrap(group: loop)
                .connectTimeout(Self.timeLimit)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: "127.0.0.1", port: port)
                .flatMapThrowing { channel in
                    let reader = AnswerReader(isSecure: context != nil, on: channel.eventLoop)
                    if let context, case .secure(let authority, let name) = scheme {
                        let check = LeafCheck(authority: authority, name: name)
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: context, serverHostname: name,
                                customVerificationCallback: { chain, promise in
                                    promise.succeed(check.isGood(chain) ? .certificateVerified : .failed)
                                }))
                    }
                    try channel.pipeline.syncOperations.addHandler(reader)
                    return (channel, NIOLoopBound(reader, eventLoop: channel.eventLoop))
                }.wait()
            let reader = reader
            try channel.eventLoop.flatSubmit { reader.value.ready.futureResult }.wait()
        } catch {
            throw Problem(error)
        }
    }

    /// Sends bytes, which may be empty, and returns the next answer. With `isHead`, the answer has a length but no
    /// body.
    package func exchange(_ request: [UInt8], isHead: Bool = false) throws(Problem) -> Answer {
        let (channel, reader) = (channel, reader)
        do {
            return try channel.eventLoop.flatSubmit {
                let promise = channel.eventLoop.makePromise(of: Answer.self)
                reader.value.expect(promise, isHead: isHead)
                channel.writeAndFlush(ByteBuffer(bytes: request), promise: nil)
                let timeout = channel.eventLoop.scheduleTask(in: Self.timeLimit) {
                    promise.fail(Problem(clause: "the answer timed out"))
                }
                return promise.futureResult.always { _ in timeout.cancel() }
            }.wait()
        } catch {
            throw Problem(error)
        }
    }

    /// Waits until the server closes the connection; false when it has not done so after `limit`.
    package func isClosed(within limit: Duration) -> Bool {
        let channel = channel
        let promise = channel.eventLoop.makePromise(of: Bool.self)
        channel.closeFuture.whenComplete { _ in promise.succeed(true) }
        let timeout = channel.eventLoop.scheduleTask(in: .milliseconds(limit.inMilliseconds)) { promise.succeed(false) }
        // The promise never fails.
        return (try? promise.futureResult.always { _ in timeout.cancel() }.wait()) ?? true
    }

    package func close() {
        // A channel that is already closed is not an error.
        try? channel.close().wait()
    }

    private static func context(_ scheme: Scheme) throws -> NIOSSLContext? {
        guard case .secure(let authority, _) = scheme else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        // `LeafCheck` decides. Without this setting every connection would first load the hundreds of authorities of
        // the system.
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The thread on which probes run.
package final class ProbeLoops: Sendable {
    fileprivate let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    package init() {}

    /// Ends its probes.
    package func stop() {
        // A thread that does not end cannot be handled.
        try? group.syncShutdownGracefully()
    }
}

/// Reads answers with an announced length, or up to the end of the connection.
private final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let ready: EventLoopPromise<Void>
    private let isSecure: Bool
    private var bytes = ByteBuffer()
    private var waiting: (promise: EventLoopPromise<LoopbackProbe.Answer>, isHead: Bool)?
    private var isClosed = false
    private static let closed = LoopbackProbe.Problem(clause: "the connection was closed without an answer")

    init(isSecure: Bool, on loop: any EventLoop) {
        self.isSecure = isSecure
        ready = loop.makePromise()
    }

    func expect(_ promise: EventLoopPromise<LoopbackProbe.Answer>, isHead: Bool) {
        // The connection was closed between two requests, so no answer can arrive.
        guard !isClosed else { return promise.fail(Self.closed) }
        waiting = (promise, isHead)
        // The answer may have arrived together with the previous one.
        finish(atEnd: false)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if !isSecure { ready.succeed() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { ready.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        bytes.writeBuffer(&part)
        finish(atEnd: false)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        finish(atEnd: true)
        fail(Self.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    private func fail(_ error: any Error) {
        ready.fail(error)
        waiting?.promise.fail(error)
        waiting = nil
    }

    private func finish(atEnd: Bool) {
        guard let waiting, let answer = answer(isHead: waiting.isHead, atEnd: atEnd) else { return }
        self.waiting = nil
        waiting.promise.succeed(answer)
    }

    private func answer(isHead: Bool, atEnd: Bool) -> LoopbackProbe.Answer? {
        let text = bytes.readableBytesView
        guard let end = text.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: text[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let first = lines[0].split(separator: " ", maxSplits: 2).map(String.init)
        guard first.count >= 2, let status = Int(first[1]) else { return nil }
        let fields = lines.dropFirst().compactMap { line -> HTTPField? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return HTTPField(String(line[..<colon]), value)
        }
        let headLength = end.upperBound - text.startIndex
        if status == 100 {
            bytes.moveReaderIndex(forwardBy: headLength)
            return answer(isHead: isHead, atEnd: atEnd)
        }
        let available = text.count - headLength
        let announced = isHead || status == 204 ? 0 : fields["content-length"].flatMap { Int($0) }
        guard let length = announced ?? (atEnd ? available : nil), length >= 0, available >= length else { return nil }
        bytes.moveReaderIndex(forwardBy: headLength)
        let body = bytes.readBytes(length: length) ?? []
        return LoopbackProbe.Answer(status: status, reason: first.count > 2 ? first[2] : "", fields: fields, body: body)
    }
}
