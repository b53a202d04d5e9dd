import GRDB
import Monitoring
import Session
import Testing

@testable import Live

/// `CrashRecoveryTests` check in a process of their own that SQLite's lines arrive: once SQLite has been used, it
/// accepts no logger.
@Suite struct SQLiteLogTests {
    @Test func failuresAreWarningsAndTheRestHasALowerLevel() {
        #expect(SQLiteLog.level(of: ResultCode.SQLITE_NOTICE.rawValue) == .info)
        #expect(SQLiteLog.level(of: ResultCode.SQLITE_SCHEMA.rawValue) == .debug)
        for code: ResultCode in [.SQLITE_WARNING, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_IOERR] {
            #expect(SQLiteLog.level(of: code.rawValue) == .warning)
        }
    }
}
