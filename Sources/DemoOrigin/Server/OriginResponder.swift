/// Answers every request to the embedded origin as a pure function of request, time and state.
///
/// The scenario of the origin is at the default paths, and every built-in scenario is under `/s/<name>/`.
/// The index page (`GET /`) lists the paths.
package struct OriginResponder: Sendable {
    /// The stream at the default paths.
    package let stream: LiveStream
    /// Authority of URLs when the request names no usable host.
    let fallbackAuthority: String

    /// An origin that started at `startMs` (epoch ms) and is reached at `authority` (`127.0.0.1:PORT`).
    package init(scenario: Scenario, seed: UInt64, startMs: Int, authority: String) {
        stream = LiveStream(scenario: scenario, seed: seed, startMs: startMs)
        fallbackAuthority = authority
    }

    /// Path of the multivariant playlist at the default paths.
    package static let masterPath = OriginPath.streamDirectory + "index.m3u8"

    /// Path and query at which a viewer finds the stream of a scenario.
    /// - Parameter session: the session to join or to open under that name; nil for one that the origin names.
    package static func streamPath(of scenario: Scenario, session: String? = nil) -> String {
        switch scenario.session.dialect {
        case .mediatailor: return TailorServer.openingPath(of: scenario, session: session)
        case .broadpeak: return BroadpeakServer.openingPath(of: scenario, session: session)
        case .primetime: return PrimetimeServer.openingPath(of: scenario, session: session)
        case .vmap: return VMAPPollServer.openingPath(of: scenario, session: session)
        case .uplynk: return UplynkServer.openingPath(of: scenario, session: session)
        case .dai: return DAIServer.openingPath(of: scenario, session: session)
        case .yospace: return YospaceServer.openingPath(of: scenario, session: session)
        case .svta: return SignalingServer.openingPath(session: session)
        case .harmonic:
            let query = scenario.metadata.isServed ? session.map { "?sessid=\($0)" } : nil
            return masterPath + (query ?? "")
        }
    }

    /// The answer to `request` at `nowMs` (epoch ms).
    package func respond(to request: OriginRequest, at nowMs: Int, state: inout OriginState) -> OriginResponse {
        let path = OriginPath(target: request.target)
        if path.resource.hasPrefix(BeaconLink.beaconPath) {
            let played = self.stream(named: Collector.scenarioName(path.resource), &state)
            return Collector.beacon(
                request, path: path, scenario: played?.scenario, atMs: nowMs, log: &state.receipts)
        }
        if let verification = MediaID.Verification(path.resource) {
            let played = self.stream(named: verification.scenario, &state)
            return Collector.beacon(
                request, path: verification.path, link: verification.link, scenario: played?.scenario, atMs: nowMs,
                log: &state.receipts)
        }
        if path.resource.hasPrefix(BeaconLink.hopPath) {
            return Collector.hop(request, path: path, atMs: nowMs, log: &state.receipts)
        }
        guard let stream = path.scenario.map({ self.stream(named: $0, &state) }) ?? stream else {
            return .plain(404, "no such scenario; GET / lists them")
        }
        let answering = AnsweringStream(stream: stream, request: request, path: path, nowMs: nowMs, origin: self)
        return answering.response(&state)
    }

    /// The stream of the scenario `name`, if there is one.
    private func stream(named name: String, _ state: inout OriginState) -> LiveStream? {
        if name == stream.scenario.name { return stream }
        if let known = state.streams[name] { return known }
        // A built-in text that does not parse is a defect that a test reports; here the scenario counts as missing.
        guard let loaded = try? BuiltinScenarios.load(name) else { return nil }
        let made = LiveStream(scenario: loaded.scenario, seed: stream.seed, startMs: stream.startMs)
        state.streams[name] = made
        return made
    }
}
