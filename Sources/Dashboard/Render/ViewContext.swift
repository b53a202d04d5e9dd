import Monitoring
import Ports
import Screen

/// The input of every pane while one frame is drawn.
struct ViewContext {
    /// What is shown: the held snapshot while frozen.
    let snapshot: Snapshot
    /// The dashboard.
    let state: DashboardState
    /// The moment shown: that of the freeze while the display is frozen.
    let now: Moment
    /// The real moment, for what moves even while frozen.
    let realNow: Moment
    /// The glyphs to draw with.
    let glyphs: Glyphs
    /// The rectangles of the panes and of the rows around them.
    let layout: Layout
    /// The rows of the tree.
    let model: TreeModel
    /// The rows of the playlist; none while its view is closed.
    let playlist: PlaylistModel
    /// The rows of the ad under the cursor; none while its view is closed.
    let creative: CreativeModel
    /// The rows of the auction; none while its view is closed.
    let auction: AuctionModel
    /// The rows of the ad spaces; none while their view is closed.
    let formats: FormatsModel
    /// The creatives of the cache; none while its view is closed.
    let cache: CacheModel
    /// The playhead at the moment shown: a snapshot is made only when something happens, the playhead moves between
    /// them.
    let playhead: PlayheadView
    /// The media date at the playhead.
    var mediaDate: UnixTime? { playhead.date }

    /// The context of a frame of `state` at `now`.
    init(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) {
        let shown = state.shown(snapshot, now: now)
        self.snapshot = shown.snapshot
        self.state = state
        self.now = shown.now
        realNow = now
        glyphs = state.glyphs
        layout = Layout(state)
        let tree =
            state.model.fits(shown.snapshot)
            ? state.model : TreeModel(shown.snapshot, state.tree, previous: state.model)
        model = tree
        playlist =
            state.main != .playlist || state.playlistModel.fits(shown.snapshot, filter: state.playlist.filter)
            ? state.playlistModel : PlaylistModel(shown.snapshot, state.playlist)
        creative =
            state.main != .creative || state.creativeModel.fits(tree.adUnderCursor, filter: state.creative.filter)
            ? state.creativeModel : CreativeModel(tree.adUnderCursor, state.creative)
        auction =
            state.main != .auction
                || state.auctionModel.fits(
                    shown.snapshot.auction, filter: state.auction.filter, showsKeys: state.showsAuctionKeys)
            ? state.auctionModel
            : AuctionModel(shown.snapshot.auction, state.auction, showsKeys: state.showsAuctionKeys)
        formats =
            state.main != .formats || state.formatsModel.fits(shown.snapshot, filter: state.formats.filter)
            ? state.formatsModel : FormatsModel(shown.snapshot, state.formats)
        cache =
            state.main != .cache || state.cacheModel.fits(shown.snapshot, filter: state.cache.filter)
            ? state.cacheModel : CacheModel(shown.snapshot, state.cache)
        // An ended session shows no running clock, so nothing has to be drawn again.
        playhead =
            shown.snapshot.session.phase == .ended ? shown.snapshot.playhead : shown.snapshot.playhead(at: shown.now)
    }

    /// The ad that is shown over all panes.
    var presentedAd: FormatsView.Slot? { state.presentedAd(snapshot) }

    /// The URL of the selected row of the list that is open, nil where it has none.
    var address: String? {
        switch state.main {
        case .playlist: playlist.address
        case .auction: auction.address
        case .cache: cache.address
        case .formats: nil
        default: creative.address
        }
    }

    /// A URL as it may be shown here: whole on the user's own screen, its secrets masked in what is passed on
    /// (TERM-28).
    func url(_ text: String) -> String {
        state.settings.redactsURLs ? Redaction.url(text) : text
    }

    /// A sentence that may hold URLs, as it may be shown.
    func prose(_ text: String) -> String {
        state.settings.redactsURLs ? Redaction.text(text) : text
    }

    /// The key that does something, as help and footer write it; empty when the config took it away.
    func key(_ action: Action) -> String {
        state.settings.keymap.keys(for: action).first.map(KeyName.short) ?? ""
    }

    /// Sign and word of a state.
    func badge(_ sign: StateSign, withWord: Bool = true) -> StyledLine {
        var line = StyledLine(glyphs.badge(sign), sign.role)
        if withWord {
            line.space()
            line.append(sign.word, sign.role)
        }
        return line
    }
}
