/// Sessions in the form of Uplynk, as public players of it request them: a preplay request names manifest, session and the host
/// of pings; breaks come in its answer and in those of pings, in seconds of the player's timeline.
///
/// Its seconds count from the first segment of the stream, which the playlist never drops. A ping counts what was played, so it
/// is kept as a receipt.
struct UplynkServer {
    /// Directory of its resources.
    static let directory = "/preplay/"
    /// Directory of pings.
    static let pings = "/session/ping/"
    /// Seconds from one ping to the next.
    private static let pingSeconds = 4

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    private var stream: LiveStream { answering.stream }

    /// Path and query that open a session, under that name if one is given. By `ad.pingf` pings bring impressions (1) or only the
    /// data of linear ads (4).
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        let wanted = scenario.session.reporting == .service ? 1 : 4
        let named = session.map { "&sessid=\($0)" } ?? ""
        return "\(directory)\(scenario.name).json?v=2&ad.cping=1&ad.pingf=\(wanted)\(named)"
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.session.dialect == .uplynk else {
            return .plain(404, "this scenario has no such sessions")
        }
        guard answering.request.method == "GET" else { return .plain(405, "a preplay request is a GET") }
        let resource = answering.path.resource
        if resource.hasPrefix(Self.pings) { return ping(resource.dropFirst(Self.pings.count), &state) }
        switch resource.dropFirst(Self.directory.count) {
        case "\(stream.scenario.name).json": return opened(&state)
        case "index.m3u8": return .playlist(PlaylistText.multivariant(below: "..\(OriginPath.streamDirectory)"))
        default: return .plain(404, "no such asset")
        }
    }

    private func opened(_ state: inout OriginState) -> OriginResponse {
        guard answering.path.query["v"] == "2" else { return .plain(400, "v: only version 2 is answered") }
        let session = answering.path.query["sessid"] ?? state.newSession(of: stream)
        guard SessionId.isValid(session) else { return .plain(400, "sessid: not a session id") }
        return .json(
            .object([
                .init("playURL", .string("\(answering.root)\(Self.directory)index.m3u8?pbs=\(session)")),
                .init("prefix", .string(answering.root)), .init("sid", .string(session)),
                .init("ads", breaks(for: session)),
            ]))
    }

    /// - Parameter file: the session and `.json`.
    private func ping(_ file: Substring, _ state: inout OriginState) -> OriginResponse {
        let query = answering.path.query
        let session = String(file.prefix { $0 != "." })
        guard SessionId.isValid(session), file.dropFirst(session.count) == ".json" else {
            return .plain(404, "no such session")
        }
        guard query["v"] == "3", let second = query["pt"].flatMap({ Int($0) }), second >= 0 else {
            return .plain(400, "pt: not a second")
        }
        let response = OriginResponse.json(
            .object([.init("next_time", .integer(second + Self.pingSeconds)), .init("ads", breaks(for: session))]))
        state.receipts.append(
            Receipt(
                atMs: answering.nowMs, scenario: stream.scenario.name, session: session, breakId: "", adId: "",
                event: "ping", urlIndex: 0, target: answering.request.target, method: answering.request.method,
                userAgent: nil, status: response.status, hop: 0, attempt: 1, isRetry: false))
        return response
    }

    // MARK: Ads

    /// The breaks known by now; an ad is known whole when it begins.
    private func breaks(for session: String) -> JSONText {
        let edgeMs = stream.liveEdgeMs(at: answering.nowMs)
        let known = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
        let list = known.compactMap { adBreak -> JSONText? in
            let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
            guard !ads.isEmpty else { return nil }
            return .object([
                .init("type", .string("linear")), .init("position", .string("midroll")),
                .init("breakId", .string(adBreak.id)),
                .init("timeOffset", .seconds(milliseconds: adBreak.startMs - stream.segment(0).startMs)),
                .init("duration", .seconds(milliseconds: ads.reduce(0) { $0 + $1.durationMs })),
                .init("ads", .array(ads.map { ad($0, for: session) })),
            ])
        }
        return .object([
            .init("breaks", .array(list)), .init("breakOffsets", .array([])), .init("placeholderOffsets", .array([])),
        ])
    }

    private func ad(_ ad: PlannedAd, for session: String) -> JSONText {
        let events = ad.events.map { event in
            JSONText.Member(
                "\(event.name.lowercased())s",
                .array((1...event.urlCount).map { .string(url(ad, event.name, $0, session)) }))
        }
        return .object([
            .init("creative", .string(ad.displayId)), .init("mimeType", .string("uplynk/m3u8")),
            .init("duration", .seconds(milliseconds: ad.durationMs)), .init("companions", .array([])),
            .init(
                "events",
                .object(
                    events + [.init("clickthroughs", .array([.string(url(ad, "clickThrough", 1, session))]))])),
        ])
    }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int, _ session: String) -> String {
        base
            + BeaconLink(session: session, ad: ad, event: event, urlIndex: index).target(scenario: stream.scenario.name)
    }
}
