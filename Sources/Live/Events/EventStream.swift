import Dispatch
import Locks
package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file, or standard output, that receives a line for every event when it happens.
///
/// Lines are written on a separate queue, so that a slow reader does not delay the session. Lines beyond
/// ``linesWaiting`` are dropped, and a line reports their number.
package final class EventStream: Sendable {
    /// Maximum number of waiting lines.
    package static let linesWaiting = 10_000

    private struct State {
        var waiting = 0
        var dropped = 0
        /// Whether nothing is written any more: after a failure, or because the reader of standard output has gone.
        var isOver = false
        var hasFailed = false
    }

    /// Ends when the reader of standard output has gone, as `head` does. It is read once.
    package let untilReaderLeaves: AsyncStream<Never>

    private let readerLeft: AsyncStream<Never>.Continuation
    private let descriptor: Int32
    /// Whether it is standard output, of which a reader that has gone wants no more.
    private let isStandardOutput: Bool
    /// Its name in messages.
    private let place: String
    private let droppedLine: @Sendable (Int) -> String
    private let queue = DispatchQueue(label: "adtop.events")
    private let state = Locked(State())

    /// Appends to the file, which is created if it is missing; `-` is standard output. `droppedLine` makes the line
    /// that reports dropped lines; by default it is an event like any other.
    package convenience init(path: String, droppedLine: (@Sendable (Int) -> String)? = nil) throws(FileProblem) {
        guard path != "-" else {
            self.init(
                descriptor: STDOUT_FILENO, place: "standard output", isStandardOutput: true, droppedLine: droppedLine)
            return
        }
        // Lines contain session names, so only the file's owner may read it.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(creating: path, code: errno) }
        self.init(descriptor: descriptor, place: path, droppedLine: droppedLine)
        if Self.endsInLine(path) { put("") }
    }

    /// Writes to an open descriptor, which is closed at the end unless it is a standard stream.
    init(
        descriptor: Int32, place: String, isStandardOutput: Bool = false,
        droppedLine: (@Sendable (Int) -> String)? = nil
    ) {
        (untilReaderLeaves, readerLeft) = AsyncStream.makeStream()
        (self.descriptor, self.isStandardOutput) = (descriptor, isStandardOutput)
        self.place = place
        self.droppedLine = droppedLine ?? { EventLine.dropped($0) }
    }

    /// Whether a file ends in a line that was cut, as a full disk or a power loss leaves it.
    private static func endsInLine(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var (status, last) = (stat(), UInt8(ascii: "\n"))
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        return pread(file, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    deinit {
        if descriptor > 1 { close(descriptor) }
    }

    /// Writes a line, given without its line feed.
    package func write(_ line: String) {
        let dropped = state.withLock { state -> Int? in
            guard state.waiting < Self.linesWaiting else {
                state.dropped += 1
                return nil
            }
            state.waiting += 1
            defer { state.dropped = 0 }
            return state.dropped
        }
        guard let dropped else { return }
        queue.async {
            if dropped > 0 { self.put(self.droppedLine(dropped)) }
            self.put(line)
            self.state.withLock { $0.waiting -= 1 }
        }
    }

    /// Returns when everything is written, or after `limit`, because a reader that stands still never ends the wait: nil on
    /// success, else the reason.
    package func finish(within limit: Duration = .seconds(60)) async -> String? {
        let answer = FirstAnswer<String?>()
        queue.async {
            let (hasFailed, dropped) = self.state.withLock { ($0.hasFailed, $0.dropped) }
            if dropped > 0 { self.put(self.droppedLine(dropped)) }
            answer.give(hasFailed ? self.failure : nil)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
            answer.give(self.missing)
        }
        return await answer.value
    }

    /// Why lines are missing when the time is over; nil where none is. The queue may have come to an end without a turn to report it.
    private var missing: String? {
        let state = state.withLock { $0 }
        if state.hasFailed { return failure }
        let lines = state.waiting + state.dropped
        return lines == 0 ? nil : "\(place) is cut short by \(lines) lines: its reader or its disk does not accept them"
    }

    private var failure: String { "\(place) is cut short: it could not be written" }

    private func put(_ line: String) {
        guard !state.withLock({ $0.isOver }) else { return }
        // A descriptor that does not block is waited for like one that blocks: meanwhile lines wait, and beyond the limit they are counted.
        let code = WholeWrite.write(Array(line.utf8) + [UInt8(ascii: "\n")], to: descriptor, waits: true)
        guard let code else { return }
        let hasReaderLeft = isStandardOutput && code == EPIPE
        state.withLock { ($0.isOver, $0.hasFailed) = (true, !hasReaderLeft) }
        if hasReaderLeft { readerLeft.finish() }
    }
}
