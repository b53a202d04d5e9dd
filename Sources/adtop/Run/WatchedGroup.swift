import Monitoring
import Ports
import Session

/// Many sessions that one dashboard shows: all in their table, or one of them.
struct WatchedGroup: Sendable {
    let group: SessionGroup
    let time: any TimeSource

    /// The names in the order of the user's list.
    var names: [String] { group.members.map(\.name) }

    /// The session of that index, nil outside.
    func session(_ index: Int) -> LiveSession? {
        guard group.members.indices.contains(index) else { return nil }
        return LiveSession(monitor: group.members[index].monitor, time: time, cache: nil)
    }

    /// All sessions as they are now.
    func view() async -> SessionsView { await group.view() }

    /// The sessions as they are when each second of the wall clock begins, until the reader cancels.
    func views() -> AsyncStream<SessionsView> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionsView.self, bufferingPolicy: .bufferingNewest(1))
        // Ended by the end of the stream.
        let task = Task {
            while !Task.isCancelled {
                let second: Int64 = 1_000_000
                let now = time.now()
                let wall = now.wall.microseconds
                let wait = second - (wall - wall.flooringDivision(by: second) * second)
                guard (try? await time.sleep(untilUptime: now.uptime + .microseconds(wait))) != nil else { break }
                continuation.yield(await view())
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
