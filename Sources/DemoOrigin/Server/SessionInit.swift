/// Session initialisation at the multivariant URL (TRK-1).
///
/// - `initSession=true` (any method) or POST: 200 with `manifestUrl` and `trackingUrl`, relative to the final URL.
/// - A plain GET: the multivariant playlist, whose variants contain the session.
/// - A scenario without metadata has no sessions: the multivariant playlist, and 405 for POST.
/// - A scenario with an instance answers 307 to the instance first, whose URL contains the session.
struct SessionInit {
    /// The request and its stream.
    let answering: AnsweringStream

    /// The answer; a request without a session opens a session.
    func response(_ state: inout OriginState) -> OriginResponse {
        let query = answering.path.query
        let scenario = answering.stream.scenario
        guard scenario.metadata.isServed else {
            // A plain origin ignores `initSession` as an unknown parameter.
            guard answering.request.method != "POST" else { return .plain(405, "use GET") }
            return .playlist(PlaylistText.multivariant(session: nil, hasBackup: scenario.stream.hasBackup))
        }
        let wantsInit = answering.request.method == "POST" || query["initSession"] == "true"
        if let session = query["sessid"], !SessionId.isValid(session) { return .plain(400, "sessid: not a session id") }
        if let refusal = answering.refusal(of: .playlist, &state) { return refusal }
        let session = query["sessid"] ?? open(&state)

        if let instance = scenario.session.redirectInstance, answering.path.instance == nil {
            let prefix = answering.path.prefix(instance: instance)
            let start = "\(prefix)\(OriginResponder.masterPath)?sessid=\(session)&vosad_inst_id=\(instance)"
            return .redirect(307, to: wantsInit ? start + "&initSession=true" : start)
        }
        guard wantsInit else {
            return .playlist(PlaylistText.multivariant(session: session, hasBackup: scenario.stream.hasBackup))
        }
        return .json(
            .object([
                .init("manifestUrl", .string("./index.m3u8?sessid=\(session)")),
                .init("trackingUrl", .string("./metadata?sessid=\(session)")),
            ]))
    }

    private func open(_ state: inout OriginState) -> String {
        let session = state.newSession(of: answering.stream)
        _ = state.openings.openedMs(session, of: answering.stream.scenario.name, nowMs: answering.nowMs)
        return session
    }
}
