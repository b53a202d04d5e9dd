package import HLS
package import Ports

/// The followed media playlist in full, for whoever looks into it: made of values that the session holds anyway, so a
/// snapshot shares them and copies nothing.
package struct PlaylistDetail: Sendable {
    /// The newest text that was read as a media playlist.
    package var text: PlaylistText
    /// Segments in their places on the stream clock, with the newest playlist, delta updates merged.
    package var timeline: Timeline

    package init(text: PlaylistText, timeline: Timeline) {
        self.text = text
        self.timeline = timeline
    }

    /// The newest good playlist; nil while none had segments.
    package var playlist: MediaPlaylist? { timeline.playlist }
}

/// One answer with a media playlist, as it came.
package struct PlaylistText: Sendable {
    /// Counts the media playlists that a session has read, from 1: an equal number means the same text.
    package var number: Int
    /// The URL it came from, after redirects.
    package var url: String
    package var bytes: [UInt8]
    /// Of this text alone, in order of lines; what only reloads show is among `Snapshot.findings`.
    package var findings: [Finding]
    /// Media sequence number of the first segment it lists: lines of those before it are of older texts, which a delta
    /// update leaves out.
    package var firstSequence: Int
    /// It is a delta update (EXT-X-SKIP).
    package var isDelta: Bool
    package var readAt: Moment

    package init(
        number: Int, url: String, bytes: [UInt8], findings: [Finding], firstSequence: Int, isDelta: Bool = false,
        readAt: Moment
    ) {
        self.number = number
        self.url = url
        self.bytes = bytes
        self.findings = findings
        self.firstSequence = firstSequence
        self.isDelta = isDelta
        self.readAt = readAt
    }

    /// The `number`th text of a session.
    init(number: Int, _ parsed: ParsedPlaylist, _ playlist: MediaPlaylist, _ exchange: HTTPExchange, at now: Moment) {
        self.init(
            number: number, url: parsed.uri, bytes: exchange.body, findings: parsed.findings,
            firstSequence: playlist.firstListedSequence, isDelta: playlist.skip != nil, readAt: now)
    }
}

extension Timeline {
    /// Whether `media` was taken in, whole or as a delta update: an old copy or a delta that does not fit is not, and
    /// its lines are not those of the listed segments.
    func listsEnd(of media: MediaPlaylist) -> Bool {
        guard let last = media.segments.last, let held = playlist?.segments.last else {
            return media.segments.isEmpty && playlist?.segments.isEmpty == true
        }
        return held.sequence == last.sequence && held.line == last.line && held.uri == last.uri
    }
}
