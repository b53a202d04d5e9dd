import GRDB
import Locks
package import Logging
import Session

/// Passes SQLite's error log (sqlite.org/errlog.html) to swift-log. It is configured for the whole process, for all
/// databases.
package enum SQLiteLog {
    private static let logger = Locked<Logger?>(nil)

    /// Passes SQLite's lines to `logger` from now on. SQLite accepts this only before the first database of the process
    /// is opened; later calls change only the logger.
    package static func pass(to logger: Logger) {
        let isFirst = Self.logger.withLock { known in
            defer { known = logger }
            return known == nil
        }
        guard isFirst else { return }
        Database.logError = { code, message in
            guard let logger = Self.logger.withLock({ $0 }) else { return }
            let level = Self.level(of: code.primaryResultCode.rawValue)
            logger.log(level: Logger.Level(level), "\(message)", metadata: ["code": "\(code.rawValue)"])
        }
    }

    /// A warning for errors; the session reports their consequences.
    static func level(of code: CInt) -> LogLevel {
        switch code {
        // The log of an ended process is recovered.
        case ResultCode.SQLITE_NOTICE.rawValue: .info
        // A statement is compiled again because a table changed; this is no fault.
        case ResultCode.SQLITE_SCHEMA.rawValue: .debug
        default: .warning
        }
    }
}
