package import HLS

/// The identity of a row of the playlist pane, which stays the same when the playlist is reloaded.
package enum PlaylistItem: Hashable, Sendable {
    /// The tags of the whole playlist.
    case head
    /// All findings of one rule.
    case finding(rule: String)
    /// By media sequence number.
    case segment(Int)
    /// A partial segment by the number of its segment and its place in it.
    case part(Int, index: Int)
    /// An ad marker tag by the number of the segment that follows it, and its place among those.
    case cue(Int, ordinal: Int)
    /// EXT-X-DATERANGE by its ID.
    case dateRange(String)
    case hint(PreloadHint.Kind)
    /// EXT-X-RENDITION-REPORT by its URI.
    case report(String)
}
