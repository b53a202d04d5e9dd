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
/// streams. Two threads read its output; they end when the process closes it, at the latest after `kill`.
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
    private let identifier: Int32
    private let life = Locked(Life.running)

    private enum Life {
        case running
        /// Asked to end: further output is read and dropped.
        case ending
        /// Reaped: its process number may belong to another process.
        case over
    }

    /// Starts `executable`. Throws if it cannot be started.
    package init(executable: URL) throws(FileProblem) {
        let process = Process()
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = []
        process.environment = [:]
        process.currentDirectoryURL = executable.deletingLastPathComponent()
        (process.standardInput, process.standardOutput) = (standardInput, standardOutput)
        process.standardError = standardError
        do {
            try process.runWithoutBlockedSignals()
        } catch {
            let words = (error as NSError).code == Int(EACCES) ? "not permitted" : "cannot be started"
            throw FileProblem(path: executable.path, reason: .system(words))
        }
        (events, sink) = AsyncStream.makeStream()
        identifier = process.processIdentifier
        // The pipes close with their objects, so the descriptors are duplicated for the lifetime of this object.
        input = dup(standardInput.fileHandleForWriting.fileDescriptor)
        _ = fcntl(input, F_SETFD, FD_CLOEXEC)
        _ = fcntl(input, F_SETFL, fcntl(input, F_GETFL) | O_NONBLOCK)
        try? standardInput.fileHandleForWriting.close()
        let output = dup(standardOutput.fileHandleForReading.fileDescriptor)
        let complaints = dup(standardError.fileHandleForReading.fileDescriptor)
        _ = fcntl(output, F_SETFD, FD_CLOEXEC)
        _ = fcntl(complaints, F_SETFD, FD_CLOEXEC)
        makeRoom()
        read(complaints) {
            .complaint($0)
        } atEnd: {
        }
        let exit = ExitWatch(process)
        read(output) {
            .output($0)
        } atEnd: { [self] in
            let how = exit.wait()
            life.withLock { $0 = .over }
            sink.yield(.exited(how))
            sink.finish()
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
        life.withLock { life in
            guard life != .over else { return }
            _ = systemKill(identifier, number)
            life = .ending
        }
        makeRoom()
    }

    private func makeRoom() {
        for _ in 0..<Self.waitingEvents { room.signal() }
    }

    private func read(
        _ descriptor: Int32, _ event: @escaping @Sendable ([UInt8]) -> Event, atEnd: @escaping @Sendable () -> Void
    ) {
        let (sink, room) = (sink, room)
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: Self.chunk)
            while true {
                let count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                if life.withLock({ $0 == .ending }) { continue }
                room.wait()
                if case .terminated = sink.yield(event(Array(buffer[..<count]))) { break }
            }
            close(descriptor)
            atEnd()
        }
    }
}

/// Waits for a process. It alone holds the `Process`, which is not `Sendable`.
private final class ExitWatch: Sendable {
    private let process: Locked<Process>

    init(_ process: sending Process) {
        self.process = Locked(process)
    }

    /// How the process ended, as a clause. The lock is held while waiting; there is no other caller.
    func wait() -> String {
        process.withLock { process in
            process.waitUntilExit()
            let number = process.terminationStatus
            return process.terminationReason == .exit ? "ended with status \(number)" : "ended by signal \(number)"
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemKill(_ identifier: Int32, _ signal: Int32) -> Int32 {
    kill(identifier, signal)
}
