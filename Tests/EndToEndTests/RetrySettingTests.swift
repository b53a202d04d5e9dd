import DemoOrigin
import Foundation
import Ports
import TestSupport
import Testing

/// How often a failing tracker gets a request with each `--retry`, counted at the collector (docs/beacons.md).
@Suite struct RetrySettingTests {
    enum Setting: String, CaseIterable, CustomTestStringConvertible {
        case safe, standard, never

        var testDescription: String { rawValue }
    }

    private static func failTrackers(_ scenario: inout Scenario) {
        WatchedOrigin.keepMetadata(&scenario)
        scenario.beacons = [
            BeaconRule(event: "start", answer: .status(503)), BeaconRule(event: "firstQuartile", answer: .drop(.reset)),
            BeaconRule(event: "thirdQuartile", answer: .status(404)),
        ]
    }

    /// The most requests of one beacon of that type.
    private static func most(_ event: String, _ receipts: [Receipt]) -> Int {
        Dictionary(receipts.filter { $0.event == event }.map { ($0.planned, 1) }, uniquingKeysWith: +).values.max() ?? 0
    }

    @Test(arguments: Setting.allCases) func aFailingTrackerGetsAsManyRequestsAsIsSaid(_ setting: Setting) async throws {
        let origin = try await WatchedOrigin(Self.failTrackers)
        let folder = try TemporaryFolder()
        let child = try origin.watch(["--retry", setting.rawValue], state: folder.path)
        if setting == .standard {
            try await origin.wait(for: "all tries of a beacon") { receipts in
                Self.most("firstQuartile", receipts) >= 4 && Self.most("start", receipts) >= 2
            }
        }
        // The last try would follow the first one after 10.5 s, and breaks begin every five.
        try await origin.waitForNewBreaks(4)
        let document = DumpedSession(json: try await child.interrupt().json())
        await origin.stop()
        let receipts = origin.receipts
        let isStandard = setting == .standard
        #expect(document["session"]?["retry"]?.stringValue == setting.rawValue)
        #expect(Self.most("start", receipts) == (isStandard ? 2 : 1))
        #expect(Self.most("firstQuartile", receipts) == (isStandard ? 4 : 1))
        #expect(Self.most("thirdQuartile", receipts) == 1)
        #expect(Self.most("complete", receipts) == 1)
    }
}
