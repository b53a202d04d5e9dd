import Live
import Locks
import Ports
import Session

/// The clock of a replay as the dashboard reads it; `ReplayPlayer` sets its course.
final class ReplayClock: TimeSource {
    private let real = SystemTimeSource()
    private let course: Locked<ReplayCourse>

    init(_ course: ReplayCourse) {
        self.course = Locked(course)
    }

    func follow(_ course: ReplayCourse) {
        self.course.withLock { $0 = course }
    }

    func now() -> Moment {
        course.withLock { $0.now(real.now().uptime) }
    }

    func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        let since = real.now().uptime
        let course = self.course.withLock { $0 }
        // While the replay is paused that moment never comes, so the clock checks again after a second.
        let rest = course.isPaused ? .seconds(1) : max(.zero, uptime - course.now(since).uptime) / course.speed
        try await real.sleep(untilUptime: since + rest)
    }

    /// Returns when the clock reaches `uptime` or the task is cancelled; for nil only when the task is cancelled.
    func wait(untilUptime uptime: Duration?) async {
        while !Task.isCancelled, uptime.map({ now().uptime < $0 }) ?? true {
            do {
                try await sleep(untilUptime: uptime ?? now().uptime + .seconds(3_600))
            } catch {
                return
            }
        }
    }
}
