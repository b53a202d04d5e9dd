import Fleet
import Ports
import Screen
import Session

/// The views with what each of them remembers.
package struct ViewTable: Sendable {
    /// Breaks, their ads, their tracking events.
    var breaks = TreePane()
    /// The followed media playlist.
    var playlist = PlaylistPane()
    /// Everything known about the ad under the cursor beyond its events.
    var creative = CreativePane()
    /// The auction beside the stream.
    var auction = AuctionPane()
    /// Ad spaces beside the stream.
    var formats = FormatsPane()
    /// The creative cache and its loopback server.
    var cache = CachePane()
    /// What adtop found.
    var findings = FindingsPane()
    /// All sessions.
    var sessions = SessionTablePane()
    /// The viewers and the agents of a fleet.
    var viewers = FleetTablePane<ViewerTable>()
    var agents = FleetTablePane<AgentTable>()
    /// What is known of the fleet.
    var fleet = FleetDesk()

    /// The view that a pane shows, nil for panes beside the main place.
    subscript(pane: Pane) -> (any MainView)? {
        get {
            switch pane {
            case .tree: breaks
            case .playlist: playlist
            case .creative: creative
            case .auction: auction
            case .formats: formats
            case .cache: cache
            case .findings: findings
            case .sessions: sessions
            case .viewers: viewers
            case .agents: agents
            case .header, .timeline, .detail, .session, .log, .help, .summary: nil
            }
        }
        set {
            switch newValue {
            case let view as TreePane: breaks = view
            case let view as PlaylistPane: playlist = view
            case let view as CreativePane: creative = view
            case let view as AuctionPane: auction = view
            case let view as FormatsPane: formats = view
            case let view as CachePane: cache = view
            case let view as FindingsPane: findings = view
            case let view as SessionTablePane: sessions = view
            case let view as FleetTablePane<ViewerTable>: viewers = view
            case let view as FleetTablePane<AgentTable>: agents = view
            default: break
            }
        }
    }

    /// Makes the rows of a view and those of the breaks, on which others depend, where they are out of date.
    mutating func fit(_ pane: Pane, _ snapshot: Snapshot) {
        if !pane.isTable { breaks.fit(snapshot) }
        guard var view = self[pane] else { return }
        view.fit(snapshot, breaks: breaks)
        self[pane] = view
    }

    /// Takes a fleet as it is at `now`.
    mutating func read(_ view: FleetView, at now: Moment) {
        fleet.read(view, at: now)
        guard let reading = view.reading else { return }
        viewers.read(reading.viewers)
        agents.read(reading.overview.agents)
    }

    /// Forgets the session that was shown. The order of the breaks and the tables stay.
    mutating func forgetSession() {
        var fresh = ViewTable()
        (fresh.breaks.tree.sort, fresh.breaks.tree.isReversed) = (breaks.tree.sort, breaks.tree.isReversed)
        (fresh.sessions, fresh.viewers, fresh.agents, fresh.fleet) = (sessions, viewers, agents, fleet)
        self = fresh
    }
}
