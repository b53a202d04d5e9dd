import CTerminalGuard
import Screen
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Diverts descriptor 2 into a file without a name while the dashboard runs: a library that writes to standard error
/// would otherwise write across the screen (TERM-39).
///
/// A file and not a pipe: nobody has to read it in time, a writer never blocks, and when the process dies the guard can
/// still print it, "Fatal error: …" before all.
package final class StderrCapture: Sendable {
    /// The file is emptied when it has grown beyond this and everything in it was taken.
    static let sizeLimit = 1 << 20
    /// Most bytes taken at a time.
    static let takeLimit = 64 * 1024

    private struct State {
        var original: Int32
        var file: Int32
        var taken: off_t = 0
        var isActive = true
    }

    private let state: Mutex<State>

    /// Diverts standard error; nil when it is no terminal (the user sent it elsewhere) or no file can be made.
    package static func start() -> StderrCapture? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        return StderrCapture()
    }

    /// Diverts whatever descriptor 2 is.
    init?() {
        guard let original = SystemCalls.duplicate(STDERR_FILENO) else { return nil }
        guard let file = StderrCapture.namelessFile(), dup2(file, STDERR_FILENO) >= 0 else {
            SystemCalls.close(original)
            return nil
        }
        state = Mutex(State(original: original, file: file))
        terminal_guard_set_stderr(original, file)
    }

    private static func namelessFile() -> Int32? {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/adtop-stderr-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return nil }
        unlink(path)
        // Appending: after the file was emptied the next writer starts at zero.
        _ = fcntl(file, F_SETFL, O_APPEND)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// The lines written since the last call, at most `takeLimit` bytes of them; raw text from outside.
    package func takeLines() -> [String] {
        state.withLock { state in
            guard state.isActive else { return [] }
            let bytes = StderrCapture.read(state.file, from: state.taken)
            // An unfinished line waits for its end, unless it alone fills the buffer.
            let end =
                bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
                ?? (bytes.count == StderrCapture.takeLimit ? bytes.count : 0)
            state.taken += off_t(end)
            if state.taken > StderrCapture.sizeLimit, state.taken == lseek(state.file, 0, SEEK_END),
                ftruncate(state.file, 0) == 0
            {
                state.taken = 0
            }
            return bytes[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Gives descriptor 2 back and prints what was caught, sanitised; for when the terminal is itself again.
    package func finish() {
        state.withLock { state in
            guard state.isActive else { return }
            state.isActive = false
            terminal_guard_set_stderr(-1, -1)
            dup2(state.original, STDERR_FILENO)
            let size = lseek(state.file, 0, SEEK_END)
            let text = StderrCapture.read(state.file, from: max(size - off_t(StderrCapture.takeLimit), 0))
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let safe = SafeText(outside: String(decoding: line, as: UTF8.self)).string
                SystemCalls.writeAll(Array(safe.utf8) + [UInt8(ascii: "\n")], to: STDERR_FILENO)
            }
            SystemCalls.close(state.file)
            SystemCalls.close(state.original)
        }
    }

    private static func read(_ file: Int32, from offset: off_t) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: takeLimit) { buffer, count in
            count = max(pread(file, buffer.baseAddress, takeLimit, offset), 0)
        }
    }
}
