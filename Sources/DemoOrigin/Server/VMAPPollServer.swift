/// A VMAP document that lists the breaks of a stream as they become known, and names its manifest as Brightcove does.
///
/// Its seconds count from the first segment of the stream, which the playlist never drops.
struct VMAPPollServer {
    /// Directory of its resources. Recognition takes the end of the path for VMAP.
    static let directory = "/programme/"

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    /// Path and query of the document of a new session, or of that one.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        "\(directory)\(scenario.name).vmap" + (session.map { "?sessid=\($0)" } ?? "")
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        let scenario = answering.stream.scenario
        guard scenario.session.dialect == .vmap else { return .plain(404, "this scenario has no such document") }
        guard answering.path.resource != "\(Self.directory)index.m3u8" else {
            return .playlist(PlaylistText.multivariant(below: "..\(OriginPath.streamDirectory)"))
        }
        guard answering.path.resource == "\(Self.directory)\(scenario.name).vmap" else {
            return .plain(404, "no such document")
        }
        guard let session = answering.path.query["sessid"] else {
            let session = state.newSession(of: answering.stream)
            return .redirect(302, to: answering.root + Self.openingPath(of: scenario, session: session))
        }
        guard SessionId.isValid(session) else { return .plain(400, "sessid: not a session id") }
        defer { state.metadataPolls += 1 }
        return .xml(document(session))
    }

    private func document(_ session: String) -> String {
        let stream = answering.stream
        let edgeMs = stream.liveEdgeMs(at: answering.nowMs)
        let vast = VASTText(
            scenario: stream.scenario.name, session: session, origin: base,
            mediaRoot: answering.root + OriginPath.streamDirectory)
        let zeroMs = stream.segment(0).startMs
        let known = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
        let breaks = known.compactMap { adBreak -> VMAPText.AdBreak? in
            let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
            guard !ads.isEmpty else { return nil }
            var entry = VMAPText.AdBreak(id: adBreak.id, offset: VASTText.clock(adBreak.startMs - zeroMs))
            // Its seconds and ads are the point; a macro that only players fill is a finding in each ad.
            entry.inline = VASTText.element(vast.inline(ads).replacing("&code=[ERRORCODE]", with: ""))
            entry.isTracked = false
            return entry
        }
        return VMAPText(scenario: stream.scenario.name, session: session, origin: base)
            .document(breaks, manifest: "\(answering.root)\(Self.directory)index.m3u8")
    }
}
