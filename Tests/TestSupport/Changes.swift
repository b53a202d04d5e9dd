import Locks

/// Announces that something changed, to every test that waits for it.
package final class Changes: Sendable {
    private let readers = Locked(Readers())

    private struct Readers {
        var streams: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    package init() {}

    /// An element when it is made and one for every change from then on; those that are not taken yet are one.
    package func stream() -> AsyncStream<Void> {
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = readers.withLock { readers in
            defer { readers.next += 1 }
            readers.streams[readers.next] = reader
            return readers.next
        }
        reader.onTermination = { [weak self] _ in
            _ = self?.readers.withLock { $0.streams.removeValue(forKey: number) }
        }
        reader.yield()
        return stream
    }

    /// Something changed: every reader looks again.
    package func announce() {
        for reader in readers.withLock({ $0.streams.values }) { reader.yield() }
    }
}

/// What a test waited for and did not come.
package struct NeverCame: Error, CustomStringConvertible {
    package let description: String
}

/// Looks at a condition whenever something changed, until it holds. The limit only turns a hang into a failure, which names
/// `what` was expected and what `was` there instead.
package func wait(
    for what: String, within limit: Duration = .seconds(60), on changes: AsyncStream<Void>,
    was: @Sendable () -> String = { "" }, until isDone: @escaping @Sendable () throws -> Bool
) async throws {
    let came = try await withThrowingTaskGroup(of: Bool.self) { group in
        defer { group.cancelAll() }
        group.addTask {
            for await _ in changes where try isDone() { return true }
            return try isDone()
        }
        group.addTask {
            try await Task.sleep(for: limit)
            return false
        }
        return try await group.next() ?? false
    }
    guard came else { throw NeverCame(description: "\(what) did not come within \(limit) \(was())") }
}
