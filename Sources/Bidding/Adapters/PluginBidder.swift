import Ports

/// A bidder implemented by a plugin process (BID-22); it competes and renders like any adapter.
package struct PluginBidder: Hashable, Sendable {
    /// Identifier in the plugin's manifest.
    package var plugin: String
    /// Name of the seat.
    package var name: String

    package init(plugin: String, name: String) {
        self.plugin = plugin
        self.name = name
    }

    /// The adapter for a bid in the form of an auction document. The plugin cannot set latency or whether the adapter
    /// was used.
    func adapter(of bid: JSONValue, latency: Duration) throws(AuctionProblem) -> BidderAdapter {
        guard var members = bid.objectValue else {
            throw AuctionProblem("bid", "expected an object, not \(bid.typeName)")
        }
        if members["adapterName"]?.filledText == nil { members["adapterName"] = .string(name) }
        var adapter = try BidderAdapter(.object(members), path: "bid")
        adapter.latency = latency
        adapter.isConsumed = false
        return adapter
    }
}

/// The result of an auction for one bidder: `biddingFinished` of the adapter protocol (BID-26).
package struct BidOutcome: Hashable, Sendable {
    package enum Ending: String, Sendable, Hashable {
        case won, lost, noBid
    }

    package var ending: Ending
    /// The reason as a clause, not sanitised.
    package var reason: String
    /// Callbacks of the adapter, in order; empty unless it won.
    package var calls: [AdapterCall] = []
}

extension AuctionPlan {
    /// No-bid reasons of OpenRTB and of exchanges; higher numbers are adtop's own.
    private static let noBidReasons = 0..<100

    /// Records the answer of a plugin, or the reason for its absence.
    func take(_ answer: EndpointAnswer, of bidder: PluginBidder, _ round: inout Round) {
        var place: Int?
        defer { round.pluginAdapters.append(place) }
        guard answer.latency <= auction.rules.deadline, case .document(let message) = answer.content else {
            if case .nonBid(let nonBid) = answer.judged(deadline: auction.rules.deadline) {
                round.auction.knownNonBids.append(nonBid)
            }
            return
        }
        guard let bid = message["bid"], bid != .null else {
            round.auction.knownNonBids.append(Self.nonBid(of: bidder, message))
            return
        }
        do throws(AuctionProblem) {
            round.auction.adapters.append(try bidder.adapter(of: bid, latency: answer.latency))
            place = round.auction.adapters.count - 1
        } catch {
            round.auction.knownNonBids.append(
                NonBid(
                    seat: bidder.name, status: NonBid.Status.invalidResponse, reason: "malformedResponse",
                    detail: "\(error)"))
        }
    }

    private static func nonBid(of bidder: PluginBidder, _ message: JSONValue) -> NonBid {
        let given = message["nbr"]?.smallInteger.flatMap { noBidReasons.contains($0) ? $0 : nil }
        let number = given ?? NonBid.Status.noBid
        return NonBid(
            seat: bidder.name, status: number, reason: number == NonBid.Status.noBid ? "noBid" : "nbr\(number)",
            detail: message["reason"]?.filledText ?? (given.map(NoBidReason.text) ?? ""))
    }
}

extension AuctionPlan.Round {
    /// The result for the plugin at `index` of the plan.
    package func outcome(ofPlugin index: Int, in result: AuctionResult) -> BidOutcome {
        guard pluginAdapters.indices.contains(index), let adapter = pluginAdapters[index] else {
            return BidOutcome(ending: .noBid, reason: "no bid was used")
        }
        guard let place = result.candidates.firstIndex(where: { $0.adapter == adapter }) else {
            return BidOutcome(ending: .lost, reason: "late")
        }
        let candidate = result.candidates[place]
        let words = [candidate.lostReason?.rawValue].compactMap(\.self) + candidate.notes.map(\.text)
        let reason = words.joined(separator: ", ")
        guard place == result.winner else { return BidOutcome(ending: .lost, reason: reason) }
        return BidOutcome(ending: .won, reason: reason, calls: result.callbacks.map(\.call))
    }
}
