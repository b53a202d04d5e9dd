package import Ports

/// An auction some of whose answers must still be requested over HTTP. Pure: it returns the requests and accepts the
/// answers.
package struct AuctionPlan: Hashable, Sendable {
    /// A bidder to request over HTTP.
    package struct Endpoint: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Its answer is element `index` of `auction.answers`.
            case openRTB(index: Int)
            case prebid(PrebidSource)
        }

        package var name: String
        package var url: WebURL
        package var kind: Kind

        package init(name: String, url: WebURL, kind: Kind) {
            self.name = name
            self.url = url
            self.kind = kind
        }
    }

    /// Most creatives of one auction kept in the local cache.
    package static let maximumCreatives = 32
    /// Longest answer in bytes.
    package static let answerBytes = 4 << 20

    /// The auction with all recorded answers; answers of endpoints are marked as not requested.
    package var auction: Auction
    package var endpoints: [Endpoint]
    /// Bidders in their own processes.
    package var plugins: [PluginBidder] = []
    /// Recorded answers of Prebid Servers.
    package var recorded: [AskedPrebid] = []

    package init(_ auction: Auction, endpoints: [Endpoint] = []) {
        self.auction = auction
        self.endpoints = endpoints
    }

    /// The requests in the order of the endpoints. `id` replaces the id of the auction.
    package func requests(id: String, userAgent: String, version: String) -> [HTTPRequest] {
        endpoints.map { endpoint in
            var request = request(id: id, userAgent: userAgent, version: version)
            if case .prebid(let source) = endpoint.kind {
                var options = BidRequest.PrebidOptions(storedRequest: source.storedRequest)
                options.granularity = source.granularity
                options.prefix = source.prefix
                request.prebid = options
            }
            return request.request(to: endpoint.url, limit: Self.answerBytes)
        }
    }

    /// The request for every bidder.
    package func request(id: String, userAgent: String, version: String) -> BidRequest {
        var request = BidRequest(id: id, placement: auction.placement, userAgent: userAgent, version: version)
        request.currency = auction.rules.currency
        request.allowedCurrencies = auction.rules.allowedCurrencies
        request.auctionType = auction.rules.auctionType
        request.timeout = auction.rules.deadline
        return request
    }

    /// A Prebid Server and its answer.
    package struct AskedPrebid: Hashable, Sendable {
        package var source: PrebidSource
        package var answer: PrebidAnswer
    }

    /// The auction and its further data once answers have arrived.
    package struct Round: Hashable, Sendable {
        package var auction: Auction
        /// Answers of Prebid Servers.
        package var prebid: [AskedPrebid] = []
        /// For each plugin, the index of its bid among the adapters; nil when it has none.
        package var pluginAdapters: [Int?] = []

        package init(auction: Auction) {
            self.auction = auction
        }

        /// Creatives for the local cache, that of the auction's winner first: a page may show any of them once the ad
        /// server has selected one by its keys.
        package func warmCandidates(for result: AuctionResult) -> [WarmCandidate] {
            let all = prebid.flatMap { asked in
                asked.answer.imps.flatMap { warmCandidates(of: $0, auction: asked.answer.response.id) }
            }
            let winner = result.winningCandidate.flatMap { $0.source == .bidder ? $0.id : nil }
            let sorted = all.filter { $0.bidID == winner } + all.filter { $0.bidID != winner }
            return Array(sorted.prefix(AuctionPlan.maximumCreatives))
        }

        /// A recorded answer may also have imps of other placements, whose `exp` is not known.
        private func warmCandidates(of imp: PrebidImp, auction id: String) -> [WarmCandidate] {
            var candidates = imp.warmCandidates(auction: id)
            guard imp.id == auction.placement.impID, let expiry = auction.placement.expiry else { return candidates }
            for index in candidates.indices { candidates[index].limitLife(to: expiry) }
            return candidates
        }
    }

    /// The auction with only the recorded answers, without any request.
    package var unasked: Round {
        var round = ofRecorded
        for bidder in plugins {
            take(EndpointAnswer(bidder: bidder.name, latency: .zero, content: .notAsked), of: bidder, &round)
        }
        return round
    }

    private var ofRecorded: Round {
        var round = Round(auction: auction)
        round.prebid = recorded
        return round
    }

    /// The auction with the answers to `requests`, where nil means not yet answered, and the answers of plugins, in
    /// their order.
    package func round(id: String, answers: [HTTPExchange?], plugins bids: [EndpointAnswer] = []) -> Round {
        var round = ofRecorded
        if id != auction.id {
            // Recorded answers belong to the request of the recording.
            for index in round.auction.answers.indices { round.auction.answers[index].requestID = auction.id }
            for index in round.auction.adapters.indices { round.auction.adapters[index].requestID = auction.id }
        }
        round.auction.id = id
        for (index, endpoint) in endpoints.enumerated() {
            let exchange = index < answers.count ? answers[index] : nil
            let answer =
                exchange.map { EndpointAnswer(bidder: endpoint.name, exchange: $0) }
                ?? EndpointAnswer(bidder: endpoint.name, latency: .zero, content: .none)
            switch endpoint.kind {
            case .openRTB(let place):
                if round.auction.answers.indices.contains(place) { round.auction.answers[place] = answer }
            case .prebid(let source):
                take(answer, of: source, &round)
            }
        }
        for (index, bidder) in plugins.enumerated() {
            let silence = EndpointAnswer(bidder: bidder.name, latency: .zero, content: .none)
            take(index < bids.count ? bids[index] : silence, of: bidder, &round)
        }
        return round
    }

    private func take(_ answer: EndpointAnswer, of source: PrebidSource, _ round: inout Round) {
        // A server that answers without any bid still states a reason.
        guard answer.latency <= auction.rules.deadline, case .document(let json) = answer.content,
            let prebid = PrebidAnswer(json, requiresCacheID: source.requiresCacheID, prefix: source.prefix)
        else {
            if case .nonBid(let nonBid) = answer.judged(deadline: auction.rules.deadline) {
                round.auction.knownNonBids.append(nonBid)
            }
            return
        }
        round.prebid.append(AskedPrebid(source: source, answer: prebid))
        round.auction.knownNonBids += prebid.nonBids
        for error in prebid.errors {
            round.auction.knownNonBids.append(
                NonBid(
                    seat: error.bidder, status: NonBid.Status.error, reason: "error \(error.code)",
                    detail: error.message))
        }
        let adapter = source.adapter(of: prebid, impID: auction.placement.impID, latency: answer.latency)
        if let adapter {
            round.auction.adapters.append(adapter)
        } else if prebid.nonBids.isEmpty, prebid.errors.isEmpty {
            round.auction.knownNonBids.append(
                NonBid(seat: source.name, status: NonBid.Status.noBid, reason: "noBid"))
        }
    }
}

