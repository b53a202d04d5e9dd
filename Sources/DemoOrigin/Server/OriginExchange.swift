/// A request as the responder receives it, without sockets and library types.
package struct OriginRequest: Sendable {
    /// Method, upper case as sent.
    package var method: String
    /// Path and query, as sent.
    package var target: String
    /// Header fields in order; names in any case.
    package var headers: [(name: String, value: String)]
    /// The body; cache writes and bid requests use it.
    package var body: [UInt8]

    package init(
        method: String = "GET", target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// Longest body that is read, in bytes.
    package static let maximumBodyBytes = 1 << 20

    /// First value of header `name`, given in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }
}

/// An answer with its delay or drop.
package struct OriginResponse: Sendable, Equatable {
    /// Status code.
    package var status: Int
    /// Header fields except length and date.
    package var headers: [Header]
    /// Body.
    package var body: [UInt8]
    /// Delay of the answer in milliseconds.
    package var delayMs = 0
    /// How the connection ends without an answer; nil sends the answer.
    package var drop: ConnectionDrop?

    /// One header field.
    package struct Header: Sendable, Equatable {
        /// The names of the origin's header fields.
        package enum Name: String, Sendable {
            case contentType = "content-type"
            case cacheControl = "cache-control"
            case location
            case allow
            /// Seconds until a banner is loaded again.
            case refreshRate = "x-refresh-rate"
        }

        /// Name.
        package var name: Name
        /// Value.
        package var value: String
    }

    /// An answer that must not be cached, because all content changes.
    init(status: Int, type: String? = nil, body: [UInt8] = [], more: [Header] = []) {
        self.status = status
        self.body = body
        headers = (type.map { [Header(name: .contentType, value: $0)] } ?? [])
        headers += [Header(name: .cacheControl, value: "no-store")] + more
    }

    /// Plain text, one line.
    static func plain(_ status: Int, _ line: String, more: [Header] = []) -> OriginResponse {
        OriginResponse(status: status, type: "text/plain; charset=utf-8", body: Array("\(line)\n".utf8), more: more)
    }

    /// A JSON document.
    static func json(_ document: JSONText) -> OriginResponse {
        OriginResponse(status: 200, type: "application/json", body: document.utf8)
    }

    /// An XML document.
    static func xml(_ text: String) -> OriginResponse {
        OriginResponse(status: 200, type: "application/xml; charset=utf-8", body: Array(text.utf8))
    }

    /// A playlist.
    static func playlist(_ text: String) -> OriginResponse {
        OriginResponse(status: 200, type: "application/vnd.apple.mpegurl", body: Array(text.utf8))
    }

    /// A redirect to `location`.
    static func redirect(_ status: Int, to location: String) -> OriginResponse {
        OriginResponse(status: status, more: [Header(name: .location, value: location)])
    }
}

extension OriginAnswer {
    /// The response for the answer: `accepted` without a fault; `redirect` gets the number of remaining hops, nil for
    /// an endless loop.
    func response(accepted: OriginResponse, redirect: (Int?) -> OriginResponse) -> OriginResponse {
        switch self {
        case .accept: return accepted
        case .status(let status): return .plain(status, "the scenario answers \(status)")
        case .delay(let ms):
            var response = accepted
            response.delayMs = ms
            return response
        case .redirect(let hops): return redirect(hops)
        case .redirectLoop: return redirect(nil)
        case .drop(let drop):
            var response = OriginResponse(status: 500)
            response.drop = drop
            return response
        }
    }
}
