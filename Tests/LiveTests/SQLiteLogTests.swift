import GRDB
import Monitoring
import Testing

@testable import Live

/// That SQLite's lines arrive is shown by a process of its own (`CrashRecoveryTests`): a library that has been used once
/// takes no logger any more.
@Suite struct SQLiteLogTests {
    @Test func whatWentWrongIsAWarningAndTheRestIsLess() {
        #expect(SQLiteLog.level(of: ResultCode.SQLITE_NOTICE.rawValue) == .info)
        #expect(SQLiteLog.level(of: ResultCode.SQLITE_SCHEMA.rawValue) == .debug)
        for code: ResultCode in [.SQLITE_WARNING, .SQLITE_CORRUPT, .SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_IOERR] {
            #expect(SQLiteLog.level(of: code.rawValue) == .warning)
        }
    }
}
