import Live
import Logging
import Monitoring
import Ports
import Screen
import Session

/// The log as text lines in a file, through swift-log: `date level message name=value …`, sanitised and with secrets
/// masked. All sessions of the process and their libraries share one file. It is written on its own queue, so that a
/// slow disk does not slow tracking.
final class LogFile: Sendable {
    private let stream: EventStream
    private let logger: Logger

    /// Appends to the file, or creates it; lines below `level` are omitted.
    init(path: String, level: LogLevel) throws(CommandFailure) {
        do throws(FileProblem) {
            // "-" is a file of that name here: the dashboard uses standard output.
            stream = try EventStream(path: path == "-" ? "./-" : path) { count in
                "warning \(count) log lines dropped: the buffer was full"
            }
        } catch {
            throw CommandFailure(.usage, "--log-file: \(error)")
        }
        logger = Logger(label: "adtop.session") { [stream] _ in
            var handler = LineLogHandler { stream.write($0) }
            handler.logLevel = Logger.Level(level)
            return handler
        }
    }

    /// The sink for the lines of the session with that name.
    func session(_ name: String) -> any SessionLogSink { SessionLines(file: self, session: name) }

    /// A line of the whole process.
    func append(_ level: LogLevel, _ message: String, at: UnixTime) {
        logger.log(
            level: Logger.Level(level), "\(message)", metadata: [LineLogHandler.dateKey: "\(at.iso8601)"])
    }

    /// Waits until everything is written, at most `limit`; nil on success, else the reason of the failure.
    func finish(within limit: Duration = .seconds(60)) async -> String? { await stream.finish(within: limit) }

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

/// Log lines for reading and for `grep`: one event on each line, values with blanks in quotes.
struct LineLogHandler: LogHandler {
    /// Metadata of this name is the date of the line; without it the line has no date.
    static let dateKey = "at"

    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let write: @Sendable (String) -> Void

    /// `write` receives lines without their line end.
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
        return isPlain ? safe : safe.inQuotationMarks
    }

    private static func safe(_ text: String) -> String { SafeText(outside: Redaction.text(text)).string }
}
