import TestSupport
import Testing

extension OneAtATime {
    /// Breaks that the dashboard fills itself from the origin's ad server, over real sockets: three of them, one every 6 s. The first break
    /// of all may begin while the program starts: its first ad is over when the ad server answers, and is not played.
    @Suite struct ClientSideTests {
        @Test func threeBreaksFromVASTMatchThePlan() throws {
            let demo = try RunningDemo(["--scenario", "client-sprint", "--seed", "1"])
            try demo.waitForBreaks(4)
            let receipts = demo.receipts()
            let first = try #require(receipts.first).breakID
            let breaks = Set(demo.completedBreaks(receipts)).subtracting([first])
            #expect(breaks.count >= 3)
            try demo.expectThePlan(of: breaks, in: receipts)
            demo.terminal.type("q")
            #expect(try demo.terminal.waitForExit() == .status(0))
        }
    }
}
