import DemoOrigin
import Foundation
import TestSupport
import Testing

/// A server whose metadata lists the same ads differently with each answer (docs/adr/0017), and the real program, killed
/// once in between: every beacon reaches the collector once, and none is forgotten.
@Suite struct ChangingMetadataTests {
    /// What differs between two documents. `sprint` is six times as fast as the streams of a simulation, so two seconds are
    /// what twelve are there. Twelve real seconds are longer than a break of it, and shorter than the minute within which an
    /// ad in the place of another is the same one (TRK-16).
    enum Trouble: String, CaseIterable, CustomTestStringConvertible {
        case otherIDs, otherIDsOnce, twoInstances, otherStarts, movedBreaks, movedOnce, movedFar, cacheBusters, tokens
        case twoInstancesAndBusters, otherStartsAndBusters, movedFarAndBusters, everything
        case startsByOne, otherStartsOnce, movedFarOnce, movedFarEachPoll, movedFarEachPollAndBusters

        var testDescription: String { rawValue }

        /// Longer than half of a test: what changes at this pace changes once or twice in it.
        private static let onceMs = 20_000

        func apply(to scenario: inout Scenario) {
            scenario.metadata.changes =
                switch self {
                case .otherIDs: MetadataChanges(ids: true)
                case .otherIDsOnce: MetadataChanges(pace: .every(7_000), ids: true)
                case .twoInstances: MetadataChanges(pace: .instance, ids: true, startsMs: 1)
                case .otherStarts: MetadataChanges(ids: true, startsMs: 300)
                case .movedBreaks: MetadataChanges(startsMs: 2_000)
                case .movedOnce: MetadataChanges(pace: .every(7_000), ids: true, startsMs: 2_000)
                case .movedFar: MetadataChanges(pace: .every(7_000), ids: true, startsMs: 12_000)
                case .cacheBusters: MetadataChanges(cacheBuster: "zx")
                case .twoInstancesAndBusters:
                    MetadataChanges(pace: .instance, ids: true, startsMs: 1, cacheBuster: "zx")
                case .otherStartsAndBusters: MetadataChanges(ids: true, startsMs: 300, cacheBuster: "zx")
                case .movedFarAndBusters:
                    MetadataChanges(pace: .every(7_000), ids: true, startsMs: 12_000, cacheBuster: "zx")
                case .startsByOne: MetadataChanges(ids: true, startsMs: 1)
                case .otherStartsOnce: MetadataChanges(pace: .every(Self.onceMs), ids: true, startsMs: 300)
                case .movedFarOnce: MetadataChanges(pace: .every(Self.onceMs), ids: true, startsMs: 12_000)
                case .movedFarEachPoll: MetadataChanges(ids: true, startsMs: 12_000)
                case .movedFarEachPollAndBusters: MetadataChanges(ids: true, startsMs: 12_000, cacheBuster: "zx")
                case .tokens: nil
                case .everything: MetadataChanges(ids: true, startsMs: 300, cacheBuster: "zx")
                }
            if self == .tokens || self == .everything { scenario.session.tokenMs = 3_000 }
        }
    }

    @Test(arguments: Trouble.allCases) func everyBeaconArrivesOnce(_ trouble: Trouble) async throws {
        let origin = try await WatchedOrigin { trouble.apply(to: &$0) }
        let folder = try TemporaryFolder()
        let first = try origin.watch(state: folder.path)
        try await origin.waitForNewBreaks(2)
        try await first.kill()
        let sent = origin.receipts.count

        let second = try origin.watch(state: folder.path)
        try await origin.waitForNewBreaks(3)
        let run = try await second.interrupt()
        await origin.stop()
        #expect(run.status == AdtopProcess.interrupted)
        #expect(origin.duplicates.isEmpty)
        #expect(origin.receipts.count > sent)
    }

    /// What the plan has in the dates that were played arrives, though no two documents name it alike, or lies outside of what was played
    /// by what the newest document says.
    @Test(arguments: [
        Trouble.twoInstances, .twoInstancesAndBusters, .otherStarts, .movedBreaks, .movedOnce, .movedFar, .everything,
    ])
    func nothingIsForgotten(_ trouble: Trouble) async throws {
        let origin = try await WatchedOrigin { trouble.apply(to: &$0) }
        let folder = try TemporaryFolder()
        let child = try origin.watch(state: folder.path)
        try await origin.waitForNewBreaks(4)
        let run = try await child.interrupt()
        let document = DumpedSession(json: try run.json())
        let arrived = Set(origin.receipts.map(\.planned))
        let played = try #require(document.played.last)
        // The starts of the last ads may still lie ahead.
        let planned = try await origin.plan(from: played.lowerBound + 1_000, to: played.upperBound - 1_500)
        await origin.stop()
        #expect(planned.count >= 12)
        let unplayed = document.unplayed
        let states = document.states
        // Moved so far, an ad may be outside of every document while it plays.
        let listed = trouble == .movedFar ? Set(states.keys) : Set(planned.map(\.target))
        // An ad that the last document moved back was due at once, and its beacons were claimed in the moment of the interruption.
        let expected = listed.subtracting(unplayed).subtracting(document.beingSent)
        let missing = planned.map(\.target).filter { expected.contains($0) && !arrived.contains($0) }
        #expect(missing.map { "\($0) is \(states[$0] ?? "unlisted")" } == [])
        // Only moves can have put any of it there.
        if [.twoInstances, .otherStarts].contains(trouble) {
            #expect(unplayed.isDisjoint(with: planned.map(\.target)))
        }
        #expect(origin.duplicates.isEmpty)
    }

    /// A creative with fixed URLs airs again and again, and twice in one break: one document lists these airings side by side,
    /// and each is sent once.
    @Test func eachAiringOfACreativeIsSentOnce() async throws {
        let origin = try await WatchedOrigin { scenario in
            WatchedOrigin.keepMetadata(&scenario)
            for name in scenario.ads.keys { scenario.ads[name]?.hasFixedURLs = true }
            for pod in scenario.breaks?.pods.indices ?? 0..<0 {
                scenario.breaks?.pods[pod].ads = ["dash", "hurdles", "dash"]
            }
        }
        let folder = try TemporaryFolder()
        let child = try origin.watch(state: folder.path)
        // Two URLs of each impression, twice in a break.
        try await origin.wait(for: "three breaks") { $0.count { $0.event == "complete" && $0.adId == "dash-any" } >= 6 }
        let run = try await child.interrupt()
        let document = DumpedSession(json: try run.json())
        let played = try #require(document.played.last)
        let planned = try await origin.plan(from: played.lowerBound + 1_000, to: played.upperBound - 500)
        let airings = Dictionary(planned.map { ($0.target, 1) }, uniquingKeysWith: +)
        let all = try await origin.plan(from: played.lowerBound - 3_000, to: played.upperBound + 500)
        let most = Dictionary(all.map { ($0.target, 1) }, uniquingKeysWith: +)
        let receipts = Dictionary(origin.targets.map { ($0, 1) }, uniquingKeysWith: +)
        await origin.stop()
        #expect(airings.values.contains { $0 >= 4 })
        for (target, count) in airings { #expect(receipts[target] ?? 0 >= count, "\(target)") }
        for (target, count) in receipts { #expect(count <= most[target] ?? 0, "\(target)") }
    }
}
