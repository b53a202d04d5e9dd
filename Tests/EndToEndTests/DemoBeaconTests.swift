import Foundation
import TestSupport
import Testing

/// The promises of the demo in a real terminal over real sockets. Takes about two minutes: three breaks, one every 30 s.
@Suite(.serialized) struct DemoBeaconTests {
    @Test func keysReportOnceAndThreeBreaksMatchThePlan() throws {
        let demo = try RunningDemo(["--scenario", "rush", "--seed", "1"])
        try demo.wait(for: "the first ad's start beacon") { $0.contains { $0.event == "start" } }
        for (key, event) in [("m", "mute"), ("m", "unmute"), ("p", "pause"), ("p", "resume")] {
            // Beacon keys act at most once in 300 ms, so this types as a person would.
            demo.keepReading(for: .milliseconds(400))
            demo.terminal.type(key)
            try demo.wait(for: "the \(event) beacon") { $0.contains { $0.event == event } }
        }
        let firstBreak = try #require(demo.receipts().first { $0.event == "start" }).breakID
        // The break that was joined in the middle does not count: three whole ones must follow.
        try demo.wait(for: "three whole breaks", within: .seconds(150)) { receipts in
            demo.completedBreaks(receipts).filter { $0 != firstBreak }.count >= 3
        }
        let receipts = demo.receipts()
        for event in ["mute", "unmute", "pause", "resume"] {
            #expect(receipts.count { $0.event == event } == 1, "\(event)")
        }
        #expect(receipts.filter { $0.isDuplicate && $0.hop == 0 }.isEmpty)
        let breaks = Set(demo.completedBreaks(receipts).filter { $0 != firstBreak })
        let planned = demo.plan(around: receipts[0]).filter { breaks.contains($0.breakID) }
        let sent = receipts.filter { breaks.contains($0.breakID) && $0.hop == 0 }
        #expect(sent.map(\.target).sorted() == planned.map(\.target).sorted())
        #expect(!planned.isEmpty)

        demo.terminal.type("q")
        #expect(try demo.terminal.waitForExit() == .status(0))
        #expect(demo.terminal.modes == demo.modesBefore)
    }
}
