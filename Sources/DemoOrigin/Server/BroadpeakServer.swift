/// Sessions in the form of Broadpeak, as its product documentation describes them: the first request of the manifest is
/// redirected to an address with the session, and the same address with `bk-ml` has the metadata.
struct BroadpeakServer {
    /// Directory of its resources.
    static let directory = "/bpk/"
    private static let file = "index.m3u8"

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    /// Path and query that open a session, or join the one of that name.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        let named = session.map { "&bpkio_sessionid=\($0)" } ?? ""
        return "\(directory)\(file)?bpkio_serviceid=\(scenario.name)\(named)"
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        let scenario = answering.stream.scenario
        guard scenario.session.dialect == .broadpeak, answering.path.resource == Self.directory + Self.file else {
            return .plain(404, "this scenario has no such sessions")
        }
        guard let session = answering.path.query["bpkio_sessionid"] else {
            let session = state.newSession(of: answering.stream)
            return .redirect(302, to: answering.root + Self.openingPath(of: scenario, session: session))
        }
        guard SessionId.isValid(session) else { return .plain(400, "bpkio_sessionid: not a session id") }
        guard answering.path.query["bk-ml"] != nil else {
            return .playlist(PlaylistText.multivariant(below: "..\(OriginPath.streamDirectory)"))
        }
        defer { state.metadataPolls += 1 }
        return .json(BroadpeakText(stream: answering.stream, session: session, origin: base).document(answering.nowMs))
    }
}

/// The metadata of a session in the form of Broadpeak: pods with ads and events in milliseconds since 1970.
struct BroadpeakText {
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of the beacon URLs.
    let origin: String

    /// The ads known at that time, epoch ms; an ad is known whole when it begins.
    func document(_ nowMs: Int) -> JSONText {
        let edgeMs = stream.liveEdgeMs(at: nowMs)
        let breaks = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
        return .object([
            .init("sessiontoken", .string(session)), .init("timereference_ms", .integer(0)),
            .init("refresh_delay_ms", .integer(2_000)),
            .init("adpods", .array(breaks.compactMap { pod($0, edgeMs: edgeMs) })),
        ])
    }

    private func pod(_ adBreak: PlannedBreak, edgeMs: Int) -> JSONText? {
        let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
        guard !ads.isEmpty else { return nil }
        return .object([
            .init("id", .string(adBreak.id)), .init("starttime_ms", .integer(adBreak.startMs)),
            .init("duration_ms", .integer(adBreak.durationMs)), .init("ads", .array(ads.map(ad))),
        ])
    }

    private func ad(_ ad: PlannedAd) -> JSONText {
        let clicks = JSONText.object([
            .init("clickthroughurl", .string(url(ad, "clickThrough", 1))),
            .init("clicktracking", .array([.object([.init("clickurl", .string(url(ad, "clickTracking", 1)))])])),
        ])
        let events = ad.events.filter { $0.name != "clickTracking" }
        return .object([
            .init("adid", .string(ad.displayId)), .init("creativeid", .string(ad.name)),
            .init("starttime_ms", .integer(ad.startMs)), .init("duration_ms", .integer(ad.durationMs)),
            .init("trackingevents", .array(events.flatMap { entries($0, of: ad) })), .init("videoclicks", clicks),
            .init("adverifications", .array([])),
        ])
    }

    /// One entry for each URL; what the viewer does has no time.
    private func entries(_ event: PlannedEvent, of ad: PlannedAd) -> [JSONText] {
        (1...event.urlCount).map { index in
            var members: [JSONText.Member] = [
                .init("type", .string(event.name)), .init("callbackurl", .string(url(ad, event.name, index))),
            ]
            if event.isAutomatic { members.append(.init("time_ms", .integer(event.startMs))) }
            return .object(members)
        }
    }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int) -> String {
        origin
            + BeaconLink(session: session, ad: ad, event: event, urlIndex: index).target(scenario: stream.scenario.name)
    }
}
