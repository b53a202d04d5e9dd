/// The ad server of the origin: VAST, VMAP, asset lists and assets. docs/origin.md lists the query items.
struct AdServer {
    /// The request and its stream.
    let answering: AnsweringStream
    /// Scheme and authority of URLs in answers.
    let base: String

    var stream: LiveStream { answering.stream }
    var query: QueryItems { answering.path.query }

    /// The session in beacon URLs: the player's id for an interstitial (HLS-18), else the session of the tag.
    var session: String {
        let asked = query["_HLS_primary_id"] ?? query["sessid"] ?? ""
        return SessionId.isValid(asked) ? asked : Self.anonymousSession
    }

    /// The session of beacons when a request names none.
    static let anonymousSession = "viewer"

    /// Directory of assets, playlists and media files.
    var mediaRoot: String { answering.root + OriginPath.streamDirectory }

    /// The files below `assets/`: `<break>.json` lists, `<ad>.m3u8` playlists, and the files that these and VAST
    /// documents name.
    func asset(_ name: Substring, _ state: inout OriginState) -> OriginResponse {
        if name.hasSuffix(".json") { return assetList(String(name.dropLast(5)), &state) }
        if name.hasSuffix(".m3u8"), let ad = stream.scenario.ads[String(name.dropLast(5))] {
            return .playlist(
                PlaylistText.asset(
                    String(name.dropLast(5)), durationMs: ad.durationMs, segmentMs: stream.scenario.stream.segmentMs))
        }
        if name.hasSuffix(".ts") {
            return OriginResponse(status: 200, type: "video/mp2t", body: TransportStream.segment(0))
        }
        if name.hasSuffix(".mp4") { return OriginResponse(status: 200, type: "video/mp4", body: Self.fileTypeBox) }
        if name == "pixel.gif" { return OriginResponse(status: 200, type: "image/gif", body: Collector.pixel) }
        return .plain(404, "no such asset")
    }

    /// A file type box only, the smallest MP4 file.
    private static let fileTypeBox: [UInt8] =
        [0, 0, 0, 20] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isom".utf8)

    private func assetList(_ id: String, _ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.breaks?.delivery == .interstitials,
            let adBreak = stream.plannedBreak(id: id, at: answering.nowMs)
        else { return .plain(404, "no such interstitial") }
        let text = AssetListText(stream: stream, session: session, origin: base, root: mediaRoot)
        return decide(
            Decision(endpoint: .assetList, breakId: id, pod: adBreak.podNumber), .json(text.document(adBreak)), &state)
    }

    /// The subject of an ad request.
    struct Decision {
        var endpoint: DecisionEndpoint
        var breakId: String
        /// 1-based number of the pod in the scenario, 0 for the preroll, nil for ads that are not a pod of it.
        var pod: Int?
        /// Wrappers between this request and the first one.
        var level = 0
    }

    /// Answers by the scenario's rules and the query's `status`, `delay` and `redirects`, and keeps a record.
    ///
    /// A rule applies only to the first request, not to the redirects (`hop`) and wrappers that follow.
    func decide(
        _ decision: Decision, _ accepted: OriginResponse, _ state: inout OriginState
    ) -> OriginResponse {
        var answer = OriginAnswer.accept
        if let hop = query["hop"] {
            answer = hop == "loop" ? .redirectLoop : hops(hop)
        } else if let asked = askedFault {
            answer = asked
        } else if decision.level == 0, let rule = stream.scenario.decisionRule(decision.endpoint, pod: decision.pod) {
            let attempt = state.decisions.attempt(
                decision.endpoint, scenario: stream.scenario.name, pod: decision.pod)
            if attempt < rule.times ?? .max { answer = rule.answer }
        }
        var response = answer.response(accepted: accepted) { hops in
            .redirect(302, to: target(setting: [("hop", hops.map { String($0 - 1) } ?? "loop")]))
        }
        if let delay = query["delay"].flatMap({ Int($0) }), ScenarioLimits.delayMs.contains(delay) {
            response.delayMs += delay
        }
        state.decisions.append(
            DecisionRecord(
                atMs: answering.nowMs, endpoint: decision.endpoint, scenario: stream.scenario.name,
                breakId: decision.breakId, level: decision.level, target: answering.request.target,
                userAgent: Collector.userAgent(answering.request), status: response.drop == nil ? response.status : nil)
        )
        return response
    }

    /// `status=503`, `redirects=3`, `redirects=loop`, `drop=reset`.
    private var askedFault: OriginAnswer? {
        if let status = query["status"].flatMap({ Int($0) }), (200...599).contains(status) { return .status(status) }
        if let drop = query["drop"].flatMap({ ConnectionDrop(rawValue: $0) }) { return .drop(drop) }
        guard let redirects = query["redirects"] else { return nil }
        return redirects == "loop" ? .redirectLoop : hops(redirects)
    }

    private func hops(_ text: String) -> OriginAnswer {
        guard let count = Int(text), ScenarioLimits.redirects.contains(count) else { return .accept }
        return .redirect(hops: count)
    }

    /// Path and query of the request with some items replaced.
    func target(setting items: [(name: String, value: String)]) -> String {
        let parts = answering.request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let kept = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { item in
            !items.contains { item == $0.name || item.hasPrefix("\($0.name)=") }
        }
        let query = kept.map(String.init) + items.map { "\($0.name)=\(PercentText.encoded($0.value))" }
        return "\(parts[0])?\(query.joined(separator: "&"))"
    }
}
