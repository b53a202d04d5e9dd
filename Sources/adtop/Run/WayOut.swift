import CTerminalGuard
import Dispatch
import Foundation
import Locks

/// Bounds every way out: whatever hangs, be it a reader, a disk, a terminal, a plugin or a server, the process ends.
enum WayOut {
    /// Longest time from a stop to the end of the process.
    static let limit: Duration = .seconds(3)
    /// How long a session may take to end.
    static var session: Duration { WayOutCourse.Stage.sessions.end }
    /// How long connections may take to close, of which nothing is lost.
    static let closing: Duration = .milliseconds(500)
    /// How long the embedded origin may take to close.
    static let origin: Duration = .milliseconds(300)

    private static let course = Locked(WayOutCourse())

    /// Ends the process after ``limit`` unless it ends by itself; only the first call counts.
    static func begin(_ status: ExitStatus) {
        guard course.withLock({ $0.begin(at: .now) }) else { return }
        // Not on the pool of tasks, whose threads may be what hangs.
        end(with: status, after: limit)
    }

    /// Ends the process at once.
    static func end(_ status: ExitStatus) {
        end(with: status, after: .zero)
    }

    /// How long a stage has until its end.
    static func left(for stage: WayOutCourse.Stage) -> Duration {
        course.withLock { $0.left(for: stage, at: .now) }
    }

    /// Prints for a reader who may take any time, while sessions have ended and files are still to be closed.
    static func waitingForReader<Failure: Error>(_ printing: () throws(Failure) -> Void) throws(Failure) {
        let start = ContinuousClock.now
        defer { course.withLock { $0.paused(for: start.duration(to: .now)) } }
        try printing()
    }

    /// Waits for `work` at most so long; false if it did not end. It then continues until the process ends.
    static func within(_ limit: Duration, _ work: @escaping @Sendable () async -> Void) async -> Bool {
        let isOver = Locked(false)
        return await withCheckedContinuation { continuation in
            @Sendable func finish(_ isDone: Bool) {
                let isFirst = isOver.withLock { isOver in
                    defer { isOver = true }
                    return !isOver
                }
                if isFirst { continuation.resume(returning: isDone) }
            }
            // Ends with the work, or with the process.
            Task {
                await work()
                finish(true)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds(limit)) { finish(false) }
        }
    }

    /// Waits for the end of a session that was stopped.
    static func end(of running: Task<Void, Never>) async {
        course.withLock { $0.awaitSessions(at: .now) }
        guard await within(left(for: .sessions), { await running.value }) else {
            return Output.error(
                "the session: did not end within \(session); its journal or a plugin hangs, the last results may be missing"
            )
        }
    }

    private static func end(with status: ExitStatus, after span: Duration) {
        let thread = Thread {
            Thread.sleep(forTimeInterval: seconds(span))
            // What is registered for the exit restores a terminal; if that hangs, the process ends without it.
            let last = Thread {
                Thread.sleep(forTimeInterval: 0.2)
                terminal_end_as_asked()
                _exit(status.rawValue)
            }
            last.start()
            Foundation.exit(status.rawValue)
        }
        thread.start()
    }

    private static func seconds(_ span: Duration) -> Double { span / .seconds(1) }
}
