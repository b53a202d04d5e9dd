import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

extension OneAtATime {
    /// The real program is killed again and again while ads play and trackers fail; nothing is counted twice, and nothing is
    /// lost but what was due around a kill. `make soak` does it 200 times (`ADTOP_KILLS`).
    @Suite struct KillTests {
        private static var kills: Int { ProcessInfo.processInfo.environment["ADTOP_KILLS"].flatMap { Int($0) } ?? 6 }

        /// How a process ends.
        enum Ending: String, CaseIterable, CustomTestStringConvertible {
            /// The kernel still has what it wrote.
            case kill
            #if os(Linux)
                /// The disk has what it synced.
                case powerLoss = "power loss"
            #endif

            var testDescription: String { rawValue }
        }

        /// Trackers that answer 503, close and reset connections, and answer late or never.
        private static func failTrackers(_ scenario: inout Scenario) {
            WatchedOrigin.keepMetadata(&scenario)
            scenario.beacons = [
                BeaconRule(urlIndex: 2, answer: .status(503)), BeaconRule(event: "start", answer: .delay(ms: 1_500)),
                BeaconRule(event: "firstQuartile", answer: .drop(.reset)),
                BeaconRule(event: "midpoint", answer: .drop(.close)),
                BeaconRule(event: "thirdQuartile", answer: .status(500)),
                BeaconRule(event: "complete", answer: .delay(ms: 20_000)),
            ]
        }

        /// The seed gives the pattern of the kills; when they fall is up to the machine, so a failure names what came twice.
        @Test(arguments: Ending.allCases) func endsAtAnyMomentDoubleNothing(_ ending: Ending) async throws {
            let seed: UInt64 = 5
            print("seed \(seed), \(Self.kills) ends by \(ending.rawValue)")
            var random = SplitMix64(seed: seed)
            let origin = try await WatchedOrigin(Self.failTrackers)
            let machine = try FragileMachine(losesPower: ending != .kill)
            var lives: [Range<Int>] = []
            for life in 1...Self.kills {
                let before = origin.receipts.count
                let child = try origin.watch(state: machine.state, environment: machine.environment)
                // Some beacons later, or in the middle of nothing, and then any few milliseconds after that.
                await wait(
                    forMore: Int(random.next() % 8), at: origin,
                    within: .milliseconds(400 + Int64(random.next() % 4_000)))
                try await Task.sleep(for: .microseconds(Int64(random.next() % 20_000)))
                try await child.kill()
                try machine.fail()
                lives.append(before..<origin.receipts.count)
                try #require(origin.duplicates.isEmpty, "after \(life) ends, seed \(seed): \(origin.duplicates)")
            }

            // The last one lives on and still does its work.
            let before = origin.receipts.count
            let child = try origin.watch(state: machine.state, environment: machine.environment)
            try await origin.waitForNewBreaks(3)
            let document = DumpedSession(json: try await child.interrupt().json())
            #expect(origin.receipts.count > before)
            #expect(origin.duplicates.isEmpty)
            lives.append(before..<origin.receipts.count)
            try await expectThePlan(of: lives, at: origin, last: document)
            await origin.stop()
        }

