import TestSupport
import Testing

/// Breaks that the dashboard fills itself from the origin's ad server, over real sockets. Takes about two minutes: a break
/// every 40 s.
@Suite(.serialized) struct ClientSideTests {
    @Test func threeBreaksFromVASTMatchThePlan() throws {
        let demo = try RunningDemo(["--scenario", "client-side", "--seed", "1"])
        try demo.wait(for: "three whole breaks", within: .seconds(200)) { demo.completedBreaks($0).count >= 3 }
        let receipts = demo.receipts()
        let breaks = Set(demo.completedBreaks(receipts))
        let planned = demo.plan(around: try #require(receipts.first)).filter { breaks.contains($0.breakID) }
        let sent = receipts.filter { breaks.contains($0.breakID) && $0.hop == 0 }
        #expect(sent.map(\.target).sorted() == planned.map(\.target).sorted())
        #expect(!planned.isEmpty)
        demo.terminal.type("q")
        #expect(try demo.terminal.waitForExit() == .status(0))
    }
}
