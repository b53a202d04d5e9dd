import AdTracking
import Bidding
import Ports

/// The auctions of a session: requested bidders, their answers, the decision and the notices.
struct AuctionPart {
    /// One auction of the session.
    struct Turn {
        /// Number of the auction, from 1; 0 before the first.
        var number = 0
        var startedAt: Moment?
    }

    let setup: AuctionSetup?
    /// The auction that started last.
    var newest = Turn()
    /// The auction that was decided last: it is shown, and notices and what-if prices refer to it, until the next one
    /// is decided.
    var decided = Turn()
    /// Requests in flight to bidders, with the index of the endpoint.
    var pending: [RequestID: Int] = [:]
    var answers: [HTTPExchange?] = []
    /// Bids expected from plugins.
    var bids = PluginBids()
    /// Whether plugins were informed of the outcome of the decided auction.
    var hasToldBidders = false
    var round: AuctionPlan.Round?
    /// The decision that notices refer to.
    var result: AuctionResult?
    /// The decision with changed prices.
    var whatIf: AuctionResult?
    var changes: [Int: Int] = [:]
    var notices: NoticeBook
    var warming = AuctionWarming()
    /// Notices wait for the journal; true if a person requested them. Nil when none wait.
    var firesWhenSettled: Bool?
    /// Uptime at which the next auction starts automatically.
    var nextRun: Duration?

    init(_ setup: AuctionSetup?, mode: ReportingMode, gate: SendGate, retry: RetrySetting) {
        notices = NoticeBook(mode: mode, gate: gate, retry: retry)
        self.setup = setup
    }

    /// The first instant at which something is due.
    var nextAt: Duration? {
        [nextRun, notices.nextRetry, bids.nextDue].compactMap { $0 }.min()
    }

    /// The id of an auction. Ids differ from auction to auction, so that an answer to the previous one is not accepted
    /// for the next. Without bidders to request, every auction has the same id.
    func id(of turn: Turn) -> String {
        let id = setup?.plan.auction.id ?? ""
        return turn.number > 1 && asked > 0 ? "\(id)-\(turn.number)" : id
    }

    /// Id of the auction that started last.
    var id: String { id(of: newest) }

    /// Number of bidders that are requested.
    var asked: Int { (setup?.plan.endpoints.count ?? 0) + (setup?.plan.plugins.count ?? 0) }

    /// Names of the bidders whose answers are pending.
    var waitingFor: [String] {
        let endpoints = setup?.plan.endpoints ?? []
        let late = pending.values.sorted().filter(endpoints.indices.contains)
        return late.map { endpoints[$0].name } + bids.waitingFor
    }

    /// Whether an answer is pending.
    var isAsking: Bool { !pending.isEmpty || !bids.isComplete }

    /// Whether the auction that started last is undecided.
    var isUndecided: Bool { newest.number != decided.number }
}

extension Beside {
    /// Largest price change, in hundredths; larger ones are rejected.
    private static let largestChange = 100_000

    mutating func startAuction(_ desk: inout Desk, at now: Moment) {
        if auction.setup != nil { runAuction(&desk, at: now) }
    }

    mutating func command(_ command: AuctionCommand, _ desk: inout Desk, at now: Moment) {
        guard auction.setup != nil else {
            return desk.note(.warning, "no auction is configured: use --auction FILE", from: .auction, at: now)
        }
        switch command {
        case .run: runAuction(&desk, at: now)
        case .fireNotices: fireNotices(isAsked: true, &desk, at: now)
        case .warm: warmAgain(&desk, at: now)
        case .changePrice(let candidate, let cents): changePrice(of: candidate, by: cents)
        case .resetPrices:
            auction.changes = [:]
            auction.whatIf = nil
        }
    }

    /// Runs what is due: the next auction, and retries of notices.
    mutating func auctionIfDue(_ desk: inout Desk, at now: Moment) {
        bidsIfDue(&desk, at: now)
        if let due = auction.nextRun, due <= now.uptime {
            // While an answer is pending, one turn is skipped.
            if auction.isAsking { planNextAuction(at: now) } else { runAuction(&desk, at: now) }
        }
        retryNotices(&desk, at: now)
    }

