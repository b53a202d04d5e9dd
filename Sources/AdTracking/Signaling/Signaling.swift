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

    package static func saved(_ bytes: [UInt8], charset: String?) throws(MetadataProblem) -> SavedAnswer {
        guard bytes.starts(with: "#EXTM3U".utf8), let playlist = PlaylistParser.parse(bytes, uri: "").media else {
            throw bytes.isEmpty ? .empty : .other("is not a media playlist")
        }
        var listing = SignaledListing()
        listing.add(playlist.dateRanges)
        return SavedAnswer(listing.answer, nextMethod: nil)
    }
}
