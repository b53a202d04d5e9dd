import Dispatch
import Locks
import Monitoring
package import Ports
package import Session

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a session's inputs to a gzip file as they are applied (docs/recording.md). Encoding and writing happen in
/// order on a separate queue; every input can be read as soon as it is written.
package final class RecordingFile: InputRecorder {
    /// Maximum size of a recording in bytes; recording stops there.
    package static let maximumBytes = 512 << 20
    /// Maximum number of inputs that wait for the disk; beyond it recording stops, because they hold whole answers.
    package static let inputsWaiting = 10_000

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "adtop.recording")
    private let writing: Locked<Writing>
    private let maximumWaiting: Int
    package let path: String
    private let backlog = Locked(Backlog())
    package let failures: AsyncStream<String>
    private let failureSink: AsyncStream<String>.Continuation

    fileprivate struct Writing {
        var lines: RecordingWriter
        let gzip: GzipWriter
        var bytesLeft: Int
        /// Why recording stopped.
        var problem: String?
        var hasEnded = false
    }

    private struct Backlog {
        var count = 0
        /// Whether nothing more is taken.
        var isFull = false
    }

    /// Creates or replaces the file.
    /// - Parameter maximumWaiting: number of inputs that may wait for the disk; no limit for those that are in memory anyway.
    package init(
        path: String, configuration: MonitorConfiguration, redaction: RecordingRedaction.Setting = .standard,
        maximumBytes: Int = RecordingFile.maximumBytes, maximumWaiting: Int = RecordingFile.inputsWaiting
    ) throws(FileProblem) {
        (self.path, self.maximumWaiting) = (path, maximumWaiting)
        (failures, failureSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        guard let gzip = GzipWriter() else { throw FileProblem(path: path, code: ENOMEM) }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(creating: path, code: errno) }
        writing = Locked(
            Writing(lines: RecordingWriter(redaction: redaction), gzip: gzip, bytesLeft: maximumBytes))
        let problem = writing.withLock { [descriptor] writing in
            let header = writing.lines.header(configuration)
            writing.append([header], to: descriptor)
            return writing.problem
        }
        if let problem { throw FileProblem(path: path, reason: .system(problem)) }
    }

    deinit {
        failureSink.finish()
        close(descriptor)
    }

    package func record(_ input: RecordedInput) {
        let (isTaken, isLast) = backlog.withLock { [maximumWaiting] backlog -> (Bool, Bool) in
            guard !backlog.isFull else { return (false, false) }
            backlog.isFull = backlog.count >= maximumWaiting
            if !backlog.isFull { backlog.count += 1 }
            return (!backlog.isFull, backlog.isFull)
        }
        if isLast { fallBehind() }
        guard isTaken else { return }
        queue.async { [self] in
            write(input)
            backlog.withLock { $0.count -= 1 }
        }
    }

    /// What waits is written if the disk continues, and nothing after it: a recording has no gap.
    private func fallBehind() {
        let problem = "its disk does not keep up"
        queue.async { [self] in
            writing.withLock { writing in
                guard writing.problem == nil, !writing.hasEnded else { return }
                writing.problem = problem
            }
        }
        failureSink.yield(problem)
        failureSink.finish()
    }

    /// On the queue.
    private func write(_ input: RecordedInput) {
        let problem: String? = writing.withLock { [descriptor] writing in
            guard writing.problem == nil, !writing.hasEnded else { return nil }
            let lines = writing.lines.lines(for: input)
            writing.append(lines, to: descriptor)
            return writing.problem
        }
        guard let problem else { return }
        failureSink.yield(problem)
        failureSink.finish()
    }

    /// Ends the file behind what was recorded so far, without waiting for it; what is recorded later is not part of it.
    package func end() {
        queue.async { [self] in _ = finished() }
    }

    /// Ends the file, unless it has ended, and returns when everything recorded before is written, or after `limit`: nil on
    /// success, else the reason.
    package func finish(within limit: Duration = .seconds(60)) async -> String? {
        let answer = FirstAnswer<String?>()
        queue.async { [self] in answer.give(finished()) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
            answer.give("the recording is not complete: its disk does not accept it")
        }
        return await answer.value
    }

    /// On the queue.
    private func finished() -> String? {
        writing.withLock { [descriptor] writing in
            writing.finish(descriptor)
            failureSink.finish()
            return writing.problem.map { "the recording is not complete: \($0)" }
        }
    }
}

extension RecordingFile.Writing {
    mutating func append(_ lines: [String], to descriptor: Int32) {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        write(gzip.append(bytes), to: descriptor)
    }

    mutating func finish(_ descriptor: Int32) {
        guard !hasEnded else { return }
        hasEnded = true
        // After a failure the file stays cut off; its reader reports it.
        if problem == nil { write(gzip.finish(), to: descriptor) }
    }

    private mutating func write(_ bytes: [UInt8], to descriptor: Int32) {
        guard bytes.count <= bytesLeft else {
            problem = "it reached its limit"
            return
        }
        bytesLeft -= bytes.count
        if let code = WholeWrite.write(bytes, to: descriptor) {
            problem = SystemErrorText.words(code)
        }
    }
}
