import Locks
import Logging
import Monitoring
import Session
import Testing

@testable import Live

@Suite struct LibraryLogTests {
    private static func lines(level: LogLevel, _ say: (Logger) -> Void) -> [String] {
        let lines = Locked<[String]>([])
        say(LibraryLog.logger("http", level: level) { level, text in lines.withLock { $0.append("\(level) \(text)") } })
        return lines.withLock { $0 }
    }

    @Test func aLineNamesItsLibraryAndItsFields() {
        let lines = Self.lines(level: .debug) { logger in
            var logger = logger
            logger[metadataKey: "id"] = "3"
            logger.debug("connection closed", metadata: ["after": "60 s"])
        }
        #expect(lines == ["debug http: connection closed after=60 s id=3"])
    }

    @Test func levelsAreThoseOfTheLog() {
        let lines = Self.lines(level: .debug) { logger in
            for level in Logger.Level.allCases { logger.log(level: level, "x") }
        }
        #expect(
            lines == [
                "debug http: x", "info http: x", "info http: x", "warning http: x", "error http: x", "error http: x",
            ])
    }

    @Test func whatIsBelowTheLevelIsNotMade() {
        let lines = Self.lines(level: .warning) { logger in
            logger.info("\({ Issue.record("a message was made for nobody"); return "" }())")
            logger.warning("w")
        }
        #expect(lines == ["warning http: w"])
    }
}
