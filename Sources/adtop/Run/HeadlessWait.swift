import Live
import Ports

/// The wait of a verb without a terminal: until its condition is met, its time is up, the reader of its events has gone, or a signal
/// arrives.
///
/// Create it before the work begins: a signal counts from then on.
struct HeadlessWait {
    enum End {
        case reached, timeUp, interrupted
    }

    private let time: any TimeSource
    private let signals = StopSignals.stream()
    private let events: EventStream?

    /// - Parameter events: nothing is to be done any more once their reader has gone.
    init(time: any TimeSource, events: EventStream? = nil) {
        (self.time, self.events) = (time, events)
    }

    /// Returns the first of them; a reader that has gone has all it wants. `reach` returns whether the condition was met; nil waits for the
    /// deadline only.
    func end(by deadline: Duration, reach: (@Sendable () async -> Bool)? = nil) async -> End {
        await withTaskGroup(of: End.self) { tasks in
            if let reach { tasks.addTask { await reach() ? .reached : .timeUp } }
            tasks.addTask { [time] in
                // Cancelled when something else ended the wait first.
                _ = try? await time.sleep(untilUptime: deadline)
                return .timeUp
            }
            tasks.addTask { [signals] in
                for await _ in signals { break }
                return .interrupted
            }
            if let events {
                tasks.addTask {
                    for await _ in events.untilReaderLeaves {}
                    return .reached
                }
            }
            let first = await tasks.next() ?? .timeUp
            tasks.cancelAll()
            return first
        }
    }
}
