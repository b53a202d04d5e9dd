import Bidding
import Live
import Monitoring
import Ports
import Session

/// Requests the bids of auctions in parallel, runs the auctions and sends their notices.
struct AuctionRound {
    private let clock: SystemTimeSource
    private let requests: ToolRequests?
    private let transport: SessionTransport?
    private let isLive: Bool
    private let isFiring: Bool
    /// Receives the creatives of live auctions; nil caches none.
    private let warming: CreativeWarming?
    /// The plugins that bid.
    private let plugins: PluginBidders?
    /// The record of what was sent.
    private let journal: any Journal
    private let userAgent: String

    init(
        clock: SystemTimeSource, isLive: Bool, isFiring: Bool, journal: any Journal, warming: CreativeWarming?,
        plugins: PluginBidders?, input: InputSource
    ) throws(CommandFailure) {
        self.plugins = plugins
        self.warming = warming
        self.journal = journal
        self.clock = clock
        self.isLive = isLive
        self.isFiring = isFiring
        requests = isLive || isFiring ? try input.requests() : nil
        transport = requests?.adCalls()
        let own = MonitorConfiguration.defaultUserAgent(version: Version.current)
        userAgent = requests?.agent(or: own) ?? own
    }

    func shutdown() async {
        await plugins?.finish()
        await requests?.end()
    }

    /// One auction from the requests to its notices.
    func report(name: String, _ plan: AuctionPlan) async throws(CommandFailure) -> AuctionReport {
        let id = plan.auction.id
        var round = plan.unasked
        var exchanges: [HTTPExchange] = []
        var offers: [EndpointAnswer] = []
        if isLive, let transport {
            async let bids = plugins?.answers(
                to: plan.question(id: id, userAgent: userAgent, version: Version.current), of: plan)
            exchanges = await Self.answers(
                to: plan.requests(id: id, userAgent: userAgent, version: Version.current), transport)
            offers = await bids ?? []
            round = plan.round(id: id, answers: exchanges, plugins: offers)
        }
        var result = round.auction.held()
        let candidates = round.warmCandidates(for: result)
        let warmed = await warming?.warm(candidates) ?? candidates.map { WarmedCreative($0) }
        let took = warmed.lazy.filter { result.shows($0.candidate) }.compactMap(\.took).first
        if let took { result.cameFromNear(after: took) }
        var report = AuctionReport(name: name, auction: round.auction, result: result, warmed: warmed)
        report.isUnreachable =
            !(exchanges.isEmpty && offers.isEmpty) && exchanges.allSatisfy { $0.failure != nil }
            && offers.allSatisfy(\.isUnreachable)
        if isFiring { await plugins?.tell(round, result, of: plan) }
        if isFiring, let transport {
            report.deliveries = try await deliver(&result, of: plan, transport)
            report.result = result
        }
        return report
    }

    /// Sends all requests at once; a request ends with the auction.
    static func answers(to requests: [HTTPRequest], _ transport: any HTTPTransport) async -> [HTTPExchange] {
        await withTaskGroup(of: (Int, HTTPExchange).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await transport.send(request)) }
            }
            var answers = [HTTPExchange](
                repeating: HTTPExchange(failure: HTTPFailure(.cancelled, "not sent")), count: requests.count)
            for await (index, exchange) in group { answers[index] = exchange }
            return answers
        }
    }

    /// Sends the notices and returns the delivery of each.
    private func deliver(
        _ result: inout AuctionResult, of plan: AuctionPlan, _ transport: SessionTransport
    ) async throws(CommandFailure) -> [NoticeView] {
        // A public bidder must not make adtop send notices to this machine or its network.
        let isPublic = isLive && plan.endpoints.contains { $0.url.literalReach != .loopback }
        let sender = NoticeSender(transport: transport, time: clock, journal: journal, userAgent: userAgent)
        do throws(JournalProblem) {
            return try await sender.send(&result, addressRule: isPublic ? .publicOnly : .anywhere)
        } catch {
            throw CommandFailure(
                .unreadable, "\(error.message): notices not sent; --no-journal sends them without a journal")
        }
    }
}

extension NoticeView {
    /// Text output: `204`, `404 after 7 tries`, `sent earlier`.
    var outcome: String {
        switch state {
        case .observed: return "not sent (--fire sends)"
        case .unknown: return "sent earlier, outcome unknown: not sent again"
        case .done where isEarlier: return "sent earlier: not sent again"
        case .skipped: return "not sent: \(problem ?? "skipped")"
        case .sending, .done, .failed, .waiting: break
        }
        let result = status.map(String.init) ?? problem ?? (isEarlier ? "failed earlier" : "no answer")
        return tries > 1 ? "\(result) after \(tries) tries" : result
    }

    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "url": .string(url), "who": .string(who), "state": .string(state.rawValue),
            "tries": .optional(tries), "status": .optional(status), "problem": .optional(problem),
            "earlier": .bool(isEarlier),
        ]
    }
}
