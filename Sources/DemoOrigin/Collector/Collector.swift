/// Answers beacons and keeps their receipts.
enum Collector {
    /// Longest beacon URL in bytes; longer ones are rejected with 414 and leave no receipt.
    static let targetBytes = 2 * 1_024
    /// Longest User-Agent in a receipt, in bytes; longer ones are truncated.
    static let userAgentBytes = 512

    /// Answers the beacon `request` of `scenario`, whose query has the link unless it is given. Nil is an unknown scenario, whose beacons are accepted and kept too.
    static func beacon(
        _ request: OriginRequest, path: OriginPath, link: BeaconLink? = nil, scenario: Scenario?, atMs: Int,
        log: inout ReceiptLog
    ) -> OriginResponse {
        guard request.target.utf8.count <= targetBytes else { return .plain(414, "the beacon's URL is too long") }
        let link = link ?? BeaconLink(query: path.query)
        let planned = scenario?.planned(request.target) ?? request.target
        let attempts = log.history(of: planned).attempts
        let answer = answer(to: link, attempts: attempts, rules: scenario?.beacons ?? [])
        let response = response(answer, request: request, path: path, link: link)
        var receipt = receipt(request, path: path, link: link, hop: 0, response: response, atMs: atMs)
        if planned != request.target { receipt.beacon = planned }
        log.append(receipt)
        return response
    }

    /// Answers a redirect's target: `/beacon-hop/SCENARIO/LEFT?…`, where LEFT hops remain, or `loop`.
    static func hop(
        _ request: OriginRequest, path: OriginPath, atMs: Int, log: inout ReceiptLog
    ) -> OriginResponse {
        guard request.target.utf8.count <= targetBytes else { return .plain(414, "the beacon's URL is too long") }
        let link = BeaconLink(query: path.query)
        let parts = path.resource.dropFirst(BeaconLink.hopPath.count).split(separator: "/")
        guard parts.count == 2 else { return .plain(404, "no such redirect") }
        let response: OriginResponse
        if parts[1] == "loop" {
            response = redirect(request, to: "\(BeaconLink.hopPath)\(parts[0])/loop")
        } else if let left = Int(parts[1]), (0...ScenarioLimits.redirects.upperBound).contains(left) {
            response =
                left == 0 ? accepted(link) : redirect(request, to: "\(BeaconLink.hopPath)\(parts[0])/\(left - 1)")
        } else {
            return .plain(404, "no such redirect")
        }
        log.append(receipt(request, path: path, link: link, hop: 1, response: response, atMs: atMs))
        return response
    }

    /// The scenario's name in a collector path.
    static func scenarioName(_ resource: String) -> String {
        String(resource.split(separator: "/").dropFirst().first ?? "")
    }

    private static func answer(to link: BeaconLink, attempts: Int, rules: [BeaconRule]) -> OriginAnswer {
        let rule = rules.first { rule in
            (rule.ad.map { link.isFor(ad: $0) } ?? true) && (rule.event ?? link.event) == link.event
                && (rule.urlIndex ?? link.urlIndex) == link.urlIndex
        }
        guard let rule, attempts < rule.times ?? Int.max else { return .accept }
        return rule.answer
    }

    private static func response(
        _ answer: OriginAnswer, request: OriginRequest, path: OriginPath, link: BeaconLink
    ) -> OriginResponse {
        let hops = BeaconLink.hopPath + scenarioName(path.resource)
        return answer.response(
            accepted: accepted(link),
            redirect: { redirect(request, to: "\(hops)/\($0.map { String($0 - 1) } ?? "loop")") })
    }

    private static func accepted(_ link: BeaconLink) -> OriginResponse {
        link.urlIndex > 1 ? OriginResponse(status: 200, type: "image/gif", body: pixel) : OriginResponse(status: 204)
    }

    /// 302 to `path` on the same host with the same query.
    private static func redirect(_ request: OriginRequest, to path: String) -> OriginResponse {
        let query = request.target.drop { $0 != "?" }
        return .redirect(302, to: path + query)
    }

    private static func receipt(
        _ request: OriginRequest, path: OriginPath, link: BeaconLink, hop: Int, response: OriginResponse, atMs: Int
    ) -> Receipt {
        Receipt(
            atMs: atMs, scenario: scenarioName(path.resource), session: link.session, breakId: link.breakId,
            adId: link.adId, event: link.event, urlIndex: link.urlIndex, target: request.target, method: request.method,
            userAgent: userAgent(request),
            status: response.drop == nil ? response.status : nil, hop: hop, attempt: 1, isRetry: false)
    }

    /// The receipt of an ad segment whose request is the report of its ad.
    static func receipt(
        ofSegment request: OriginRequest, _ scenario: Scenario, session: String, atMs: Int
    ) -> Receipt {
        Receipt(
            atMs: atMs, scenario: scenario.name, session: session, breakId: "", adId: "", event: "segment", urlIndex: 0,
            target: String(decoding: request.target.utf8.prefix(targetBytes), as: UTF8.self), method: request.method,
            userAgent: userAgent(request), status: 302, hop: 0, attempt: 1, isRetry: false)
    }

    /// The User-Agent of `request`, truncated for the receipt.
    static func userAgent(_ request: OriginRequest) -> String? {
        request.header("user-agent").map { String(decoding: $0.utf8.prefix(userAgentBytes), as: UTF8.self) }
    }

    /// A transparent GIF of one pixel.
    static let pixel: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0x00,
        0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 0x04, 0x01, 0x00, 0x00, 0x00, 0x00, 0x2C,
        0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x01, 0x44, 0x00, 0x3B,
    ]
}
