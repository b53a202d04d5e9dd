import Live
import Ports
import Synchronization

/// The clock of a replay: it starts at a recorded moment, runs at any speed, stands still, and can be set.
final class ReplayClock: TimeSource {
    private let real = SystemTimeSource()
    private let course: Mutex<Course>

    private struct Course {
        /// Where it was when it was last set, and the real uptime of that.
        var at: Moment
        var since: Duration
        var speed: Double
        var isPaused = false

        func now(_ real: Duration) -> Moment {
            isPaused ? at : at.advanced(by: (real - since) * speed)
        }
    }

    init(at moment: Moment, speed: Double) {
        course = Mutex(Course(at: moment, since: real.now().uptime, speed: speed))
    }

    var isPaused: Bool { course.withLock(\.isPaused) }

    func now() -> Moment {
        course.withLock { $0.now(real.now().uptime) }
    }

    func pause() { change { $0.isPaused = true } }
    func run() { change { $0.isPaused = false } }
    func setSpeed(_ speed: Double) { change { $0.speed = speed } }
    func move(to moment: Moment) { change { $0.at = moment } }

    func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        let (now, course, since) = self.course.withLock { ($0.now(real.now().uptime), $0, real.now().uptime) }
        // While it stands still that moment does not come: a second later it is seen again.
        let rest = course.isPaused ? .seconds(1) : max(.zero, uptime - now.uptime) / course.speed
        try await real.sleep(untilUptime: since + rest)
    }

    /// Returns when it shows `uptime`, or when the task is cancelled; for nil only then.
    func wait(untilUptime uptime: Duration?) async {
        while !Task.isCancelled, uptime.map({ now().uptime < $0 }) ?? true {
            do {
                try await sleep(untilUptime: uptime ?? now().uptime + .seconds(3_600))
            } catch {
                return
            }
        }
    }

    /// Keeps what it shows, then changes.
    private func change(_ change: (inout Course) -> Void) {
        let real = real.now().uptime
        course.withLock {
            $0.at = $0.now(real)
            $0.since = real
            change(&$0)
        }
    }
}
