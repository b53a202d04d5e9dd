import CTerminalGuard
import Dispatch
import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one thread on which ncurses runs: opens the terminal, paints, suspends, closes.
///
/// A thread with a queue that keeps only the newest frame, and not an actor on a custom executor: an actor would line
/// up every frame, and its callers would wait as long as the terminal blocks.
enum TerminalThread {
    /// What the opening thread reports to the session.
    struct Opened: Sendable {
        let capabilities: TerminalCapabilities
        let keys: TerminfoKeys
        /// A descriptor of the terminal for the reader, which owns it.
        let input: Int32
    }

    /// Opens the terminal, reports, and works on the queue until `close` is ordered; `closed` is called last.
    static func run(
        _ options: TerminalOptions, _ queue: PaintQueue, mayStop: DispatchSemaphore,
        opened: (Result<Opened, TerminalError>) -> Void,
        closed: () -> Void
    ) {
        defer { closed() }
        let terminal: CursesTerminal
        do {
            terminal = try CursesTerminal(options)
        } catch {
            return opened(.failure(error))
        }
        guard let input = SystemCalls.duplicate(terminal.inputDescriptor) else {
            let code = errno
            terminal.close()
            return opened(.failure(.system("dup", code)))
        }
        opened(.success(Opened(capabilities: terminal.capabilities, keys: terminal.keys, input: input)))
        var loop = PaintLoop(terminal: terminal, mayStop: mayStop)
        while loop.work(on: queue.next()) {}
    }
}

/// What the painting thread knows between two batches.
struct PaintLoop {
    private var terminal: CursesTerminal
    private var painter = FramePainter()
    private var last: TerminalFrame?
    private var isSuspended = false
    private let mayStop: DispatchSemaphore

    /// How long the process waits for work that must be done before it stops: ^Z works even when that work hangs.
    static let stopPatience = DispatchTimeInterval.milliseconds(100)
    /// A session leader has no shell that could continue it, so it does not even give the screen back.
    static var canStop: Bool { getsid(0) != getpid() }

    /// A loop on an open terminal.
    init(terminal: CursesTerminal, mayStop: DispatchSemaphore) {
        self.terminal = terminal
        self.mayStop = mayStop
    }

    /// Does all of a batch; false after closing.
    mutating func work(on batch: PaintQueue.Batch) -> Bool {
        var isStale = false
        for order in batch.orders {
            switch order {
            case .invalidate:
                painter.invalidate(&terminal)
            case .suspend:
                suspend()
            case .resume:
                resume()
                isStale = true
            case .send(let bytes):
                terminal.send(bytes)
            case .close:
                terminal.close()
                return false
            }
        }
        if let frame = batch.frame { last = frame }
        guard batch.frame != nil || isStale, !isSuspended, let last else { return true }
        paint(last)
        return true
    }

    private mutating func paint(_ frame: TerminalFrame) {
        let isNewPalette = frame.palette != terminal.palette
        if isNewPalette { terminal.use(frame.palette) }
        if terminal.adoptSize() || isNewPalette { painter.invalidate(&terminal) }
        painter.paint(frame.grid, cursor: frame.cursor, on: &terminal)
    }

    /// Gives the screen back and stops the job; SIGCONT continues it, and the reader then orders `resume`.
    private mutating func suspend() {
        guard !isSuspended, Self.canStop else { return }
        terminal.leave()
        isSuspended = true
        _ = mayStop.wait(timeout: .now() + Self.stopPatience)
        terminal_signals_stop_job()
    }

    private mutating func resume() {
        guard terminal_end_asked() == 0 else { return }
        isSuspended = false
        terminal.enter()
        painter.invalidate(&terminal)
    }
}
