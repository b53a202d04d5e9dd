import Ports
import Screen
import Session

/// The input of every pane while one frame is drawn. What only one view shows is in that view.
struct ViewContext {
    /// What is shown: the held snapshot while frozen.
    let snapshot: Snapshot
    /// The moment shown: that of the freeze while the display is frozen.
    let now: Moment
    /// The real moment, for what moves even while frozen.
    let realNow: Moment
    /// The size of the whole screen.
    let size: Size
    /// The caller's settings.
    let settings: DashboardSettings
    /// The pane that keys act on.
    let focus: Pane
    /// Whether detail and session show whole addresses.
    let wrapsDetail: Bool
    /// What is scrolled and searched in the panes that are text.
    let scrolls: Scrolls
    /// The playhead at the moment shown: a snapshot is made only when something happens, the playhead moves between
    /// them.
    let playhead: PlayheadView
    /// The class of the whole screen.
    let sizeClass: SizeClass
    /// The glyphs to draw with.
    let glyphs: Glyphs

    /// Whether keys can act on the session: nothing changes a recording, and a session that may not send reports nothing.
    var actsOnSession: Bool { snapshot.session.canArm && snapshot.replay == nil }

    /// Whether the stream could not be opened, and the next try need not be awaited.
    var canTryNow: Bool {
        guard snapshot.replay == nil, snapshot.breaks.isEmpty, let opening = snapshot.session.opening else {
            return false
        }
        return opening.problem != nil && opening.nextAttemptAt != nil
    }

    /// Whether the key of an action does anything here.
    func hasEffect(_ action: Action) -> Bool {
        switch action {
        case .openURL: settings.opensStreams && snapshot.replay == nil
        case .freeze: snapshot.replay == nil
        case .stepOn, .stepBack: snapshot.replay != nil
        default: action.group != .beacons || actsOnSession
        }
    }

    /// Whether the session is over and what it listed has been played: nothing plays, however far the clock moves on.
    var hasStopped: Bool { snapshot.session.phase == .over && playhead.state == .stalled }

    /// The context of a frame that shows `shown`; `realNow` is the moment of drawing.
    init(
        _ shown: (snapshot: Snapshot, now: Moment), realNow: Moment, size: Size, settings: DashboardSettings,
        focus: Pane, wrapsDetail: Bool, scrolls: Scrolls
    ) {
        snapshot = shown.snapshot
        now = shown.now
        self.realNow = realNow
        self.size = size
        self.settings = settings
        self.focus = focus
        self.wrapsDetail = wrapsDetail
        self.scrolls = scrolls
        // An ended session shows no running clock, so nothing has to be drawn again.
        playhead = snapshot.session.phase == .ended ? snapshot.playhead : snapshot.playhead(at: now)
        sizeClass = SizeClass(size)
        glyphs = settings.glyphs
    }

    /// Whether panes are boxes; otherwise each has a rule above it.
    var isBoxed: Bool { sizeClass.hasBoxes }

    /// The media date at the playhead.
    var mediaDate: UnixTime? { playhead.date }

    /// A URL as it may be shown here: whole on the user's own screen, its secrets masked in what is passed on
    /// (TERM-28).
    func url(_ text: String) -> String {
        settings.redactsURLs ? Redaction.url(text) : text
    }

    /// A sentence that may hold URLs, as it may be shown.
    func prose(_ text: String) -> String {
        settings.redactsURLs ? Redaction.text(text) : text
    }

    /// The value of a header field, as it may be shown.
    func field(_ name: String, _ value: String) -> String {
        settings.redactsURLs ? Redaction.field(name, value) : value
    }

    /// The key that does something, as help and footer write it; empty when the config took it away.
    func key(_ action: Action) -> String {
        settings.keymap.keys(for: action).first.map(KeyName.short) ?? ""
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
