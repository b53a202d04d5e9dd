import Live
import Logging
import Monitoring
import Ports
import Screen

/// The log as text lines in a file, through swift-log: `date level message name=value …`, sanitised and with secrets
/// masked. One for all sessions of the process and for the libraries under them; written on a queue of its own, so that a
/// slow disk slows nothing.
final class LogFile: Sendable {
    private let stream: EventStream
    private let logger: Logger

    /// Appends to the file, which is made where it is missing; lines below `level` are left out.
    init(path: String, level: LogLevel) throws(CommandFailure) {
        do throws(FileProblem) {
            // A file of that name: standard output is the dashboard's.
            stream = try EventStream(path: path == "-" ? "./-" : path) { count in
                "warning \(count) lines of the log found no room and are left out"
            }
        } catch {
            throw CommandFailure(.usage, "cannot write the log file: \(error)")
        }
        logger = Logger(label: "adtop.session") { [stream] _ in
            var handler = LineLogHandler { stream.write($0) }
            handler.logLevel = Logger.Level(level)
            return handler
        }
    }

    /// Takes the lines of the session that the user knows by that name.
    func session(_ name: String) -> any SessionLogSink { SessionLines(file: self, session: name) }

    /// A line of the whole process.
    func append(_ level: LogLevel, _ message: String, at: UnixTime) {
        logger.log(
            level: Logger.Level(level), "\(message)", metadata: [LineLogHandler.dateKey: "\(at.iso8601)"])
    }

    /// Returns when everything is written; nil when all of it is, else why not.
    func finish() async -> String? { await stream.finish() }

    private struct SessionLines: SessionLogSink {
        let file: LogFile
        let session: String

        func append(_ entry: LogEntry) {
            file.logger.log(
                level: Logger.Level(entry.level), "\(entry.message)",
                metadata: [LineLogHandler.dateKey: "\(entry.at.wall.iso8601)", "session": "\(session)"])
        }
    }
}

/// Log lines for people and for `grep`: one event a line, values in quotes where they have blanks.
struct LineLogHandler: LogHandler {
    /// Metadata of this name is the date of the line; without it the line has none.
    static let dateKey = "at"

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let write: @Sendable (String) -> Void

    /// `write` gets lines without their end.
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
        write("\(date)\(event.level) \(Self.safe("\(event.message)"))\(fields)")
    }

    private static func field(_ text: String) -> String {
        let safe = safe(text)
        let isPlain =
            !safe.isEmpty && safe.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        return isPlain ? safe : "\"\(safe.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func safe(_ text: String) -> String { SafeText(outside: Redaction.text(text)).string }
}
