import AdTracking
import Bidding
import Ports

/// The auction of a session: who is asked, what came, what was decided and told.
struct AuctionPart {
    let setup: AuctionSetup?
    var number = 0
    var startedAt: Moment?
    /// Requests to bidders without an answer, with their endpoint.
    var pending: [RequestID: Int] = [:]
    var answers: [HTTPExchange?] = []
    /// What plugins owe.
    var bids = PluginBids()
    /// Plugins were told how this auction ended.
    var hasToldBidders = false
    var round: AuctionPlan.Round?
    /// What was decided; notices are about it.
    var result: AuctionResult?
    /// What would be decided with other prices.
    var whatIf: AuctionResult?
    var changes: [Int: Int] = [:]
    var notices = NoticeBook()
    var warming = AuctionWarming()
    /// Notices are to be sent as soon as the journal has spoken; whether a person asked for it.
    var firesWhenSettled: Bool?
    /// Uptime at which the next auction begins by itself.
    var nextRun: Duration?

    init(_ setup: AuctionSetup?) {
        self.setup = setup
    }

    /// The first instant at which something is due.
    var nextAt: Duration? {
        [nextRun, notices.nextRetry, bids.nextDue].compactMap { $0 }.min()
    }

    /// Ids differ from auction to auction, so that an answer of the last one is not taken for one of this. Where nobody is
    /// asked, it is the same auction again.
    var id: String {
        let id = setup?.plan.auction.id ?? ""
        return number > 1 && asked > 0 ? "\(id)-\(number)" : id
    }

    /// Bidders that are asked.
    var asked: Int { (setup?.plan.endpoints.count ?? 0) + (setup?.plan.plugins.count ?? 0) }

    /// Those who still owe an answer.
    var waitingFor: [String] {
        let endpoints = setup?.plan.endpoints ?? []
        let late = pending.values.sorted().filter(endpoints.indices.contains)
        return late.map { endpoints[$0].name } + bids.waitingFor
    }

    /// Somebody still owes an answer.
    var isAsking: Bool { !pending.isEmpty || !bids.isComplete }
}

extension MonitorState {
    /// Prices that are changed by more than this many hundredths are no question any more.
    private static let largestChange = 100_000

    mutating func startAuction(at now: Moment) {
        if auction.setup != nil { runAuction(at: now) }
    }

    mutating func command(_ command: AuctionCommand, at now: Moment) {
        guard auction.setup != nil else {
            return note(.warning, "there is no auction: --auction FILE gives one", at: now)
        }
        switch command {
        case .run: runAuction(at: now)
        case .fireNotices: fireNotices(isAsked: true, at: now)
        case .warm: warmAgain(at: now)
        case .changePrice(let candidate, let cents): changePrice(of: candidate, by: cents)
        case .resetPrices:
            auction.changes = [:]
            auction.whatIf = nil
        }
    }

    /// What is due by itself: the next auction, and notices that are tried again.
    mutating func auctionIfDue(at now: Moment) {
        bidsIfDue(at: now)
        if let due = auction.nextRun, due <= now.uptime {
            // Whoever is still waited for costs a turn.
            if auction.isAsking { planNextAuction(at: now) } else { runAuction(at: now) }
        }
        retryNotices(at: now)
    }

    private mutating func runAuction(at now: Moment) {
        guard let setup = auction.setup else { return }
        if auction.isAsking { return note(.info, "the auction is still being held", at: now) }
        auction.number += 1
        auction.startedAt = now
        auction.answers = Array(repeating: nil, count: setup.plan.endpoints.count)
        auction.round = nil
        auction.result = nil
        auction.whatIf = nil
        auction.changes = [:]
        auction.notices.clear()
        auction.warming = AuctionWarming()
        auction.firesWhenSettled = nil
        auction.hasToldBidders = false
        planNextAuction(at: now)
        let requests = setup.plan.requests(
            id: auction.id, userAgent: configuration.userAgent, version: auctionVersion)
        for (index, request) in requests.enumerated() { auction.pending[fetch(.bid, request, at: now)] = index }
        auction.bids = PluginBids(
            setup.plan.plugins, request: auction.id, deadline: setup.plan.auction.rules.deadline)
        note(.debug, "auction \(auction.number): \(auction.asked) bidders asked", at: now)
        askPlugins(at: now)
        decideAuctionIfComplete(at: now)
    }

