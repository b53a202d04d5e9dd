package import AdFormats
package import Monitoring
package import Ports
package import Screen

/// Everything about the dashboard that is not the session: what is focused, selected, open, typed, held.
///
/// A value without clocks: `update` changes it, `Renderer` draws it, both with the time as a parameter.
package struct DashboardState: Sendable {
    /// Values that the caller sets once.
    package struct Settings: Sendable {
        /// Shown in the header; empty hides it.
        package var version = ""
        package var keymap = Keymap.standard
        /// The themes that T and `:theme` know.
        package var themes: [String] = []
        package var theme = "default"
        package var isASCII = false
        /// Masks the secrets in URLs, for dumps and exports.
        package var redactsURLs = false
        /// The view that is open at the start.
        package var view = DashboardView.breaks
        /// Names of the sessions that `[` and `]` switch between.
        package var sessions: [String] = []
        /// Whether there is a table of sessions to return to.
        package var hasTable = false

        package init() {}
    }

    /// The caller's settings.
    package var settings: Settings
    /// The terminal, or `--size`.
    package var size: Size
    /// The pane that keys act on.
    package var focus = Pane.tree
    /// The view in the main place.
    package var main = Pane.tree
    /// The side pane beside the main one where there is room for one.
    package var side = Pane.detail
    /// Whether the focused pane has the screen to itself.
    package var isZoomed = false
    /// Index of the session that is shown.
    package var session = 0
    /// Selection, folding, filter and order of the tree.
    package var tree = TreeState()
    /// Level, filter and position of the log.
    package var log = LogState()
    /// First visible line of the panes that only scroll.
    package var offsets: [Pane: Int] = [:]
    /// Search texts of the panes that only scroll.
    package var searches: [Pane: String] = [:]
    /// Whether detail and session show whole addresses.
    package var wrapsDetail = true
    /// The content of the help over the panes; nil while it is closed.
    package var help: HelpTopic?
    /// The text being typed, nil when keys are commands.
    package var entry: TextEntry?
    /// Earlier command lines, newest last.
    package var history: [String] = []
    /// The question on the screen.
    package var confirmation: Confirmation?
    /// What is shown while the display is frozen.
    package var held: HeldView?
    /// Notices, oldest first.
    package var toasts: [Toast] = []
    /// When a beacon key last acted.
    package var lastBeaconKey: Duration?
    /// The `number` of the user report that was last shown as a toast.
    package var shownReport: Int?
    /// The last click, for recognising a double click.
    package var lastClick: Click?
    /// The tree's rows for the newest snapshot; see `TreeModel`.
    package var model = TreeModel()
    /// The playlist view.
    package var playlist = ListState<PlaylistModel>()
    /// The creative view; following is the tree's.
    package var creative = ListState<CreativeModel>()
    /// The auction view; there is no playhead in it.
    package var auction = ListState<AuctionModel>(follows: false)
    /// Whether the auction shows targeting keys instead of candidates.
    package var showsAuctionKeys = false
    /// The view of the ad spaces.
    package var formats = ListState<FormatsModel>()
    /// Whether the process is about to be stopped, and whether the terminal has the focus (assumed where it is not
    /// reported).
    package var visibility = VisibilityModel()
    /// The orientation that was last reported to the session.
    package var toldOrientation: RequestParameters.Orientation?
    /// Whether the panes are shown although an ad covers them.
    package var looksBehindAd = false
    /// The cache view.
    package var cache = ListState<CacheModel>()
    /// When the key that deletes all creatives was pressed once.
    package var purgeAskedAt: Duration?

    /// A dashboard of that size as it starts.
    package init(size: Size, settings: Settings = Settings()) {
        self.size = size
        self.settings = settings
        main = settings.view.pane
        focus = main
    }

    /// The view in the main place, by its name.
    package var view: DashboardView { DashboardView(main) ?? .breaks }

    /// The glyphs to draw with.
    package var glyphs: Glyphs { settings.isASCII ? .ascii : .unicode }

    /// The snapshot to show and the moment to show it at: the held ones while frozen.
    package func shown(_ snapshot: Snapshot, now: Moment) -> (snapshot: Snapshot, now: Moment) {
        held.map { ($0.snapshot, $0.at) } ?? (snapshot, now)
    }
}

/// The display is frozen while the session continues (`Z`).
package struct HeldView: Sendable {
    /// What is shown.
    package var snapshot: Snapshot
    /// When it was frozen.
    package var at: Moment
}

/// A question that must be answered before anything else.
package enum Confirmation: Sendable, Equatable {
    /// How many hosts the question names.
    static let namedHosts = 5

    /// Send real beacons to that many hosts; `hosts` names some of them.
    case arm(hostCount: Int, hosts: [String])
    /// Send `count` notices of the auction with that number.
    case fireNotices(auction: Int, count: Int, hosts: [String])
}

/// A mouse click, for recognising a double click.
package struct Click: Sendable, Equatable {
    /// Two clicks on one cell within this are a double click.
    package static let doubleInterval: Duration = .milliseconds(400)

    /// The cell.
    package var point: Point
    /// Uptime of the click.
    package var at: Duration
}