        /// Everything that the plan has between the first and the last beacon of a process arrived, whatever its tracker
        /// answered, and so did all that the last one played.
        private func expectThePlan(
            of lives: [Range<Int>], at origin: WatchedOrigin, last document: DumpedSession
        ) async throws {
            let receipts = origin.receipts
            let arrived = Set(receipts.map(\.planned))
            let start = try #require(receipts.first?.atMs) - 60_000
            let all = try await origin.plan(from: start, to: start + 3_600_000)
            let due = Dictionary(all.map { ($0.target, $0.atMs) }) { first, _ in first }
            var spans: [ClosedRange<Int>] = lives.compactMap { life in
                // A viewer who joins in the middle of an ad reports its impression, which does not show where playback began.
                let dates = receipts[life].filter { $0.hop == 0 && $0.event != "impression" }
                    .compactMap { due[$0.planned] }
                // What one tick made due is claimed together, in two lanes.
                guard let first = dates.min(), let last = dates.max(), first + 100 < last - 500 else { return nil }
                return first + 100...last - 500
            }
            if let played = document.played.last, played.lowerBound + 1_000 < played.upperBound - 1_000 {
                spans.append(played.lowerBound + 1_000...played.upperBound - 1_000)
            }
            let wanted = all.filter { beacon in spans.contains { $0.contains(beacon.atMs) } }
            #expect(wanted.count > 10)
            // A tracker that drops a connection may take a request with it that was being written to it. It may have been
            // counted, so it is not repeated, and the journal knows of it.
            let states = document.states
            let missing = wanted.map(\.target).filter { target in
                let isDropped = target.contains("event=firstQuartile") || target.contains("event=midpoint")
                return !arrived.contains(target)
                    && !(isDropped && ["failed", "unknown"].contains(states[target] ?? "idle"))
            }
            #expect(
                missing == [], "played in \(spans), \(missing.map { "\(states[$0] ?? "none") due \(due[$0] ?? 0)" })")
        }

        #if os(Linux)
            /// The test of the test: on a disk that syncs nothing, as with `PRAGMA synchronous = OFF`, the journal forgets
            /// what was sent, and the next process sends it again.
            @Test func aDiskThatNeverSyncsDoubles() async throws {
                let origin = try await WatchedOrigin()
                let machine = try FragileMachine(losesPower: true, syncs: false)
                // A long ad continues for two more seconds. A busy machine may need more to start the program, and then the next
                // life shows it.
                for _ in 1...10 where origin.duplicates.isEmpty {
                    let known = origin.receipts.count
                    let child = try origin.watch(state: machine.state, environment: machine.environment)
                    try await origin.wait(for: "the start of a long ad, or an impression a second time") { receipts in
                        let isInLongAd =
                            receipts.last?.event == "start" && receipts.last?.adId.hasPrefix("marathon") == true
                        return receipts.contains(where: \.isDuplicate) || (receipts.count > known && isInLongAd)
                    }
                    try await child.kill()
                    try machine.fail()
                }
                #expect(!origin.duplicates.isEmpty)
                await origin.stop()
            }
        #endif

        /// Returns when there are so many more receipts or the time is over: a program may also die before its first.
        private func wait(forMore count: Int, at origin: WatchedOrigin, within limit: Duration) async {
            let enough = origin.receipts.count + count
            // The least that it takes to start. None more are wanted at once, so this is a moment like the others.
            try? await Task.sleep(for: .milliseconds(300))
            try? await origin.wait(for: "a moment", within: limit) { $0.count >= enough }
        }
    }
}

/// A folder for the program's state on a disk that forgets what was not synced when the power fails.
private struct FragileMachine {
    private let folder: TemporaryFolder
    private let losesPower: Bool
    private let syncs: Bool

    init(losesPower: Bool, syncs: Bool = true) throws {
        folder = try TemporaryFolder()
        (self.losesPower, self.syncs) = (losesPower, syncs)
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    }

    /// Where the program keeps its state.
    var state: String { folder.path }
    /// The synced content of each database file.
    private var disk: String { folder.file("disk") }
    private var journals: String { folder.file("adtop") }

    /// Variables for the program.
    var environment: [String: String] {
        guard losesPower else { return [:] }
        return ["LD_PRELOAD": BuiltProduct.path("libPowerLoss.so"), "POWER_LOSS_FOLDER": disk]
            .merging(syncs ? [:] : ["POWER_LOSS_NEVER_SYNCS": "1"]) { $1 }
    }

    /// After the process ended: the journal is what the disk has of it.
    func fail() throws {
        let files = FileManager.default
        // A program that was killed at its first instructions wrote nothing.
        guard losesPower, files.fileExists(atPath: journals) else { return }
        for name in try files.contentsOfDirectory(atPath: journals) where name.contains(".sqlite") {
            try files.removeItem(atPath: "\(journals)/\(name)")
        }
        for name in try files.contentsOfDirectory(atPath: disk) where !name.hasPrefix(".") {
            try files.copyItem(atPath: "\(disk)/\(name)", toPath: "\(journals)/\(name)")
        }
    }
}
