package import AdFormats
package import Bidding
package import Ports

/// Bids that plugins owe in one auction: who was asked, since when, and what came of it (BID-22). Methods
/// are what happened; who holds the processes is not known here.
package struct PluginBids: Sendable {
    private struct Asked: Sendable {
        var bidder: PluginBidder
        /// Uptime from which its time runs: a process that still starts has not heard the question yet.
        var since: Duration?
        var answer: EndpointAnswer?
    }

    /// Of the auction; answers name it.
    package let request: String
    private let deadline: Duration
    private var asked: [Asked]

    /// Nobody is asked.
    init() {
        self.init([], request: "", deadline: .zero)
    }

    /// `deadline` is how long each has from when it heard the question.
    package init(_ bidders: [PluginBidder], request: String, deadline: Duration) {
        (self.request, self.deadline) = (request, deadline)
        asked = bidders.map { Asked(bidder: $0) }
    }

    package var isComplete: Bool { asked.allSatisfy { $0.answer != nil } }
    /// Names of the bidders that owe an answer.
    package var waitingFor: [String] { asked.filter { $0.answer == nil }.map(\.bidder.name) }

    /// In the order of the bidders, once all are there.
    package var answers: [EndpointAnswer] { asked.compactMap(\.answer) }

    /// Uptime at which somebody is late.
    package var nextDue: Duration? {
        let waiting = asked.filter { $0.answer == nil }.compactMap(\.since)
        // An answer exactly at the deadline counts.
        return waiting.min().map { $0 + deadline + Self.tick }
    }

    private static let tick: Duration = .milliseconds(1)

    /// The plugin hears the question now.
    package mutating func heard(_ plugin: String, at uptime: Duration) {
        guard let index = waiting(plugin), asked[index].since == nil else { return }
        asked[index].since = uptime
    }

    /// The plugin greeted, and hears the question now if it bids at all.
    package mutating func ready(_ plugin: String, bids: Bool, at uptime: Duration) {
        guard bids else { return ended(plugin, "the plugin is ready, but not for bids") }
        heard(plugin, at: uptime)
    }

    /// The plugin answered. Returns a clause where it is no answer to this auction.
    package mutating func said(
        _ plugin: String, request: String, _ message: JSONValue, at uptime: Duration
    ) -> String? {
        guard request == self.request else { return "bids in '\(request)', which is not being held" }
        guard let index = waiting(plugin) else { return "bids in '\(request)', which does not wait for it" }
        let latency = asked[index].since.map { uptime - $0 } ?? .zero
        answer(index, .document(message), latency)
        return nil
    }

    /// Its process is gone, or never was; a clause says how.
    package mutating func ended(_ plugin: String, _ reason: String) {
        if let index = waiting(plugin) { answer(index, .unreachable(reason), .zero) }
    }

    /// Time has come to `uptime`.
    package mutating func advance(to uptime: Duration) {
        for index in asked.indices where asked[index].answer == nil {
            guard let since = asked[index].since, uptime - since > deadline else { continue }
            answer(index, .none, .zero)
        }
    }

    private func waiting(_ plugin: String) -> Int? {
        asked.firstIndex { $0.bidder.plugin == plugin && $0.answer == nil }
    }

    private mutating func answer(_ index: Int, _ content: EndpointAnswer.Content, _ latency: Duration) {
        asked[index].answer = EndpointAnswer(bidder: asked[index].bidder.name, latency: latency, content: content)
    }
}

extension AuctionPlan {
    /// The question to a plugin.
    package func question(id: String, userAgent: String, version: String) -> HostMessage {
        .bid(
            request: id, openRTB: request(id: id, userAgent: userAgent, version: version).json,
            within: auction.rules.deadline)
    }
}

extension AuctionPlan.Round {
    /// What a plugin is told at the end.
    package func farewell(toPlugin index: Int, in result: AuctionResult) -> HostMessage {
        let outcome = outcome(ofPlugin: index, in: result)
        return .finished(
            request: auction.id, outcome: outcome.ending.rawValue, reason: outcome.reason,
            calls: outcome.calls.map(\.rawValue))
    }
}
