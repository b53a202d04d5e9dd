package import Ports
package import Session

extension DashboardState {
    /// The latest uptime at which the screen changes by itself, nil when nothing moves: the caller then need not wake up
    /// at all.
    ///
    /// While a clock or a countdown is shown that is once a second, at its full second.
    package func nextRefresh(_ snapshot: Snapshot, now: Moment) -> Moment? {
        // The clock of a recording that is stopped never reaches a later moment.
        guard snapshot.replay?.isStopped != true else { return nil }
        let waits = [clockWait(snapshot, now: now), toastWait(now: now)].compactMap { $0 }
        return waits.min().map { now.advanced(by: max($0, .milliseconds(1))) }
    }

    private func clockWait(_ snapshot: Snapshot, now: Moment) -> Duration? {
        // The table of sessions is read every second, and shows the time at which it was read. A fleet may not answer.
        guard main != .sessions else { return nil }
        let second: Int64 = 1_000_000
        if showsTable {
            let wall = now.wall.microseconds
            return .microseconds(second - (wall - wall.flooringDivision(by: second) * second))
        }
        if let held {
            // Only the banner's age changes.
            let age = (now.uptime - held.at.uptime).inMicroseconds
            return .microseconds(second - (age - age.flooringDivision(by: second) * second))
        }
        guard snapshot.session.phase != .ended else { return nil }
        let wall = now.wall.microseconds
        return .microseconds(second - (wall - wall.flooringDivision(by: second) * second))
    }

    private func toastWait(now: Moment) -> Duration? {
        toasts.map { $0.expires - now.uptime }.min()
    }
}
