import Foundation
import Logging
import Ports
import Synchronization
import TestSupport
import Testing

@testable import Monitoring
@testable import adtop

@Suite struct LogFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func log(_ lines: [(LogLevel, String)]) -> LogView {
        var log = LogView(capacity: 1_000)
        for (number, line) in lines.enumerated() {
            let at = Moment(wall: UnixTime(milliseconds: Int64(number) * 1_000), uptime: .seconds(number))
            log.append(LogEntry(number: number, at: at, level: line.0, message: line.1))
        }
        return log
    }

    private func text() throws -> String { try String(contentsOfFile: folder.file("log"), encoding: .utf8) }

    @Test func eachLineIsWrittenOnceWithLevelAndSession() throws {
        let file = try LogFile(path: folder.file("log"), level: .info)
        file.append(Self.log([(.info, "one")]), of: "ch7")
        file.append(Self.log([(.info, "one"), (.error, "two")]), of: "ch7")
        #expect(
            try text() == """
                1970-01-01T00:00:00.000Z info one session=ch7
                1970-01-01T00:00:01.000Z error two session=ch7

                """)
    }

    @Test(arguments: [(LogLevel.debug, 4), (.info, 3), (.warning, 2), (.error, 1)])
    func linesBelowTheLevelAreLeftOut(_ level: LogLevel, _ count: Int) throws {
        let file = try LogFile(path: folder.file("log"), level: level)
        file.append(Self.log(LogLevel.allCases.map { ($0, "x") }), of: "s")
        #expect(try text().split(separator: "\n").count == count)
    }

    @Test func secretsAreMaskedAndControlsAreNot() throws {
        let file = try LogFile(path: folder.file("log"), level: .info)
        file.append(Self.log([(.info, "see http://x/?token=hidden\u{1B}[31m\nnext")]), of: "a b=\"c\"")
        let text = try text()
        #expect(!text.contains("hidden") && !text.contains("\u{1B}"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains("session=\"a b=\\\"c\\\"\""))
    }

    @Test func metadataIsSortedAndTheDateComesFirst() {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in LineLogHandler { line in lines.withLock { $0.append(line) } } }
        logger.warning("m", metadata: ["z": "1", "a": "two words", "at": "now"])
        #expect(lines.withLock { $0 } == ["now warning m a=\"two words\" z=1\n"])
    }
}
