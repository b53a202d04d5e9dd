/// Live streams in the form of Google DAI, as its API reference describes them: a session is asked for by POST, its metadata is at an
/// address of its own, and the media carries ids.
struct DAIServer {
    /// Directory of its resources.
    static let directory = "/linear/"
    private static let place = "ATL"
    /// Seconds between two requests for metadata.
    private static let pollingFrequency = 4

    let answering: AnsweringStream
    /// Scheme and authority of verifications.
    let base: String

    private var stream: LiveStream { answering.stream }

    /// Path and query that open a session, under that name if one is given: a parameter of the form.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        "\(directory)v1/hls/event/\(scenario.name)/stream" + (session.map { "?sessid=\($0)" } ?? "")
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.session.dialect == .dai else { return .plain(404, "this scenario has no such sessions") }
        let steps = answering.path.resource.split(separator: "/").map(String.init)
        let method = answering.request.method
        if steps == ["linear", "v1", "hls", "event", stream.scenario.name, "stream"] {
            return method == "POST" ? opened(&state) : answering.notAllowed("POST")
        }
        // linear/{hls/pa|v1/pa}/event/KEY/stream/ID:ATL/…
        guard steps.count > 7, steps[2] == "pa", steps[3] == "event", steps[4] == stream.scenario.name,
            steps[5] == "stream", let session = Self.session(steps[6])
        else { return .plain(404, "no such stream") }
        switch (steps[1], Array(steps[7...])) {
        case ("v1", ["metadata"]): return answering.refusal(of: .metadata, session: session, &state) ?? metadata(&state)
        case ("hls", ["master.m3u8"]): return .playlist(PlaylistText.multivariant(below: ""))
        case ("hls", let rest):
            return answering.media(rest) { answering.refusal(of: .playlist, session: session, &state) }
        default: return .plain(404, "no such resource")
        }
    }

    /// The session in `SESSION:ATL`.
    private static func session(_ text: String) -> String? {
        let parts = text.replacing("%3A", with: ":").split(separator: ":").map(String.init)
        return parts.count == 2 && parts[1] == place && SessionId.isValid(parts[0]) ? parts[0] : nil
    }

    private func opened(_ state: inout OriginState) -> OriginResponse {
        let form = QueryItems(String(decoding: answering.request.body, as: UTF8.self))
        if let named = form["sessid"], !SessionId.isValid(named) { return .plain(400, "sessid: not a session id") }
        let session = form["sessid"] ?? state.newSession(of: stream)
        _ = state.openings.openedMs(session, of: stream.scenario.name, nowMs: answering.nowMs)
        let name = stream.scenario.name
        let place = "pa/event/\(name)/stream/\(session):\(Self.place)"
        let isService = stream.scenario.session.reporting == .service
        var members: [JSONText.Member] = [
            .init("stream_id", .string("\(session):\(Self.place)")),
            .init("stream_manifest", .string("\(answering.root)/linear/hls/\(place)/master.m3u8")),
        ]
        if !isService {
            members += [
                .init(
                    "media_verification_url",
                    .string(base + MediaID.Verification.prefix(session: session, scenario: name))),
                .init("metadata_url", .string("\(answering.root)/linear/v1/\(place)/metadata")),
                .init("session_update_url", .string("\(answering.root)/linear/v1/\(place)/session")),
                .init("polling_frequency", .integer(Self.pollingFrequency)),
            ]
        }
        var response = OriginResponse.json(.object(members))
        response.status = 201
        return response
    }

    // MARK: Metadata

    /// The ads that have begun at the live edge: what ids mean, without times.
    private func metadata(_ state: inout OriginState) -> OriginResponse {
        defer { state.metadataPolls += 1 }
        let edgeMs = stream.liveEdgeMs(at: answering.nowMs)
        let known = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
            .map { adBreak in (adBreak, adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }) }.filter { !$0.1.isEmpty }
        let ads = known.flatMap(\.1)
        return .json(
            .object([
                .init("tags", .object(ads.flatMap(tags))),
                .init("ads", .object(ads.map { .init($0.displayId, ad($0)) })),
                .init("ad_breaks", .object(known.map { .init($0.0.id, adBreak($0.0, $0.1)) })),
            ]))
    }

    private func tags(of ad: PlannedAd) -> [JSONText.Member] {
        let names = ad.events.map(\.name).filter(MediaID.events.contains) + [MediaID.keepAlive]
        return names.map { name in
            let id = MediaID(BeaconLink(session: "", ad: ad, event: name, urlIndex: 1))
            return .init(
                id.key,
                .object([
                    .init("ad", .string(ad.displayId)), .init("ad_break_id", .string(ad.breakId)),
                    .init("type", .string(name.lowercased())),
                ]))
        }
    }

    private func ad(_ ad: PlannedAd) -> JSONText {
        .object([
            .init("ad_break_id", .string(ad.breakId)), .init("duration", .seconds(milliseconds: ad.durationMs)),
            .init("title", .string(ad.name)), .init("creative_id", .string(ad.name)), .init("slate", .bool(false)),
        ])
    }

    private func adBreak(_ adBreak: PlannedBreak, _ ads: [PlannedAd]) -> JSONText {
        .object([
            .init("type", .string("mid")),
            .init("duration", .seconds(milliseconds: ads.reduce(0) { $0 + $1.durationMs })),
            .init("expected_duration", .seconds(milliseconds: adBreak.durationMs)), .init("ads", .integer(ads.count)),
        ])
    }
}
