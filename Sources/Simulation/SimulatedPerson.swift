import AdFormats
import CreativeCache
import DemoOrigin
import Ports
import Session

/// A part of a session beside its stream.
package enum SimulationPart: String, Sendable, CaseIterable {
    /// The demo's auction, held with the origin's bidders.
    case auction
    /// An ad space of every format, filled from the origin's zones.
    case formats
    /// The creative cache: bids are added and expire.
    case cache
}

/// A person who uses the parts beside the stream: loads, shows, clicks and closes ad spaces, holds auctions again and
/// sends their notices, puts bids into the cache.
struct SimulatedPerson: Sendable {
    /// Size of the cache in bytes: a few bids, so that some must be evicted.
    static let cacheBytes = 20_000

    private let parts: [SimulationPart]
    private let slots: [String]
    private var cache = Self.emptyCache()
    private var random: SplitMix64
    private var bids = 0
    /// Time of the next action, relative to the start.
    private(set) var nextAct: Duration = .seconds(3)

    init(_ parts: Set<SimulationPart>, seed: UInt64) {
        self.parts = SimulationPart.allCases.filter(parts.contains)
        slots = Self.slots.map(\.name)
        random = SplitMix64(seed: seed &+ 0x7065_7273_6F6E)
    }

    /// Number of bytes in the cache's memory.
    var cachedBytes: Int { cache.memoryBytes }

    /// Returns the action that is due and plans the next one.
    mutating func act(at time: Duration, wall: UnixTime) -> Input? {
        nextAct = time + .milliseconds(500 + Int64(random.next() % 6_000))
        guard let part = parts.randomElement(using: &random) else { return nil }
        switch part {
        case .auction: return .beside(.auctionCommanded(auctionCommand()))
        case .formats:
            return slots.randomElement(using: &random).map { .beside(.formatActed(slot: $0, formatAction())) }
        case .cache: return .beside(.cacheReported(cached(at: wall)))
        }
    }

    /// The process ended, and the cache in its memory with it.
    mutating func lostEverything() {
        cache = Self.emptyCache()
    }

    private static func emptyCache() -> CreativeStore {
        var limits = StoreLimits()
        limits.memoryBytes = cacheBytes
        limits.defaultLife = .seconds(60)
        return CreativeStore(limits: limits)
    }

    private mutating func auctionCommand() -> AuctionCommand {
        switch random.next() % 6 {
        case 0, 1: .run
        case 2, 3: .fireNotices
        case 4: .changePrice(candidate: Int(random.next() % 8), byCents: Int(random.next() % 41) - 20)
        default: .resetPrices
        }
    }

    private mutating func formatAction() -> FormatAction {
        let actions: [FormatAction] = [
            .load, .load, .load, .show, .show, .show, .click, .dismiss, .dismiss, .reload, .replay, .pause, .mute,
            .visibility(Double(random.next() % 101) / 100), .visibility(1), .hidden(true), .hidden(false),
            .hidden(false),
        ]
        return actions[Int(random.next() % UInt64(actions.count))]
    }

    /// A bid wins and is cached; sometimes one is read or removed.
    private mutating func cached(at wall: UnixTime) -> CacheReport {
        bids += 1
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: Int(random.next() % 6_000))
        if let id = CreativeID("bid-\(bids)") {
            cache.put(CachedCreative(id: id, kind: .banner, content: .init(body: body)), at: wall)
        }
        if let id = CreativeID("bid-\(1 + random.next() % UInt64(bids))") {
            if random.next() % 4 == 0 { _ = cache.remove(id) } else { _ = cache.get(id, at: wall) }
        }
        cache.sweep(at: wall)
        _ = cache.takeChanges()
        return CacheReport(
            address: nil, limits: cache.limits, memoryBytes: cache.memoryBytes, diskBytes: 0, counters: cache.counters,
            records: cache.records(at: wall), count: cache.count, traffic: TrafficRecord(), problems: [])
    }

    // MARK: Configuration

    private static let slots: [FormatsConfiguration.Slot] = [
        .init(name: "top", unit: "banner-1", format: .banner),
        .init(name: "foot", unit: "banner-flaky", format: .banner),
        .init(name: "page", unit: "interstitial-1", format: .interstitial),
        .init(name: "film", unit: "rewarded-1", format: .rewarded),
        .init(name: "feed", unit: "native-1", format: .native),
    ]

    static func formats() throws(SimulationProblem) -> FormatsConfiguration {
        FormatsConfiguration(adServer: try SimulatedNetwork.url("/ads/zone"), slots: slots)
    }

    static func auction() throws(SimulationProblem) -> AuctionSetup {
        do {
            return try AuctionSetup(JSONReader.read(DemoAuctionText.document(base: SimulatedNetwork.base)))
        } catch {
            throw SimulationProblem("its auction: \(error)")
        }
    }
}
