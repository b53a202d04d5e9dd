import Fleet
import Ports
import Session

/// Where the spool is kept, and what the log has about it.
struct Spooling {
    /// How long a disk that did not take a change is left alone, at first and at most. Each try may write as much as there is room for.
    private static let shortestPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)

    let disk: (any SpoolDisk)?
    /// Whether the disk is at work. Beats do not wait for it: a disk that hangs must not cost the lease.
    var isUnderWay = false
    /// Not before then, after a change that the disk did not take.
    private(set) var nextTry = Duration.zero
    private var pause = shortestPause
    /// Whether the log has why the spool is not on disk.
    var isDiskNoted = false
    /// Whether the log has that the spool is full, since it was last empty.
    var isFullNoted = false
    var dropped = SpoolCount()

    init(disk: (any SpoolDisk)?) {
        self.disk = disk
    }

    mutating func wasKept() { pause = Self.shortestPause }

    mutating func wasNotKept(at now: Duration) {
        nextTry = now + pause
        pause = min(pause * 2, Self.longestPause)
    }
}

/// The spool of an agent and its file.
extension FleetRuntime {
    /// What an earlier process of the place left goes to the store after the first beat.
    func restoreSpool() async {
        guard let rows = await spooling.disk?.read(), !rows.isEmpty else { return }
        note(
            .info,
            """
            \(rows.outcomes.count) outcomes, \(rows.unsent.count) beacons that were not sent and \(rows.notes.count) notes of \
            an earlier process wait for the store
            """)
        agent.restore(rows)
    }

    /// What the store did not take since the last tick should go to the disk; nil for nothing, and while the disk is at work.
    func nextSpoolChange(isLast: Bool = false) -> SpoolChange? {
        noteFullSpool()
        guard spooling.disk != nil, !spooling.isUnderWay, isLast || time.now().uptime >= spooling.nextTry,
            let change = agent.nextSpoolChange(isLast: isLast)
        else { return nil }
        spooling.isUnderWay = true
        return change
    }

    func keep(_ change: SpoolChange) async {
        let problem = await spooling.disk?.carryOut(change)
        spooling.isUnderWay = false
        if problem == nil {
            spooling.wasKept()
        } else {
            agent.spoolWasNotKept()
            spooling.wasNotKept(at: time.now().uptime)
        }
        if let problem, !spooling.isDiskNoted {
            note(.error, "the spool is not written (\(problem)): outcomes that wait stay unknown if this process ends")
        }
        spooling.isDiskNoted = problem != nil
    }

    /// One line until the spool was empty again; the metrics count.
    private func noteFullSpool() {
        if agent.spool.isEmpty { spooling.isFullNoted = false }
        guard agent.spool.dropped != spooling.dropped else { return }
        spooling.dropped = agent.spool.dropped
        guard !spooling.isFullNoted else { return }
        spooling.isFullNoted = true
        note(
            .error,
            """
            spool-full: too much waits for the store; notes are dropped, then what was not sent, then outcomes, whose \
            claims stay unknown
            """)
    }
}
