import HLS
import Ports

/// Ad creative signaling in date ranges of a media playlist, below any provider (PRV-39): saved playlists.
package enum Signaling: SavedAnswerReader, RecognisableService {
    package static let name = "svta"

    package static let summary = ProviderSummary(
        title: "SVTA ad creative signaling", recognition: "date ranges of the playlist; below every other provider",
        supports: [
            "read in every session, whatever its provider", "dates; two descriptions of one ad are one ad",
            "what metadata lists too is sent with --fire-anyway only", "saved media playlists",
        ])

    package static let hasSessions = false

    package static func isNamed(in text: String) -> Bool {
        SignaledRanges.classes.contains { text.contains("CLASS=\"\($0)\"") }
    }

    package static func savedSession() -> any SavedSession { SavedPlaylists() }
}

/// Saved playlists of one stream: tags of one date range are united also where they are in several (PRV-39).
private struct SavedPlaylists: SavedSession {
    private var ranges = SignaledListing()
    private var listing = Listing()

    var breaks: [ListedBreak] { listing.breaks }
    var findings: [Finding] { listing.findings }

    mutating func add(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        guard bytes.starts(with: "#EXTM3U".utf8), let playlist = PlaylistParser.parse(bytes, uri: "").media else {
            throw bytes.isEmpty ? .empty : .other("is not a media playlist")
        }
        ranges.add(playlist.dateRanges)
        listing = Listing()
        listing.add(ranges.answer)
        var newest = SignaledListing()
        newest.add(playlist.dateRanges)
        return SavedAnswer(newest.answer, nextMethod: nil)
    }
}
