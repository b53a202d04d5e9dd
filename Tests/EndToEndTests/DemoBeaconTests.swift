import Foundation
import TestSupport
import Testing

extension OneAtATime {
    /// The promises of the demo in a real terminal over real sockets: three breaks, one every 5 s.
    @Suite struct DemoBeaconTests {
        @Test func keysReportOnceAndThreeBreaksMatchThePlan() throws {
            let demo = try RunningDemo(["--scenario", "sprint", "--poll", "500ms", "--seed", "1"])
            try demo.wait(for: "the start of a long ad") { $0.last?.event == "start" && $0.last?.isLong == true }
            // The first key pauses inside the ad, so the next ones have all the time they need.
            for (key, event) in [("p", "pause"), ("m", "mute"), ("m", "unmute"), ("p", "resume")] {
                // Beacon keys act at most once in 300 ms, so this types as a person would.
                demo.terminal.type(key)
                try demo.wait(for: "the \(event) beacon") { $0.contains { $0.event == event } }
                demo.keepReading(for: .milliseconds(400))
            }
            // The break that was joined in the middle and that of the keys do not count: three whole ones must follow.
            let known = Set(demo.receipts().map(\.breakID))
            try demo.waitForBreaks(3, besides: known)
            let receipts = demo.receipts()
            for event in ["mute", "unmute", "pause", "resume"] {
                #expect(receipts.count { $0.event == event } == 1, "\(event)")
            }
            #expect(receipts.filter { $0.isDuplicate && $0.hop == 0 }.isEmpty)
            try demo.expectThePlan(of: Set(demo.completedBreaks(receipts)).subtracting(known), in: receipts)

            demo.terminal.type("q")
            #expect(try demo.terminal.waitForExit() == .status(0))
            #expect(demo.terminal.modes == demo.modesBefore)
        }
    }
}
