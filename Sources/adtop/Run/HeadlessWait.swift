import Ports

/// The wait of a verb without a terminal: until its condition is met, its time is up, or a signal arrives.
enum HeadlessWait {
    enum End {
        case reached, timeUp, interrupted
    }

    /// Returns the first of the three. `reach` returns whether the condition was met; nil waits for the deadline only.
    static func end(
        by deadline: Duration, time: any TimeSource, reach: (@Sendable () async -> Bool)? = nil
    ) async -> End {
        await withTaskGroup(of: End.self) { tasks in
            if let reach { tasks.addTask { await reach() ? .reached : .timeUp } }
            tasks.addTask {
                // Cancelled when something else ended the wait first.
                _ = try? await time.sleep(untilUptime: deadline)
                return .timeUp
            }
            tasks.addTask {
                for await _ in StopSignals.stream() { break }
                return .interrupted
            }
            let first = await tasks.next() ?? .timeUp
            tasks.cancelAll()
            return first
        }
    }
}