    private mutating func runAuction(_ desk: inout Desk, at now: Moment) {
        guard let setup = auction.setup else { return }
        if auction.isAsking { return desk.note(.info, "the auction is still running", from: .auction, at: now) }
        auction.newest = AuctionPart.Turn(number: auction.newest.number + 1, startedAt: now)
        auction.answers = Array(repeating: nil, count: setup.plan.endpoints.count)
        planNextAuction(at: now)
        let requests = setup.plan.requests(
            id: auction.id, userAgent: desk.configuration.userAgent, version: desk.configuration.version)
        for (index, request) in requests.enumerated() { auction.pending[desk.fetch(.bid, request, at: now)] = index }
        auction.bids = PluginBids(
            setup.plan.plugins, request: auction.id, deadline: setup.plan.auction.rules.deadline)
        desk.note(.debug, "auction \(auction.newest.number): \(auction.asked) bidders asked", from: .auction, at: now)
        askPlugins(&desk, at: now)
        decideAuctionIfComplete(&desk, at: now)
    }

    private mutating func planNextAuction(at now: Moment) {
        auction.nextRun = auction.setup?.interval.map { now.uptime + $0 }
    }

    mutating func bidAnswered(_ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        guard let index = auction.pending.removeValue(forKey: id) else { return }
        auction.answers[index] = exchange
        decideAuctionIfComplete(&desk, at: now)
    }

    /// Decides the auction once all bidders have answered.
    mutating func decideAuctionIfComplete(_ desk: inout Desk, at now: Moment) {
        if auction.isUndecided, !auction.isAsking { decideAuction(&desk, at: now) }
    }

    private mutating func decideAuction(_ desk: inout Desk, at now: Moment) {
        guard let setup = auction.setup else { return }
        var round = setup.plan.round(id: auction.id, answers: auction.answers, plugins: auction.bids.answers)
        round.auction.now = now.wall
        // The virtual player displays the winner.
        if round.auction.events.isEmpty { round.auction.events = [.display] }
        let result = round.auction.held()
        auction.decided = auction.newest
        auction.round = round
        auction.result = result
        auction.whatIf = nil
        auction.changes = [:]
        auction.firesWhenSettled = nil
        auction.hasToldBidders = false
        let number = auction.decided.number
        auction.notices.begin(round: number, result)
        if let winner = result.winningCandidate, let cpm = result.cpm {
            desk.note(
                .info, "auction \(number): \(winner.name) won at \(cpm) \(result.currency)", from: .auction, at: now)
        } else {
            desk.note(.warning, "auction \(number): no fill", from: .auction, at: now)
        }
        for warning in result.warnings { desk.note(.warning, "auction \(number): \(warning)", from: .auction, at: now) }
        warmAfterAuction(&desk, at: now)
        if desk.mode == .fire { fireNotices(isAsked: false, &desk, at: now) }
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
        // The last decided auction is shown until the next one is decided.
        let isFirst = auction.decided.number == 0
        let turn = isFirst ? auction.newest : auction.decided
        return AuctionView(
            number: turn.number, id: auction.id(of: turn), placement: plan.placement, rules: plan.rules,
            startedAt: turn.startedAt, asked: auction.asked, waitingFor: isFirst ? auction.waitingFor : [],
            underWay: auctionUnderWay, result: result,
            notices: auction.notices.views, changes: auction.changes, keys: auctionKeys,
            warm: auction.warming.items.map(\.view))
    }

    private var auctionUnderWay: AuctionUnderWay? {
        guard auction.isUndecided else { return nil }
        return AuctionUnderWay(
            number: auction.newest.number, id: auction.id, startedAt: auction.newest.startedAt, asked: auction.asked,
            waitingFor: auction.waitingFor)
    }

    private var auctionKeys: [AuctionKeyView] {
        (auction.round?.prebid ?? []).flatMap { asked -> [AuctionKeyView] in
            // A granularity that is not a list of steps has no exact bucket to compare with.
            let granularity = try? PriceGranularity(asked.source.granularity)
            return asked.answer.imps.flatMap { imp -> [AuctionKeyView] in
                let exact = granularity.map { Self.exactBuckets(of: imp, $0) } ?? [:]
                return imp.targeting.map { pair in
                    AuctionKeyView(name: pair.name, value: pair.value, exact: exact[pair.name])
                }
            }
        }
    }

    /// The exact buckets of the keys that carry a different one.
    private static func exactBuckets(of imp: PrebidImp, _ granularity: PriceGranularity) -> [String: String] {
        var exact: [String: String] = [:]
        for (index, bid) in imp.bids.enumerated() {
            guard let difference = bid.bucketDifference(granularity) else { continue }
            if let own = bid.pair("hb_pb_\(bid.seat)") { exact[own.name] = difference.exact }
            if index == imp.winner, let key = bid.pair("hb_pb") { exact[key.name] = difference.exact }
        }
        return exact
    }
}
