/// One request to one stream: everything but the collector.
struct AnsweringStream {
    /// The stream asked.
    let stream: LiveStream
    /// The request.
    let request: OriginRequest
    /// Where it goes.
    let path: OriginPath
    /// When it is answered, epoch ms.
    let nowMs: Int
    /// The origin it was sent to.
    let origin: OriginResponder

    /// HEAD is answered like GET; the server leaves the body out.
    private var method: String { request.method == "HEAD" ? "GET" : request.method }

    /// The answer.
    func response(_ state: inout OriginState) -> OriginResponse {
        if path.resource.hasPrefix(OriginPath.streamDirectory) {
            return streamResource(path.resource.dropFirst(OriginPath.streamDirectory.count), &state)
        }
        switch (path.resource, method) {
        case ("/receipts", "DELETE"):
            state.receipts.clear()
            return OriginResponse(status: 204)
        case ("/receipts", "GET"): return .json(state.receipts.document(matching: path.query))
        case ("/plan", "GET"): return plan()
        case ("/healthz", "GET"): return .plain(200, "ok")
        case ("/", "GET"):
            return .plain(200, IndexText.text(stream: stream, prefix: path.prefix(instance: nil), base: base))
        case ("/receipts", _): return notAllowed("GET, DELETE")
        case ("/plan", _), ("/healthz", _), ("/", _): return notAllowed("GET")
        default: return .plain(404, "nothing here; GET / lists the paths")
        }
    }

    private func streamResource(_ name: Substring, _ state: inout OriginState) -> OriginResponse {
        if name == "index.m3u8" {
            guard method == "GET" || method == "POST" else { return notAllowed("GET, POST") }
            return SessionInit(answering: self).response(&state)
        }
        guard method == "GET" else { return notAllowed("GET") }
        if name == "metadata" { return metadata() }
        for variant in PlaylistText.variants {
            if name == "\(variant.file).m3u8" {
                return .playlist(PlaylistText.media(stream, file: variant.file, at: nowMs))
            }
            if name.hasPrefix("\(variant.file)/") { return segment(name.dropFirst(variant.file.count + 1)) }
        }
        return .plain(404, "no such playlist")
    }

    private func metadata() -> OriginResponse {
        guard let session = path.query["sessid"], SessionId.isValid(session) else {
            return .plain(400, "metadata needs the session: ?sessid=…")
        }
        return .json(MetadataText(stream: stream, session: session, origin: base).document(at: nowMs))
    }

    /// Segments stay as long again as the window lists them.
    private func segment(_ name: Substring) -> OriginResponse {
        let window = stream.window(at: nowMs)
        guard name.hasPrefix("seg-"), name.hasSuffix(".ts"), let number = Int(name.dropFirst(4).dropLast(3)),
            number >= 0, number >= window.lowerBound - window.count, number < window.upperBound
        else { return .plain(404, "no such segment") }
        return OriginResponse(status: 200, type: "video/mp2t", body: TransportStream.segment(number))
    }

    /// `adtop-plan/1`. `continues=true` is a viewer who was already playing before `fromMs`.
    private func plan() -> OriginResponse {
        guard let session = path.query["sessid"], SessionId.isValid(session) else {
            return .plain(400, "the plan needs the session: ?sessid=…&fromMs=…&toMs=…")
        }
        guard let fromMs = path.query["fromMs"].flatMap({ Int($0) }),
            let toMs = path.query["toMs"].flatMap({ Int($0) }),
            PlanLimits.range(around: stream.startMs).contains(fromMs), fromMs <= toMs,
            // Not their difference, which may not fit into an Int.
            toMs <= fromMs + PlanLimits.longestMs
        else {
            return .plain(400, "the plan needs fromMs <= toMs, epoch ms near the stream's start, at most a day apart")
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

    private func notAllowed(_ methods: String) -> OriginResponse {
        .plain(405, "only \(methods) here", more: [.init(name: .allow, value: methods)])
    }

    /// Scheme and authority of URLs in answers: the host the client used, when it is one.
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

/// What `GET /plan` may be asked.
private enum PlanLimits {
    /// Longest interval.
    static let longestMs = 86_400_000
    /// Distance from the stream's start at which an interval may begin: far, and far from overflow.
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
