import AdTracking
package import Session

/// The ad at the cursor of the tree, with its break.
package struct AdUnderCursor: Sendable, Equatable {
    /// Ids of the break and the ad.
    package var path: NodePath
    /// Label of the break.
    package var breakLabel: String
    package var ad: AdView
    /// Its length in its break.
    package var length: Duration
    /// What announced its break first.
    var origin: AdBreak.Source?
}

extension TreeModel {
    /// The ad under the cursor: the ad of an event, and for a break its ad on air or its first; nil when it has no ad.
    package var adUnderCursor: AdUnderCursor? {
        guard let row = selected else { return nil }
        let view = breakView(row)
        guard let ad = ad(row) ?? view.ads.first(where: \.isOnAir) ?? view.ads.first else { return nil }
        return AdUnderCursor(
            path: NodePath(breakID: view.id, adID: ad.id), breakLabel: view.label, ad: ad, length: view.length(of: ad),
            origin: view.origin)
    }

    /// All ads in the order of the breaks, folded or not.
    var adPaths: [NodePath] {
        summaries.flatMap { summary in
            summary.view.ads.map { NodePath(breakID: summary.view.id, adID: $0.id) }
        }
    }
}
