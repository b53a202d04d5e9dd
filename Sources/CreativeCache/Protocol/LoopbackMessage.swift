package import Ports

/// A request to the loopback server, its head parsed and its body complete.
package struct LoopbackRequest: Hashable, Sendable {
    /// The method as sent; methods are compared without case, as in the server it follows (CACHE-13).
    package var method: String
    /// The request target, not decoded.
    package var target: String
    /// Whether it is HTTP/1.1, which requires Host; false for HTTP/1.0.
    package var requiresHost: Bool
    package var fields: [HTTPField]
    package var body: [UInt8]

    package init(
        method: String, target: String, requiresHost: Bool = true, fields: [HTTPField] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.requiresHost = requiresHost
        self.fields = fields
        self.body = body
    }
}

/// An answer of the loopback server. The transport adds Content-Length, which is that of `body`.
package struct LoopbackAnswer: Hashable, Sendable {
    package var status: Int
    /// The reason phrase of the status; some are those of the server it follows (`Not found`; CACHE-13).
    package var reason: String
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// Whether the body is counted but not sent, as for HEAD.
    package var omitsBody = false
    /// Whether the connection closes after this answer: later bytes cannot be parsed reliably, or are not wanted.
    package var closes = false

    package init(status: Int, reason: String, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.reason = reason
        self.fields = fields
        self.body = body
    }
}

/// Why a request gets no creative; status, reason phrase and text are those of the vectors `loopback-http`.
package enum LoopbackRefusal: Error, Hashable, Sendable {
    /// Malformed request line, target, header, escape or id, or an unsupported method.
    case badRequest
    case notFound
    /// The Host is not that of this server: DNS rebinding.
    case foreignHost
    /// A web page that is not allowed to write.
    case foreignOrigin
    case wrongKey
    /// The header block is longer than ``LoopbackRules/maximumHeaderBytes``.
    case headerTooLong
    /// The body is longer than ``LoopbackRules/maximumBodyBytes``.
    case bodyTooLong
    /// The server has ``LoopbackRules/maximumConnections`` others.
    case tooManyConnections
    /// A problem with the error text of Prebid Cache.
    case prebidCache(PrebidCacheProblem)

    package var status: Int {
        switch self {
        case .badRequest: 400
        case .notFound: 404
        case .foreignHost, .foreignOrigin, .wrongKey: 403
        case .headerTooLong: 431
        case .bodyTooLong: 413
        case .tooManyConnections: 503
        case .prebidCache(let problem): problem.status
        }
    }

    package var text: String {
        switch self {
        case .badRequest: "Bad request"
        case .notFound: "Not found"
        case .foreignHost: "Forbidden host"
        case .foreignOrigin: "Forbidden origin"
        case .wrongKey: "Forbidden key"
        case .headerTooLong: "Header too long"
        case .bodyTooLong: "Body too long"
        case .tooManyConnections: "Too many connections"
        case .prebidCache(let problem): problem.text
        }
    }

    /// Whether pages of other origins may read the answer; a 403 is not shared.
    package var isShared: Bool { status != 403 }

    /// Whether the connection closes, because the start of the next request is unknown after this error.
    package var closes: Bool {
        switch self {
        case .headerTooLong, .bodyTooLong: true
        default: false
        }
    }
}

/// The reason phrases of status codes.
package enum StatusReason {
    /// `OK`, `Not found` and `Bad request` are those of CACHE-13, the others those of RFC 9110.
    package static func text(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 400: "Bad request"
        case 403: "Forbidden"
        case 404: "Not found"
        case 413: "Content Too Large"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
