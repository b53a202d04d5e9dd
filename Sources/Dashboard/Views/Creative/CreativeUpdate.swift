import Monitoring

extension DashboardState {
    /// The rows of the ad under the cursor; the cursor of another ad starts at its first row.
    mutating func refreshCreative() {
        if creative.model.adPath != model.adUnderCursor?.path {
            creative.selection = nil
            creative.lastRow = 0
            creative.offset = 0
            offsets[.detail] = nil
        }
        fitCreative()
        creative.lastRow = creative.model.selectedRow
    }

    /// Makes the rows where they are out of date.
    mutating func fitCreative() {
        let ad = model.adUnderCursor
        if !creative.model.fits(ad, filter: creative.filter) { creative.model = CreativeModel(ad, creative) }
    }

    /// Moves in the creative; left and right go to the previous and the next ad.
    mutating func moveInCreative(_ action: Action) {
        switch action {
        case .left: selectAd(-1)
        case .right: selectAd(1)
        default: move(action, in: .creative)
        }
    }

    /// Puts the cursor of the tree on the previous or next ad of any break, folded or not.
    private mutating func selectAd(_ step: Int) {
        let ads = model.adPaths
        guard !ads.isEmpty else { return }
        let place = model.adUnderCursor.flatMap { ad in ads.firstIndex(of: ad.path) } ?? 0
        let path = ads[min(max(place + step, 0), ads.count - 1)]
        keepOffset()
        tree.follows = false
        if let parent = path.parent { setExpanded(parent, true) }
        tree.selection = path
    }
}
