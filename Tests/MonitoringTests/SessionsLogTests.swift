import Locks
import Ports
import Testing

@testable import Monitoring
@testable import Session

@Suite struct SessionsLogTests {
    private func entry(_ number: Int, _ message: String) -> LogEntry {
        LogEntry(
            number: number, at: Moment(wall: UnixTime(milliseconds: 1_000), uptime: .seconds(number)), level: .info,
            message: message)
    }

    private final class Other: SessionLogSink {
        let entries = Locked<[LogEntry]>([])
        func append(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }
    }

    @Test func linesKeepTheOrderOfArrivalAndNameTheirSessions() {
        let log = SessionsLog()
        let (first, second) = (log.sink(for: "ch7"), log.sink(for: "ch8"))
        first.append(entry(0, "a"))
        second.append(entry(0, "b"))
        first.append(entry(1, "c"))
        let entries = log.view.suffix(10)
        #expect(entries.map(\.session) == ["ch7", "ch8", "ch7"])
        #expect(entries.map(\.message) == ["a", "b", "c"])
        #expect(entries.map(\.number) == [0, 1, 2])
    }

    /// A library's line belongs to the process; the log numbers it after those of the sessions.
    @Test func aLineOfTheProcessGetsTheNextNumber() {
        let log = SessionsLog()
        log.sink(for: "ch7").append(entry(0, "a"))
        let moment = Moment(wall: UnixTime(milliseconds: 2_000), uptime: .seconds(1))
        log.sink(for: "adtop").append(.warning, "stderr: b", at: moment)
        #expect(
            log.view.last
                == LogEntry(number: 1, at: moment, level: .warning, message: "stderr: b", session: "adtop"))
    }

    @Test func theOtherSinkGetsThemAsTheSessionHasThem() {
        let other = Other()
        let sink = SessionsLog().sink(for: "ch7", with: other)
        sink.append(entry(41, "a"))
        #expect(other.entries.withLock { $0 } == [entry(41, "a")])
    }

    @Test func whatIsKeptIsBounded() {
        let log = SessionsLog(capacity: 64)
        let sink = log.sink(for: "ch7")
        for number in 0..<1_000 { sink.append(entry(number, "line")) }
        let view = log.view
        #expect(view.count >= 64 && view.count <= 64 + 16 && view.last?.number == 999)
    }
}
