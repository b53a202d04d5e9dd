/// What became of one request: every hop, the final answer or the failure, and how long each phase took.
package struct HTTPExchange: Hashable, Sendable, Codable {
    /// One answer on the way; all but the last are redirects.
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

    /// Microseconds spent per phase, all hops added up; nil where the phase did not happen.
    package struct Timings: Hashable, Sendable, Codable {
        /// Looking the host up.
        package var resolve: Int64?
        /// Until the request could be written: TCP and TLS, about nothing on a reused connection.
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
    /// Nil when an answer came, whatever its status.
    package var failure: HTTPFailure?
    package var body: [UInt8]
    /// The body was longer than asked for and is cut.
    package var isBodyCut: Bool
    /// Bytes of body received, also where not all were kept.
    package var bodyBytes: Int
    package var timings: Timings

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

    /// The status of the last answer, nil when none came.
    package var status: Int? { failure == nil ? hops.last?.status : nil }
    package var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    package var finalURL: String? { hops.last?.url }
    package var fields: [HTTPField] { hops.last?.fields ?? [] }
    package var contentType: String? { fields["content-type"] }
    package var wasRedirected: Bool { hops.count > 1 }
}

/// Why no answer came.
package struct HTTPFailure: Error, Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case resolve, connect, connectTimeout, tls, timeout, reset, protocolError, bodyTooLarge, tooManyRedirects,
            badRedirect
        case addressNotAllowed, cancelled
    }

    package var kind: Kind
    /// One clause with what is known, e.g. `connection refused`.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// Sends requests. Contract (checked by the HTTP transport contract test): never throws, never hangs beyond the request's
/// total timeout, honours its size, redirect and address limits, returns a `cancelled` failure when its task is cancelled.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async -> HTTPExchange
}
