/// A reading of both clocks: the wall clock, which may jump, and the uptime, which only increases.
///
/// Dates for display and for comparison with PROGRAM-DATE-TIME use `wall`; every interval uses `uptime`.
package struct Moment: Hashable, Sendable {
    package var wall: UnixTime
    /// Time since an arbitrary start; monotonic and independent of wall clock corrections.
    package var uptime: Duration

    package init(wall: UnixTime, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Both clocks advanced by `span`.
    package func advanced(by span: Duration) -> Self {
        Self(wall: wall + span, uptime: uptime + span)
    }
}

/// The source of time. Contract (checked by the time source contract test): uptime never decreases; `sleep` returns at
/// or after the given uptime, or throws when the task is cancelled.
package protocol TimeSource: Sendable {
    func now() -> Moment
    func sleep(untilUptime uptime: Duration) async throws(CancellationError)
}
