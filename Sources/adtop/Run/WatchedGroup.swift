import Dashboard
import Monitoring
import Ports
import Session

/// What a dashboard shows in tables, each row of which can be opened as a session.
protocol WatchedTable: Sendable {
    var time: any TimeSource { get }
    /// The event that shows the table as it is now. Returns at once.
    func shown() async -> DashboardEvent
    /// Events with newer readings, about once a second, until the reader cancels.
    func readings() -> AsyncStream<DashboardEvent>
    /// The session of a row, by the number that the view gave it; nil where there is none.
    func opened(_ number: Int) async -> (any WatchedSession)?
    /// The names between which a person can switch while that session is shown, and which of them it is.
    func names(beside number: Int) -> (names: [String], current: Int)
}

/// Many sessions that one dashboard shows: all in their table, or one of them.
struct WatchedGroup: WatchedTable {
    let group: SessionGroup
    let time: any TimeSource

    /// The names in the order of the user's list.
    var names: [String] { group.members.map(\.name) }

    /// The session of that index, nil outside.
    func session(_ index: Int) -> LiveSession? {
        guard group.members.indices.contains(index) else { return nil }
        return LiveSession(monitor: group.members[index].monitor, time: time, cache: nil)
    }

    func opened(_ number: Int) -> (any WatchedSession)? { session(number) }
    func names(beside number: Int) -> (names: [String], current: Int) { (names, number) }

    /// All sessions as they are now.
    func shown() async -> DashboardEvent { .tableShown(await group.view()) }

    /// The sessions as they are when each second of the wall clock begins.
    func readings() -> AsyncStream<DashboardEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DashboardEvent.self, bufferingPolicy: .bufferingNewest(1))
        // Ended by the end of the stream.
        let task = Task {
            while !Task.isCancelled {
                let second: Int64 = 1_000_000
                let now = time.now()
                let wall = now.wall.microseconds
                let wait = second - (wall - wall.flooringDivision(by: second) * second)
                guard (try? await time.sleep(untilUptime: now.uptime + .microseconds(wait))) != nil else { break }
                continuation.yield(.sessionsRead(await group.view()))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
