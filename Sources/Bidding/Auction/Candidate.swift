package import Ports

/// Where a candidate comes from.
package enum CandidateSource: String, Sendable, Hashable, CaseIterable {
    /// A line item of the primary ad server.
    case direct
    /// A bid of an OpenRTB endpoint.
    case rtb
    /// An adapter.
    case bidder
}

/// Somebody who wanted the slot, with what was found out.
package struct Candidate: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case won
        case lost(LostReason)
        /// A line item through which a keyword bidder competes.
        case proxy
        /// A line item that does not take part.
        case notEligible
    }

    package var source: CandidateSource
    /// Line item id, bid id, or the adapter's creative id; raw.
    package var id: String
    /// Seat, adapter, or line item; raw.
    package var who: String
    /// The endpoint of a bid.
    package var bidder: String?
    /// As offered.
    package var price: ExactDecimal?
    package var currency: String?
    /// In the currency of the auction; nil where it is not known.
    package var cpm: ExactDecimal?
    package var state: State
    /// The line item a keyword bidder competes through.
    package var via: String?
    package var latency: Duration?
    package var notes: [CandidateNote] = []
    /// Id of the request that it answered, where that is another than the auction's.
    package var requestID: String?
    /// Its place among the adapters of the auction.
    package var adapter: Int?
    /// Of RTB.
    package var bid: Bid?
    /// `bidid` of the answer it came with.
    package var responseBidID: String?
    package var deal: String?
    /// What it has to reach, in the currency of the auction.
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

    /// `WON`, `lost 102` with the code of OpenRTB where one applies, `proxy`, `-`.
    package var stateWords: String {
        switch state {
        case .won: "WON"
        case .lost(let reason): source == .rtb ? "lost \(reason.code.rawValue)" : "lost"
        case .proxy: "proxy"
        case .notEligible: "-"
        }
    }

    /// What others call it in their reasons.
    package var name: String { source == .direct ? id : id.isEmpty ? who : "\(who) \(id)" }
}
