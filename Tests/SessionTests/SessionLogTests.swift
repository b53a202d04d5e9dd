import Ports
import Testing

@testable import Session

@Suite struct SessionLogTests {
    private let now = Moment(wall: UnixTime(milliseconds: 1), uptime: .seconds(1))

    @Test func aReaderGetsNewLines() {
        var log = SessionLog(capacity: 100)
        #expect(log.entries(from: 0).isEmpty)
        for number in 0..<5 { log.append(.info, "\(number)", at: now) }
        #expect(log.entries(from: 3).map(\.message) == ["3", "4"])
        #expect(log.entries(from: 5).isEmpty)
        log.clear(capacity: 100)
        log.append(.info, "5", at: now)
        #expect(log.entries(from: 5).map(\.message) == ["5"])
    }

    @Test func whatWasDroppedIsNotGiven() {
        var log = SessionLog(capacity: 16)
        for number in 0..<1_000 { log.append(.info, "\(number)", at: now) }
        #expect(log.entries(from: 0).last?.message == "999")
        #expect(log.entries(from: 0).count == log.view.count)
        #expect(log.entries(from: 998).map(\.message) == ["998", "999"])
    }

    /// A log with a small capacity uses little memory: five hundred sessions have one each.
    @Test(arguments: [1, 16, 100, 200, 1_000, 10_000])
    func theLogStaysNearItsCapacity(_ capacity: Int) {
        var log = LogView(capacity: capacity)
        for number in 0..<(3 * capacity + 1_000) {
            log.append(LogEntry(number: number, at: now, level: .info, message: ""))
        }
        #expect(log.count >= capacity)
        #expect(log.count <= capacity + 2 * max(16, min(capacity / 4, 256)))
        #expect(log.last?.number == 3 * capacity + 999)
        #expect(log[0]?.number == log.dropped)
    }
}
