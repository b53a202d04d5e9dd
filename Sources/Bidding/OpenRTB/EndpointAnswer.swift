package import Ports

/// Why a bidder that received a request did not bid, by the codes of the seat-non-bid extension (BID-4).
package struct NonBid: Hashable, Sendable {
    /// 0 to 99 are the no-bid reasons of OpenRTB.
    package enum Status {
        package static let noBid = 0
        package static let error = 100
        package static let blocked = 200
        package static let invalidRequest = 2
        package static let timeout = 101
        package static let invalidResponse = 102
        package static let unreachable = 103
    }

    package var seat: String
    package var impID: String?
    package var status: Int
    /// The reason in one word, e.g. `timeout`, `nbr8`, `httpStatus500`.
    package var reason: String
    /// Details as a clause; empty when the reason is complete.
    package var detail: String

    /// Reason and details for display.
    package var why: String { detail.isEmpty ? reason : reason.isEmpty ? detail : "\(reason): \(detail)" }

    package init(seat: String, impID: String? = nil, status: Int, reason: String, detail: String = "") {
        self.seat = seat
        self.impID = impID
        self.status = status
        self.reason = reason
        self.detail = detail
    }
}

/// The answer of one OpenRTB endpoint.
package struct EndpointAnswer: Hashable, Sendable {
    /// The content of an answer before evaluation.
    package enum Content: Hashable, Sendable {
        case document(JSONValue)
        /// The text is not JSON; the clause is the error.
        case malformed(String)
        /// A status without a body.
        case status(Int)
        /// There was no connection; the clause is the reason.
        case unreachable(String)
        /// The answer exceeds the limit; the clause states it.
        case tooLarge(String)
        /// There was no answer before the deadline.
        case none
        /// The endpoint has a URL, but no request was made.
        case notAsked
    }

    package var bidder: String
    package var latency: Duration
    package var content: Content
    /// Id of the request that it answers, if that is not the auction's, as for a recording.
    package var requestID: String?

    package init(bidder: String, latency: Duration, content: Content) {
        self.bidder = bidder
        self.latency = latency
        self.content = content
    }

    /// Whether there was no connection.
    package var isUnreachable: Bool { if case .unreachable = content { true } else { false } }

    /// Parses bytes with a status; a body is read only with status 200.
    package init(bidder: String, latency: Duration, status: Int, body: [UInt8]) {
        self.init(bidder: bidder, latency: latency, content: Self.content(status: status, body: body))
    }

    /// The answer in an HTTP exchange.
    package init(bidder: String, exchange: HTTPExchange) {
        self.init(bidder: bidder, latency: .microseconds(exchange.timings.total), content: .none)
        if let failure = exchange.failure {
            switch failure.kind {
            case .timeout, .connectTimeout, .cancelled: content = .none
            case .bodyTooLarge: content = .tooLarge(failure.message)
            case .reset,
                .protocolError where failure.proxyFault == nil:
                content = .malformed(failure.message)
            default: content = .unreachable(failure.message)
            }
        } else {
            content = Self.content(status: exchange.status ?? 0, body: exchange.body)
        }
    }

    private static func content(status: Int, body: [UInt8]) -> Content {
        guard status == 200, body.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            return .status(status)
        }
        do throws(JSONProblem) {
            return .document(try JSONReader.read(body))
        } catch {
            return .malformed("\(error.message) at \(error.line):\(error.column)")
        }
    }

    /// The bids of the answer, or why there are none; an answer exactly at `deadline` is in time.
    package func judged(deadline: Duration) -> Judged {
        // A late answer is not parsed, because its content cannot matter.
        guard latency <= deadline else {
            return .nonBid(
                nonBid(
                    NonBid.Status.timeout, "timeout",
                    "\(latency.inMillisecondsRoundedUp) ms > \(deadline.inMilliseconds)"))
        }
        switch content {
        case .notAsked: return .nonBid(nonBid(NonBid.Status.blocked, "notAsked", "only live auctions send requests"))
        case .none: return .nonBid(nonBid(NonBid.Status.timeout, "timeout", "no answer"))
        case .unreachable(let why): return .nonBid(nonBid(NonBid.Status.unreachable, "unreachable", why))
        case .malformed(let why): return .nonBid(nonBid(NonBid.Status.invalidResponse, "malformedResponse", why))
        case .tooLarge(let why): return .nonBid(nonBid(NonBid.Status.invalidResponse, "answerTooLarge", why))
        case .status(200), .status(204): return .nonBid(nonBid(NonBid.Status.noBid, "noBid"))
        case .status(400): return .nonBid(nonBid(NonBid.Status.invalidRequest, "httpStatus400"))
        case .status(let status): return .nonBid(nonBid(NonBid.Status.invalidResponse, "httpStatus\(status)"))
        case .document(let json): return judged(json)
        }
    }

    package enum Judged: Hashable, Sendable {
        case bids(BidResponse)
        case nonBid(NonBid)
    }

    private func judged(_ json: JSONValue) -> Judged {
        guard let response = BidResponse(json) else {
            return .nonBid(
                nonBid(NonBid.Status.invalidResponse, "malformedResponse", "expected an object, not \(json.typeName)"))
        }
        guard response.hasBids else {
            guard let reason = response.noBidReason, reason != 0 else {
                return .nonBid(nonBid(NonBid.Status.noBid, "noBid"))
            }
            return .nonBid(nonBid(reason, "nbr\(reason)", NoBidReason.text(reason)))
        }
        return .bids(response)
    }

    private func nonBid(_ status: Int, _ reason: String, _ detail: String = "") -> NonBid {
        NonBid(seat: bidder, status: status, reason: reason, detail: detail)
    }
}

/// The no-bid reasons of OpenRTB 2.6 (AdCOM, "No-Bid Reason Codes").
package enum NoBidReason {
    private static let texts = [
        "unknown error", "technical error", "invalid request", "known web crawler", "suspected non-human traffic",
        "cloud, data centre or proxy address", "unsupported device", "blocked publisher or site", "unmatched user",
        "daily user cap met", "daily domain cap met", "ads.txt unavailable", "ads.txt violation",
        "ads.cert unavailable",
        "ads.cert violation", "insufficient auction time", "incomplete supply chain", "blocked supply chain node",
    ]

    /// The reason in words; empty for an exchange-specific code.
    package static func text(_ number: Int) -> String {
        texts.indices.contains(number) ? texts[number] : ""
    }
}
