import Foundation
import Live
import Ports
import Testing

@Suite struct SystemTimeSourceTests {
    @Test func uptimeNeverFalls() {
        let time = SystemTimeSource()
        var last = time.now().uptime
        for _ in 0..<10_000 {
            let next = time.now().uptime
            #expect(next >= last)
            last = next
        }
    }

    @Test func wallIsTheSystemsClock() {
        let before = Int64(Date().timeIntervalSince1970 * 1_000_000)
        let wall = SystemTimeSource().now().wall.microseconds
        let after = Int64(Date().timeIntervalSince1970 * 1_000_000)
        #expect(wall >= before - 1_000 && wall <= after + 1_000)
    }

    @Test func sleepReturnsAtOrAfterItsInstant() async throws {
        let time = SystemTimeSource()
        let target = time.now().uptime + .milliseconds(5)
        try await time.sleep(untilUptime: target)
        #expect(time.now().uptime >= target)
    }

    @Test func aCancelledSleepThrows() async {
        let time = SystemTimeSource()
        let task = Task { try await time.sleep(untilUptime: time.now().uptime + .seconds(3_600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
