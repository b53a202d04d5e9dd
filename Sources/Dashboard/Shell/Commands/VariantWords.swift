import HLS
import Session

/// What can be typed after `:variant`.
enum VariantWords {
    /// The words that choose a variant of `playlist`: best and worst, heights, and the names of their playlists.
    static func of(_ playlist: PlaylistView) -> [String] {
        let options = playlist.variants.prefix(PlaylistView.listedVariants)
        let heights = options.compactMap { $0.variant.resolution.map { VariantWish.height($0.height).text } }
        let bandwidths = options.compactMap { $0.variant.bandwidth.map(String.init) }
        let wanted = VariantWish.words + heights + bandwidths + options.map(\.fileName)
        var seen: Set<String> = []
        return options.isEmpty
            ? VariantWish.words : wanted.filter { VariantWish($0) != nil && seen.insert($0).inserted }
    }

    /// One sentence about what is followed and what there is.
    static func summary(of playlist: PlaylistView) -> String {
        guard let followed = playlist.variant else { return VariantWish.noVariants }
        let options = playlist.variants
        let list = options.prefix(shown).map(\.summary).joined(separator: ", ")
        let more = options.count > shown ? " and \(options.count - shown) more" : ""
        return "variant \(followed.number) of \(options.count) is followed (\(followed.wish.shown)): \(list)\(more)"
    }

    private static let shown = 12
}
