import Bidding
import Live
import Monitoring
import Ports

/// Asks the bidders of auctions in parallel, holds the auctions, and sends their notices.
struct AuctionRound {
    private let clock: SystemTimeSource
    private let transport: LiveHTTPTransport?
    private let isLive: Bool
    private let isFiring: Bool
    private let userAgent = MonitorConfiguration.defaultUserAgent(version: Adtop.version)

    init(clock: SystemTimeSource, isLive: Bool, isFiring: Bool) throws(CommandFailure) {
        self.clock = clock
        self.isLive = isLive
        self.isFiring = isFiring
        transport = isLive || isFiring ? try InputSource.transport() : nil
    }

    func shutdown() async {
        await transport?.shutdown()
    }

    /// One auction from the requests to its notices.
    func report(name: String, _ plan: AuctionPlan) async -> AuctionReport {
        let id = plan.auction.id
        var round = AuctionPlan.Round(auction: plan.auction)
        var exchanges: [HTTPExchange] = []
        if isLive, !plan.endpoints.isEmpty, let transport {
            exchanges = await Self.answers(
                to: plan.requests(id: id, userAgent: userAgent, version: Adtop.version), transport)
            round = plan.round(id: id, answers: exchanges)
        }
        let result = round.auction.held()
        var report = AuctionReport(
            name: name, auction: round.auction, result: result, prebid: round.prebid.values.map { $0 },
            entries: round.entries(of: result))
        report.isUnreachable = !exchanges.isEmpty && exchanges.allSatisfy { $0.failure != nil }
        if isFiring, let transport { report.deliveries = await deliver(result, of: plan, transport) }
        return report
    }

    /// Every request is on its way at once; a request ends with the auction.
    static func answers(to requests: [HTTPRequest], _ transport: any HTTPTransport) async -> [HTTPExchange] {
        await withTaskGroup(of: (Int, HTTPExchange).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await transport.send(request)) }
            }
            var answers = [HTTPExchange](
                repeating: HTTPExchange(failure: HTTPFailure(.cancelled, "not asked")), count: requests.count)
            for await (index, exchange) in group { answers[index] = exchange }
            return answers
        }
    }

    /// What became of each notice, in order. A win notice that brings the markup is one like any other.
    private func deliver(
        _ result: AuctionResult, of plan: AuctionPlan, _ transport: LiveHTTPTransport
    ) async -> [NoticeDelivery] {
        // Bidders of the public network are no way to this machine or its neighbours.
        let isPublic = isLive && plan.endpoints.contains { $0.url.literalReach != .loopback }
        var deliveries: [NoticeDelivery] = []
        for notice in result.notices {
            deliveries.append(await deliver(notice, rule: isPublic ? .publicOnly : .anywhere, transport))
        }
        return deliveries
    }

    private func deliver(
        _ notice: Notice, rule: AddressRule, _ transport: LiveHTTPTransport
    ) async -> NoticeDelivery {
        let url: WebURL
        do throws(WebURLProblem) {
            url = try WebURL(notice.url)
        } catch {
            return NoticeDelivery(tries: 0, status: nil, problem: error.explanation)
        }
        let request = HTTPRequest(
            url: url, fields: [HTTPField("User-Agent", userAgent)], totalTimeout: Limits.beaconTimeout,
            maximumBodyBytes: Limits.beaconAnswerBytes, cutsLongBody: true, addressRule: rule)
        var delivery = NoticeDelivery(tries: 0, status: nil, problem: nil)
        while true {
            let exchange = await transport.send(request)
            delivery.tries += 1
            delivery.status = exchange.status
            delivery.problem = exchange.failure?.message
            let wait = NoticeRetry.wait(after: delivery.tries, of: notice.kind, status: exchange.status)
            guard let wait else { return delivery }
            // Cancelled while waiting: what was tried stands.
            guard (try? await Task.sleep(for: wait)) != nil else { return delivery }
        }
    }
}

/// What became of one notice that was sent.
struct NoticeDelivery: Hashable, Sendable {
    var tries: Int
    /// Of the last answer; nil when none came.
    var status: Int?
    var problem: String?

    var text: String {
        let outcome = status.map(String.init) ?? problem ?? "no answer"
        return tries > 1 ? "\(outcome) after \(tries) tries" : outcome
    }

    var json: JSONValue {
        ["tries": .optional(tries), "status": .optional(status), "problem": .optional(problem)]
    }
}
