import Monitoring
import Screen

extension DashboardState {
    /// The rows of the ad under the cursor; another ad begins at its first row.
    mutating func refreshCreative() {
        let ad = model.adUnderCursor
        if !creativeModel.fits(ad, filter: creative.filter) {
            if creativeModel.adPath != ad?.path {
                creative.selection = nil
                creative.lastRow = 0
                creative.offset = 0
                offsets[.detail] = nil
            }
            creativeModel = CreativeModel(ad, creative)
        }
        creative.lastRow = creativeModel.selectedRow
    }

    /// Selects a row of the creative.
    mutating func select(creativeRow row: Int) {
        guard !creativeModel.rows.isEmpty else { return }
        creative.offset = creativeViewport.offset
        creative.follows = false
        creativeModel.select(row)
        creative.selection = creativeModel.item(at: creativeModel.selectedRow)
        creative.lastRow = creativeModel.selectedRow
        offsets[.detail] = nil
    }

    /// Moves in the creative; left and right go to the previous and the next ad.
    mutating func moveInCreative(_ action: Action) {
        switch action {
        case .left: selectAd(-1)
        case .right: selectAd(1)
        default:
            let row = ListMove.row(
                action, from: creativeModel.selectedRow, count: creativeModel.rows.count,
                page: contentHeight(of: .creative), isFiltered: !creative.filter.isEmpty)
            if let row { select(creativeRow: row) }
        }
    }

    /// The wheel scrolls; the cursor comes along only where it would leave the screen.
    mutating func wheelCreative(_ rows: Int) {
        guard !creativeModel.rows.isEmpty else { return }
        let viewport = creativeViewport.scrolled(by: rows)
        select(creativeRow: viewport.nearest(to: creativeModel.selectedRow))
        creative.offset = viewport.offset
    }

    /// Puts the cursor of the tree on the ad before or after, in whichever break, folded or not.
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

    private var creativeViewport: Viewport {
        creative.viewport(
            count: creativeModel.rows.count, height: contentHeight(of: .creative),
            selected: creativeModel.selectedRow)
    }
}
