extension AdServer {
    /// The values of `/ads/vast?answer=`.
    enum Answer: String, CaseIterable {
        /// Ads, behind `depth` wrappers.
        case inline
        /// A document without ads.
        case noAd = "no-ad"
        /// 204 without a body.
        case empty
        /// XML that ends in the middle.
        case malformed
        /// An HTML page.
        case html
        /// A wrapper that points to a URL that no client may request.
        case hostile
        /// A wrapper that points to itself.
        case wrapperLoop = "wrapper-loop"
    }

    /// The targets of hostile wrappers: other schemes, and addresses that are only reachable from inside a network.
    static let hostileURLs = [
        "file:///etc/passwd", "javascript:alert(1)", "http://169.254.169.254/latest/meta-data/", "ftp://h.example/ad",
        "data:text/xml,%3CVAST%20version=%224.2%22/%3E", "http://[::1]:1/vast", "http://user:pass@127.0.0.1:1/vast",
    ]

    /// `GET /ads/vast`.
    func vast(_ state: inout OriginState) -> OriginResponse {
        guard let answer = Answer(rawValue: query["answer"] ?? Answer.inline.rawValue) else {
            let known = Answer.allCases.map(\.rawValue).joined(separator: ", ")
            return .plain(400, "answer: must be one of \(known)")
        }
        guard let adBreak = askedBreak else {
            let known = stream.scenario.ads.keys.sorted().joined(separator: ", ")
            return .plain(400, "no such break or ads; the ads of this scenario are \(known)")
        }
        let level = query["level"].flatMap { Int($0) } ?? 0
        let depth = query["depth"].flatMap { Int($0) } ?? (query["answer"] == nil ? adBreak.pod.wrappers : 0)
        guard (0...ScenarioLimits.wrappers.upperBound).contains(depth) else {
            return .plain(400, "depth: must be 0 to \(ScenarioLimits.wrappers.upperBound)")
        }
        let decision = Decision(
            endpoint: .vast, breakId: adBreak.id, pod: adBreak.podNumber == 0 ? nil : adBreak.podNumber, level: level)
        return decide(decision, document(answer, adBreak, depth: depth, level: level), &state)
    }

    private func document(_ answer: Answer, _ adBreak: PlannedBreak, depth: Int, level: Int) -> OriginResponse {
        let text = vastText
        switch answer {
        case _ where depth > 0:
            let tag = target(setting: [
                ("depth", String(depth - 1)), ("level", String(level + 1)), ("id", adBreak.id),
            ])
            return .xml(VASTText.document(text.wrapper(depth, breakId: adBreak.id, tag: base + tag)))
        case .inline: return .xml(VASTText.document(text.inline(adBreak)))
        case .noAd: return .xml(VASTText.document(text.noAd(breakId: adBreak.id)))
        case .empty: return OriginResponse(status: 204)
        case .malformed:
            return .xml(String(VASTText.document(text.inline(adBreak)).prefix { $0 != "]" }))
        case .html:
            return OriginResponse(
                status: 200, type: "text/html",
                body: Array("<!DOCTYPE html><html><body>No ads today</body></html>".utf8))
        case .hostile:
            let index = query["url"].flatMap { Int($0) } ?? 0
            let url = Self.hostileURLs.indices.contains(index) ? Self.hostileURLs[index] : Self.hostileURLs[0]
            return .xml(VASTText.document(text.wrapper(1, breakId: adBreak.id, tag: url)))
        case .wrapperLoop:
            return .xml(VASTText.document(text.wrapper(1, breakId: adBreak.id, tag: base + answering.request.target)))
        }
    }

    /// The texts for this request.
    var vastText: VASTText {
        VASTText(
            scenario: stream.scenario.name, session: session, origin: base, mediaRoot: mediaRoot,
            hasMacros: query["macros"] == "1", hasExtras: query["extras"] == "1")
    }

    /// The break whose ads are requested: `ads` names the ads, `id` names a break of the stream; otherwise the newest
    /// break that has begun, or the next one.
    private var askedBreak: PlannedBreak? {
        if let names = query["ads"] { return madeBreak(names.split(separator: ",").map(String.init)) }
        if let id = query["id"] { return stream.plannedBreak(id: id, at: answering.nowMs) }
        // A break counts as begun while its first segment is being produced.
        let edgeMs = stream.liveEdgeMs(at: answering.nowMs) + stream.scenario.stream.segmentMs
        let everyMs = stream.scenario.breaks?.everyMs ?? 0
        return stream.breaks(from: edgeMs - 2 * everyMs, through: edgeMs).last
            ?? stream.breaks(from: edgeMs, through: edgeMs + 2 * everyMs).first
    }

    /// A break with `id` that is not part of the stream.
    func madeBreak(_ names: [String], id: String? = nil) -> PlannedBreak? {
        guard !names.isEmpty, names.count <= ScenarioLimits.pods,
            names.allSatisfy({ stream.scenario.ads[$0] != nil })
        else { return nil }
        // A macro may be a UUID in capitals.
        let asked = id ?? query["id"]?.lowercased() ?? ""
        return PlannedBreak(
            StreamCycle.entry(of: Pod(ads: names), stream.scenario), number: 0, startMs: answering.nowMs,
            id: Slug.isValid(asked) ? asked : "ads")
    }
}
