/// Answers one request to one stream, except for requests to the collector.
struct AnsweringStream {
    /// The requested stream.
    let stream: LiveStream
    /// The request.
    let request: OriginRequest
    /// The path of the request.
    let path: OriginPath
    /// Time of the answer, epoch ms.
    let nowMs: Int
    /// The origin that received it.
    let origin: OriginResponder

    /// HEAD is answered like GET; the server omits the body.
    private var method: String { request.method == "HEAD" ? "GET" : request.method }

    /// The answer.
    func response(_ state: inout OriginState) -> OriginResponse {
        if path.resource.hasPrefix(OriginPath.streamDirectory) {
            return streamResource(path.resource.dropFirst(OriginPath.streamDirectory.count), &state)
        }
        return ofService(&state) ?? ofPath(&state)
    }

    /// The answer of the service under whose directory the path is; nil for none.
    private func ofService(_ state: inout OriginState) -> OriginResponse? {
        if path.resource.hasPrefix(TailorServer.directory) {
            return TailorServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(BroadpeakServer.directory) {
            return BroadpeakServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(PrimetimeServer.directory) {
            return PrimetimeServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(DAIServer.directory) {
            return DAIServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(YospaceServer.directory) {
            return YospaceServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(VMAPPollServer.directory) {
            return VMAPPollServer(answering: self, base: base).response(&state)
        }
        if [UplynkServer.directory, UplynkServer.pings].contains(where: path.resource.hasPrefix) {
            return UplynkServer(answering: self, base: base).response(&state)
        }
        if path.resource.hasPrefix(SignalingServer.directory) {
            return SignalingServer(answering: self).response(&state)
        }
        return nil
    }

    private func ofPath(_ state: inout OriginState) -> OriginResponse {
        switch (path.resource, method) {
        case ("/receipts", "DELETE"):
            state.receipts.clear()
            return OriginResponse(status: 204)
        case ("/receipts", "GET"): return .json(state.receipts.document(matching: path.query))
        case ("/decisions", "DELETE"):
            state.decisions.clear()
            return OriginResponse(status: 204)
        case ("/decisions", "GET"): return .json(state.decisions.document(matching: path.query))
        case ("/outages", "GET"), ("/outages", "POST"), ("/outages", "DELETE"): return outages(&state)
        case ("/ads/vast", "GET"): return AdServer(answering: self, base: base).vast(&state)
        case ("/pbc/v1/cache", "GET"), ("/pbc/v1/cache", "POST"), ("/cache", "GET"), ("/cache", "POST"):
            return AdServer(answering: self, base: base).bidCache(&state)
        case ("/pbc/v1/cache", _), ("/cache", _): return notAllowed("GET, POST")
        case ("/ads/vmap", "GET"): return AdServer(answering: self, base: base).vmap(&state)
        case (BidServer.prebidPath, "POST"): return BidServer(answering: self, base: base).prebid(&state)
        case (BidServer.bidderPath, "POST"): return BidServer(answering: self, base: base).bidder()
        case (BidServer.prebidPath, _), (BidServer.bidderPath, _): return notAllowed("POST")
        case ("/ads/zone", "GET"): return AdServer(answering: self, base: base).zone()
        case ("/plan", "GET"): return plan()
        case ("/healthz", "GET"): return .plain(200, "ok")
        case ("/", "GET"):
            return .plain(200, IndexText.text(stream: stream, prefix: path.prefix(instance: nil), base: base))
        case ("/receipts", _), ("/decisions", _): return notAllowed("GET, DELETE")
        case ("/outages", _): return notAllowed("GET, POST, DELETE")
        case ("/plan", _), ("/healthz", _), ("/", _), ("/ads/vast", _), ("/ads/vmap", _), ("/ads/zone", _):
            return notAllowed("GET")
        default: return .plain(404, "no such path; GET / lists the paths")
        }
    }

    private func streamResource(_ name: Substring, _ state: inout OriginState) -> OriginResponse {
        if name == "index.m3u8" {
            guard method == "GET" || method == "POST" else { return notAllowed("GET, POST") }
            return SessionInit(answering: self).response(&state)
        }
        guard method == "GET" else { return notAllowed("GET") }
        if name == "metadata" { return refusal(of: .metadata, &state) ?? metadata(&state) }
        if name.hasPrefix("assets/") {
            return AdServer(answering: self, base: base).asset(name.dropFirst("assets/".count), &state)
        }
        if let status = state.outages[outageKey(name)] { return .plain(status, "this playlist has an outage") }
        let isBackup = stream.scenario.stream.hasBackup && name.hasPrefix(PlaylistText.backupDirectory)
        let file = isBackup ? name.dropFirst(PlaylistText.backupDirectory.count) : name
        for variant in PlaylistText.variants {
            if file == "\(variant.file).m3u8", isMissing(variant) { return .plain(404, "no such playlist") }
            if file == "\(variant.file).m3u8" { return refusal(of: .playlist, &state) ?? playlist(variant.file) }
            if file.hasPrefix("\(variant.file)/") { return media(file.dropFirst(variant.file.count + 1)) }
        }
        return .plain(404, "no such playlist")
    }

    private func isMissing(_ variant: PlaylistText.Variant) -> Bool {
        stream.scenario.stream.lacksBest && variant.file == PlaylistText.variants.last?.file
    }

    private func metadata(_ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.metadata.isServed else { return .plain(404, "this stream has no metadata") }
        guard let session = path.query["sessid"], SessionId.isValid(session) else {
            return .plain(400, "sessid: missing or invalid; use ?sessid=ID")
        }
        let text = MetadataText(stream: stream, session: session, origin: base)
        defer { state.metadataPolls += 1 }
        return .json(text.document(at: nowMs, poll: state.metadataPolls, written: &state.adTexts))
    }

    /// The media playlist `file`, which may wait for its newest segment.
    /// - Parameter adSegments: directory of ad segments whose requests are counted; empty without such ones.
    func playlist(_ file: String, adSegments: String = "") -> OriginResponse {
        switch BlockingReload(stream: stream, nowMs: nowMs).outcome(path.query) {
        case .refused(let reason): return .plain(400, reason)
        case .unavailable(let atMs):
            var response = OriginResponse.plain(503, "the requested segment or part was not published in time")
            response.delayMs = atMs - nowMs
            return response
        case .answer(let atMs):
            let viewer = path.query[SignalingServer.viewer].flatMap { SessionId.isValid($0) ? $0 : nil }
            let text = MediaPlaylistText(
                stream: stream, file: file, nowMs: atMs, root: root + OriginPath.streamDirectory,
                query: path.query["sessid"].flatMap { SessionId.isValid($0) ? "sessid=\($0)" : nil } ?? "",
                isDelta: path.query["_HLS_skip"] == "YES", adSegments: adSegments,
                signaling: viewer.map { SignalingText(stream: stream, viewer: $0, origin: base) })
            var response = OriginResponse.playlist(text.text)
            response.delayMs = atMs - nowMs
            return response
        }
    }

    /// What is below a manifest of its own.
    /// - Parameters:
    ///   - steps: a media playlist, or its directory and a segment.
    ///   - refusal: what a session that is over is answered instead of a playlist.
    func media(_ steps: [String], refusal: () -> OriginResponse?) -> OriginResponse {
        guard let first = steps.first,
            let variant = PlaylistText.variants.first(where: { first == "\($0.file).m3u8" || first == $0.file })
        else { return .plain(404, "no such playlist") }
        if steps.count == 2, first == variant.file { return media(Substring(steps[1])) }
        return refusal() ?? playlist(variant.file)
    }

    /// Segments and parts exist for one more window after they left it. The answer to a hinted part waits until it
    /// exists.
    func media(_ name: Substring) -> OriginResponse {
        let window = stream.window(at: nowMs)
        let oldest = window.lowerBound - window.count
        if name.hasPrefix("seg-"), name.hasSuffix(".ts"), let number = Int(name.dropFirst(4).dropLast(3)),
            number >= 0, number >= oldest, number < window.upperBound
        {
            return OriginResponse(status: 200, type: "video/mp2t", body: stream.media(ofSegment: number))
        }
        guard name.hasPrefix("part-"), name.hasSuffix(".ts") else { return .plain(404, "no such segment") }
        let numbers = name.dropFirst(5).dropLast(3).split(separator: ".").map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let index = numbers[1], number >= 0, number >= oldest,
            number <= window.upperBound
        else { return .plain(404, "no such part") }
        let segment = stream.segment(number)
        let parts = stream.parts(of: segment)
        guard parts.indices.contains(index) else { return .plain(404, "no such part") }
        let endMs = segment.startMs + parts[index].offsetMs + parts[index].durationMs
        var response = OriginResponse(status: 200, type: "video/mp2t", body: TransportStream.segment(number))
        response.delayMs = max(0, stream.publicationMs(of: endMs) - nowMs)
        return response
    }

    /// `POST /outages?file=02.m3u8[&status=503]` makes a playlist fail until `DELETE /outages`.
    private func outages(_ state: inout OriginState) -> OriginResponse {
        switch method {
        case "DELETE":
            state.outages = [:]
            return OriginResponse(status: 204)
        case "POST":
            let status = path.query["status"].map { Int($0) ?? 0 } ?? 503
            guard let file = path.query["file"], isPlaylist(file), (400...599).contains(status) else {
                return .plain(400, "outage: needs a playlist and optionally a status, such as ?file=02.m3u8&status=503")
            }
            state.outages[outageKey(file)] = status
            return OriginResponse(status: 204)
        default:
            let entries = state.outages.sorted { $0.key < $1.key }
            return .json(.object(entries.map { .init($0.key, .integer($0.value)) }))
        }
    }

    private func isPlaylist(_ file: String) -> Bool {
        PlaylistText.variants.contains { file == "\($0.file).m3u8" || file == "backup/\($0.file).m3u8" }
    }

    private func outageKey(_ file: some StringProtocol) -> String { "\(stream.scenario.name)/\(file)" }

    /// `adtop-plan/1`. `continues=true` is a viewer who was already playing before `fromMs`.
    private func plan() -> OriginResponse {
        guard let session = path.query["sessid"], SessionId.isValid(session) else {
            return .plain(400, "sessid: missing or invalid; use ?sessid=ID&fromMs=MS&toMs=MS")
        }
        guard let fromMs = path.query["fromMs"].flatMap({ Int($0) }),
            let toMs = path.query["toMs"].flatMap({ Int($0) }),
            PlanLimits.range(around: stream.startMs).contains(fromMs), fromMs <= toMs,
            // Their difference may overflow an Int.
            toMs <= fromMs + PlanLimits.longestMs
        else {
            return .plain(
                400, "fromMs, toMs: must be epoch ms near the stream's start, fromMs <= toMs, at most a day apart")
        }
        let joins = path.query["continues"] != "true"
        let beacons = stream.plan(session: session, fromMs: fromMs, toMs: toMs, joins: joins)
        return .json(
            .object([
                .init("schema", .string("adtop-plan/1")), .init("scenario", .string(stream.scenario.name)),
                .init("sessid", .string(session)), .init("fromMs", .integer(fromMs)), .init("toMs", .integer(toMs)),
                .init("count", .integer(beacons.count)), .init("beacons", .array(beacons.map { $0.json(base: base) })),
            ]))
    }

    func notAllowed(_ methods: String) -> OriginResponse {
        .plain(405, "use \(methods)", more: [.init(name: .allow, value: methods)])
    }

    /// Scheme, authority and the prefix of the request's scenario.
    var root: String { base + path.prefix(instance: path.instance) }

    /// Scheme and authority of URLs in answers: the host that the client used, if it is valid.
    private var base: String {
        let host = request.header("host") ?? ""
        let isUsable =
            !host.isEmpty && host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x3A).contains(byte)
                    || [0x2D, 0x2E, 0x5B, 0x5D].contains(byte)
            }
        return "http://" + (isUsable ? host : origin.fallbackAuthority)
    }
}

/// Limits of `GET /plan`.
private enum PlanLimits {
    /// Longest interval.
    static let longestMs = 86_400_000
    /// Largest distance of an interval from the stream's start, which is far from overflow.
    static func range(around startMs: Int) -> ClosedRange<Int> {
        startMs - 400 * longestMs...startMs + 400 * longestMs
    }
}

extension PlannedBeacon {
    /// The beacon as `GET /plan` lists it.
    fileprivate func json(base: String) -> JSONText {
        .object([
            .init("url", .string(base + target)), .init("event", .string(event)), .init("breakId", .string(breakId)),
            .init("adId", .string(adId)), .init("urlIndex", .integer(urlIndex)), .init("atMs", .integer(atMs)),
        ])
    }
}
