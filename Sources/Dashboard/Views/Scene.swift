import HLS
import Monitoring
import Ports

/// The input of an update besides the state: the session as it is, as it is shown, and the time.
struct Scene {
    /// The newest snapshot, on which effects act.
    let live: Snapshot
    /// What is on the screen: the held snapshot while frozen.
    let shown: Snapshot
    /// The real moment.
    let now: Moment
    /// The media date at the playhead on the screen.
    let date: UnixTime?
    /// The position of the playhead on the screen.
    let position: StreamTime?

    /// The scene of an update of `state` at `now`.
    init(_ snapshot: Snapshot, _ state: DashboardState, now: Moment) {
        live = snapshot
        let shown = state.shown(snapshot, now: now)
        self.shown = shown.snapshot
        self.now = now
        let playhead = shown.snapshot.playhead(at: shown.now)
        date = playhead.date
        position = playhead.stream
    }
}
