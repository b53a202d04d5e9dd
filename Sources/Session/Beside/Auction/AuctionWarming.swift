import AdTracking
import Bidding
import CreativeCache
import Ports

/// Puts the creatives of the auction decided last into the cache (BID-25, CACHE-3).
struct AuctionWarming {
    struct Item {
        let candidate: WarmCandidate
        var view: WarmView
    }

    var items: [Item] = []
    /// Creatives being fetched from the remote cache, by request.
    var fetching: [RequestID: Int] = [:]

    init(_ candidates: [WarmCandidate] = []) {
        items = candidates.map { Item(candidate: $0, view: WarmView($0)) }
    }

    /// The time to read the creative of that result from the cache.
    func took(for result: AuctionResult) -> Duration? {
        items.lazy.filter { result.shows($0.candidate) }.compactMap(\.view.took).first
    }
}

extension Beside {
    /// Caches the creatives of the answers at once, because a page may request them any moment.
    mutating func warmAfterAuction(_ desk: inout Desk, at now: Moment) {
        guard let round = auction.round, let result = auction.result else { return }
        auction.warming = AuctionWarming(round.warmCandidates(for: result))
        if desk.configuration.warmsCache, !auction.warming.items.isEmpty { warmCache(&desk, at: now) }
    }

    /// Caches them again at a person's request.
    mutating func warmAgain(_ desk: inout Desk, at now: Moment) {
        guard desk.configuration.warmsCache else {
            return desk.note(.warning, "no creative cache is running: use --cache", from: .auction, at: now)
        }
        guard !auction.warming.items.isEmpty else {
            return desk.note(.warning, "the auction has no creative that can be cached", from: .auction, at: now)
        }
        warmCache(&desk, at: now)
    }

    private mutating func warmCache(_ desk: inout Desk, at now: Moment) {
        var orders: [CreativeOrder] = []
        for index in auction.warming.items.indices where auction.warming.items[index].view.state != .busy {
            let candidate = auction.warming.items[index].candidate
            auction.warming.items[index].view.state = .busy
            auction.warming.items[index].view.problem = nil
            if let entry = candidate.entry {
                if let order = CachedCreative.warm(entry, origin: .init(candidate)) {
                    orders.append(order)
                } else {
                    failWarming(index, "the id is not valid in this cache")
                }
            } else {
                fetchCreative(index, &desk, at: now)
            }
        }
        if !orders.isEmpty { desk.request(.keepCreatives(round: auction.decided.number, orders)) }
    }

    /// Fetches the creative of a bid without markup from the remote cache.
    private mutating func fetchCreative(_ index: Int, _ desk: inout Desk, at now: Moment) {
        guard let url = auction.warming.items[index].candidate.remote.flatMap({ try? WebURL($0) }) else {
            return failWarming(index, "the address of the remote cache cannot be requested")
        }
        let request = HTTPRequest(
            url: url, fields: [HTTPField("User-Agent", desk.configuration.userAgent)],
            maximumBodyBytes: StoreLimits().entryBytes, addressRule: desk.beaconGate.addressRule)
        auction.warming.fetching[desk.fetch(.creative, request, at: now)] = index
    }

    mutating func creativeAnswered(_ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        guard let index = auction.warming.fetching.removeValue(forKey: id) else { return }
        let candidate = auction.warming.items[index].candidate
        guard exchange.isSuccess else {
            return failWarming(index, "the remote cache: \(Wording.problem(exchange))")
        }
        let order: CreativeOrder
        do throws(RemoteCreative.Problem) {
            order = try CreativeOrder(candidate, remote: exchange.body, contentType: exchange.contentType)
        } catch {
            return failWarming(index, error.message)
        }
        auction.warming.items[index].view.bytes = order.creative.content.body.count
        auction.warming.items[index].view.contentType = order.creative.contentType
        desk.request(.keepCreatives(round: auction.decided.number, [order]))
    }

    private mutating func failWarming(_ index: Int, _ problem: String) {
        auction.warming.items[index].view.state = .failed
        auction.warming.items[index].view.problem = problem
    }

    /// The cache's results. Results for an earlier auction are ignored.
    mutating func creativesKept(round: Int, _ kept: [KeptCreative], _ desk: inout Desk, at now: Moment) {
        guard round == auction.decided.number else { return }
        for creative in kept {
            let index = auction.warming.items.firstIndex {
                $0.view.state == .busy && $0.candidate.id == creative.id
            }
            guard let index else { continue }
            if let problem = creative.problem {
                failWarming(index, problem)
                desk.note(
                    .warning, "auction \(round): creative \(creative.id) not cached: \(problem)", from: .auction,
                    at: now)
            } else {
                auction.warming.items[index].view.state = .kept
                auction.warming.items[index].view.took = creative.took
            }
        }
        let count = auction.warming.items.count { $0.view.state == .kept }
        if count > 0 {
            desk.note(.debug, "auction \(round): \(count.counted("creative")) cached", from: .auction, at: now)
        }
    }
}
