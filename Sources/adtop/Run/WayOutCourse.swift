/// How the time of a way out is divided. Each stage ends at a fixed time after the stop, so that a later one has what an earlier one did not
/// use: how long files take to be whole depends on the machine, and sessions mostly end at once.
struct WayOutCourse: Sendable {
    enum Stage: Sendable, CaseIterable {
        /// The beacons of sessions in flight have a second, their plugins two.
        case sessions
        /// Recordings, event streams and log files.
        case files

        /// How long after the stop it ends.
        var end: Duration {
            switch self {
            case .sessions: .milliseconds(2_100)
            case .files: .milliseconds(2_500)
            }
        }
    }

    /// What a stage has in any case: one with nothing left to do must be able to report that.
    static let least: Duration = .milliseconds(100)

    private var start: ContinuousClock.Instant?
    /// Whether the process ends, whatever hangs.
    private var isFinal = false

    /// The process is to end.
    /// - Returns: whether that is new.
    mutating func begin(at now: ContinuousClock.Instant) -> Bool {
        guard !isFinal else { return false }
        (start, isFinal) = (now, true)
        return true
    }

    /// Sessions that were stopped are waited for. Without an end of the process a way out begins with each of them: another stream may follow.
    mutating func awaitSessions(at now: ContinuousClock.Instant) {
        if !isFinal { start = now }
    }

    /// Something waited for its reader. That time is not one of the way out, unless the process is to end.
    mutating func paused(for span: Duration) {
        guard !isFinal else { return }
        start = start?.advanced(by: span)
    }

    /// How long a stage has.
    func left(for stage: Stage, at now: ContinuousClock.Instant) -> Duration {
        guard let start else { return stage.end }
        return max(Self.least, stage.end - start.duration(to: now))
    }
}
