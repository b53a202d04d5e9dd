package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The clocks of this machine.
///
/// Uptime comes from the suspending clock, which stops while the machine sleeps. A player does not play then either, so
/// after a sleep no media counts as watched, and the latency has grown by the length of the sleep.
package struct SystemTimeSource: TimeSource {
    private let clock = SuspendingClock()
    private let origin: SuspendingClock.Instant

    /// Uptime is counted from here.
    package init() {
        origin = clock.now
    }

    package func now() -> Moment {
        var time = timespec()
        // Cannot fail: the clock exists and the pointer is valid.
        clock_gettime(CLOCK_REALTIME, &time)
        let wall = UnixTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
        // Whole microseconds, as in recordings.
        return Moment(wall: wall, uptime: .microseconds(origin.duration(to: clock.now).inMicroseconds))
    }

    package func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        let deadline = origin.advanced(by: uptime)
        do {
            try await clock.sleep(until: deadline, tolerance: nil)
        } catch {
            throw CancellationError()
        }
    }
}
