import Monitoring
import Screen

/// The views. Each names what it consists of; what a view does is in its own files.
extension MainView {
    /// Breaks, their ads, their tracking events.
    static let breaks = MainView(
        pane: .tree,
        draw: { TreePane.draw($0, in: $1, on: &$2) },
        drawRow: { TreePane.row($0, in: $1, on: &$2) },
        detail: Detail(
            title: BreaksDetail.title, add: { BreaksDetail.add($0, to: &$1) }, status: BreaksDetail.status,
            hints: BreaksDetail.hints, drawCompact: { BreaksDetail.drawCompact($0, in: $1, on: &$2) }),
        detailRows: 0,
        filter: \.tree.filter,
        fit: { state, snapshot in if !state.model.fits(snapshot) { state.rebuild(snapshot) } },
        refresh: { _, _ in },
        reset: { $0.resetTree() },
        move: { $0.moveInTree($1) },
        scroll: { $0.wheelTree($1) },
        click: { $0.clickTree($1, isDouble: $2) },
        open: { $0.openNode() })

    /// The followed media playlist.
    static let playlist: MainView = {
        var view = MainView(
            .playlist,
            draw: { PlaylistPane.draw($0, in: $1, on: &$2) },
            drawRow: { PlaylistPane.row($0, in: $1, on: &$2) },
            detail: Detail(
                title: { .detail(PlaylistItemDetail.title($0.playlist.selected), $0) },
                add: { PlaylistItemDetail.add($0, to: &$1) }),
            fit: { $0.fitPlaylist($1) },
            refresh: { $0.refreshPlaylist($1) })
        view.follow = { $0.followPlaylist($1) }
        view.selectBreak = { $0.selectMarker($1) }
        view.selectFailure = { $0.selectNextFinding($1) }
        view.address = \.playlist.model.address
        view.finding = \.playlist.model.selectedFinding
        return view
    }()

    /// Everything known about the ad under the cursor beyond its events.
    static let creative: MainView = {
        var view = MainView(
            .creative,
            draw: { CreativePane.draw($0, in: $1, on: &$2) },
            drawRow: { CreativePane.row($0, in: $1, on: &$2) },
            detail: Detail(
                title: { .detail(CreativeItemDetail.title($0.creative.selected), $0) },
                add: { CreativeItemDetail.add($0, to: &$1) }),
            fit: { state, _ in state.fitCreative() },
            refresh: { state, _ in state.refreshCreative() })
        view.move = { $0.moveInCreative($1) }
        // Another break is another creative.
        view.selectBreak = { $0.selectBreak($1) }
        view.address = \.creative.model.address
        view.finding = \.creative.model.selectedFinding
        return view
    }()

    /// The auction beside the stream.
    static let auction: MainView = {
        var view = MainView(
            .auction,
            draw: { AuctionPane.draw($0, in: $1, on: &$2) },
            drawRow: { AuctionPane.row($0, in: $1, on: &$2) },
            detail: Detail(
                title: { .detail(AuctionItemDetail.title($0.auction.selected), $0) },
                add: { AuctionItemDetail.add($0, to: &$1) }),
            fit: { $0.fitAuction($1.auction) },
            refresh: { $0.refreshAuction($1) })
        view.hints = [
            FooterHint([.auctionRun], "again", place: 1),
            // Two keys raise a price: the one shown is the counterpart of the key that lowers it.
            FooterHint([.zoom, .priceDown], "price", place: 1),
            FooterHint([.auctionKeys], "keywords", short: "keys", place: 1),
            FooterHint([.auctionNotices], "notices", place: 1),
        ]
        view.reset = { $0.auction = ListState(follows: false) }
        view.perform = { state, action, _, scene in
            state.focus == .auction ? state.performInAuction(action, scene) : nil
        }
        view.address = \.auction.model.address
        return view
    }()

    /// Ad spaces beside the stream.
    static let formats: MainView = {
        var view = MainView(
            .formats,
            draw: { FormatsPane.draw($0, in: $1, on: &$2) },
            drawRow: { FormatsPane.row($0, in: $1, on: &$2) },
            detail: Detail(
                title: { .detail("[2] Ad space", $0) },
                add: { FormatsDetail.add($0, to: &$1) },
                hints: { context in
                    FooterHints.line(
                        [(.right, "load"), (.formatShow, "show"), (.open, "click"), (.formatClose, "close")], context,
                        gap: 2)
                }),
            fit: { $0.fitFormats($1) },
            refresh: { $0.refreshFormats($1) })
        view.hints = [
            FooterHint([.formatShow], "show", place: 1), FooterHint([.formatClose], "close", place: 1),
            FooterHint([.formatReload], "reload", place: 1),
            FooterHint([.formatVisibility], "visible", short: "vis", place: 1),
        ]
        view.take = { $0.adKey($1, $2) }
        view.perform = { $0.formatKey($1, key: $2, $3) }
        return view
    }()

    /// The creative cache and its loopback server.
    static let cache: MainView = {
        var view = MainView(
            .cache,
            draw: { CachePane.draw($0, in: $1, on: &$2) },
            drawRow: { CachePane.row($0, in: $1, on: &$2) },
            detail: Detail(
                title: { .detail(CacheItemDetail.title($0.cache.selectedLine), $0) },
                add: { CacheItemDetail.add($0, to: &$1) }),
            fit: { $0.fitCache($1) },
            refresh: { $0.refreshCache($1) })
        // Its rows are between a heading and the counts.
        view.rowArea = { CachePane.Parts($0).list }
        view.hints = CacheKey.allCases.compactMap { key in
            key.label.map { FooterHint(key: key.rawValue, $0, place: 1) }
        }
        view.take = { $0.cacheKey($1, $2) }
        view.address = \.cache.model.address
        return view
    }()
}

extension ListPlace<PlaylistModel> {
    static let playlist = ListPlace(pane: .playlist, list: \.playlist, filter: \.playlist.filter)
}

extension ListPlace<CreativeModel> {
    static let creative = ListPlace(pane: .creative, list: \.creative, filter: \.creative.filter)
}

extension ListPlace<AuctionModel> {
    static let auction = ListPlace(pane: .auction, list: \.auction, filter: \.auction.filter)
}

extension ListPlace<FormatsModel> {
    static let formats = ListPlace(pane: .formats, list: \.formats, filter: \.formats.filter)
}

extension ListPlace<CacheModel> {
    static let cache = ListPlace(pane: .cache, list: \.cache, filter: \.cache.filter)
}

extension StyledLine {
    /// The title of the detail pane.
    fileprivate static func detail(_ name: SafeText, _ context: ViewContext) -> StyledLine {
        ScrollLines.title(name, pane: .detail, context)
    }
}
