import Ports

/// How a verb without a terminal waits for what it prints: until it is there, its time is up, or a signal comes.
enum HeadlessWait {
    enum End {
        case reached, timeUp, interrupted
    }

    /// Returns with the first of the three. `reach` says whether what is waited for came; nil waits for the time only.
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
