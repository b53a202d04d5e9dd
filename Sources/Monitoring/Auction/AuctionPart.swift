import AdTracking
import Bidding
import Ports

/// The auction of a session: who is asked, what came, what was decided and told.
struct AuctionPart {
    /// A notice on its way.
    struct Delivery {
        var notice: Notice
        var view: NoticeView
        /// Uptime of the next try.
        var retryAt: Duration?
    }

    let setup: AuctionSetup?
    var number = 0
    var startedAt: Moment?
    /// Requests to bidders without an answer, with their endpoint.
    var pending: [RequestID: Int] = [:]
    var answers: [HTTPExchange?] = []
    var round: AuctionPlan.Round?
    /// What was decided; notices are about it.
    var result: AuctionResult?
    /// What would be decided with other prices.
    var whatIf: AuctionResult?
    var changes: [Int: Int] = [:]
    var deliveries: [Delivery] = []
    /// Notices on their way, by request.
    var sending: [RequestID: Int] = [:]
    /// Uptime at which the next auction begins by itself.
    var nextRun: Duration?

    init(_ setup: AuctionSetup?) {
        self.setup = setup
    }

    /// The first instant at which something is due.
    var nextAt: Duration? {
        ([nextRun] + deliveries.map(\.retryAt)).compactMap { $0 }.min()
    }

