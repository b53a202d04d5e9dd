package import Ports

/// Why somebody who was asked did not bid, by the numbers of the seat-non-bid extension (BID-4).
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
    /// One word, e.g. `timeout`, `nbr8`, `httpStatus500`.
    package var reason: String
    /// One clause with what is known; empty where the reason says all.
    package var detail: String

    /// Reason and what is known beyond it, for people.
    package var why: String { detail.isEmpty ? reason : reason.isEmpty ? detail : "\(reason): \(detail)" }

    package init(seat: String, impID: String? = nil, status: Int, reason: String, detail: String = "") {
        self.seat = seat
        self.impID = impID
        self.status = status
        self.reason = reason
        self.detail = detail
    }
}

/// What one OpenRTB endpoint answered.
package struct EndpointAnswer: Hashable, Sendable {
    /// What came, before it is judged.
    package enum Content: Hashable, Sendable {
        case document(JSONValue)
        /// The text is no JSON; one clause says why.
        case malformed(String)
        /// Nothing but a status.
        case status(Int)
        /// No connection; one clause says why.
        case unreachable(String)
        /// A longer answer than is read; one clause says so.
        case tooLarge(String)
        /// Nothing by the end of the auction.
        case none
        /// It has an address, and nobody was to be asked.
        case notAsked
    }

    package var bidder: String
    package var latency: Duration
    package var content: Content
    /// Id of the request it answers, where that is another than the auction's: a recording answers what was asked then.
    package var requestID: String?

    package init(bidder: String, latency: Duration, content: Content) {
        self.bidder = bidder
        self.latency = latency
        self.content = content
    }

    /// Nobody was there to answer.
    package var isUnreachable: Bool { if case .unreachable = content { true } else { false } }

    /// Reads bytes with a status; a body counts with status 200 only.
    package init(bidder: String, latency: Duration, status: Int, body: [UInt8]) {
        self.init(bidder: bidder, latency: latency, content: Self.content(status: status, body: body))
    }

    /// Of an exchange over HTTP.
    package init(bidder: String, exchange: HTTPExchange) {
        self.init(bidder: bidder, latency: .microseconds(exchange.timings.total), content: .none)
        if let failure = exchange.failure {
            switch failure.kind {
            case .timeout, .connectTimeout, .cancelled: content = .none
            case .bodyTooLarge: content = .tooLarge(failure.message)
            case .reset, .protocolError: content = .malformed(failure.message)
            default: content = .unreachable(failure.message)
            }
        } else {
            content = Self.content(status: exchange.status ?? 0, body: exchange.body)
        }
    }

    private static func content(status: Int, body: [UInt8]) -> Content {
        guard status == 200, !body.isEmpty else { return .status(status) }
        do throws(JSONProblem) {
            return .document(try JSONReader.read(body))
        } catch {
            return .malformed("\(error.message) at \(error.line):\(error.column)")
        }
    }

    /// The answer to judge bids from, or why there are none; `deadline` itself is in time.
    package func judged(deadline: Duration) -> Judged {
        // A late answer is not read at all: what it says cannot matter.
        guard latency <= deadline else {
            return .nonBid(
                nonBid(NonBid.Status.timeout, "timeout", "\(latency.inMilliseconds) ms > \(deadline.inMilliseconds)"))
        }
        switch content {
        case .notAsked: return .nonBid(nonBid(NonBid.Status.blocked, "notAsked", "only live auctions ask"))
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
                nonBid(NonBid.Status.invalidResponse, "malformedResponse", "\(json.typeName) instead of an object"))
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

    /// In words; empty for a number of an exchange's own.
    package static func text(_ number: Int) -> String {
        texts.indices.contains(number) ? texts[number] : ""
    }
}
