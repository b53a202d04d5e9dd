import DemoOrigin
import Ports

/// The faults of a simulation's metadata, chosen by its seed.
struct MetadataTrouble: Sendable {
    /// Differences of starts, in ms.
    private static let startsMs = [1, 300, 12_000]
    /// A well-known cache buster, and one that only its server knows.
    private static let cacheBusters = ["cb", "zx"]
    private static let tokenMs = 20_000

    /// The faults that are present.
    let faults: Set<Fault>
    private var random: SplitMix64

    /// - Parameter profile: together with faults of other kinds, each seed has some of those of metadata; alone all are present.
    init(_ profile: FaultProfile, _ scenario: Scenario, seed: UInt64) {
        var random = SplitMix64(seed: seed &+ 0x6D65_7461)
        let possible = profile.ordered.filter { Fault.ofMetadata.contains($0) && Self.isPossible($0, in: scenario) }
        let isMixed = !profile.faults.isSubset(of: Fault.ofMetadata)
        faults = Set(possible.filter { _ in random.next() % 2 == 0 || !isMixed })
        self.random = random
    }

    /// The scenario with these faults.
    mutating func suffering(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        if faults.contains(.reused) {
            for name in scenario.ads.keys { scenario.ads[name]?.hasFixedURLs = true }
        }
        if faults.contains(.tokens) { scenario.session.tokenMs = Self.tokenMs }
        if var changes = changes() {
            // Two airings of one URL cannot be distinguished if they have other ids and other starts each time.
            let airsAlike = scenario.airsAgain && !scenario.airingsAreFarApart
            // On a page, the next ad moves to the place of one that is over: with other values in all URLs it looks like the same ad.
            let replacesURLs = changes.cacheBuster != nil || scenario.session.tokenMs != nil
            if changes.ids, airsAlike || scenario.session.dialect.listsPages && replacesURLs {
                changes.startsMs = min(changes.startsMs, Self.startsMs[1])
            }
            scenario.metadata.changes = changes
        }
        return scenario
    }

    private mutating func changes() -> MetadataChanges? {
        guard !faults.isDisjoint(with: [.ids, .starts, .busters, .instances]) else { return nil }
        var changes = MetadataChanges(pace: pace(), ids: faults.contains(.ids))
        let startsMs = Self.startsMs[pick(Self.startsMs.count)]
        if faults.contains(.starts) { changes.startsMs = startsMs }
        let cacheBuster = Self.cacheBusters[pick(Self.cacheBusters.count)]
        if faults.contains(.busters) { changes.cacheBuster = cacheBuster }
        if faults.contains(.instances) {
            changes.pace = .instance
            changes.ids = true
            changes.startsMs = max(1, changes.startsMs)
        }
        return changes
    }

    /// With each document, several times in a break, or about once in a break.
    private mutating func pace() -> MetadataChanges.Pace {
        let seconds = 20_000 + Int(random.next() % 60_000)
        switch pick(3) {
        case 0: return .poll
        case 1: return .every(7_000)
        default: return .every(seconds)
        }
    }

    private mutating func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// Changes that a scenario brings itself are not replaced.
    private static func isPossible(_ fault: Fault, in scenario: Scenario) -> Bool {
        guard scenario.metadata.isServed else { return false }
        switch fault {
        case .tokens: return scenario.session.tokenMs == nil
        case .reused:
            // Pages never list two airings side by side.
            // An id of the media that comes again is the same one, so the airing of a beacon that it places is unknown.
            return scenario.breaks?.delivery == .stitched && !scenario.session.dialect.placesByMedia
                && scenario.ads.values.allSatisfy { $0.hiddenMs.isEmpty }
                && (!scenario.session.dialect.listsPages || scenario.airingsAreFarApart)
        default: return scenario.metadata.changes == nil
        }
    }
}

extension Scenario {
    /// Whether a beacon with one URL may be due several times.
    var airsAgain: Bool { ads.values.contains(where: \.hasFixedURLs) }

    /// Whether a creative is never twice in one break, and its airings are further apart than any start changes.
    fileprivate var airingsAreFarApart: Bool {
        guard let breaks else { return true }
        return breaks.everyMs >= 90_000 && breaks.pods.allSatisfy { Set($0.ads).count == $0.ads.count }
    }

    /// How far starts may differ from the plan.
    var shift: Duration { .milliseconds(Int64(metadata.changes?.startsMs ?? 0)) }
}
