/// The protocol of an answer.
package enum HTTPProtocolVersion: String, Hashable, Sendable, Codable {
    /// HTTP/1.0 or HTTP/1.1 (RFC 9112).
    case one = "1.1"
    /// RFC 9113.
    case two = "2"
}

/// The result of one request: every hop, the final answer or the failure, and the time of each phase.
package struct HTTPExchange: Hashable, Sendable, Codable {
    /// One answer; all but the last are redirects.
    package struct Hop: Hashable, Sendable, Codable {
        package var url: String
        package var status: Int
        package var fields: [HTTPField]

        package init(url: String, status: Int, fields: [HTTPField]) {
            self.url = url
            self.status = status
            self.fields = fields
        }
    }

    /// Microseconds per phase, summed over all hops; nil when the phase did not occur. What a request waits for in this program before
    /// its first hop (its turn, `--max-rate`) is no part of it.
    package struct Timings: Hashable, Sendable, Codable {
        /// Name resolution.
        package var resolve: Int64?
        /// Until the request can be written: TCP and TLS; about zero on a reused connection.
        package var connect: Int64?
        /// From the request written to the first byte of the answer's head.
        package var wait: Int64?
        /// From the head to the end of the body.
        package var receive: Int64?
        package var total: Int64

        package init(
            resolve: Int64? = nil, connect: Int64? = nil, wait: Int64? = nil, receive: Int64? = nil, total: Int64
        ) {
            self.resolve = resolve
            self.connect = connect
            self.wait = wait
            self.receive = receive
            self.total = total
        }
    }

    package var hops: [Hop]
    /// Nil when there was an answer, whatever its status.
    package var failure: HTTPFailure?
    package var body: [UInt8]
    /// Whether the body exceeded the limit and was cut.
    package var isBodyCut: Bool
    /// Bytes of body received, including those that were not kept.
    package var bodyBytes: Int
    package var timings: Timings
    /// The protocol of the last answer; nil where none came, and in recordings of earlier versions.
    package var version: HTTPProtocolVersion?
    /// Of a beacon: the time from its order until the head of its first request was written, with all that it waited for. Nil where none
    /// was written, and in recordings of earlier versions.
    package var sentAfter: Duration?

    package init(
        hops: [Hop] = [], failure: HTTPFailure? = nil, body: [UInt8] = [], isBodyCut: Bool = false,
        bodyBytes: Int? = nil,
        timings: Timings = Timings(total: 0)
    ) {
        self.hops = hops
        self.failure = failure
        self.body = body
        self.isBodyCut = isBodyCut
        self.bodyBytes = bodyBytes ?? body.count
        self.timings = timings
    }

    /// The status of the last answer; nil when there was none.
    package var status: Int? { failure == nil ? hops.last?.status : nil }
    package var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    package var finalURL: String? { hops.last?.url }
    package var fields: [HTTPField] { hops.last?.fields ?? [] }
    package var contentType: String? { fields["content-type"] }
    package var wasRedirected: Bool { hops.count > 1 }
}

/// Why there was no answer of the server.
package struct HTTPFailure: Error, Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case resolve, connect, connectTimeout, tls, timeout, reset, protocolError, bodyTooLarge, tooManyRedirects,
            badRedirect
        case addressNotAllowed, cancelled
        /// The request of the address to which it was redirected is itself a report.
        case redirectToReport
        /// The proxy did not open the way to the server. Nothing of the request was sent.
        case proxy
    }

    package var kind: Kind
    /// The reason as a clause, e.g. `connection refused`.
    package var message: String
    /// Why the certificate of the server was rejected; nil for other failures.
    package var rejection: CertificateRejection?
    /// What is wrong with the proxy; nil where the proxy is not at fault. A proxy that answers in place of the server fails a request
    /// that was sent to it, with the kind `protocolError`.
    package var proxyFault: ProxyFault?

    package init(
        _ kind: Kind, _ message: String, rejection: CertificateRejection? = nil, proxyFault: ProxyFault? = nil
    ) {
        self.kind = kind
        self.message = message
        self.rejection = rejection
        self.proxyFault = proxyFault
    }

    /// A proxy that did not open the way.
    package static func proxy(_ fault: ProxyFault, _ message: String) -> HTTPFailure {
        HTTPFailure(.proxy, message, proxyFault: fault)
    }
}

/// Sends requests. Contract (checked by the HTTP transport contract test): never throws, ends within the request's
/// total timeout, enforces its size, redirect and address limits, and returns a `cancelled` failure when its task is
/// cancelled.
///
/// `onWritten` is called once the first request of the exchange is on the wire, before its answer; it may be called
/// again, and is not called if nothing was written.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async -> HTTPExchange
    func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange
}

extension HTTPTransport {
    /// For transports that do not know when a request is written: it counts as written at once.
    package func send(_ request: HTTPRequest, onWritten: @escaping @Sendable () -> Void) async -> HTTPExchange {
        onWritten()
        return await send(request)
    }
}
