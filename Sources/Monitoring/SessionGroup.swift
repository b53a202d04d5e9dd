import Locks
package import Ports
package import Session

/// Many independent sessions in one process.
///
/// They start one after the other over a span, at times derived from a seed, so that hundreds of sessions never poll in
/// the same instant.
package final class SessionGroup: Sendable {
    /// Span per session for large groups: fifty sessions start in a second.
    static let shortestDistance: Duration = .milliseconds(20)

    /// One session of the group, with the name from the user.
    package struct Member: Sendable {
        package let name: String
        package let monitor: Monitor

        package init(name: String, monitor: Monitor) {
            self.name = name
            self.monitor = monitor
        }
    }

    package let members: [Member]
    private let log: SessionsLog
    private let time: any TimeSource
    /// Start of each session, relative to the start of `run`.
    private let starts: [Duration]
    private let waits = Locked(Waits())

    /// Members that have not started yet.
    private struct Waits {
        var isStopped = false
        /// Each ends the wait of one member when it is finished.
        var ends: [AsyncStream<Void>.Continuation] = []
    }

    /// Creates the group. `log` receives the members' lines. The starts are distributed over `spread`; `seed`
    /// determines each member's time within its share. All of them start later by `delay`.
    package init(
        _ members: [Member], log: SessionsLog = SessionsLog(), spread: Duration, seed: UInt64, time: any TimeSource,
        startingAfter delay: Duration = .zero
    ) {
        self.members = members
        self.log = log
        self.time = time
        starts = Self.starts(count: members.count, spread: spread, seed: seed).map { $0 + delay }
    }

    /// A span over which `count` sessions start so that their polls are evenly distributed.
    package static func spread(of count: Int, polling interval: Duration) -> Duration {
        count < 2 ? .zero : max(interval, shortestDistance * count)
    }

    /// The first session starts at once; each other one at a random time within its share of the span.
    static func starts(count: Int, spread: Duration, seed: UInt64) -> [Duration] {
        guard count > 1, spread > .zero else { return Array(repeating: .zero, count: max(0, count)) }
        var random = SplitMix64(seed: seed)
        let share = max(1, spread.inMicroseconds / Int64(count))
        return (0..<count).map { index in
            index == 0 ? .zero : .microseconds(Int64(index) * share + Int64.random(in: 0..<share, using: &random))
        }
    }

    /// Runs all sessions until each has ended, or the calling task is cancelled.
    package func run() async {
        let start = time.now().uptime
        await withDiscardingTaskGroup { group in
            for (member, offset) in zip(members, starts) {
                group.addTask {
                    await self.wait(untilUptime: start + offset)
                    await member.monitor.run()
                }
            }
        }
    }

    /// Stops all sessions; those that have not started never start.
    package func stop() async {
        let ends = waits.withLock { waits in
            waits.isStopped = true
            defer { waits.ends = [] }
            return waits.ends
        }
        await withDiscardingTaskGroup { group in
            for member in members { group.addTask { await member.monitor.stop() } }
        }
        for end in ends { end.finish() }
    }

    /// The current health of all sessions, in order; `countsEvents` as in ``Monitor/health(countsEvents:)``.
    package func health(countsEvents: Bool = false) async -> [SessionHealth] {
        var all: [SessionHealth] = []
        all.reserveCapacity(members.count)
        for member in members {
            all.append(await member.monitor.health(countsEvents: countsEvents))
        }
        return all
    }

    /// The current health and the log of all sessions.
    package func view() async -> SessionsView {
        SessionsView(await health(), log: log.view)
    }

    /// Waits until the time is over, `stop`, or the end of the task that waits.
    private func wait(untilUptime uptime: Duration) async {
        guard uptime > time.now().uptime else { return }
        let (stopped, end) = AsyncStream.makeStream(of: Void.self)
        let isStopped = waits.withLock { waits in
            if !waits.isStopped { waits.ends.append(end) }
            return waits.isStopped
        }
        guard !isStopped else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in stopped {} }
            // A sleep that is cancelled has ended, too.
            group.addTask { [time] in try? await time.sleep(untilUptime: uptime) }
            await group.next()
            group.cancelAll()
        }
    }
}
