import CreativeCache
import CreativeServer
import Live
import Ports
import Session
import Testing

@testable import adtop

/// The contract of `CreativeKeeper`, with the cache of the program.
@Suite struct CreativeKeeperTests {
    private func order(_ id: String, bytes: Int, life: Duration? = nil) throws -> CreativeOrder {
        CreativeOrder(
            CachedCreative(
                id: try #require(CreativeID(id)), kind: .banner,
                origin: CachedCreative.Origin(auction: "req-1", bidder: "osprey"),
                content: CachedCreative.Content(body: [UInt8](repeating: 0x61, count: bytes))), life: life)
    }

    @Test func eachOrderHasItsAnswerInOrder() async throws {
        let now = UnixTime(milliseconds: 1_800_000_000_000)
        let shelf = CreativeShelf(limits: StoreLimits(), rules: LoopbackRules(), wallClock: { now })
        let keeper = ShelfKeeper(shelf: shelf, time: SystemTimeSource())
        let kept = await keeper.keep([
            try order("a", bytes: 20), try order("b", bytes: StoreLimits().entryBytes + 1),
            try order("c", bytes: 3, life: .seconds(7)),
        ])
        #expect(kept.map(\.id) == ["a", "b", "c"])
        #expect(kept.map { $0.problem == nil } == [true, false, true])
        #expect(kept[1].problem?.contains("too large") == true)
        let id = try #require(CreativeID("c"))
        let record = try #require(shelf.creative(id)?.record)
        #expect(record.expiresAt == now + .seconds(7) && record.origin.auction == "req-1")
        #expect(shelf.report().records.map(\.id.text).sorted() == ["a", "c"])
    }
}
