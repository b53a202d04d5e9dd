import Foundation
import Monitoring
import Ports
import Screen
import Synchronization

/// The log as text lines in a file, sanitised and with secrets masked, appended as snapshots bring new lines.
final class LogFile: Sendable {
    private let handle: Mutex<FileHandle>
    private let next = Mutex(0)

    init(path: String) throws(CommandFailure) {
        // Session addresses give access, so only the owner may read.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.usage, "cannot write the log file \(path): \(String(cString: strerror(errno)))")
        }
        handle = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Writes the entries that are newer than those of the call before.
    func append(_ log: LogView) {
        let first = next.withLock { $0 }
        var text = ""
        for position in max(0, first - log.dropped)..<max(0, first - log.dropped, log.count) {
            guard let entry = log[position] else { continue }
            let level = entry.level.rawValue.first.map { String($0).uppercased() } ?? " "
            text += "\(entry.at.wall.iso8601) \(level) \(SafeText(outside: Redaction.text(entry.message)).string)\n"
        }
        next.withLock { $0 = log.dropped + log.count }
        guard !text.isEmpty else { return }
        // A full disk must not end the session; the log pane still has everything.
        handle.withLock { try? $0.write(contentsOf: Data(text.utf8)) }
    }
}
