import CTerminalGuard
import Locks
import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Diverts descriptor 2 into a file without a name while the dashboard runs: a library that writes to standard error
/// would otherwise write across the screen. A thread passes each line on as soon as it is written.
///
/// It is a file and not a pipe, because a writer must never block, and because the guard must be able to print the
/// text when the process dies, "Fatal error: …" above all.
package final class StderrCapture: Sendable {
    /// Bytes of the file that were passed on before the file is emptied, and most bytes that may wait to be passed on.
    /// Beyond that the waiting text is dropped, so that a flood does not fill the disk.
    static let sizeLimit = 1 << 20
    /// Most bytes read at a time.
    static let takeLimit = 64 * 1024
    /// Most bytes of a line; the rest of a longer one is cut off.
    static let lineLimit = 4 * 1024
    /// Most lines passed on; later ones are dropped, and that is reported once.
    package static let lineCountLimit = 10_000
    /// Most lines that wait for a reader; further ones are dropped.
    static let waitingLimit = 1_000

    private struct State {
        var original: Int32
        var file: Int32
        var taken: off_t = 0
        var isActive = true
        /// Lines passed on.
        var lineCount = 0
        var hasReportedFlood = false
        var hasReportedLoss = false
    }

    /// What was written, line by line: raw text from outside. Ends with the capture.
    package let lines: AsyncStream<String>

    private let descriptor: Int32
    private let state: Locked<State>
    private let changes: FileChanges?
    private let sink: AsyncStream<String>.Continuation

    /// Diverts standard error; nil when it is not a terminal (the user redirected it) or no file can be made.
    package static func start() -> StderrCapture? {
        guard isatty(STDERR_FILENO) == 1, let capture = StderrCapture(of: STDERR_FILENO) else { return nil }
        return capture
    }

    /// Diverts `descriptor` and starts to pass lines on; nil when no file can be made. A capture that does not watch its
    /// file passes lines on only when `passOn` is called.
    init?(of descriptor: Int32, watches: Bool = true) {
        guard let original = SystemCalls.duplicate(descriptor) else { return nil }
        guard let (file, changes) = StderrCapture.namelessFile(), dup2(file, descriptor) >= 0 else {
            SystemCalls.close(original)
            return nil
        }
        self.descriptor = descriptor
        self.changes = changes
        (lines, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(StderrCapture.waitingLimit))
        state = Locked(State(original: original, file: file))
        if descriptor == STDERR_FILENO { terminal_guard_set_stderr(original, file) }
        guard watches else { return }
        // Ended by `finish`.
        let isStarted = changes.map { changes in PosixThread.start { while changes.wait() { self.passOn() } } }
        if isStarted != true { sink.finish() }
    }

    private static func namelessFile() -> (file: Int32, changes: FileChanges?)? {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/adtop-stderr-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        let changes = FileChanges(of: file, at: path)
        unlink(path)
        // Appending: after the file was emptied the next writer starts at zero.
        _ = fcntl(file, F_SETFL, O_APPEND)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return (file, changes)
    }

    /// Passes on what was written since the last call. The capture's thread calls it after each change of the file.
    func passOn() {
        state.withLock { state in
            while state.isActive, let lines = StderrCapture.take(&state) {
                for line in lines { give(line, &state) }
            }
        }
    }

    /// Yields a line; the last place of a full queue holds the report that lines are missing.
    private func give(_ line: String, _ state: inout State) {
        guard case .enqueued(let places) = sink.yield(line), places == 1, !state.hasReportedLoss else { return }
        state.hasReportedLoss = true
        sink.yield("lines come faster than they are read; some are dropped")
    }

    /// The next lines, at most `takeLimit` bytes of them; nil when there is no further whole line.
    private static func take(_ state: inout State) -> [String]? {
        let size = lseek(state.file, 0, SEEK_END)
        if size - state.taken > off_t(sizeLimit) { return dropAll(&state) }
        let bytes = read(state.file, from: state.taken)
        // An unfinished line waits for its end, unless it alone fills the buffer.
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? (bytes.count == takeLimit ? bytes.count : 0)
        state.taken += off_t(end)
        // An unfinished line at the end delays the emptying, but not for ever.
        let isAllTaken = state.taken == lseek(state.file, 0, SEEK_END)
        if state.taken > sizeLimit, isAllTaken || state.taken > 2 * sizeLimit, ftruncate(state.file, 0) == 0 {
            state.taken = 0
        }
        guard end > 0 else { return nil }
        return bytes[..<end].split(separator: UInt8(ascii: "\n")).compactMap { counted(text(of: $0), &state) }
    }

    private static func dropAll(_ state: inout State) -> [String]? {
        guard ftruncate(state.file, 0) == 0 else { return nil }
        state.taken = 0
        guard !state.hasReportedFlood else { return [] }
        state.hasReportedFlood = true
        return ["more than \(sizeLimit >> 20) MiB at once; the text that was not read yet is dropped"]
    }

    private static func text(of line: ArraySlice<UInt8>) -> String {
        let isCut = line.count > lineLimit
        return String(decoding: line.prefix(lineLimit), as: UTF8.self) + (isCut ? "…" : "")
    }

    /// The line; in place of the first one beyond the limit a line that reports it, and nil for all later ones.
    private static func counted(_ line: String, _ state: inout State) -> String? {
        guard state.lineCount <= lineCountLimit else { return nil }
        state.lineCount += 1
        return state.lineCount <= lineCountLimit ? line : "more than \(lineCountLimit) lines; later ones are dropped"
    }

    /// Restores the descriptor and prints the end of what was written, sanitised; called when the terminal is itself
    /// again.
    package func finish() {
        let isFirst = state.withLock { state in
            guard state.isActive else { return false }
            state.isActive = false
            if descriptor == STDERR_FILENO { terminal_guard_set_stderr(-1, -1) }
            dup2(state.original, descriptor)
            let size = lseek(state.file, 0, SEEK_END)
            let text = StderrCapture.read(state.file, from: max(size - off_t(StderrCapture.takeLimit), 0))
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let safe = SafeText(outside: String(decoding: line, as: UTF8.self)).string
                SystemCalls.writeAll(Array(safe.utf8) + [UInt8(ascii: "\n")], to: descriptor)
            }
            SystemCalls.close(state.file)
            SystemCalls.close(state.original)
            return true
        }
        guard isFirst else { return }
        changes?.stop()
        sink.finish()
    }

    /// Bytes in the file, for tests; 0 after the end.
    var size: Int { state.withLock { $0.isActive ? Int(clamping: lseek($0.file, 0, SEEK_END)) : 0 } }

    private static func read(_ file: Int32, from offset: off_t) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: takeLimit) { buffer, count in
            count = max(pread(file, buffer.baseAddress, takeLimit, offset), 0)
        }
    }
}
