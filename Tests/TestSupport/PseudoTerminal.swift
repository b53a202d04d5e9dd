import Foundation
import Locks

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A terminal of the test's own: a program runs in it as its session leader, the test types, reads and resizes.
///
/// Every wait is a read that ends when a condition holds; the time limit only turns a hang into a failure with the
/// transcript.
package final class PseudoTerminal {
    /// Why a wait ended without its condition.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The line discipline's settings, to compare before and after.
    package struct Modes: Equatable {
        /// Input, output, control and local flags as in termios.
        package let flags: [UInt]
        /// Whether the terminal edits lines: on in a shell, off under a full-screen program.
        package let isCanonical: Bool
        /// Whether it echoes keys.
        package let echoes: Bool
    }

    /// Everything the program has written so far.
    package private(set) var transcript: [UInt8] = []
    /// The running program.
    package private(set) var process: Int32 = 0

    private var master: Int32
    private var slave: Int32
    private let name: String
    private var exitPipe: [Int32] = [-1, -1]
    private var ending: ChildExit?

    /// Opens a pair of that size; nothing runs yet.
    package init(columns: Int = 80, rows: Int = 24) throws {
        // Programs started at the same moment must not inherit the descriptors, or a hang-up would not be one.
        let pair = try Spawn.lock.withLock { _ in try Self.open() }
        (master, slave, name, exitPipe) = (pair.master, pair.slave, pair.name, pair.exit)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        resize(columns: columns, rows: rows)
    }

    /// The two ends with their name, and a pipe; no program inherits them.
    private static func open() throws -> (master: Int32, slave: Int32, name: String, exit: [Int32]) {
        var master: Int32 = -1, slave: Int32 = -1
        var exit: [Int32] = [-1, -1]
        guard openpty(&master, &slave, nil, nil, nil) == 0, let path = ttyname(slave), pipe(&exit) == 0 else {
            throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        for fd in [master, slave] + exit { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }
        return (master, slave, String(cString: path), exit)
    }

    deinit {
        hangUp()
        if process > 0, ending == nil {
            kill(process, SIGKILL)
            var status: Int32 = 0
            // The thread that waits for the program writes once more; it must find the pipe open.
            _ = Foundation.read(exitPipe[0], &status, MemoryLayout<Int32>.size)
        }
        close(exitPipe[0])
    }

    /// Starts a program with the terminal as its standard streams and controlling terminal.
    package func run(_ executable: String, _ arguments: [String] = [], environment: [String: String]) throws {
        process = try Spawn.start(executable, arguments, environment, inNewSession: true) { actions in
            // A session leader's first open of a terminal makes it the controlling one.
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
        let child = process, pipe = exitPipe[1]
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            withUnsafeBytes(of: &status) { _ = Foundation.write(pipe, $0.baseAddress, $0.count) }
            close(pipe)
        }
    }

    /// Types keys, as bytes.
    package func type(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Changes the size; the program gets SIGWINCH.
    package func resize(columns: Int, rows: Int) {
        var size = winsize()
        size.ws_col = UInt16(clamping: columns)
        size.ws_row = UInt16(clamping: rows)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// The line discipline's settings now.
    package var modes: Modes {
        var settings = termios()
        tcgetattr(slave, &settings)
        let local = UInt(settings.c_lflag)
        return Modes(
            flags: [UInt(settings.c_iflag), UInt(settings.c_oflag), UInt(settings.c_cflag), local],
            isCanonical: local & UInt(ICANON) != 0, echoes: local & UInt(ECHO) != 0)
    }

    /// The process group that gets the terminal's keys and signals.
    package var foregroundGroup: Int32 { tcgetpgrp(master) }

    /// Closes the window: the program gets SIGHUP and EIO.
    package func hangUp() {
        if slave >= 0 { close(slave) }
        if master >= 0 { close(master) }
        (master, slave) = (-1, -1)
    }

    /// Reads until the transcript after `offset` holds `text`; returns the offset after the match.
    @discardableResult
    package func expect(_ text: String, after offset: Int = 0, within limit: Duration = .seconds(30)) throws -> Int {
        let wanted = Array(text.utf8)
        var found: Int?
        try read(within: limit, waitingFor: "\"\(text)\"") {
            found = transcript[min(offset, transcript.count)...].firstRange(of: wanted)?.upperBound
            return found != nil
        }
        return found ?? transcript.count
    }

    /// Reads until the condition holds.
    package func read(
        within limit: Duration = .seconds(30), waitingFor what: String, until isDone: () -> Bool
    ) throws {
        let clock = ContinuousClock(), deadline = ContinuousClock.now + limit
        while !isDone() {
            if let ending { throw failure("the program ended with \(ending) before \(what) came") }
            guard clock.now < deadline else { throw failure("\(what) did not come") }
            turn(until: deadline)
        }
    }

    /// Types keys that make the program draw, and reads nothing, until the terminal takes no more output.
    package func fill(typing keys: String, within limit: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now + limit
        while true {
            var room = pollfd(fd: slave, events: Int16(POLLOUT), revents: 0)
            if poll(&room, 1, 0) == 0 { return }
            guard ContinuousClock.now < deadline else { throw failure("the terminal did not fill") }
            type(keys)
            // The program draws meanwhile; its end would end this wait.
            var end = pollfd(fd: exitPipe[0], events: Int16(POLLIN), revents: 0)
            guard poll(&end, 1, 20) == 0 else { throw failure("the program ended before the terminal was full") }
        }
    }

    /// Waits until the program has ended; then everything it wrote is in the transcript. Not `reading` meanwhile leaves
    /// the terminal as full as it is.
    package func waitForExit(within limit: Duration = .seconds(30), reading: Bool = true) throws -> ChildExit {
        let clock = ContinuousClock(), deadline = clock.now + limit
        while true {
            if let ending { return ending }
            guard clock.now < deadline else { throw failure("the program did not end") }
            turn(until: deadline, reading: reading)
        }
    }

    /// One wait for output or the end.
    private func turn(until deadline: ContinuousClock.Instant, reading: Bool = true) {
        var descriptors = [
            pollfd(fd: reading ? master : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: exitPipe[0], events: Int16(POLLIN), revents: 0),
        ]
        let left = (deadline - ContinuousClock.now) / .milliseconds(1)
        guard poll(&descriptors, 2, Int32(max(left, 0)) + 1) > 0 else { return }
        if reading { drain() }
        guard descriptors[1].revents != 0 else { return }
        var status: Int32 = 0
        guard Foundation.read(exitPipe[0], &status, MemoryLayout<Int32>.size) == MemoryLayout<Int32>.size else {
            return
        }
        drain()
        ending = ChildExit(waitStatus: status)
    }

    private func drain() {
        guard master >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Foundation.read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            transcript += buffer[..<count]
        }
    }

    private func failure(_ what: String) -> Failure {
        let tail = String(decoding: transcript.suffix(2_000), as: UTF8.self)
        return Failure(description: "\(what); the terminal showed: \(tail.debugDescription)")
    }
}
