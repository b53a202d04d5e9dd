import TestSupport
import Testing

extension OneAtATime {
    /// Breaks that the dashboard fills itself from the origin's ad server, over real sockets: three of them, one every 6 s.
    @Suite struct ClientSideTests {
        @Test func threeBreaksFromVASTMatchThePlan() throws {
            let demo = try RunningDemo(["--scenario", "client-sprint", "--seed", "1"])
            try demo.waitForBreaks(3)
            let receipts = demo.receipts()
            try demo.expectThePlan(of: Set(demo.completedBreaks(receipts)), in: receipts)
            demo.terminal.type("q")
            #expect(try demo.terminal.waitForExit() == .status(0))
        }
    }
}
