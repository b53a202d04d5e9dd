import AdFormats
import Bidding
import Ports

/// Plugins that bid in the auctions of a session.
extension Beside {
    /// Requests a bid from each plugin of the plan.
    mutating func askPlugins(_ desk: inout Desk, at now: Moment) {
        guard let setup = auction.setup else { return }
        let question = setup.plan.question(
            id: auction.id, userAgent: desk.configuration.userAgent, version: desk.configuration.version)
        for bidder in setup.plan.plugins {
            guard let index = plugins.index(of: bidder.plugin) else {
                auction.bids.ended(bidder.plugin, "no such plugin")
                continue
            }
            sendToPlugin(index, question, &desk, at: now)
            if plugins.plugins[index].isReady { auction.bids.heard(bidder.plugin, at: now.uptime) }
        }
    }

    mutating func bidderIsReady(_ plugin: String, bids: Bool, _ desk: inout Desk, at now: Moment) {
        auction.bids.ready(plugin, bids: bids, at: now.uptime)
        decideAuctionIfComplete(&desk, at: now)
    }

    mutating func bidderSaid(_ plugin: String, request: String, _ answer: JSONValue, _ desk: inout Desk, at now: Moment)
    {
        if let problem = auction.bids.answered(plugin, request: request, answer, at: now.uptime) {
            desk.note(.warning, "plugin \(plugin): \(problem)", from: .auction, at: now)
        }
        decideAuctionIfComplete(&desk, at: now)
    }

    mutating func bidderEnded(_ plugin: String, _ reason: String, _ desk: inout Desk, at now: Moment) {
        auction.bids.ended(plugin, reason)
        decideAuctionIfComplete(&desk, at: now)
    }

    mutating func bidsIfDue(_ desk: inout Desk, at now: Moment) {
        guard let due = auction.bids.nextDue, due <= now.uptime else { return }
        auction.bids.advance(to: now.uptime)
        decideAuctionIfComplete(&desk, at: now)
    }

    /// Informs plugins of the outcome when the notices are sent: a plugin counts a win when it is informed of one.
    mutating func tellBidders(_ desk: inout Desk, at now: Moment) {
        guard let round = auction.round, let result = auction.result, !auction.hasToldBidders else { return }
        auction.hasToldBidders = true
        for (place, bidder) in (auction.setup?.plan.plugins ?? []).enumerated() {
            guard let index = plugins.index(of: bidder.plugin) else { continue }
            sendToPlugin(index, round.farewell(toPlugin: place, in: result), &desk, at: now)
        }
    }
}
