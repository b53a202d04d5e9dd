import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Ports

/// What came of one attempt to send a hop over one connection.
struct HopAttempt {
    /// What one attempt asks of the client.
    struct Order {
        var url: String
        var connectTimeout: Duration
        /// Nil is that of the client.
        var tls: TLSConfiguration?
    }

    var record: HopDelegate.Record
    var failure: HTTPFailure?
    /// Whether the failure names its cause already.
    var isExplained = false
    /// Whether the request was lost with a connection that the server had kept, or was given one that was closed already. Nothing of an
    /// answer came.
    var isConnectionStale = false

    /// The attempt of a request that came after the transport ended.
    static let afterEnd = HopAttempt(record: .init(), failure: HTTPFailure(.cancelled, "cancelled"))

    /// 407 is the answer of the proxy, not of the server (RFC 9110 section 15.5.8), and so is what is not HTTP: an HTTP proxy
    /// writes the answers that it passes on.
    mutating func judgeAnswer(of route: Route) {
        guard case .forward(let proxy) = route.hop else { return }
        if let failure, failure.kind == .protocolError, record.requestSent != nil, record.headReceived == nil {
            let message = "proxy \(proxy.text): \(failure.message)"
            self.failure = HTTPFailure(.protocolError, message, proxyFault: .notAProxy)
        }
        guard record.status == 407, failure == nil else { return }
        let fields = record.fields.map { "\($0.name): \($0.value)"[...] }
        let problem = ConnectHandshake.problem(407, fields, target: nil, hasLogin: proxy.login != nil)
        failure = HTTPFailure(.protocolError, "proxy \(proxy.text) \(problem)", proxyFault: .login)
    }
}

extension LiveHTTPTransport {
    /// Sends a hop, and a document of the stream once more on a new connection where the former one was stale, as a client may do with safe
    /// requests (RFC 9110 section 9.2.2). What must not arrive twice is not repeated.
    func delivered(
        _ hop: RequestCourse.Hop, of request: HTTPRequest,
        over send: (RequestCourse.Hop, ConnectionUse) async -> HopAttempt
    ) async -> HopAttempt {
        var first = await send(hop, ConnectionUse(request))
        let isDocument = request.audience == .stream && !request.isSentOnce && hop.method == .get && hop.body.isEmpty
        guard first.isConnectionStale, isDocument, !parts.hasEnded else { return first }
        if let failure = await turn(of: request) {
            first.failure = failure
            return first
        }
        var hop = hop
        hop.fields.removeAll { $0.name.lowercased() == "connection" }
        hop.fields.append(HTTPField("Connection", "close"))
        return await send(hop, .fresh)
    }

    /// Sends a hop over a client, and waits for the end of its answer.
    func attempt(
        _ hop: RequestCourse.Hop, _ course: RequestCourse, with client: HTTPClient, _ order: HopAttempt.Order,
        _ onWritten: @escaping @Sendable () -> Void
    ) async -> HopAttempt {
        let request = course.request
        let delegate = HopDelegate(
            maximumBodyBytes: request.maximumBodyBytes, cutsLongBody: request.cutsLongBody, onWritten: onWritten)
        var problem: (any Error)?
        do {
            let prepared = try HTTPClient.Request(
                url: order.url, method: HTTPMethod(hop.method), headers: HTTPHeaders(hop.fields),
                body: hop.body.isEmpty ? nil : .bytes(hop.body), tlsConfiguration: order.tls)
            let task = client.execute(
                request: prepared, delegate: delegate, deadline: course.deadline, logger: logger)
            let patience = task.eventLoop.scheduleTask(in: TimeAmount(order.connectTimeout)) {
                delegate.stopUnlessConnected(task)
            }
            defer { patience.cancel() }
            try await withTaskCancellationHandler {
                try await task.futureResult.get()
            } onCancel: {
                task.cancel()
            }
        } catch {
            problem = error
        }
        let record = delegate.record
        let lost = problem as? KeptConnection.Lost
        let isStale = lost != nil || record.requestSent == nil && Self.isOfClosedConnection(problem)
        problem = lost?.cause ?? problem
        // Nobody reads the body of the answer to a beacon, and the tracker has counted, however its body ends.
        let isAnswered = request.isSentOnce && request.audience == .tracker && record.status != nil
        if record.stop == .bodyCut || isAnswered { problem = nil }
        return HopAttempt(
            record: record,
            failure: problem.map {
                FailureWording.failure(for: $0, record: record, request: request, isSecure: hop.url.isSecure)
            },
            isExplained: problem is HTTPFailure, isConnectionStale: isStale)
    }

    /// Whether the client gave the request a connection that was closed, before it heard of that. One of HTTP/2 is closed to new requests
    /// once the server has announced its end, and the client then calls them cancelled.
    private static func isOfClosedConnection(_ error: (any Error)?) -> Bool {
        switch error {
        case let error as ChannelError: error == .ioOnClosedChannel || error == .eof
        case let error as HTTPClientError:
            error == .remoteConnectionClosed || error == .cancelled && !Task.isCancelled
        default: false
        }
    }
}

extension NIOHTTP1.HTTPMethod {
    fileprivate init(_ method: Ports.HTTPMethod) {
        self = NIOHTTP1.HTTPMethod(rawValue: method.rawValue)
    }
}

extension HTTPHeaders {
    fileprivate init(_ fields: [HTTPField]) {
        self.init(fields.map { ($0.name, $0.value) })
    }
}
