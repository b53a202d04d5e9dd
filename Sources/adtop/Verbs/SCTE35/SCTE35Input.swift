import Foundation
import HLS
import Ports

/// One message for `adtop scte35`: a payload on its own or in a marker of a playlist.
struct SCTE35Input {
    /// A tag or attribute that can carry a message.
    struct Marker {
        /// File or URL of the playlist.
        var place: String
        /// 1-based line number; 0 for a tag of an earlier playlist.
        var line: Int
        /// `EXT-X-CUE-OUT`, or `SCTE35-OUT` and the ID of a date range.
        var name: String
    }

    /// The message in base64 or hexadecimal; nil for a marker without a message.
    var payload: String?
    var marker: Marker?
    /// Whether the payload is the argument itself, because no file has that name.
    var isArgument = false

    /// The messages of one argument: all markers of a playlist (file, URL or `-`), all payloads of a text (file or
    /// `-`), or the argument itself as a payload.
    static func read(_ argument: String, from input: InputSource) async throws -> [SCTE35Input] {
        try InputFile.checkScheme(of: argument)
        guard InputFile.isAddress(argument) || argument == "-" || FileManager.default.fileExists(atPath: argument)
        else {
            return [SCTE35Input(payload: argument, isArgument: true)]
        }
        let content = try await input.read(argument, limit: Limits.playlistBytes)
        guard isPlaylist(content.bytes) else {
            let place = argument == "-" ? "standard input" : argument
            guard !content.bytes.contains(0), let text = String(validating: content.bytes, as: UTF8.self) else {
                throw CommandFailure(.unreadable, "\(place): not a text; give base64, hexadecimal or a playlist")
            }
            let words = text.trimmingPrefix("\u{FEFF}").split(whereSeparator: \.isWhitespace)
            guard !words.isEmpty else {
                throw CommandFailure(.unreadable, "\(place): no payload in it; give base64, hexadecimal or a playlist")
            }
            return words.map { SCTE35Input(payload: String($0)) }
        }
        let parsed = PlaylistParser.parse(content.bytes, uri: content.uri)
        guard let media = parsed.media else {
            throw CommandFailure(
                .unreadable, "\(argument): no markers, not a media playlist (see adtop hls parse)")
        }
        return markers(of: media, parsed.undecodableSplices, place: argument)
    }

    private static func isPlaylist(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).starts(with: "#EXTM3U".utf8)
    }

    /// In the order of their lines.
    private static func markers(
        of media: MediaPlaylist, _ undecodable: [UndecodableSplice], place: String
    ) -> [SCTE35Input] {
        // A cue tag has one message; a date range may have several, and several tags.
        let texts = Dictionary(undecodable.lazy.map { ($0.line, $0.text) }, uniquingKeysWith: { first, _ in first })
        let cues = media.cuePoints.map { cue in
            SCTE35Input(
                payload: cue.scte35.map { "0x" + $0.upperHexadecimal } ?? texts[cue.line],
                marker: Marker(place: place, line: cue.line, name: cue.tag))
        }
        let ranges = media.dateRanges.flatMap { range in
            range.sections.map { section in
                SCTE35Input(
                    payload: "0x" + section.bytes.upperHexadecimal,
                    marker: Marker(place: place, line: range.line, name: "\(section.name) of \(range.id)"))
            }
        }
        let cueLines = Set(media.cuePoints.lazy.map(\.line))
        let ids = Dictionary(media.dateRanges.lazy.map { ($0.line, $0.id) }, uniquingKeysWith: { first, _ in first })
        let failed = undecodable.filter { !cueLines.contains($0.line) }.map { splice in
            // A range has the line of its first tag alone.
            let name = splice.name + (ids[splice.line].map { " of \($0)" } ?? "")
            return SCTE35Input(payload: splice.text, marker: Marker(place: place, line: splice.line, name: name))
        }
        return (cues + ranges + failed).sorted { ($0.marker?.line ?? 0) < ($1.marker?.line ?? 0) }
    }
}
