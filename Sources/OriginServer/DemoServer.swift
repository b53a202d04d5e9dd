package import DemoOrigin
import Hummingbird
import Locks
import NIOCore
import Ports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The embedded origin on a real socket: ``OriginResponder`` behind HTTP.
///
/// It listens on loopback only. A server starts and stops only once.
package final class DemoServer: Sendable {
    /// The configuration of a server.
    package struct Configuration: Sendable {
        /// The scenario at the default paths.
        package var scenario: Scenario
        /// The same seed and start give the same answers.
        package var seed: UInt64
        /// Loopback address: `127.0.0.1`, another of 127/8, `localhost` or `::1`.
        package var host = "127.0.0.1"
        /// Port, 0 for a free one.
        package var port = 0
        /// Most receipts kept.
        package var receiptCapacity = ReceiptLog.defaultCapacity
        /// How long a connection may be without a whole request.
        package var idleLimit = HTTPListener.idleLimit

        /// Free port on 127.0.0.1.
        package init(scenario: Scenario, seed: UInt64 = 1) {
            self.scenario = scenario
            self.seed = seed
        }
    }

    /// The address of a started server.
    package struct Address: Sendable, Equatable {
        /// Host and port in the form of URLs.
        package let authority: String
        /// Port.
        package let port: Int
        /// The VAST tag for the viewer of the scenario, with macros; nil when it needs none.
        package let vastTag: String?
        /// Path and query of the stream.
        let streamPath: String

        /// The address at which a viewer finds the stream at the default paths.
        package var streamURL: String { "http://\(authority)\(streamPath)" }
        /// The ad server's zones.
        package var zonesURL: String { "http://\(authority)/ads/zone" }
        /// The receipts.
        package var receiptsURL: String { "http://\(authority)/receipts" }
    }

    private let configuration: Configuration
    private let clock: @Sendable () -> Int64
    private let pause: @Sendable (Duration) async throws -> Void
    private let life = Locked<Life>(.idle)
    /// Nil until the port is known; Hummingbird accepts connections only after that.
    private let served = Locked<Served?>(nil)
    private let readers = Locked(Readers())

    private enum Life {
        case idle
        case running(HTTPListener)
        case stopped
    }

    private struct Served {
        let responder: OriginResponder
        var state: OriginState

        /// The answer, and whether the collector has another receipt since.
        mutating func answer(to request: OriginRequest, at nowMs: Int) -> (response: OriginResponse, hasReceipt: Bool) {
            let before = state.receipts.total
            let response = responder.respond(to: request, at: nowMs, state: &state)
            return (response, state.receipts.total > before)
        }
    }

    private struct Readers {
        var streams: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    /// A server that is not started yet. `clock` gives epoch ms, `pause` waits for slow answers; tests give their own.
    package init(
        _ configuration: Configuration,
        clock: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.configuration = configuration
        self.clock = clock
        self.pause = pause
    }

    /// What the collector received, oldest first; empty before the start.
    package var receipts: [Receipt] { served.withLock { $0?.state.receipts.receipts ?? [] } }

    /// An element when it is made and one for every receipt from then on; those not yet taken are one. Ends with
    /// its reader's task, so a reader looks at ``receipts`` after each element and waits for the next.
    package func receiptArrivals() -> AsyncStream<Void> {
        let (arrivals, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = readers.withLock { readers in
            defer { readers.next += 1 }
            readers.streams[readers.next] = reader
            return readers.next
        }
        reader.onTermination = { [weak self] _ in
            _ = self?.readers.withLock { $0.streams.removeValue(forKey: number) }
        }
        reader.yield()
        return arrivals
    }

    /// The stream at the default paths; nil before the start.
    package var stream: LiveStream? { served.withLock { $0?.responder.stream } }

    /// Binds and begins to answer. Returns once connections are accepted; the stream starts at that time.
    package func start() async throws(DemoServerError) -> Address {
        guard let host = LoopbackHost.address(configuration.host) else { throw .notLoopback(configuration.host) }
        guard (0...65_535).contains(configuration.port) else { throw .badPort(configuration.port) }
        let listener = HTTPListener(
            host: host, port: configuration.port, label: "adtop.origin", idleLimit: configuration.idleLimit)
        try life.withLock { life throws(DemoServerError) in
            guard case .idle = life else { throw .alreadyStarted }
            life = .running(listener)
        }
        let responder = CallbackResponder<ConnectionContext> { request, context in
            try await self.answer(request, channel: context.channel)
        }
        do throws(ListenProblem) {
            let port = try await listener.start(responder) { self.serve(authority: Self.authority(host, $0)) }
            return address(Self.authority(host, port), port: port)
        } catch {
            throw .cannotListen(error)
        }
    }

    private func address(_ authority: String, port: Int) -> Address {
        Address(
            authority: authority, port: port,
            vastTag: configuration.scenario.vastTag.map { "http://\(authority)\($0)" },
            streamPath: OriginResponder.streamPath(of: configuration.scenario)
        )
    }

    /// Stops accepting, ends open connections and slow answers, and returns when all have ended.
    package func stop() async {
        let listener = life.withLock { life -> HTTPListener? in
            guard case .running(let listener) = life else { return nil }
            life = .stopped
            return listener
        }
        await listener?.stop()
    }

    private func serve(authority: String) {
        let responder = OriginResponder(
            scenario: configuration.scenario, seed: configuration.seed, startMs: Int(clock()), authority: authority)
        served.withLock {
            $0 = Served(responder: responder, state: OriginState(receiptCapacity: configuration.receiptCapacity))
        }
    }

    private func answer(_ request: Request, channel: any Channel) async throws -> Response {
        let origin: OriginRequest
        do {
            let body = try await request.body.collect(upTo: OriginRequest.maximumBodyBytes)
            origin = OriginRequest(request, body: Array(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            return Response(status: .contentTooLarge)
        }
        let nowMs = Int(clock())
        let outcome = served.withLock { $0?.answer(to: origin, at: nowMs) }
        guard let (answer, hasReceipt) = outcome else { return Response(status: .serviceUnavailable) }
        if hasReceipt { for reader in readers.withLock({ $0.streams.values }) { reader.yield() } }
        if answer.delayMs > 0 { try await pause(.milliseconds(answer.delayMs)) }
        if let drop = answer.drop {
            try await Self.end(channel, drop)
            throw DroppedConnection()
        }
        let response = Response(answer)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Ends a connection without an answer. A reset is a close with a linger time of zero (socket(7), SO_LINGER).
    private static func end(_ channel: any Channel, _ drop: ConnectionDrop) async throws {
        if drop == .reset, let socket = channel as? any SocketOptionProvider {
            try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.close()
    }

    private static func authority(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// Thrown after a connection was ended intentionally, so that the library does not write an answer.
private struct DroppedConnection: Error {}

/// The context of a request handler.
private struct ConnectionContext: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
    }
}

extension OriginRequest {
    fileprivate init(_ request: Request, body: [UInt8]) {
        var headers = request.headers.map { (name: $0.name.rawName, value: $0.value) }
        if let authority = request.head.authority { headers.append((name: "host", value: authority)) }
        self.init(method: request.method.rawValue, target: request.head.path ?? "/", headers: headers, body: body)
    }
}

extension Response {
    fileprivate init(_ answer: OriginResponse) {
        var fields = HTTPFields()
        for header in answer.headers {
            switch header.name {
            case .contentType: fields[.contentType] = header.value
            case .cacheControl: fields[.cacheControl] = header.value
            case .location: fields[.location] = header.value
            case .allow: fields[.allow] = header.value
            case .refreshRate:
                if let name = HTTPFields.Element.Name(header.name.rawValue) { fields[name] = header.value }
            }
        }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}
