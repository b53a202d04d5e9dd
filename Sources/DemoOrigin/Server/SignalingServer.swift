/// A stream without metadata, whose date ranges describe its ads (SVTA 2053). The viewer is named in addresses only so that
/// the beacons of several viewers can be told apart.
struct SignalingServer {
    /// Directory of its multivariant playlist.
    static let directory = "/signaled/"
    /// The query parameter with the viewer's name.
    static let viewer = "viewer"

    let answering: AnsweringStream

    /// Path and query of the stream for a new viewer, or for that one.
    static func openingPath(session: String?) -> String {
        "\(directory)index.m3u8" + (session.map { "?\(viewer)=\($0)" } ?? "")
    }

    func response(_ state: inout OriginState) -> OriginResponse {
        guard answering.stream.scenario.session.dialect == .svta,
            answering.path.resource == "\(Self.directory)index.m3u8"
        else { return .plain(404, "this scenario has no such playlist") }
        guard answering.request.method != "POST" else { return .plain(405, "use GET") }
        guard let viewer = answering.path.query[Self.viewer] else {
            let name = state.newSession(of: answering.stream)
            return .redirect(302, to: answering.root + Self.openingPath(session: name))
        }
        guard SessionId.isValid(viewer) else { return .plain(400, "\(Self.viewer): not a name of a viewer") }
        return .playlist(
            PlaylistText.multivariant(
                below: "..\(OriginPath.streamDirectory)", query: "?\(Self.viewer)=\(viewer)"))
    }
}
