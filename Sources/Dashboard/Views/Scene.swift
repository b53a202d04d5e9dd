import HLS
package import Ports
package import Session

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

    /// The scene of an update at `now`; `held` is what a frozen display shows.
    init(_ snapshot: Snapshot, held: HeldView?, now: Moment) {
        live = snapshot
        shown = held?.snapshot ?? snapshot
        self.now = now
        let playhead = shown.playhead(at: held?.at ?? now)
        date = playhead.date
        position = playhead.stream
    }
}

/// The display is frozen while the session continues (`Z`).
package struct HeldView: Sendable {
    /// What is shown.
    package var snapshot: Snapshot
    /// When it was frozen.
    package var at: Moment
}