    private mutating func planNextAuction(at now: Moment) {
        auction.nextRun = auction.setup?.interval.map { now.uptime + $0 }
    }

    mutating func bidAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let index = auction.pending.removeValue(forKey: id) else { return }
        auction.answers[index] = exchange
        decideAuctionIfComplete(at: now)
    }

    /// Everybody who was asked has answered, and nothing is decided yet.
    mutating func decideAuctionIfComplete(at now: Moment) {
        if auction.number > 0, !auction.isAsking, auction.result == nil { decideAuction(at: now) }
    }

    private mutating func decideAuction(at now: Moment) {
        guard let setup = auction.setup else { return }
        var round = setup.plan.round(id: auction.id, answers: auction.answers, plugins: auction.bids.answers)
        round.auction.now = now.wall
        // The virtual player shows what won.
        if round.auction.events.isEmpty { round.auction.events = [.display] }
        let result = round.auction.held()
        auction.round = round
        auction.result = result
        auction.notices.begin(round: auction.number, result)
        if let winner = result.winningCandidate, let cpm = result.cpm {
            note(.info, "auction \(auction.number): \(winner.name) won at \(cpm) \(result.currency)", at: now)
        } else {
            note(.warning, "auction \(auction.number): no fill", at: now)
        }
        for warning in result.warnings { note(.warning, "auction \(auction.number): \(warning)", at: now) }
        warmAfterAuction(at: now)
        if mode == .fire { fireNotices(isAsked: false, at: now) }
    }

    /// What requests say of this program: the version of its own user agent.
    var auctionVersion: String {
        let parts = configuration.userAgent.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].prefix { $0 != " " }) : "dev"
    }

    private mutating func changePrice(of candidate: Int, by cents: Int) {
        guard var round = auction.round, let result = auction.result, result.candidates.indices.contains(candidate)
        else {
            return
        }
        let change = (auction.changes[candidate] ?? 0).addingSaturating(cents)
        guard abs(change) <= Self.largestChange else { return }
        auction.changes[candidate] = change == 0 ? nil : change
        round.auction.priceChanges = auction.changes.compactMapValues { cents in
            Int32(exactly: cents).flatMap { ExactDecimal($0).multiplied(by: .cent) }
        }
        auction.whatIf = auction.changes.isEmpty ? nil : round.auction.held()
    }

    // MARK: View

    var auctionView: AuctionView? {
        guard let setup = auction.setup else { return nil }
        var result = auction.whatIf ?? auction.result
        if let took = result.flatMap({ auction.warming.took(for: $0) }) { result?.cameFromNear(after: took) }
        let plan = setup.plan.auction
        return AuctionView(
            number: auction.number, id: auction.id, placement: plan.placement, rules: plan.rules,
            startedAt: auction.startedAt, asked: auction.asked,
            waitingFor: auction.waitingFor, result: result,
            notices: auction.notices.views, changes: auction.changes, keys: auctionKeys,
            warm: auction.warming.items.map(\.view),
            nextAt: auction.nextRun.flatMap { next in auction.startedAt.map { $0.advanced(by: next - $0.uptime) } })
    }

    private var auctionKeys: [AuctionKeyView] {
        (auction.round?.prebid ?? []).flatMap { asked -> [AuctionKeyView] in
            // What cannot be read as steps has no exact bucket to compare with.
            let granularity = try? PriceGranularity(asked.source.granularity)
            return asked.answer.imps.flatMap { imp -> [AuctionKeyView] in
                let exact = granularity.map { Self.exactBuckets(of: imp, $0) } ?? [:]
                return imp.targeting.map { pair in
                    AuctionKeyView(name: pair.name, value: pair.value, exact: exact[pair.name])
                }
            }
        }
    }

    /// The exact buckets of keys that carry another.
    private static func exactBuckets(of imp: PrebidImp, _ granularity: PriceGranularity) -> [String: String] {
        var exact: [String: String] = [:]
        for (index, bid) in imp.bids.enumerated() {
            guard let difference = bid.bucketDifference(granularity) else { continue }
            exact["hb_pb_\(bid.seat)"] = difference.exact
            if index == imp.winner { exact["hb_pb"] = difference.exact }
        }
        return exact
    }
}
