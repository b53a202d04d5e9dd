package import AdFormats
package import Bidding
package import Ports

/// Bids that plugins owe in one auction: the plugins requested, their deadlines and answers (BID-22). Methods report
/// what happened; the processes belong to the caller.
package struct PluginBids: Sendable {
    private struct Asked: Sendable {
        var bidder: PluginBidder
        /// Uptime at which its time starts; nil while its process is starting and has not received the request.
        var since: Duration?
        var answer: EndpointAnswer?
    }

    /// Id of the auction; answers contain it.
    package let request: String
    private let deadline: Duration
    private var asked: [Asked]

    /// An auction without plugins.
    init() {
        self.init([], request: "", deadline: .zero)
    }

    /// - Parameter deadline: time each plugin has after it receives the request.
    package init(_ bidders: [PluginBidder], request: String, deadline: Duration) {
        (self.request, self.deadline) = (request, deadline)
        asked = bidders.map { Asked(bidder: $0) }
    }

    package var isComplete: Bool { asked.allSatisfy { $0.answer != nil } }
    /// Names of the bidders whose bids are pending.
    package var waitingFor: [String] { asked.filter { $0.answer == nil }.map(\.bidder.name) }

    /// Answers in the order of the bidders; complete once `isComplete`.
    package var answers: [EndpointAnswer] { asked.compactMap(\.answer) }

    /// Uptime of the next deadline.
    package var nextDue: Duration? {
        let waiting = asked.filter { $0.answer == nil }.compactMap(\.since)
        // An answer exactly at the deadline counts.
        return waiting.min().map { $0 + deadline + Self.tick }
    }

    private static let tick: Duration = .milliseconds(1)

    /// The plugin received the request.
    package mutating func heard(_ plugin: String, at uptime: Duration) {
        guard let index = waiting(plugin), asked[index].since == nil else { return }
        asked[index].since = uptime
    }

    /// The plugin is ready; it now receives the request if it supports bids.
    package mutating func ready(_ plugin: String, bids: Bool, at uptime: Duration) {
        guard bids else { return ended(plugin, "the plugin does not support bids") }
        heard(plugin, at: uptime)
    }

    /// The plugin answered. Returns a clause if the answer does not belong to this auction.
    package mutating func answered(
        _ plugin: String, request: String, _ message: JSONValue, at uptime: Duration
    ) -> String? {
        guard request == self.request else { return "bid for unknown auction '\(request)'" }
        guard let index = waiting(plugin) else { return "unexpected bid for auction '\(request)'" }
        let latency = asked[index].since.map { uptime - $0 } ?? .zero
        answer(index, .document(message), latency)
        return nil
    }

    /// The process ended or did not start; `reason` is a clause.
    package mutating func ended(_ plugin: String, _ reason: String) {
        if let index = waiting(plugin) { answer(index, .unreachable(reason), .zero) }
    }

    /// Advances to `uptime` and applies the deadlines.
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
    /// The bid request to a plugin.
    package func question(id: String, userAgent: String, version: String) -> HostMessage {
        .bid(
            request: id, openRTB: request(id: id, userAgent: userAgent, version: version).json,
            within: auction.rules.deadline)
    }
}

extension AuctionPlan.Round {
    /// The message to a plugin about the outcome.
    package func farewell(toPlugin index: Int, in result: AuctionResult) -> HostMessage {
        let outcome = outcome(ofPlugin: index, in: result)
        return .finished(
            request: auction.id, outcome: outcome.ending.rawValue, reason: outcome.reason,
            calls: outcome.calls.map(\.rawValue))
    }
}
