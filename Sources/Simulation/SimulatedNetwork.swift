import AdTracking
package import DemoOrigin
package import Ports
import Session

/// The embedded origin behind a network with latency and faults, as a value.
package struct SimulatedNetwork: VirtualServer {
    /// Authority of all URLs.
    package static let authority = "127.0.0.1:8080"
    package static let base = "http://\(authority)"
    /// Round-trip time of a request without a fault, in microseconds.
    private static let latency: ClosedRange<Int64> = 5_000...40_000

    package let responder: OriginResponder
    /// The server's own clock, which is never set, and the uptime it belongs to.
    let start: Moment
    let faults: [Fault]
    let seed: UInt64
    /// The beacons at the collector, and the violations.
    var beacons: BeaconAccount
    /// The pings at their service, and the violations: a simulated viewer does not jump, so no ping is due twice.
    var pings = BeaconAccount()
    /// The viewer that sends the next request, and its process.
    var process = BeaconAccount.Life(viewer: 0, number: 0)
    private(set) var counts = NetworkCounts()
    private var airings: AiringPlan
    /// The documents of the origin, by their hashes, where ``isDamaged(_:)`` asks for them.
    private var documents: Set<Int> = []
    private var origin: OriginState
    /// Nil where no session ends.
    private(set) var ends: SessionEnds?
    var random: SplitMix64

    /// - Parameter receiptCapacity: maximum number of receipts kept by the collector.
    package init(
        _ scenario: Scenario, seed: UInt64, start: Moment, faults: FaultProfile = .none, receiptCapacity: Int = 1
    ) {
        beacons = BeaconAccount(isJudging: Self.namesABreak(scenario))
        airings = AiringPlan(startMs: Int(start.wall.milliseconds))
        origin = OriginState(receiptCapacity: receiptCapacity)
        responder = OriginResponder(
            scenario: scenario, seed: seed, startMs: Int(start.wall.milliseconds), authority: Self.authority)
        self.start = start
        self.faults = faults.ofRequests
        self.seed = seed
        // A stream whose ads the viewer requests has no session that could be replaced.
        ends = faults.faults.contains(.session) && scenario.vastTag == nil ? SessionEnds(seed: seed) : nil
        random = SplitMix64(seed: seed &+ 0x6E65_7477_6F72_6B00)
    }

    /// Whether two requests of ads are never answered with the same beacons. A tag is answered with the newest break of the
    /// live edge: where the next one begins before a request and its repetitions are over, two breaks may get the ads of
    /// one, unless the tag names each request.
    private static func namesABreak(_ scenario: Scenario) -> Bool {
        guard let tag = scenario.vastTag, let breaks = scenario.breaks else { return true }
        return tag.contains("&id=[TRANSACTIONID]") || breaks.everyMs >= 30_000
    }

    /// The receipts of the collector, newest last.
    package var receipts: [Receipt] { origin.receipts.receipts }

    /// An address of the origin.
    static func url(_ target: String) throws(SimulationProblem) -> WebURL {
        do throws(WebURLProblem) {
            return try WebURL(base + target)
        } catch {
            throw SimulationProblem("its URL \(base + target) \(error.explanation)")
        }
    }

    package mutating func reply(
        to request: HTTPRequest, for purpose: VirtualPurpose, at now: Moment
    ) -> VirtualReply {
        counts.requests += 1
        let time = now.uptime - start.uptime
        let delay = Duration.microseconds(Int64.random(in: Self.latency, using: &random))
        if isGone(request, purpose, at: time) {
            counts.faults[.variant, default: 0] += 1
            return status([404], request, delay)
        }
        if case .fetch(let fetched) = purpose,
            let refused = ends?.refusal(of: request, fetched, to: process.viewer, at: time)
        {
            counts.faults[.session, default: 0] += 1
            return status([refused], request, delay)
        }
        guard let fault = fault(at: time) else {
            return answer(request, purpose, at: now, delay: delay)
        }
        counts.faults[fault, default: 0] += 1
        return reply(to: request, for: purpose, at: now, delay: delay, suffering: fault)
    }

    /// The URL as the plan has it.
    func planned(_ url: WebURL) -> String {
        let planned = responder.stream.scenario.planned(url.text)
        return ends == nil ? planned : SessionNames(seed).planned(planned)
    }

    /// The name of the session that a URL is of, where sessions are replaced.
    private func replaced(_ url: WebURL) -> String? { ends == nil ? nil : SessionNames(seed).first(in: url.text) ?? "" }

    /// A document as the origin wrote it.
    func planned(_ document: [UInt8]) -> [UInt8] { ends == nil ? document : SessionNames(seed).planned(document) }

    /// The collector received a beacon, or the service a ping.
    private mutating func arrived(_ url: WebURL, _ claim: ClaimID, status: Int, isLost: Bool, at uptime: Duration) {
        switch claim.owner {
        case .stream: beaconArrived(url, claim, status: status, isLost: isLost, at: uptime)
        case .ping: pings.arrived(url.text, claim, from: process, status: status, isLost: isLost)
        // These may request an address twice; their claims are checked one by one.
        case .adSpace, .notice: break
        }
    }

    /// A viewer of that session plays at that date.
    mutating func plays(at date: UnixTime, session: String) {
        airings.plays(at: Int(date.milliseconds), session: session, in: responder.stream)
    }

    mutating func answerWasLost(_ request: HTTPRequest) {
        beacons.answerWasLost(planned(request.url))
        pings.answerWasLost(request.url.text)
    }

    private mutating func beaconArrived(
        _ url: WebURL, _ claim: ClaimID, status: Int, isLost: Bool, at uptime: Duration
    ) {
        let planned = planned(url)
        let count = airings.airings(
            of: String(planned.dropFirst(Self.base.count)), session: Self.session(in: planned), in: responder.stream,
            at: Int((start.wall + (uptime - start.uptime)).milliseconds))
        beacons.arrived(
            planned, in: replaced(url), claim, from: process, status: status, isLost: isLost, airings: count)
    }

    /// Whether an answer without JSON is another one than the origin's: nothing in its text shows that.
    func isDamaged(_ exchange: HTTPExchange) -> Bool {
        responder.stream.scenario.session.dialect.recordsAds && !documents.contains(exchange.body.hashValue)
    }

    /// Whether an answer is a segment as the origin has it.
    func isWhole(_ exchange: HTTPExchange) -> Bool {
        let name = exchange.finalURL?.split(separator: "/").last?.split(separator: ".").first ?? ""
        guard exchange.isSuccess, name.hasPrefix("seg-"), let number = Int(name.dropFirst(4)) else { return false }
        return responder.stream.media(ofSegment: number) == exchange.body
    }

    private static func session(in url: String) -> String {
        guard let found = url.firstRange(of: "sessid=") else { return "" }
        return String(url[found.upperBound...].prefix { $0 != "&" })
    }

    /// The answer of the origin after redirects.
    /// - Parameter isLost: whether the answer will not be received.
    mutating func answer(
        _ request: HTTPRequest, _ purpose: VirtualPurpose, at now: Moment, delay: Duration, isLost: Bool = false
    ) -> VirtualReply {
        if purpose == .fetch(.sessionInit) { ends?.open(for: process.viewer, at: now.uptime - start.uptime) }
        var exchange = HTTPExchange()
        var hop = Hop(method: request.method, url: request.url, body: request.body)
        var delay = delay
        var trail = RedirectTrail()
        while true {
            guard !request.isSentOnce || trail.admits(hop.method, hop.url) else {
                exchange.failure = .redirectedBack
                break
            }
            let response = response(to: hop, request.fields, at: now.uptime + delay)
            // What a redirect leads back to has the request a second time, and a server that ends the connection has it as well.
            if case .beacon(let claim) = purpose,
                exchange.hops.isEmpty || exchange.hops.contains(where: { $0.url == hop.url.text })
            {
                let isLost = isLost || response.drop != nil
                arrived(request.url, claim, status: response.status, isLost: isLost, at: now.uptime + delay)
            }
            delay += .milliseconds(response.delayMs)
            if delay > request.totalTimeout {
                answerWasLost(request)
                return failure(.timeout, "no answer in \(request.totalTimeout)", request.totalTimeout)
            }
            guard let next = received(response, from: hop, for: request, purpose, into: &exchange) else { break }
            hop = next
        }
        exchange.timings = .init(wait: delay.inMicroseconds, total: delay.inMicroseconds)
        return VirtualReply(exchange: exchange, delay: delay)
    }

    /// One request on the way through redirects.
    private struct Hop {
        var method: HTTPMethod
        var url: WebURL
        var body: [UInt8]
    }

    /// Adds a response to the exchange. Returns the request to which it redirects; nil ends the exchange.
    private mutating func received(
        _ response: OriginResponse, from hop: Hop, for request: HTTPRequest, _ purpose: VirtualPurpose,
        into exchange: inout HTTPExchange
    ) -> Hop? {
        if response.drop != nil {
            exchange.failure = HTTPFailure(.reset, "connection reset")
            return nil
        }
        let fields = response.headers.map { HTTPField($0.name.rawValue, $0.value) }
        exchange.hops.append(.init(url: hop.url.text, status: response.status, fields: fields))
        do throws(HTTPFailure) {
            if let redirection = try request.redirection(
                from: hop.url, status: response.status, fields, hops: exchange.hops.count)
            {
                let keeps = redirection.keepsMethod
                return Hop(
                    method: keeps ? hop.method : .get, url: redirection.target, body: keeps ? hop.body : [])
            }
        } catch {
            exchange.failure = error
            return nil
        }
        exchange.body = response.body
        exchange.bodyBytes = response.body.count
        if case .fetch(.metadata) = purpose, responder.stream.scenario.session.dialect.recordsAds {
            documents.insert(response.body.hashValue)
        }
        return nil
    }

    private mutating func response(
        to hop: Hop, _ fields: [HTTPField], at uptime: Duration
    ) -> OriginResponse {
        var target = hop.url.path + (hop.url.query.map { "?\($0)" } ?? "")
        if let ends { target = String(decoding: ends.asked(Array(target.utf8), by: process.viewer), as: UTF8.self) }
        let headers = fields.map { (name: $0.name, value: $0.value) } + [(name: "Host", value: Self.authority)]
        let asked = OriginRequest(
            method: hop.method.rawValue, target: target, headers: headers,
            body: ends?.asked(hop.body, by: process.viewer) ?? hop.body)
        var response = responder.respond(
            to: asked, at: Int((start.wall + (uptime - start.uptime)).milliseconds), state: &origin)
        ends?.rename(&response, to: process.viewer)
        return response
    }
}

/// Counters of the network.
struct NetworkCounts: Sendable, Hashable {
    var requests = 0
    var faults: [Fault: Int] = [:]
}
