package import Ports

/// A clock for leases: its uptime keeps counting while the machine sleeps, so that a process that wakes finds its lease over (FLT-12). Sessions
/// use ``SystemTimeSource``, because a player does not play then.
package struct ContinuousTimeSource: TimeSource {
    private let clock = ContinuousClock()
    private let origin: ContinuousClock.Instant
    private let wall = SystemTimeSource()

    /// Uptime is counted from here.
    package init() {
        origin = clock.now
    }

    package func now() -> Moment {
        Moment(
            wall: wall.now().wall, uptime: .microseconds(origin.duration(to: clock.now).inMicroseconds))
    }

    package func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        do {
            try await clock.sleep(until: origin.advanced(by: uptime), tolerance: nil)
        } catch {
            throw CancellationError()
        }
    }
}
