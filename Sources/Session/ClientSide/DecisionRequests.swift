import AdTracking
import HLS
import Ports
import VAST

/// The source of the ads of one part of a break.
struct TagSource {
    /// The tag with its macros unexpanded; nil for a document that is already loaded.
    var tag: String?
    var document: VASTDocument?
    /// Base of relative addresses in the document.
    var base: String?
    var allowMultipleAds: Bool?
    var followRedirects: Bool?
    /// The reason why nothing can be requested.
    var failure: DecisionPart.Failure?

    init(tag: String? = nil, document: VASTDocument? = nil, base: String? = nil) {
        self.tag = tag
        self.document = document
        self.base = base
    }
}

/// Requests for ads: the pure resolution decides what to request, and effects send the requests.
extension DecisionPart {
    /// Opens a break and sends the first requests of its parts. `tags` has one element per part. Returns its number.
    mutating func open(
        _ decision: Decision, tags: [TagSource], on timeline: Timeline, _ desk: inout Desk, at now: Moment
    ) -> Int {
        var decision = decision
        decision.values = breakValues(of: decision, on: timeline, desk.configuration)
        var options = ResolutionOptions()
        decision.deadline = now.uptime + options.totalTimeout
        var fetches: [(part: Int, fetch: TagFetch)] = []
        for (part, source) in zip(decision.parts.indices, tags) {
            if let failure = source.failure {
                decision.parts[part].failures.append(failure)
                continue
            }
            options.allowMultipleAds = source.allowMultipleAds
            options.followRedirects = source.followRedirects
            var resolution = WrapperResolution(
                tag: source.tag ?? source.base ?? "", options: options,
                values: Self.requestValues(decision.values, at: now), seed: random.next())
            let first =
                source.document.map { resolution.start(with: $0, url: source.base) } ?? resolution.start()
            decision.parts[part].resolution = resolution
            fetches += first.map { (part, $0) }
        }
        let number = add(decision)
        let length = decision.length.map { " of \(Wording.seconds($0))" } ?? ""
        desk.note(.info, "break at \(Wording.clock(decision.start))\(length): requesting ads", from: .ads, at: now)
        for (part, fetch) in fetches { request(fetch, for: number, part: part, &desk, at: now) }
        return number
    }

    private mutating func request(
        _ fetch: TagFetch, for number: Int, part: Int, _ desk: inout Desk, at now: Moment
    ) {
        guard let decision = decisions[number] else { return }
        let left = max(.milliseconds(1), decision.deadline - now.uptime)
        let timeout = min(left, ResolutionOptions().requestTimeout)
        var settings = TagRequestSettings(userAgent: desk.configuration.userAgent)
        settings.addressRule = addressRule(of: fetch, desk)
        let request = fetch.request(settings, timeout: timeout)
        let id = desk.fetch(.adDecision, request, at: now)
        open[id] = OpenFetch(decision: number, part: part, fetch: fetch)
        desk.counters.adRequests += 1
    }

    /// A tag the user typed may go anywhere, a tag of a VMAP document where the stream's feeds may go, and the tags of
    /// wrappers where beacons may go.
    private func addressRule(of fetch: TagFetch, _ desk: Desk) -> AddressRule {
        guard fetch.parent == nil, fetch.depth == 0 else { return desk.beaconGate.addressRule }
        if case .vast = desk.configuration.decision { return .anywhere }
        return desk.configuration.feedAddressRule
    }

    /// Takes the answer to a request and sends those that follow from it. Returns the number of its break; nil for an
    /// answer that comes too late.
    mutating func answered(
        _ id: RequestID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment
    ) -> Int? {
        guard let answered = open.removeValue(forKey: id),
            var decision = decisions[answered.decision], !decision.isPlaced,
            var resolution = decision.parts[answered.part].resolution
        else { return nil }
        decision.parts[answered.part].trips[answered.fetch.id] = Trip(exchange: exchange)
        resolution.values[.timestamp] = .timestamp(now.wall)
        let next = resolution.answered(answered.fetch.id, with: TagAnswer(exchange, to: answered.fetch))
        decision.parts[answered.part].resolution = resolution
        decisions[answered.decision] = decision
        if let problem = exchange.isSuccess ? nil : Wording.problem(exchange) {
            desk.errors.note(.network, "ad request: \(problem)", at: now)
            desk.activity.noteError(at: now)
        }
        for fetch in next { request(fetch, for: answered.decision, part: answered.part, &desk, at: now) }
        return answered.decision
    }

    /// Breaks whose chains are not finished in time, oldest first.
    func overdue(at now: Moment) -> [Int] {
        numbers.filter { number in
            decisions[number].map { !$0.isPlaced && $0.deadline <= now.uptime } ?? false
        }
    }

    /// Ends the chains of a break with the results they have.
    mutating func giveUp(_ number: Int) {
        for part in decisions[number]?.parts.indices ?? 0..<0 {
            decisions[number]?.parts[part].resolution?.timedOut()
        }
        open = open.filter { $0.value.decision != number }
    }

    /// Whether every chain of a break is finished, and its ads are not placed yet.
    func isComplete(_ number: Int) -> Bool {
        decisions[number].map { !$0.isPlaced && $0.parts.allSatisfy { $0.resolution?.isFinished ?? true } } ?? false
    }
}
