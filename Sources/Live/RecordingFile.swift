import Dispatch
package import Monitoring
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a session's inputs to a file as they are applied. Encoding and writing happen on a queue of their own, in
/// order.
package final class RecordingFile: InputRecorder {
    /// A recording that reaches this ends there.
    package static let maximumBytes = 512 << 20

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "adtop.recording")
    private let bytesLeft: Mutex<Int>

    /// Makes the file, or replaces it.
    package init(
        path: String, configuration: MonitorConfiguration, maximumBytes: Int = RecordingFile.maximumBytes
    ) throws(FileProblem) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        bytesLeft = Mutex(maximumBytes)
        write(RecordingFormat.header(configuration))
    }

    deinit {
        close(descriptor)
    }

    package func record(_ input: RecordedInput) {
        queue.async { self.write(RecordingFormat.line(input)) }
    }

    /// Returns when everything recorded so far is written; nil when all of it is, else why not.
    package func finish() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async {
                let isCut = self.bytesLeft.withLock { $0 < 0 }
                continuation.resume(
                    returning: isCut ? "recording was cut: it reached its limit or could not be written" : nil)
            }
        }
    }

    private func write(_ line: String) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        let fits = bytesLeft.withLock { left in
            left = left < bytes.count ? -1 : left - bytes.count
            return left >= 0
        }
        guard fits else { return }
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes {
                systemWrite(descriptor, $0.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                bytesLeft.withLock { $0 = -1 }
                return
            }
            start += count
        }
    }

    /// Reads a recording. A last line that is cut short, as a crash leaves it, ends it; any other bad line is a
    /// problem.
    package static func read(_ path: String, maximumBytes: Int = RecordingFile.maximumBytes) throws(FileProblem)
        -> Recording
    {
        let lines = try FileText.read(path, maximumBytes: maximumBytes).split(separator: UInt8(ascii: "\n"))
        guard let header = lines.first else { throw FileProblem(path: path, reason: .malformed("is empty")) }
        var number = 1
        do throws(RecordingFormat.Problem) {
            var recording = Recording(configuration: try RecordingFormat.readHeader(Array(header)))
            for line in lines.dropFirst() {
                number += 1
                do throws(RecordingFormat.Problem) {
                    recording.inputs.append(try RecordingFormat.readLine(Array(line)))
                } catch {
                    guard number == lines.count else { throw error }
                    recording.isTruncated = true
                }
            }
            return recording
        } catch {
            throw FileProblem(path: path, reason: .malformed("line \(number) \(error.message)"))
        }
    }
}

/// `write` by another name, because `RecordingFile.write` hides it.
private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
