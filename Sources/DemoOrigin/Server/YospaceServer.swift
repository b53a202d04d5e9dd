/// Live sessions in the form of Yospace, as public clients of the service describe them: the manifest names the address of the breaks,
/// which have no times, and records in the media place their ads.
struct YospaceServer {
    /// Directory of its resources.
    static let directory = "/csm/"
    private static let parameter = ";jsessionid="
    /// What replaces the id in an address that asks for a session.
    private static let new = "new"

    let answering: AnsweringStream
    /// Scheme and authority of beacon URLs.
    let base: String

    private var stream: LiveStream { answering.stream }

    /// Path that opens a session, or joins the one of that name.
    static func openingPath(of scenario: Scenario, session: String?) -> String {
        "\(directory)\(scenario.name).m3u8\(parameter)\(session ?? new)"
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        guard stream.scenario.session.dialect == .yospace else {
            return .plain(404, "this scenario has no such sessions")
        }
        let resource = answering.path.resource
        let parts = resource.split(separator: Self.parameter, maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            return answering.media(resource.dropFirst(Self.directory.count).split(separator: "/").map(String.init)) {
                nil
            }
        }
        switch parts[0] {
        case "\(Self.directory)\(stream.scenario.name).m3u8":
            let session = parts[1] == Self.new ? state.newSession(of: stream) : parts[1]
            guard SessionId.isValid(session) else { return .plain(400, "jsessionid: not a session id") }
            _ = state.openings.openedMs(session, of: stream.scenario.name, nowMs: answering.nowMs)
            return .playlist(manifest(session))
        case "\(Self.directory)analytics":
            guard SessionId.isValid(parts[1]) else { return .plain(400, "jsessionid: not a session id") }
            return answering.refusal(of: .metadata, session: parts[1], &state) ?? analytics(parts[1], &state)
        default: return .plain(404, "no such resource")
        }
    }

    private func manifest(_ session: String) -> String {
        let address = "\(answering.root)\(Self.directory)analytics\(Self.parameter)\(session)"
        let lines = PlaylistText.multivariant(below: "").split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(lines[0])\n#EXT-X-YOSPACE-ANALYTICS-URL:\"\(address)\"\n\(lines.last ?? "")"
    }

    /// The breaks that have begun at the live edge. They stay new for a while, so that an answer that is lost loses nothing; one that
    /// comes again has the ads that have begun since.
    private func analytics(_ session: String, _ state: inout OriginState) -> OriginResponse {
        defer { state.metadataPolls += 1 }
        let edgeMs = stream.liveEdgeMs(at: answering.nowMs)
        let vast = VASTText(
            scenario: stream.scenario.name, session: session, origin: base,
            mediaRoot: answering.root + OriginPath.streamDirectory)
        let known = stream.breaks(from: edgeMs - stream.scenario.metadata.windowMs, through: edgeMs)
        let breaks = known.compactMap { adBreak -> VMAPText.AdBreak? in
            let ads = adBreak.ads.filter { $0.isListed(edgeMs: edgeMs) }
            guard !ads.isEmpty else { return nil }
            var entry = VMAPText.AdBreak(id: adBreak.id, offset: VASTText.clock(0))
            entry.inline = VASTText.element(ads.map { inline($0, vast) }.joined())
            entry.isTracked = false
            entry.length = VASTText.clock(adBreak.ads.reduce(0) { $0 + $1.durationMs })
            return entry
        }
        return .xml(VMAPText(scenario: stream.scenario.name, session: session, origin: base).document(breaks))
    }

    /// The ad with the name of its media. A macro that only players fill would be a finding in each ad.
    private func inline(_ ad: PlannedAd, _ vast: VASTText) -> String {
        vast.inline([ad]).replacing("&code=[ERRORCODE]", with: "")
            .replacing(#" adId="\#(ad.name)""#, with: #" AdID="\#(AdRecord.creative(of: ad.id))""#)
    }
}
