import Foundation
import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How a program ended.
package enum ChildExit: Equatable, Sendable {
    /// It returned this status.
    case status(Int32)
    /// This signal killed it; a shell shows 128 more.
    case signal(Int32)

    /// From the status that `waitpid` gives.
    init(waitStatus status: Int32) {
        self = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }
}

/// A program without a terminal, and what it writes while it runs.
///
/// Threads of its own read its output and wait for its end: a blocked thread of the shared pool could be the one that a
/// server of the test needs. A program that still runs when the value goes is killed.
package final class ChildProcess: Sendable {
    /// What became of a program that has ended.
    package struct Ending: Sendable {
        package let exit: ChildExit
        package let output: [UInt8]
        package let errors: [UInt8]
    }

    private struct State {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        /// Streams that may still bring something.
        var open = 2
        var exit: ChildExit?

        var ending: Ending? { open > 0 ? nil : exit.map { Ending(exit: $0, output: output, errors: errors) } }
    }

    package let pid: Int32
    private let shared: Shared

    /// What the threads hold: they outlive the child's value by a moment.
    private final class Shared: Sendable {
        let state = Locked(State())
        let changes = Changes()

        func change(_ body: (inout State) -> Void) {
            state.withLock { body(&$0) }
            changes.announce()
        }
    }

    /// Starts a program. `input` is its standard input, no more than a pipe holds (64 KiB).
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String], input: String = ""
    ) throws {
        let streams = try Streams(input)
        shared = Shared()
        pid = try streams.spawn(executable, arguments, environment)
        let shared = shared
        Self.read(streams.output) { bytes in
            shared.change { $0.output += bytes }
        } end: {
            shared.change { $0.open -= 1 }
        }
        Self.read(streams.errors) { bytes in
            shared.change { $0.errors += bytes }
        } end: {
            shared.change { $0.open -= 1 }
        }
        Thread.detachNewThread { [pid] in Self.reap(pid, shared) }
    }

    deinit {
        kill(SIGKILL)
    }

    /// What it has written to standard output so far.
    package var output: String { shared.state.withLock { String(decoding: $0.output, as: UTF8.self) } }

    /// Sends it a signal; nothing happens when it has ended.
    package func kill(_ signal: Int32) {
        shared.state.withLock { state in
            // As long as nobody has asked for its status the number is its own.
            if state.exit == nil { _ = Foundation.kill(pid, signal) }
        }
    }

    /// Waits until its output holds a text, and returns all of it.
    @discardableResult
    package func expect(_ text: String, within limit: Duration = .seconds(60)) async throws -> String {
        try await wait(for: "\"\(text)\"", within: limit, on: shared.changes.stream(), was: { self.description }) {
            let (isThere, hasEnded) = self.shared.state.withLock {
                (String(decoding: $0.output, as: UTF8.self).contains(text), $0.ending != nil)
            }
            if hasEnded, !isThere { throw NeverCame(description: "\"\(text)\" did not come: \(self.description)") }
            return isThere
        }
        return output
    }

    /// Waits until it has ended and everything that it wrote is here.
    package func end(within limit: Duration = .seconds(150)) async throws -> Ending {
        try await wait(for: "the end of the program", within: limit, on: shared.changes.stream()) {
            self.shared.state.withLock { $0.ending != nil }
        }
        guard let ending = shared.state.withLock({ $0.ending }) else { throw NeverCame(description: "no ending") }
        return ending
    }

    /// Its state for a failure's text.
    private var description: String {
        shared.state.withLock { state in
            let texts = [state.output, state.errors].map { String(decoding: $0.suffix(2_000), as: UTF8.self) }
            return "exit \(state.exit.map { "\($0)" } ?? "none"), output \(texts[0]), errors \(texts[1])"
        }
    }

    /// Waits for the end on a thread of its own.
    private static func reap(_ pid: Int32, _ shared: Shared) {
        var info = siginfo_t()
        // The status stays where it is, and with it the number, until the lock is held.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        shared.change { state in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            state.exit = ChildExit(waitStatus: status)
        }
    }

    private static func read(
        _ descriptor: Int32, bytes take: @escaping @Sendable (ArraySlice<UInt8>) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Foundation.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                take(buffer[..<count])
            }
            close(descriptor)
            end()
        }
    }
}
