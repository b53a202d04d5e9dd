package import Ports

/// The source of a candidate.
package enum CandidateSource: String, Sendable, Hashable, CaseIterable {
    /// A line item of the primary ad server.
    case direct
    /// A bid of an OpenRTB endpoint.
    case rtb
    /// An adapter.
    case bidder
}

/// A competitor for the slot, with the results of its checks.
package struct Candidate: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case won
        case lost(LostReason)
        /// A line item through which a keyword bidder competes.
        case proxy
        /// A line item that is not eligible.
        case notEligible
    }

    package var source: CandidateSource
    /// Line item id, bid id, or the adapter's creative id; not sanitised.
    package var id: String
    /// Seat, adapter, or line item; not sanitised.
    package var who: String
    /// The seat as the answer has it; nil for what is no RTB bid, and for one without a seat.
    package var seat: String?
    /// The endpoint that returned the bid.
    package var bidder: String?
    /// The price as offered.
    package var price: ExactDecimal?
    package var currency: String?
    /// The price in the currency of the auction; nil when unknown.
    package var cpm: ExactDecimal?
    package var state: State
    /// The line item through which a keyword bidder competes.
    package var via: String?
    package var latency: Duration?
    package var notes: [CandidateNote] = []
    /// Id of the request that it answered, if that is not the auction's.
    package var requestID: String?
    /// Index among the adapters of the auction.
    package var adapter: Int?
    /// The bid, for RTB candidates.
    package var bid: Bid?
    /// `bidid` of the answer that contained the bid.
    package var responseBidID: String?
    package var deal: String?
    /// The floor in the currency of the auction.
    package var floor: ExactDecimal?

    package init(source: CandidateSource, id: String, who: String, state: State) {
        self.source = source
        self.id = id
        self.who = who
        self.state = state
    }

    package var lostReason: LostReason? {
        if case .lost(let reason) = state { reason } else { nil }
    }

    /// `WON`, `lost 102` with the OpenRTB code if there is one, `proxy`, or `-`.
    package var stateWords: String {
        switch state {
        case .won: "WON"
        case .lost(let reason): source == .rtb ? "lost \(reason.code.rawValue)" : "lost"
        case .proxy: "proxy"
        case .notEligible: "-"
        }
    }

    /// The name by which the reasons of other candidates refer to it.
    package var name: String { source == .direct ? id : id.isEmpty ? who : "\(who) \(id)" }
}