extension AuctionPlan {
    private static let maximumSources = 100

    /// Parses a document (docs/auction.md): an auction whose `rtb` may contain URLs, with `prebid` and `amazon`
    /// sources.
    package init(_ json: JSONValue) throws(AuctionProblem) {
        self.init(try Auction(json))
        for (index, item) in (json["rtb"]?.arrayValue ?? []).enumerated() where item["url"] != nil {
            endpoints.append(
                Endpoint(
                    name: auction.answers[index].bidder, url: try Self.url(item, "rtb[\(index)]"),
                    kind: .openRTB(index: index)))
        }
        for (index, item) in (json["prebid"]?.arrayValue ?? []).prefix(Self.maximumSources).enumerated() {
            try readPrebid(item, "prebid[\(index)]")
        }
        for (index, item) in (json["amazon"]?.arrayValue ?? []).prefix(Self.maximumSources).enumerated() {
            try readAmazon(item, "amazon[\(index)]")
        }
        for (index, item) in (json["plugins"]?.arrayValue ?? []).prefix(Self.maximumSources).enumerated() {
            try readPlugin(item, "plugins[\(index)]")
        }
    }

    private mutating func readPlugin(_ json: JSONValue, _ path: String) throws(AuctionProblem) {
        guard let plugin = json["plugin"]?.filledText else {
            throw AuctionProblem("\(path).plugin", "expected a string")
        }
        // Answers are identified by plugin, so a plugin may occur only once.
        guard !plugins.contains(where: { $0.plugin == plugin }) else {
            throw AuctionProblem("\(path).plugin", "'\(plugin)' is listed twice")
        }
        plugins.append(PluginBidder(plugin: plugin, name: json["name"]?.filledText ?? plugin))
    }

