import CTerminalGuard
import Dispatch
import Locks
package import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The terminal as the rest of the program sees it: events come out, frames go in, no caller waits.
///
/// One at a time per process. `open` takes the screen, `close` gives it back; on every other way out, signals and
/// crashes included, the guard gives it back. ^Z and SIGTSTP suspend by themselves and arrive nowhere as keys. SIGTERM, SIGHUP
/// and SIGINT end the events; the process dies of the signal when it exits, or by itself after 3 s.
package final class TerminalSession: Sendable {
    /// Most events that wait to be read; further ones are dropped: the reader is too far behind.
    package static let eventLimit = 4096
    /// How long `close` waits for a terminal that accepts no output, before the guard restores it.
    package static let closeLimit = Duration.seconds(1)

    /// What can be shown here.
    package let capabilities: TerminalCapabilities
    /// Keys, mouse, paste, focus and new sizes; ends when the terminal is gone or closed or a signal asks for the end, and then the
    /// program should exit.
    package let events: AsyncStream<InputEvent>

    private let queue: PaintQueue
    private let pipe: SignalPipe
    private let clipboard: Clipboard
    private let stderrCapture: StderrCapture?
    private let ended: Ended
    private let isClosed = Locked(false)
    /// The process that started this one.
    private let parent = getppid()
    private let sink: AsyncStream<InputEvent>.Continuation

    /// Takes over the terminal, starts the painting and the reading thread.
    package static func open(_ options: TerminalOptions) async throws(TerminalError) -> TerminalSession {
        guard let pipe = SignalPipe() else { throw .system("pipe", errno) }
        let queue = PaintQueue(), ended = Ended()
        // Before ncurses: it does not touch signals that have a handler already. Otherwise it would ignore SIGTSTP for
        // the time of every frame, and one sent just then would be lost.
        terminal_signals_install(pipe.writeEnd)
        let opened = await withCheckedContinuation { continuation in
            let isStarted = PosixThread.start {
                TerminalThread.run(
                    options, queue, mayStop: ended.mayStop, opened: { continuation.resume(returning: $0) },
                    closed: { ended.painter.signal() })
            }
            if !isStarted { continuation.resume(returning: .failure(.system("pthread_create", EAGAIN))) }
        }
        switch opened {
        case .success(let opened):
            return TerminalSession(options, opened, queue, pipe, ended)
        case .failure(let error):
            terminal_signals_remove()
            pipe.close()
            throw error
        }
    }

    private init(
        _ options: TerminalOptions, _ opened: TerminalThread.Opened, _ queue: PaintQueue, _ pipe: SignalPipe,
        _ ended: Ended
    ) {
        capabilities = opened.capabilities
        self.queue = queue
        self.pipe = pipe
        self.ended = ended
        clipboard = Clipboard(environment: options.environment)
        stderrCapture = options.capturesStderr ? StderrCapture.start() : nil
        let (events, continuation) = AsyncStream.makeStream(
            of: InputEvent.self, bufferingPolicy: .bufferingOldest(TerminalSession.eventLimit))
        self.events = events
        sink = continuation
        let input = opened.input, keys = opened.keys, readEnd = pipe.readEnd
        let isStarted = PosixThread.start {
            TerminalSession.read(InputReader(input: input, pipe: readEnd, keys: keys), input, queue, continuation)
            ended.reader.signal()
        }
        if !isStarted {
            continuation.finish()
            ended.reader.signal()
        }
        // The answer is an event among the keys, whenever it comes: a terminal that is silent delays nothing.
        if options.asksForBackground { queue.add(.send(Self.backgroundRequest)) }
    }

    /// OSC 11: which colour is the background?
    private static let backgroundRequest = Array("\u{1B}]11;?\u{07}".utf8)

    private static func read(
        _ reader: InputReader, _ input: Int32, _ queue: PaintQueue, _ continuation: AsyncStream<InputEvent>.Continuation
    ) {
        var reader = reader
        reader.run { event in
            continuation.yield(event)
        } notice: { notice in
            switch notice {
            case .suspendRequested:
                suspend(queue, continuation)
                return
            case .continued:
                queue.add(.resume)
                continuation.yield(.continued)
            case .resized:
                queue.add(.invalidate)
            }
            if let size = SystemCalls.windowSize(of: input) { continuation.yield(.resize(size)) }
        }
        continuation.finish()
        SystemCalls.close(input)
    }

    /// Whether the process that started this one has ended, and the shell has taken the terminal back: frames would cover what the shell
    /// writes, and keys are the shell's.
    package var isAbandoned: Bool {
        guard getppid() != parent, let terminal = [STDIN_FILENO, STDOUT_FILENO].first(where: { isatty($0) == 1 }) else {
            return false
        }
        return tcgetpgrp(terminal) != getpgrp()
    }

    /// Shows a frame as soon as the terminal accepts it; of several that wait, only the newest.
    package func show(_ frame: TerminalFrame) {
        queue.show(frame)
    }

    /// Repaints everything with the next frame: ^L.
    package func redraw() {
        queue.add(.invalidate)
    }

    /// Stops the job until the shell continues it, as ^Z does. `stopping` comes first, `continued` afterwards.
    package func suspend() {
        Self.suspend(queue, sink)
    }

    /// Reports that the work before the stop is done; the process waits for this no longer than `PaintLoop.stopPatience`.
    package func mayStop() {
        ended.mayStop.signal()
    }

    private static func suspend(_ queue: PaintQueue, _ sink: AsyncStream<InputEvent>.Continuation) {
        // A process that does not stop is not continued either.
        if PaintLoop.canStop { sink.yield(.stopping) }
        queue.add(.suspend)
    }

    /// Copies a text by OSC 52, tmux and the desktop's own program, and reports what took it.
    package func copy(_ text: String) async -> ClipboardReport {
        await clipboard.copy(text) { queue.add(.send($0)) }
    }

    /// What libraries write to standard error, line by line, for the log: raw text from outside. For one reader; ends
    /// when the terminal is closed, and at once when nothing is captured.
    package var stderrLines: AsyncStream<String> {
        stderrCapture?.lines ?? AsyncStream { $0.finish() }
    }

    /// Gives the terminal back and then prints what was caught from standard error. Safe to call twice.
    package func close() async {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        let (queue, pipe, ended, capture) = (queue, pipe, ended, stderrCapture)
        await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = {
                queue.add(.close)
                pipe.stop()
                ended.reader.wait()
                // A painter stuck in a full terminal is left behind; the guard takes its descriptor away first.
                if ended.painter.wait(timeout: .now() + TerminalSession.closeLimit.dispatch) == .timedOut {
                    terminal_guard_restore()
                }
                terminal_signals_remove()
                pipe.close()
                capture?.finish()
                continuation.resume()
            }
            if !PosixThread.start(work) { work() }
        }
    }

    /// Signalled when the threads are done with the terminal.
    private final class Ended: Sendable {
        let painter = DispatchSemaphore(value: 0)
        let reader = DispatchSemaphore(value: 0)
        let mayStop = DispatchSemaphore(value: 0)
    }
}

extension Duration {
    /// The same span for libdispatch, to the millisecond.
    fileprivate var dispatch: DispatchTimeInterval { .milliseconds(Int(clamping: Int64(self / .milliseconds(1)))) }
}
