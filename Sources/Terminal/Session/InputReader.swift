import CTerminalGuard
import Screen

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The thread that reads the terminal: `poll`, `read`, decode, yield. It also receives the signals, as bytes in a pipe.
struct InputReader: Sendable {
    /// What the reader has noticed apart from keys.
    enum Notice: Equatable, Sendable {
        /// The window has another size.
        case resized
        /// ^Z, or SIGTSTP from another process.
        case suspendRequested
        /// The process was stopped and is running again.
        case continued
    }

    /// Most bytes taken by one read.
    static let readLimit = 4096
    /// A byte in the pipe that no signal writes: stop reading.
    static let stop = UInt8(ascii: "X")

    private let input: Int32
    private let pipe: Int32
    private var decoder: InputDecoder

    /// A reader of a terminal and of the read end of a pipe; it closes neither.
    init(input: Int32, pipe: Int32, keys: TerminfoKeys) {
        self.input = input
        self.pipe = pipe
        decoder = InputDecoder(seeds: keys)
    }

    /// Reads until the terminal is gone (end of file, EIO), a signal asks for the end, or `stop` arrives in the pipe.
    mutating func run(event: (InputEvent) -> Void, notice: (Notice) -> Void) {
        while terminal_end_asked() == 0 {
            var descriptors = [
                pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&descriptors, nfds_t(descriptors.count), timeout)
            if ready < 0 {
                guard errno == EINTR else { return }
                continue
            }
            if descriptors[0].revents != 0, !readPipe(notice) { return }
            if descriptors[1].revents != 0, !readInput(event, notice) { return }
            deliver(decoder.expire(at: SystemCalls.uptime()), event, notice)
        }
    }

    /// Milliseconds until the decoder must decide; -1 (no limit) when nothing is pending, so that idling costs
    /// nothing.
    private var timeout: Int32 {
        guard let deadline = decoder.deadline else { return -1 }
        let left = (deadline - SystemCalls.uptime()).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        return Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// All signals of one wake-up count once.
    private func readPipe(_ notice: (Notice) -> Void) -> Bool {
        guard let bytes = SystemCalls.readSome(from: pipe, limit: InputReader.readLimit), !bytes.isEmpty else {
            return false
        }
        // A stopped job that gets SIGTERM or SIGHUP is also continued, and must not take the screen back.
        if bytes.contains(InputReader.stop) || terminal_end_asked() != 0 { return false }
        if bytes.contains(terminal_signal_continue) { notice(.continued) }
        if bytes.contains(terminal_signal_resize) { notice(.resized) }
        if bytes.contains(terminal_signal_suspend) { notice(.suspendRequested) }
        return true
    }

    private mutating func readInput(_ event: (InputEvent) -> Void, _ notice: (Notice) -> Void) -> Bool {
        guard let bytes = SystemCalls.readSome(from: input, limit: InputReader.readLimit), !bytes.isEmpty else {
            return false
        }
        deliver(decoder.feed(bytes, at: SystemCalls.uptime()), event, notice)
        return true
    }

    /// ^Z works even when the rest of the program is busy, therefore it ends here.
    private func deliver(_ events: [InputEvent], _ event: (InputEvent) -> Void, _ notice: (Notice) -> Void) {
        for one in events {
            if one == .key(KeyPress(.char("z"), .control)) { notice(.suspendRequested) } else { event(one) }
        }
    }
}
