import Foundation
import Live
import Ports

/// The destination of a report or a creative, written piece by piece: the text of a report on a million beacons is too
/// large to hold.
struct ReportOutput: ~Copyable {
    /// Bytes of one write.
    private static let pieceBytes = 1 << 18

    private let path: String?
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var failure: Int32?

    /// Standard output, or a file that is created or replaced.
    init(path: String?) throws(CommandFailure) {
        self.path = path
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CommandFailure(.usage, "--output: \(FileProblem(creating: path, code: errno))")
        }
    }

    mutating func write(_ text: String) { write(Array(text.utf8)) }

    mutating func write(_ new: [UInt8]) {
        bytes += new
        if bytes.count >= Self.pieceBytes { flush() }
    }

    /// Writes the rest. An early close by the reader of standard output is not an error.
    consuming func finish() throws(CommandFailure) {
        flush()
        guard let path else { return }
        close(descriptor)
        if let failure { throw Self.problem(path, failure) }
    }

    private mutating func flush() {
        defer { bytes.removeAll(keepingCapacity: true) }
        guard failure == nil else { return }
        failure = WholeWrite.write(bytes, to: descriptor)
    }

    private static func problem(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(.usage, "--output: \(FileProblem(path: path, code: code))")
    }
}
