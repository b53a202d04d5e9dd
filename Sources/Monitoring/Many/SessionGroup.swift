package import Ports
import Synchronization

/// Many sessions in one process, each for itself: whatever happens to one touches no other.
///
/// They begin one after the other over a span, at moments that a seed spreads, so that hundreds of sessions never poll in
/// the same instant.
package final class SessionGroup: Sendable {
    /// The span for each session where there are many: fifty begin in a second.
    static let shortestDistance: Duration = .milliseconds(20)

    /// One of them, under the name that the user knows it by.
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
    /// When each begins, from the start of `run`.
    private let starts: [Duration]
    private let waits = Mutex(Waits())

    /// Members that have not begun yet.
    private struct Waits {
        var isStopped = false
        var tasks: [Task<Void, Never>] = []
    }

    /// `log` is the one that the members write to; `spread` is the span over which they begin, `seed` where in its share
    /// of it each one does.
    package init(
        _ members: [Member], log: SessionsLog = SessionsLog(), spread: Duration, seed: UInt64, time: any TimeSource
    ) {
        self.members = members
        self.log = log
        self.time = time
        starts = Self.starts(count: members.count, spread: spread, seed: seed)
    }

    /// A span over which so many sessions begin that poll so often: their polls then lie evenly.
    package static func spread(of count: Int, polling interval: Duration) -> Duration {
        count < 2 ? .zero : max(interval, shortestDistance * count)
    }

    /// The first begins at once; each of the others somewhere in its own share of the span.
    static func starts(count: Int, spread: Duration, seed: UInt64) -> [Duration] {
        guard count > 1, spread > .zero else { return Array(repeating: .zero, count: max(0, count)) }
        var random = SplitMix64(seed: seed)
        let share = max(1, spread.inMicroseconds / Int64(count))
        return (0..<count).map { index in
            index == 0 ? .zero : .microseconds(Int64(index) * share + Int64.random(in: 0..<share, using: &random))
        }
    }

    /// Runs all of them until each has ended, or the calling task is cancelled.
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

    /// Ends all of them; those that have not begun never do.
    package func stop() async {
        let tasks = waits.withLock { waits in
            waits.isStopped = true
            defer { waits.tasks = [] }
            return waits.tasks
        }
        await withDiscardingTaskGroup { group in
            for member in members { group.addTask { await member.monitor.stop() } }
        }
        tasks.forEach { $0.cancel() }
    }

    /// How they are now, in order.
    package func health() async -> [SessionHealth] {
        var all: [SessionHealth] = []
        all.reserveCapacity(members.count)
        for member in members {
            all.append(await member.monitor.health())
        }
        return all
    }

    /// How they are now, and what they have logged.
    package func view() async -> SessionsView {
        SessionsView(await health(), log: log.view)
    }

    private func wait(untilUptime uptime: Duration) async {
        guard uptime > time.now().uptime else { return }
        // Ended by its time, by `stop`, or with the task that waits for it.
        let sleep = Task { [time] in _ = try? await time.sleep(untilUptime: uptime) }
        let isStopped = waits.withLock { waits in
            waits.tasks.append(sleep)
            return waits.isStopped
        }
        if isStopped { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }
}
