import Foundation
import Logging
import Monitoring
import Ports
import Screen
import Synchronization

/// The log as text lines in a file, through swift-log: `date level message name=value …`, sanitised and with secrets masked.
final class LogFile: Sendable {
    private let logger: Logger
    private let next = Mutex(0)

    /// Appends to the file, which is made where it is missing; lines below `level` are left out.
    init(path: String, level: LogLevel) throws(CommandFailure) {
        // Session addresses give access, so only the owner may read.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.usage, "cannot write the log file \(path): \(String(cString: strerror(errno)))")
        }
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        logger = Logger(label: "adtop.session") { _ in
            var handler = LineLogHandler { line in
                // A full disk must not end the session; the log pane still has everything.
                try? output.write(contentsOf: Data(line.utf8))
            }
            handler.logLevel = Logger.Level(level)
            return handler
        }
    }

    /// Writes the entries of the session that are newer than those of the call before.
    func append(_ log: LogView, of session: String) {
        let first = next.withLock { $0 }
        for position in max(0, first - log.dropped)..<max(0, first - log.dropped, log.count) {
            guard let entry = log[position] else { continue }
            // The entry's own date is told: a snapshot may come a little later.
            logger.log(
                level: Logger.Level(entry.level), "\(entry.message)",
                metadata: [LineLogHandler.dateKey: "\(entry.at.wall.iso8601)", "session": "\(session)"])
        }
        next.withLock { $0 = log.dropped + log.count }
    }
}

/// Log lines for people and for `grep`: one event a line, values in quotes where they have blanks.
struct LineLogHandler: LogHandler {
    /// Metadata of this name is the date of the line; without it the line has none.
    static let dateKey = "at"

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var values = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let date = values.removeValue(forKey: Self.dateKey).map { "\($0) " } ?? ""
        let fields = values.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.field("\($0.value)"))" }.joined()
        write("\(date)\(event.level) \(Self.safe("\(event.message)"))\(fields)\n")
    }

    private static func field(_ text: String) -> String {
        let safe = safe(text)
        let isPlain =
            !safe.isEmpty && safe.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        return isPlain ? safe : "\"\(safe.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func safe(_ text: String) -> String { SafeText(outside: Redaction.text(text)).string }
}

extension Logger.Level {
    init(_ level: LogLevel) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
