package import Ports

/// Why a slot has no ad.
package enum AuctionFailure: String, Sendable, Hashable {
    case noFill, internalError
}

/// The data that the forwarded adapter adds to the ad call.
package struct ForwardedAdapter: Sendable, Hashable {
    /// Index among the adapters of the auction.
    package var index: Int
    package var adapter: String
    /// `hb_bid` and others, in the order in which they are sent.
    package var parameters: [TargetingPair]
    package var keywords: [String]

    /// All data sent, for display, not sanitised: `hb_pb=2.50 hb_size=300x250 keyword`.
    package var text: String {
        (parameters.map { "\($0.name)=\($0.value)" } + keywords).joined(separator: " ")
    }
}

/// One call of an adapter.
package struct AdapterCallback: Sendable, Hashable, CustomStringConvertible {
    package var adapter: String
    package var call: AdapterCall

    package var description: String { "\(adapter).\(call.rawValue)" }
}

/// The winner of an auction, why the others lost, and the notices to send.
package struct AuctionResult: Sendable, Hashable {
    package var id: String
    package var currency: String
    /// The candidates: RTB bids in the order of the input, then adapters, then line items.
    package var candidates: [Candidate] = []
    package var nonBids: [NonBid] = []
    /// Index among `candidates`; nil when there is no winner.
    package var winner: Int?
    /// The price of the winner in the currency of the auction.
    package var cpm: ExactDecimal?
    package var forwarded: ForwardedAdapter?
    package var callbacks: [AdapterCallback] = []
    package var notices: [Notice] = []
    package var warnings: [String] = []
    /// Markup of the winner with macros expanded; nil when there is none.
    package var markup: String?
    /// What the answer to the win notice must be; nil when the winner has markup, or the answer was taken.
    package var awaited: AwaitedMarkup?
    package var failure: AuctionFailure?
    package var finalState: SlotState = .failed
    package var pod: PodResult?
    package var steps: [AuctionStep] = []

    package var winningCandidate: Candidate? { winner.map { candidates[$0] } }

    /// Whether the markup is that of the Prebid Server bid with this id.
    package func shows(_ candidate: WarmCandidate) -> Bool {
        winningCandidate.map { $0.source == .bidder && $0.id == candidate.bidID } ?? false
    }

    /// Records that the winner's creative came from the local cache within `took` (BID-25, step 7).
    package mutating func cameFromNear(after took: Duration) {
        guard let creative = steps.first(where: { $0.name == .creative })?.at else { return }
        for index in steps.indices {
            switch steps[index].name {
            case .cache:
                steps[index].at = creative + took
                steps[index].note = "local \(took.millisecondsText) ms"
            case .shown: if let at = steps[index].at { steps[index].at = max(at, creative + took) }
            default: break
            }
        }
    }

    /// Candidates that took part and lost, with the reason.
    package var losers: [(candidate: Candidate, reason: LostReason)] {
        candidates.compactMap { candidate in candidate.lostReason.map { (candidate, $0) } }
    }
}

/// One of the eight steps from the request to the ad on the screen (BID-25).
package struct AuctionStep: Sendable, Hashable {
    package enum Name: Int, Sendable, Hashable, CaseIterable {
        case request = 1
        case bids, adapter, adCall, lineItem, creative, cache, shown

        package var text: String {
            switch self {
            case .request: "request"
            case .bids: "bids"
            case .adapter: "adapter"
            case .adCall: "ad call"
            case .lineItem: "line item"
            case .creative: "creative"
            case .cache: "cache"
            case .shown: "shown"
            }
        }
    }

    package var name: Name
    /// Time since the request; nil when the step was not reached.
    package var at: Duration?
    /// A short note, e.g. `local 1 ms`.
    package var note: String

    package init(_ name: Name, at: Duration?, note: String = "") {
        self.name = name
        self.at = at
        self.note = note
    }
}
