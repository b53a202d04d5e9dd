/// Sessions, playlists and tracking data below `/v1/`, as the user guide of AWS Elemental MediaTailor describes them: explicit
/// sessions by POST, implicit ones by the request of a manifest, seconds that count from the first media playlist of a
/// session, and pages of ads that still have beacons.
struct TailorServer {
    /// Directory of all its resources.
    static let directory = "/v1/"
    /// The account in every path.
    private static let account = "0123456789abcdef0123456789abcdef01234567"

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    private var stream: LiveStream { answering.stream }

    /// Path and query that open a session, under that name if one is given.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        var items = session.map { ["aws.sessionId=\($0)"] } ?? []
        if scenario.session.reporting == .service { items.append("aws.reportingMode=server") }
        let query = items.isEmpty ? "" : "?\(items.joined(separator: "&"))"
        return "\(directory)session/\(account)/\(scenario.name)/index.m3u8\(query)"
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.session.dialect == .mediatailor else {
            return .plain(404, "this scenario has no such sessions")
        }
        let steps = answering.path.resource.split(separator: "/").map(String.init)
        guard steps.count > 4, steps[2] == Self.account else { return .plain(404, "no such account") }
        let method = answering.request.method
        switch (steps[1], method) {
        case ("session", "POST"), ("session", "GET"): return opened(&state)
        case ("master", "GET"): return multivariant(&state)
        case ("manifest", "GET"): return playlist(Array(steps[4...]), &state)
        case ("tracking", "POST"), ("tracking", "GET"): return tracking(steps[4], &state)
        case ("segment", "GET"), ("segment", "HEAD"): return segment(Array(steps[4...]), &state)
        default: return .plain(404, "no such resource")
        }
    }

    // MARK: Sessions

    /// The session that the request names, or a new one; nil for a name that is none.
    private func session(_ state: inout OriginState) -> String? {
        if let named = answering.path.query["aws.sessionId"] { return SessionId.isValid(named) ? named : nil }
        return state.newSession(of: stream)
    }

    private func opened(_ state: inout OriginState) -> OriginResponse {
        guard let session = session(&state) else { return .plain(400, "aws.sessionId: not a session id") }
        let prefix = answering.path.prefix(instance: nil)
        let place = "\(Self.account)/\(stream.scenario.name)"
        return .json(
            .object([
                .init("manifestUrl", .string("\(prefix)/v1/master/\(place)/index.m3u8?aws.sessionId=\(session)")),
                .init("trackingUrl", .string("\(prefix)/v1/tracking/\(place)/\(session)")),
            ]))
    }

    private func multivariant(_ state: inout OriginState) -> OriginResponse {
        guard let session = session(&state) else { return .plain(400, "aws.sessionId: not a session id") }
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        for variant in PlaylistText.variants {
            text += "#EXT-X-STREAM-INF:\(variant.attributes)\n"
            text += "../../../manifest/\(Self.account)/\(stream.scenario.name)/\(session)/\(variant.file).m3u8\n"
        }
        return .playlist(text)
    }

    /// - Parameter steps: session and file, or session, directory and segment.
    private func playlist(_ steps: [String], _ state: inout OriginState) -> OriginResponse {
        guard let session = steps.first, SessionId.isValid(session), steps.count > 1 else {
            return .plain(404, "no session")
        }
        guard let variant = PlaylistText.variants.first(where: { steps[1] == "\($0.file).m3u8" || steps[1] == $0.file })
        else { return .plain(404, "no such playlist") }
        if steps.count == 3 { return answering.media(Substring(steps[2])) }
        _ = zeroMs(of: session, &state)
        let isService = stream.scenario.session.reporting == .service
        return answering.playlist(variant.file, adSegments: isService ? address(of: "segment", session) : "")
    }

    /// The directory of a session's playlists or ad segments.
    private func address(of role: String, _ session: String) -> String {
        "\(answering.root)\(Self.directory)\(role)/\(Self.account)/\(stream.scenario.name)/\(session)"
    }

    /// The request of an ad segment is the report of the ad: it leaves a receipt, and the segment is elsewhere. A monitor must
    /// not make it.
    /// - Parameter steps: session, file and number.
    private func segment(_ steps: [String], _ state: inout OriginState) -> OriginResponse {
        guard steps.count == 3, SessionId.isValid(steps[0]), Int(steps[2]) != nil else {
            return .plain(404, "no such segment")
        }
        state.receipts.append(
            Collector.receipt(ofSegment: answering.request, stream.scenario, session: steps[0], atMs: answering.nowMs))
        return .redirect(302, to: "\(address(of: "manifest", steps[0]))/\(steps[1])/seg-\(steps[2]).ts")
    }

    /// Second 0 of a session: the start of the first segment it was served.
    private func zeroMs(of session: String, _ state: inout OriginState) -> Int {
        let window = stream.window(at: answering.nowMs)
        let startMs = window.isEmpty ? answering.nowMs : stream.segment(window.lowerBound).startMs
        return state.zeros.openedMs(session, of: stream.scenario.name, nowMs: startMs)
    }

    // MARK: Tracking data

    private func tracking(_ session: String, _ state: inout OriginState) -> OriginResponse {
        guard SessionId.isValid(session) else { return .plain(404, "no such session") }
        let body = String(decoding: answering.request.body, as: UTF8.self)
        var fromMs = Int.min
        if let token = Self.token(in: body) {
            guard let position = Self.position(in: token) else { return .plain(400, "Bad Request") }
            fromMs = position
        }
        let text = TrackingText(
            stream: stream, session: session, origin: base, zeroMs: zeroMs(of: session, &state),
            version: MetadataVersion(stream, at: answering.nowMs, poll: state.metadataPolls))
        let edgeMs = stream.metadataEdgeMs(at: answering.nowMs)
        defer { state.metadataPolls += 1 }
        return .json(text.document(edgeMs: edgeMs, endingAfter: fromMs, token: Self.token(at: edgeMs)))
    }

    /// A page's position with check digits. The equals signs must come back as they are.
    private static func token(at positionMs: Int) -> String { "\(positionMs).\(check(positionMs))==" }

    private static func check(_ position: Int) -> UInt64 {
        SeedMix.value(seed: 20, index: UInt64(truncatingIfNeeded: position)) % 100_000
    }

    private static func position(in token: String) -> Int? {
        guard token.hasSuffix("=="), let position = Int(token.prefix { $0 != "." }) else { return nil }
        return token == self.token(at: position) ? position : nil
    }

    /// The value of `NextToken` in a body; nil without one.
    private static func token(in body: String) -> String? {
        guard let name = body.firstRange(of: "\"NextToken\"") else { return nil }
        let rest = body[name.upperBound...].drop { $0 == " " || $0 == ":" }
        guard rest.first == "\"" else { return nil }
        return String(rest.dropFirst().prefix { $0 != "\"" })
    }
}
