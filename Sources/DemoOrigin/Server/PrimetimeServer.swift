/// Sessions in the form of Adobe Primetime, as its archived documentation and a public player describe them: a bootstrap answer names
/// the manifest, and the address of a media playlist with three more parameters has the pods of version 2.
///
/// Its seconds count from the first segment of the stream, which the playlist never drops.
struct PrimetimeServer {
    /// Directory of its resources.
    static let directory = "/auditude/"
    private static let file = "index.m3u8"

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    /// Path and query of the bootstrap of a new session, or of that one.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        "\(directory)\(scenario.name).json" + (session.map { "?sessid=\($0)" } ?? "")
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        let scenario = answering.stream.scenario
        guard scenario.session.dialect == .primetime else {
            return .plain(404, "this scenario has no such sessions")
        }
        let resource = answering.path.resource.dropFirst(Self.directory.count)
        let session = answering.path.query["sessid"]
        if let session, !SessionId.isValid(session) { return .plain(400, "sessid: not a session id") }
        switch (resource, session) {
        case ("\(scenario.name).json", _):
            let session = session ?? state.newSession(of: answering.stream)
            _ = state.openings.openedMs(session, of: scenario.name, nowMs: answering.nowMs)
            let manifest = "\(answering.root)\(Self.directory)\(Self.file)?sessid=\(session)"
            return .json(.object([.init("Master-M3U8", .string(manifest))]))
        case (Self.file[...], let session?):
            return .playlist(PlaylistText.multivariant(below: "", query: "?sessid=\(session)"))
        case ("\(PlaylistText.variants[0].file).m3u8", let session?)
        where answering.path.query["pttrackingposition"] != nil:
            return answering.refusal(of: .metadata, &state) ?? tracking(session, &state)
        default:
            return answering.media(resource.split(separator: "/").map(String.init)) {
                answering.refusal(of: .playlist, &state)
            }
        }
    }

    private func tracking(_ session: String, _ state: inout OriginState) -> OriginResponse {
        let query = answering.path.query
        guard query["pttrackingmode"] != nil, query["pttrackingversion"] == "v2" else {
            return .plain(400, "pttrackingversion: only v2 is answered, with pttrackingmode")
        }
        defer { state.metadataPolls += 1 }
        let text = PrimetimeText(stream: answering.stream, session: session, origin: base)
        return .json(text.document(answering.nowMs))
    }
}

/// The tracking data of a session in the form of Adobe Primetime, version 2: pods with ads and entries in seconds of the stream.
struct PrimetimeText {
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of the beacon URLs.
    let origin: String

    /// Names of events as the service has them, where they are others.
    private static let names = ["impression": "Impression", "firstQuartile": "first", "thirdQuartile": "third"]

    /// The ads known at that time, epoch ms; an ad is known whole when it begins.
    func document(_ nowMs: Int) -> JSONText {
        let edgeMs = stream.liveEdgeMs(at: nowMs)
        let breaks = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
        return .object([.init("pods", .array(breaks.compactMap { pod($0, edgeMs: edgeMs) }))])
    }

    private func pod(_ adBreak: PlannedBreak, edgeMs: Int) -> JSONText? {
        let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
        guard !ads.isEmpty else { return nil }
        return .object([
            .init("id", .string(adBreak.id)), .init("startTime", seconds(at: adBreak.startMs)),
            .init("duration", .seconds(milliseconds: adBreak.durationMs)), .init("ads", .array(ads.map(ad))),
        ])
    }

    private func ad(_ ad: PlannedAd) -> JSONText {
        // The service lists no clicks.
        let events = ad.events.filter { $0.name != "clickTracking" }
        return .object([
            .init("id", .string(ad.displayId)), .init("startTime", seconds(at: ad.startMs)),
            .init("duration", .seconds(milliseconds: ad.durationMs)),
            .init("trackingUrls", .array(events.flatMap { entries($0, of: ad) })),
        ])
    }

    /// One entry for each URL; what the viewer does has no time.
    private func entries(_ event: PlannedEvent, of ad: PlannedAd) -> [JSONText] {
        (1...event.urlCount).map { index in
            var members: [JSONText.Member] = [
                .init("event", .string(Self.names[event.name] ?? event.name)),
                .init("url", .string(url(ad, event.name, index))),
            ]
            if event.isAutomatic { members.append(.init("startTime", seconds(at: event.startMs))) }
            return .object(members)
        }
    }

    private func seconds(at dateMs: Int) -> JSONText { .seconds(milliseconds: dateMs - stream.segment(0).startMs) }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int) -> String {
        origin
            + BeaconLink(session: session, ad: ad, event: event, urlIndex: index).target(scenario: stream.scenario.name)
    }
}
