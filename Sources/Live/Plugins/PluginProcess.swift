package import Foundation
import Locks
package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A plugin's process: bytes in, bytes out, and its end. The bytes are not interpreted here.
///
/// It has an environment without variables, its own folder as working folder, and no files but the three standard
/// streams. It is over when it has ended, even if a process that it started still holds its output: what is in the pipes
/// then is read, and two reading threads and one waiting thread end.
package final class PluginProcess: Sendable {
    package enum Event: Sendable, Hashable {
        case output([UInt8])
        case complaint([UInt8])
        /// The last event; a clause describes how it ended.
        case exited(String)
    }

    /// Number of bytes per read.
    private static let chunk = 64 << 10
    /// Maximum number of waiting events; beyond it the plugin waits, so that excessive output does not fill the memory.
    private static let waitingEvents = 16

    /// Events, in order for each stream. After each event the reader calls ``taken()``.
    package let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation
    /// Created with zero and then raised: releasing a semaphore below its initial value ends the program.
    private let room = DispatchSemaphore(value: 0)
    private let input: Int32
    private let process: ReapedProcess
    /// Whether it was asked to end: further output is read and dropped.
    private let isEnding = Locked(false)

    /// Starts `executable`. Throws if it cannot be started.
    package init(executable: URL) throws(FileProblem) {
        guard let standardInput = PluginPipe(), let standardOutput = PluginPipe(), let standardError = PluginPipe(),
            let ended = PluginPipe()
        else { throw FileProblem(path: executable.path, reason: .system("cannot be started: no descriptors")) }
        process = try Self.start(
            executable, input: standardInput.read, output: standardOutput.write, errors: standardError.write)
        for end in [standardInput.read, standardOutput.write, standardError.write] { end.close() }
        (events, sink) = AsyncStream.makeStream()
        input = standardInput.write.taken()
        _ = fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK)
        makeRoom()
        // The write end closes when the process is over, and with it every wait for its output.
        let how = Locked("")
        Thread.detachNewThread { [process] in
            let text = process.wait()
            how.withLock { $0 = text }
            ended.write.close()
        }
        let end = ended.read
        let streams = Locked(2)
        // What both streams hold comes first: the end is the last event.
        let atEnd: @Sendable () -> Void = { [sink] in
            let isLast = streams.withLock { open -> Bool in
                open -= 1
                return open == 0
            }
            guard isLast else { return }
            // A process may close its streams before it ends.
            end.waitForEnd()
            sink.yield(.exited(how.withLock { $0 }))
            sink.finish()
        }
        read(standardError.read, until: end, Event.complaint, atEnd: atEnd)
        read(standardOutput.read, until: end, Event.output, atEnd: atEnd)
    }

    private static func start(
        _ executable: URL, input: PluginPipe.End, output: PluginPipe.End, errors: PluginPipe.End
    ) throws(FileProblem) -> ReapedProcess {
        switch ReapedProcess.start(executable, input: input.number, output: output.number, errors: errors.number) {
        case .success(let process): return process
        case .failure(let failure):
            let words = failure.code == EACCES ? "not permitted" : "cannot be started"
            throw FileProblem(path: executable.path, reason: .system(words))
        }
    }

    deinit {
        close(input)
    }

    /// The reader has processed one event.
    package func taken() {
        room.signal()
    }

    /// Writes to its standard input. False when the process does not read; a process that has ended reports it with its
    /// last event.
    package func write(_ text: String) -> Bool {
        guard let code = WholeWrite.write(Array(text.utf8), to: input) else { return true }
        return code == EPIPE
    }

    /// Requests the process to end, and kills it if it still runs after `time`.
    package func terminate(within time: Duration) {
        signal(SIGTERM)
        // Ends by itself; a process that has ended is not killed.
        Task {
            try? await Task.sleep(for: time)
            kill()
        }
    }

    /// Ends the process immediately.
    package func kill() {
        signal(SIGKILL)
    }

    private func signal(_ number: Int32) {
        if process.signal(number) { isEnding.withLock { $0 = true } }
        makeRoom()
    }

    private func makeRoom() {
        for _ in 0..<Self.waitingEvents { room.signal() }
    }

    /// Reads a stream on a thread of its own until it ends, or until the process is over and nothing is left in the pipe.
    private func read(
        _ stream: PluginPipe.End, until end: PluginPipe.End, _ event: @escaping @Sendable ([UInt8]) -> Event,
        atEnd: @escaping @Sendable () -> Void
    ) {
        let (sink, room, isEnding) = (sink, room, isEnding)
        Thread.detachNewThread {
            var left = Self.bytesAfterEnd
            while let bytes = stream.next(until: end, atMost: Self.chunk, bytesAfterEnd: &left) {
                if isEnding.withLock({ $0 }) { continue }
                room.wait()
                if case .terminated = sink.yield(event(bytes)) { break }
            }
            stream.close()
            atEnd()
        }
    }

    /// Bytes of a stream that are read after the process is over: a process that it started may write for ever.
    /// A pipe holds 64 KiB by default, and at most 1 MiB (pipe(7)).
    private static let bytesAfterEnd = 1 << 20
}