    /// Ids differ from auction to auction, so that an answer of the last one is not taken for one of this.
    var id: String {
        let id = setup?.plan.auction.id ?? ""
        return number > 1 ? "\(id)-\(number)" : id
    }
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
        case .fireNotices: fireNotices(at: now)
        case .changePrice(let candidate, let cents): changePrice(of: candidate, by: cents)
        case .resetPrices:
            auction.changes = [:]
            auction.whatIf = nil
        }
    }

    /// What is due by itself: the next auction, and notices that are tried again.
    mutating func auctionIfDue(at now: Moment) {
        if let due = auction.nextRun, due <= now.uptime { runAuction(at: now) }
        for index in auction.deliveries.indices {
            guard let due = auction.deliveries[index].retryAt, due <= now.uptime else { continue }
            auction.deliveries[index].retryAt = nil
            send(index, at: now)
        }
    }

    private mutating func runAuction(at now: Moment) {
        guard let setup = auction.setup else { return }
        if !auction.pending.isEmpty { return note(.info, "the auction is still being held", at: now) }
        auction.number += 1
        auction.startedAt = now
        auction.answers = Array(repeating: nil, count: setup.plan.endpoints.count)
        auction.round = nil
        auction.result = nil
        auction.whatIf = nil
        auction.changes = [:]
        auction.deliveries = []
        auction.sending = [:]
        auction.nextRun = setup.interval.map { now.uptime + $0 }
        let requests = setup.plan.requests(
            id: auction.id, userAgent: configuration.userAgent, version: auctionVersion)
        for (index, request) in requests.enumerated() { auction.pending[fetch(.bid, request, at: now)] = index }
        note(.debug, "auction \(auction.number): \(requests.count) bidders asked", at: now)
        if requests.isEmpty { decideAuction(at: now) }
    }

    mutating func bidAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let index = auction.pending.removeValue(forKey: id) else { return }
        auction.answers[index] = exchange
        if auction.pending.isEmpty { decideAuction(at: now) }
    }

    private mutating func decideAuction(at now: Moment) {
        guard let setup = auction.setup else { return }
        var round = setup.plan.round(id: auction.id, answers: auction.answers)
        round.auction.now = now.wall
        // The virtual player shows what won.
        if round.auction.events.isEmpty { round.auction.events = [.display] }
        let result = round.auction.held()
        auction.round = round
        auction.result = result
        auction.deliveries = result.notices.map { notice in
            let candidate = result.candidates[notice.candidate]
            return AuctionPart.Delivery(
                notice: notice,
                view: NoticeView(kind: notice.kind, url: notice.url, who: candidate.name, state: .observed, tries: 0))
        }
        if let winner = result.winningCandidate, let cpm = result.cpm {
            note(.info, "auction \(auction.number): \(winner.name) won at \(cpm) \(result.currency)", at: now)
        } else {
            note(.warning, "auction \(auction.number): no fill", at: now)
        }
        for warning in result.warnings { note(.warning, "auction \(auction.number): \(warning)", at: now) }
        if mode == .fire { fireNotices(at: now) }
    }

    /// What requests say of this program: the version of its own user agent.
    private var auctionVersion: String {
        let parts = configuration.userAgent.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].prefix { $0 != " " }) : "dev"
    }

    // MARK: Notices

    /// Each notice that was not sent yet; one that was sent is never sent again but for its retries.
    private mutating func fireNotices(at now: Moment) {
        guard !configuration.isReadonly else { return note(.warning, "notices are not sent: --readonly", at: now) }
        guard auction.changes.isEmpty else {
            return note(.warning, "notices of what-if prices are never sent: n holds the auction again", at: now)
        }
        for index in auction.deliveries.indices where auction.deliveries[index].view.state == .observed {
            send(index, at: now)
        }
    }

    private mutating func send(_ index: Int, at now: Moment) {
        // The gate that beacons pass: a public session reaches no private addresses.
        let gate = SendGate(
            mediaURL: configuration.mediaURL,
            allowedHosts: configuration.allowHosts.isEmpty ? nil : Set(configuration.allowHosts))
        let url: WebURL
        switch gate.judge(auction.deliveries[index].view.url, of: EventType(name: "impression"), isFilled: true) {
        case .success(let judged): url = judged
        case .failure(let refusal):
            auction.deliveries[index].view.state = .skipped
            auction.deliveries[index].view.problem = refusal.reason.rawValue
            return
        }
        let request = HTTPRequest(
            url: url, fields: [HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept", "*/*")],
            totalTimeout: Limits.beaconTimeout, maximumBodyBytes: Limits.beaconAnswerBytes, cutsLongBody: true,
            addressRule: gate.addressRule)
        auction.deliveries[index].view.state = .sending
        auction.deliveries[index].view.tries += 1
        auction.sending[fetch(.notice, request, at: now)] = index
    }

    mutating func noticeAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let index = auction.sending.removeValue(forKey: id) else { return }
        let kind = auction.deliveries[index].notice.kind
        let tries = auction.deliveries[index].view.tries
        auction.deliveries[index].view.status = exchange.status
        auction.deliveries[index].view.problem = exchange.failure?.message
        if let wait = NoticeRetry.wait(after: tries, of: kind, status: exchange.status) {
            auction.deliveries[index].view.state = .waiting
            auction.deliveries[index].retryAt = now.uptime + wait
        } else {
            auction.deliveries[index].view.state = exchange.isSuccess ? .done : .failed
        }
        takeMarkup(from: exchange, of: auction.deliveries[index].notice)
        let outcome = exchange.status.map(String.init) ?? exchange.failure?.message ?? "no answer"
        note(
            exchange.isSuccess ? .info : .warning, "\(kind.rawValue) of auction \(auction.number): \(outcome)", at: now)
    }

    /// A bid without markup brings it with its win notice.
    private mutating func takeMarkup(from exchange: HTTPExchange, of notice: Notice) {
        guard notice.kind == .win, exchange.status == 200, !exchange.body.isEmpty, auction.result?.markup == nil,
            auction.result?.candidates[notice.candidate].bid?.markup == nil
        else { return }
        auction.result?.markup = String(decoding: exchange.body, as: UTF8.self)
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
        let result = auction.whatIf ?? auction.result
        let plan = setup.plan.auction
        return AuctionView(
            number: auction.number, id: auction.id, placement: plan.placement, rules: plan.rules,
            startedAt: auction.startedAt, asked: setup.plan.endpoints.count,
            answered: setup.plan.endpoints.count - auction.pending.count, result: result,
            notices: auction.deliveries.map(\.view), changes: auction.changes, keys: auctionKeys(setup.plan),
            entries: result.flatMap { auction.round?.entries(of: $0) } ?? [],
            nextAt: auction.nextRun.flatMap { next in auction.startedAt.map { $0.advanced(by: next - $0.uptime) } })
    }

    private func auctionKeys(_ plan: AuctionPlan) -> [AuctionKeyView] {
        let answers = (auction.round?.prebid ?? [:]).sorted { $0.key < $1.key }
        return answers.flatMap { index, answer -> [AuctionKeyView] in
            guard case .prebid(let source) = plan.endpoints[index].kind else { return [] }
            // What cannot be read as steps has no exact bucket to compare with.
            let granularity = try? PriceGranularity(source.granularity)
            return answer.imps.flatMap { imp -> [AuctionKeyView] in
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
