import HLS
import Ports

/// Small playlists written in tests.
enum InlinePlaylist {
    static let uri = "https://cdn.example.com/live/ch1/media.m3u8"

    /// Lines 1 to 3 of most media playlists here.
    static let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n"
    /// A date, and three segments of 6 s.
    static let dated = "#EXT-X-PROGRAM-DATE-TIME:2027-01-01T00:00:00Z\n" + segments
    static let segments = "#EXTINF:6,\n0.ts\n#EXTINF:6,\n1.ts\n#EXTINF:6,\n2.ts\n"

    static func parse(
        _ text: String, uri: String = uri, variables: [String: String] = [:]
    ) -> ParsedPlaylist {
        PlaylistParser.parse(Array(text.utf8), uri: uri, variables: variables)
    }

    static func media(_ text: String) -> MediaPlaylist? {
        parse(text).media
    }

    /// `rule@line` of each finding, `rule` alone for those about the whole playlist.
    static func findings(_ parsed: ParsedPlaylist) -> [String] {
        parsed.findings.map { finding in finding.line.map { "\(finding.rule)@\($0)" } ?? finding.rule }
    }
}
