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
extension MonitorState {
    /// Opens a break and sends the first requests of its parts. `tags` has one element per part.
    mutating func open(_ decision: DecisionPart.Decision, tags: [TagSource], at now: Moment) {
        var decision = decision
        decision.values = breakValues(of: decision)
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
                values: requestValues(decision.values, at: now), seed: decisions.random.next())
            let first =
                source.document.map { resolution.start(with: $0, url: source.base) } ?? resolution.start()
            decision.parts[part].resolution = resolution
            fetches += first.map { (part, $0) }
        }
        let number = decisions.add(decision)
        let length = decision.length.map { " of \(Wording.seconds($0))" } ?? ""
        note(.info, "break at \(Wording.clock(decision.start))\(length): requesting ads", at: now)
        for (part, fetch) in fetches { request(fetch, for: number, part: part, at: now) }
        placeIfComplete(number, at: now)
    }

    private mutating func request(_ fetch: TagFetch, for number: Int, part: Int, at now: Moment) {
        guard let decision = decisions.decisions[number] else { return }
        let left = max(.milliseconds(1), decision.deadline - now.uptime)
        let timeout = min(left, ResolutionOptions().requestTimeout)
        var settings = TagRequestSettings(userAgent: configuration.userAgent)
        settings.addressRule = addressRule(of: fetch)
        let request = fetch.request(settings, timeout: timeout, cookies: decision.parts[part].cookies)
        let id = self.fetch(.adDecision, request, at: now)
        decisions.open[id] = DecisionPart.OpenFetch(decision: number, part: part, fetch: fetch)
        counters.adRequests += 1
    }

    /// A tag the user typed may go anywhere, a tag of a VMAP document where the stream's feeds may go, and the tags of
    /// wrappers where beacons may go.
    private func addressRule(of fetch: TagFetch) -> AddressRule {
        guard fetch.parent == nil, fetch.depth == 0 else { return beaconGate.addressRule }
        if case .vast = configuration.decision { return .anywhere }
        return configuration.feedAddressRule
    }

    mutating func decisionAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let answered = decisions.open.removeValue(forKey: id),
            var decision = decisions.decisions[answered.decision], !decision.isPlaced,
            var resolution = decision.parts[answered.part].resolution
        else { return }
        decision.parts[answered.part].cookies.store(from: exchange)
        decision.parts[answered.part].trips[answered.fetch.id] = DecisionPart.Trip(exchange: exchange)
        resolution.values[.timestamp] = .timestamp(now.wall)
        let next = resolution.answered(answered.fetch.id, with: TagAnswer(exchange, to: answered.fetch))
        decision.parts[answered.part].resolution = resolution
        decisions.decisions[answered.decision] = decision
        if let problem = exchange.isSuccess ? nil : Wording.problem(exchange) {
            errors.note(.network, "ad request: \(problem)", at: now)
            activity.noteError(at: now)
        }
        for fetch in next { request(fetch, for: answered.decision, part: answered.part, at: now) }
        placeIfComplete(answered.decision, at: now)
    }

    /// Ends the chains whose time is over with the results they have.
    mutating func giveUpDecisions(at now: Moment) {
        for number in decisions.numbers {
            guard let decision = decisions.decisions[number], !decision.isPlaced, decision.deadline <= now.uptime else {
                continue
            }
            for part in decision.parts.indices {
                decisions.decisions[number]?.parts[part].resolution?.timedOut()
            }
            decisions.open = decisions.open.filter { $0.value.decision != number }
            placeIfComplete(number, at: now)
        }
    }

    private mutating func placeIfComplete(_ number: Int, at now: Moment) {
        guard let decision = decisions.decisions[number], !decision.isPlaced,
            decision.parts.allSatisfy({ $0.resolution?.isFinished ?? true })
        else { return }
        place(number, at: now)
    }

    /// The gate for beacons, and for tags that documents refer to.
    var beaconGate: SendGate {
        configuration.gate(isArmed: isArmedByPerson)
    }

    /// Whether the default mode of a loopback session is what sends.
    var sendsToLoopbackOnly: Bool { mode == .fire && beaconGate.addressRule == .loopbackOnly }
}
