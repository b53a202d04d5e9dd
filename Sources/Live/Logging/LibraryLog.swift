package import Logging
package import Session

/// Passes the log of libraries from swift-log to the session's log and the log file.
///
/// Lines below `level` are dropped at their source, so that a client that logs every connection then costs nothing.
package struct LibraryLog: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let name: String
    private let sink: @Sendable (LogLevel, String) -> Void

    /// A logger for the library `name`.
    package static func logger(
        _ name: String, level: LogLevel, sink: @escaping @Sendable (LogLevel, String) -> Void
    ) -> Logger {
        Logger(label: "adtop.\(name)") { _ in LibraryLog(name: name, level: level, sink: sink) }
    }

    private init(name: String, level: LogLevel, sink: @escaping @Sendable (LogLevel, String) -> Void) {
        self.name = name
        self.sink = sink
        logLevel = Logger.Level(level)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Logs a line such as `http: connection closed ahc-connection-id=3`.
    package func log(event: LogEvent) {
        guard let level = LogLevel(event.level) else { return }
        let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let fields = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        sink(level, "\(name): \(event.message)\(fields)")
    }
}

extension Logger.Level {
    /// The level of swift-log that corresponds to our level.
    package init(_ level: LogLevel) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}

extension LogLevel {
    /// Our level for one of swift-log; nil for levels below ours.
    fileprivate init?(_ level: Logger.Level) {
        switch level {
        case .trace: return nil
        case .debug: self = .debug
        case .info, .notice: self = .info
        case .warning: self = .warning
        case .error, .critical: self = .error
        }
    }
}
