/// One reading of both clocks: the wall clock, which may jump, and the uptime, which only grows.
///
/// Dates shown to people and compared with PROGRAM-DATE-TIME use `wall`; every interval uses `uptime`.
package struct Moment: Hashable, Sendable {
    package var wall: UnixTime
    /// Time since an arbitrary start; monotonic, and not counting wall clock corrections.
    package var uptime: Duration

    package init(wall: UnixTime, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Both clocks moved on by `span`.
    package func advanced(by span: Duration) -> Self {
        Self(wall: wall + span, uptime: uptime + span)
    }
}

/// Where time comes from. Contract (checked by the time source contract test): uptime never decreases;
/// `sleep` returns at or after the given uptime, or throws when the task is cancelled.
package protocol TimeSource: Sendable {
    func now() -> Moment
    func sleep(untilUptime uptime: Duration) async throws(CancellationError)
}
