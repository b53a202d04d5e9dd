import Monitoring
import Ports
import Screen

/// The input of every pane while one frame is drawn.
struct ViewContext {
    /// What is shown: the held snapshot while frozen.
    let snapshot: Snapshot
    /// The dashboard, with the rows of the tree and of the open view made for `snapshot`.
    let state: DashboardState
    /// The moment shown: that of the freeze while the display is frozen.
    let now: Moment
    /// The real moment, for what moves even while frozen.
    let realNow: Moment
    /// The glyphs to draw with.
    let glyphs: Glyphs
    /// The rectangles of the panes and of the rows around them.
    let layout: Layout
    /// The view in the main place.
    let view: MainView
    /// The playhead at the moment shown: a snapshot is made only when something happens, the playhead moves between
    /// them.
    let playhead: PlayheadView
    /// The media date at the playhead.
    var mediaDate: UnixTime? { playhead.date }

    /// The context of a frame of `state` at `now`.
    init(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) {
        let shown = state.shown(snapshot, now: now)
        var state = state
        // The state may be of an earlier snapshot.
        MainView.breaks.fit(&state, shown.snapshot)
        view = state.mainView
        view.fit(&state, shown.snapshot)
        self.state = state
        self.snapshot = shown.snapshot
        self.now = shown.now
        realNow = now
        glyphs = state.glyphs
        layout = Layout(state)
        // An ended session shows no running clock, so nothing has to be drawn again.
        playhead =
            shown.snapshot.session.phase == .ended ? shown.snapshot.playhead : shown.snapshot.playhead(at: shown.now)
    }

    /// The ad that is shown over all panes.
    var presentedAd: FormatsView.Slot? { state.presentedAd(snapshot) }

    /// The rows of the tree.
    var model: TreeModel { state.model }
    /// The rows of the playlist; those of an earlier snapshot while its view is closed, like the following ones.
    var playlist: PlaylistModel { state.playlist.model }
    var creative: CreativeModel { state.creative.model }
    var auction: AuctionModel { state.auction.model }
    var formats: FormatsModel { state.formats.model }
    var cache: CacheModel { state.cache.model }

    /// The URL of the selected row, nil where it has none.
    var address: String? { view.address(state) }

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
