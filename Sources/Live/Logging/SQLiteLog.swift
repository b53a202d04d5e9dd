import GRDB
package import Logging
import Monitoring
import Synchronization

/// What SQLite says of itself (sqlite.org/errlog.html), through swift-log as with the other libraries. It is told for the
/// whole process, whichever database it is of.
package enum SQLiteLog {
    private static let logger = Mutex<Logger?>(nil)

    /// Gives SQLite's lines to `logger` from now on. SQLite takes it only before the first database of the process is
    /// opened; later calls change where the lines go, nothing else.
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

    /// A warning for what went wrong: what it means for a session, the session says.
    static func level(of code: CInt) -> LogLevel {
        switch code {
        // The log of a process that died is taken over.
        case ResultCode.SQLITE_NOTICE.rawValue: .info
        // A statement is compiled anew because a table changed: no fault at all.
        case ResultCode.SQLITE_SCHEMA.rawValue: .debug
        default: .warning
        }
    }
}
