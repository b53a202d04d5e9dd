import Foundation
import Live
import Ports

/// The destination of a report or a creative, written piece by piece: the text of a report on a million beacons is too
/// large to hold.
struct ReportOutput: ~Copyable {
    /// Bytes of one write.
    private static let pieceBytes = 1 << 18

    private let path: String?
    /// The file that takes the place of the one at `path`; nil for standard output, and for what is no regular file.
    private let file: FileReplacement?
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    /// Why the file could not be written. ``Output`` knows that of standard output, and the program ends with it.
    private var failure: Int32?
    private var isOver = false

    /// Standard output, also for `-`, a file that is created or replaced when it is complete, or a device or pipe.
    init(path given: String?) throws(CommandFailure) {
        let path = given == "-" ? nil : given
        let opened: (descriptor: Int32, file: FileReplacement?)
        do throws(FileProblem) {
            opened = try Self.opened(path)
        } catch {
            throw Self.failure(error)
        }
        self.path = path
        (descriptor, file) = opened
    }

    private static func opened(_ path: String?) throws(FileProblem) -> (descriptor: Int32, file: FileReplacement?) {
        guard let path else { return (STDOUT_FILENO, nil) }
        if FileReplacement.isPossible(for: path) {
            let file = try FileReplacement(of: path, mode: 0o666)
            return (file.descriptor, file)
        }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        return (descriptor, nil)
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ new: [UInt8]) {
        bytes += new
        if bytes.count >= Self.pieceBytes { flush() }
    }

    /// Writes the rest.
    consuming func finish() throws(CommandFailure) {
        flush()
        guard let path else { return }
        do throws(FileProblem) {
            if let file {
                try file.finish(failure)
            } else {
                close(descriptor)
                if let failure { throw FileProblem(path: path, code: failure) }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private mutating func flush() {
        defer { bytes.removeAll(keepingCapacity: true) }
        guard !isOver else { return }
        if path == nil {
            isOver = !Output.write(bytes)
        } else {
            failure = WholeWrite.write(bytes, to: descriptor, waits: true)
            isOver = failure != nil
        }
    }

    private static func failure(_ problem: FileProblem) -> CommandFailure {
        CommandFailure(.usage, "--output: \(problem)")
    }
}