    private static func url(_ json: JSONValue, _ path: String) throws(AuctionProblem) -> WebURL {
        do throws(WebURLProblem) {
            return try WebURL(json["url"]?.stringValue ?? "")
        } catch {
            throw AuctionProblem("\(path).url", error.explanation)
        }
    }

    private mutating func readPrebid(_ json: JSONValue, _ path: String) throws(AuctionProblem) {
        var source = PrebidSource(
            name: json["name"]?.filledText ?? "Prebid", storedRequest: json["storedRequest"]?.filledText)
        source.requiresCacheID = json["requireCacheId"]?.flag ?? false
        source.granularity = json["granularity"] ?? source.granularity
        if let written = json["targetingPrefix"] {
            guard let prefix = written.stringValue, TargetingOptions.isPrefix(prefix) else {
                throw AuctionProblem("\(path).targetingPrefix", "\(written.text()) is not 1 to 10 letters and digits")
            }
            source.prefix = prefix
        }
        if let written = json["competitionType"] {
            guard let competition = written.stringValue.flatMap(BidderAdapter.Competition.init(rawValue:)) else {
                throw AuctionProblem("\(path).competitionType", "\(written.text()) is neither price nor keyword")
            }
            source.competition = competition
        }
        guard let response = json["response"] else {
            endpoints.append(
                Endpoint(name: source.name, url: try Self.url(json, path), kind: .prebid(source)))
            return
        }
        let latency = Duration.milliseconds(max(0, json["latencyMs"]?.smallInteger ?? 0))
        var round = ofRecorded
        take(EndpointAnswer(bidder: source.name, latency: latency, content: .document(response)), of: source, &round)
        auction = round.auction
        recorded = round.prebid
    }

    private mutating func readAmazon(_ json: JSONValue, _ path: String) throws(AuctionProblem) {
        let latency = Duration.milliseconds(max(0, json["latencyMs"]?.smallInteger ?? 0))
        guard let response = json["response"] else { throw AuctionProblem("\(path).response", "missing") }
        do throws(AmazonProblem) {
            let config = json["config"].flatMap { $0 == .null ? nil : $0 }
            let table = try config.map { json throws(AmazonProblem) in try AmazonPriceTable(json) }
            var adapter = try AmazonAnswer.adapter(response, table: table)
            adapter.latency = latency
            auction.adapters.append(adapter)
        } catch {
            auction.knownNonBids.append(
                NonBid(seat: "Amazon", status: NonBid.Status.noBid, reason: error.rawValue))
        }
    }

    /// Parses the plans of a document: a single one, or those of `cases[]`, each under `input` with its name.
    package static func list(_ json: JSONValue) throws(AuctionProblem) -> [(name: String, plan: AuctionPlan)] {
        guard let cases = json["cases"]?.arrayValue else {
            let plan = try AuctionPlan(json)
            return [(plan.auction.id, plan)]
        }
        guard cases.count <= Auction.maximumAuctions else {
            throw AuctionProblem("cases", "\(cases.count) auctions; the limit is \(Auction.maximumAuctions)")
        }
        var plans: [(String, AuctionPlan)] = []
        for (index, item) in cases.enumerated() {
            let path = "cases[\(index)]"
            guard let input = item["input"] else { throw AuctionProblem("\(path).input", "missing") }
            do throws(AuctionProblem) {
                let plan = try AuctionPlan(input)
                plans.append((item["id"]?.filledText ?? plan.auction.id, plan))
            } catch {
                throw AuctionProblem("\(path).input.\(error.path)", error.message)
            }
        }
        return plans
    }
}
