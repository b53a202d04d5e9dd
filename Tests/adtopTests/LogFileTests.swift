import Foundation
import Locks
import Logging
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Session
@testable import adtop

@Suite struct LogFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func entry(_ number: Int, _ level: LogLevel, _ message: String) -> LogEntry {
        let at = Moment(wall: UnixTime(milliseconds: Int64(number) * 1_000), uptime: .seconds(number))
        return LogEntry(number: number, at: at, level: level, message: message)
    }

    /// The content of the file after everything is written.
    private func text(_ file: LogFile) async throws -> String {
        #expect(await file.finish() == nil)
        return try String(contentsOfFile: folder.file("log"), encoding: .utf8)
    }

    @Test func eachLineHasLevelAndSession() async throws {
        let file = try LogFile(path: folder.file("log"), level: .info)
        let (first, second) = (file.session("ch7"), file.session("ch8"))
        first.append(Self.entry(0, .info, "one"))
        second.append(Self.entry(1, .error, "two"))
        file.append(.warning, "http: three", at: UnixTime(milliseconds: 2_000))
        #expect(
            try await text(file) == """
                1970-01-01T00:00:00.000Z info one session=ch7
                1970-01-01T00:00:01.000Z error two session=ch8
                1970-01-01T00:00:02.000Z warning http: three

                """)
    }

    @Test(arguments: [(LogLevel.debug, 4), (.info, 3), (.warning, 2), (.error, 1)])
    func linesBelowTheLevelAreLeftOut(_ level: LogLevel, _ count: Int) async throws {
        let file = try LogFile(path: folder.file("log"), level: level)
        let session = file.session("s")
        for (number, level) in LogLevel.allCases.enumerated() { session.append(Self.entry(number, level, "x")) }
        #expect(try await text(file).split(separator: "\n").count == count)
    }

    @Test func aMarkBesideAQuotationMarkDoesNotHideIt() async throws {
        let file = try LogFile(path: folder.file("log"), level: .info)
        file.session("a \u{D4E}\" level=error").append(Self.entry(0, .info, "x"))
        #expect(try await text(file).unicodeScalars.contains("\\"))
    }

    @Test func secretsAreMaskedAndControlsAreNot() async throws {
        let file = try LogFile(path: folder.file("log"), level: .info)
        file.session("a b=\"c\"").append(Self.entry(0, .info, "see http://x/?token=hidden\u{1B}[31m\nnext"))
        let text = try await text(file)
        #expect(!text.contains("hidden") && !text.contains("\u{1B}"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains("session=\"a b=\\\"c\\\"\""))
    }

    @Test func aFileThatCannotBeWrittenIsNamed() {
        #expect(throws: CommandFailure(.usage, "--log-file: /nowhere/log: there is no such folder; name another file"))
        {
            try LogFile(path: "/nowhere/log", level: .info)
        }
    }

    @Test func metadataIsSortedAndTheDateComesFirst() {
        let lines = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in LineLogHandler { line in lines.withLock { $0.append(line) } } }
        logger.warning("m", metadata: ["z": "1", "a": "two words", "at": "now"])
        #expect(lines.withLock { $0 } == ["now warning m a=\"two words\" z=1"])
    }
}
