extension YospaceQueue {
    /// What of a break was seen in the media.
    struct Seen {
        /// Only the ads that were seen.
        var adBreak: ListedBreak
        /// The break with all that answers listed.
        var known: ListedBreak
        /// Whether all of its ads were seen.
        var isWhole: Bool

        /// A name of its own in the session.
        var key: String { known.id ?? known.ads.first.map { "\($0.id ?? "") \($0.creative ?? "")" } ?? "" }
    }
}
