package import HLS
package import Ports

/// The followed media playlist in full. It consists of values that the session holds anyway, so a snapshot shares them
/// without copies.
package struct PlaylistDetail: Sendable {
    /// The newest valid text of the media playlist.
    package var text: PlaylistText
    /// Segments at their positions on the stream clock, with the newest playlist; delta updates are merged.
    package var timeline: Timeline

    package init(text: PlaylistText, timeline: Timeline) {
        self.text = text
        self.timeline = timeline
    }

    /// The newest valid playlist; nil while none had segments.
    package var playlist: MediaPlaylist? { timeline.playlist }
}

/// One answer with a media playlist, as received.
package struct PlaylistText: Sendable {
    /// Number of the media playlist in the session, from 1: an equal number means the same text.
    package var number: Int
    /// The URL of the answer, after redirects.
    package var url: String
    package var bytes: [UInt8]
    /// Findings about this text alone, in order of lines; those about reloads are in `Snapshot.findings`.
    package var findings: [Finding]
    /// Media sequence number of the first listed segment: lines of earlier segments belong to older texts, which a
    /// delta update omits.
    package var firstSequence: Int
    /// Whether it is a delta update (EXT-X-SKIP).
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
            firstSequence: playlist.firstListedSequence, isDelta: playlist.isDelta, readAt: now)
    }
}

extension Timeline {
    /// Whether the timeline has `media`, whole or as a delta update. It does not have an old copy or a delta that does
    /// not fit, whose lines are not those of the listed segments.
    func listsEnd(of media: MediaPlaylist) -> Bool {
        guard let last = media.segments.last, let held = playlist?.segments.last else {
            return media.segments.isEmpty && playlist?.segments.isEmpty == true
        }
        return held.sequence == last.sequence && held.line == last.line && held.uri == last.uri
    }
}
