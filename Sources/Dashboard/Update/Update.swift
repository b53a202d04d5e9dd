package import Monitoring
package import Ports

extension DashboardState {
    /// Takes in what happened and says what the caller must do. Pure: the time is `now`, the session is `snapshot`.
    package mutating func update(
        _ event: DashboardEvent, snapshot: Snapshot, now: Moment
    ) -> [DashboardEffect] {
        []
    }

    /// When the screen changes by itself at the latest, nil when nothing moves.
    package func nextRefresh(_ snapshot: Snapshot, now: Moment) -> Moment? {
        nil
    }
}
