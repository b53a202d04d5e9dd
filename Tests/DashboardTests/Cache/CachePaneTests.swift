import CreativeCache
import Ports
import Screen
import TestSupport
import Testing

@testable import Dashboard
@testable import Session

@Suite struct CachePaneTests {
    private func sample(_ snapshot: Snapshot, _ columns: Int = 120, _ rows: Int = 40) throws -> DashboardSample {
        var sample = DashboardSample(snapshot, columns, rows)
        try sample.press("0")
        return sample
    }

    private func text(_ sample: DashboardSample) -> String { TextWriter.text(of: sample.frame.grid) }

    @Test("the newest creative is selected; rows stay with their id when the list grows")
    func selection() throws {
        var sample = try sample(CacheSamples.full)
        try sample.press("j")
        #expect(sample.state.views.cache.list.model.selected?.id.text == "3d9c3d61-0c57-4e0e-8f4f-2f1f64a7c3b1")
        let first = try #require(sample.snapshot.cache?.records.first)
        sample.snapshot.cache?.records.insert(first, at: 0)
        sample.send(.snapshotArrived)
        #expect(sample.state.views.cache.list.model.selectedRow == 2)
    }

    @Test(
        "the filter finds ids, kinds, bidders and auctions", arguments: [("video", 1), ("osprey", 1), ("req-100", 2)])
    func filter(_ word: String, _ count: Int) throws {
        var sample = try sample(CacheSamples.full)
        try sample.press("/")
        sample.type(word)
        try sample.press("Enter")
        #expect(sample.state.views.cache.list.model.rows.count == count)
    }

    @Test("counts and times that do not fit are left out and never cut", arguments: [(120, 40), (80, 24), (200, 60)])
    func counts(_ columns: Int, _ rows: Int) throws {
        let shown = text(try sample(CacheSamples.full, columns, rows))
        #expect(shown.contains("hit 104  miss 9  rejected 0  p50 0.13 p95 0.41 ms "))
        #expect(shown.contains("requests 118") == (columns != 120))
    }

    @Test("keys of the view act on the creative under the cursor")
    func keys() throws {
        var sample = try sample(CacheSamples.full)
        let id = try #require(CreativeID("0a6f0a3e-5b1c-4a55-9a51-0d2f3c4b5a69"))
        try sample.press("d")
        #expect(sample.effects == [.cache(.delete(id))])
        try sample.press("e t c")
        #expect(sample.effects == [.cache(.extend(id)), .cache(.compare(id)), .cache(.writeSnippet)])
    }

    @Test("the creative that a key acted on stays selected when a newer one arrives")
    func keysHoldTheSelection() throws {
        var sample = try sample(CacheSamples.full)
        let id = try #require(sample.state.views.cache.list.model.selected?.id)
        try sample.press("t")
        var newer = try #require(sample.snapshot.cache?.records.first)
        newer = CreativeRecord(
            CachedCreative(id: CreativeID.example, kind: .banner, content: CachedCreative.Content(body: [])),
            storedAt: newer.storedAt, expiresAt: newer.expiresAt)
        sample.snapshot.cache?.records.insert(newer, at: 0)
        sample.send(.snapshotArrived)
        try sample.press("d")
        #expect(sample.effects == [.cache(.delete(id))])
    }

    @Test("w warms from the auction, where there is one with a creative")
    func warm() throws {
        var sample = try sample(CacheSamples.full)
        try sample.press("w")
        #expect(sample.effects == [] && text(sample).contains("no auction has a creative to cache"))
        sample.snapshot.auction = try AuctionSamples.snapshot(AuctionSamples.prebid).auction
        sample.send(.snapshotArrived)
        try sample.press("w")
        #expect(sample.effects == [.auction(.warm)])
    }

    @Test("all creatives are deleted only by the second press")
    func purge() throws {
        var sample = try sample(CacheSamples.full)
        try sample.press("D")
        #expect(sample.effects == [])
        try sample.press("D D")
        #expect(sample.effects == [.cache(.purge)])
    }

    @Test("in other views the same keys have their usual meaning")
    func elsewhere() throws {
        var sample = DashboardSample(CacheSamples.full, 120, 40)
        let showsTime = sample.state.log.showsTime
        try sample.press("d D t")
        #expect(sample.effects == [] && sample.state.log.showsTime != showsTime)
    }

    @Test("without a cache the view shows how to get one, and its keys do nothing")
    func off() throws {
        var sample = try sample(SnapshotSamples.midBreak)
        #expect(text(sample).contains("no creative cache in this session"))
        try sample.press("d")
        #expect(sample.effects == [] && text(sample).contains("this session has no cache"))
    }

    @Test("the detail shows the creative's local and remote address")
    func detail() throws {
        let shown = text(try sample(CacheSamples.full, 200, 60))
        #expect(shown.contains("local     https://localhost:16257/0a6f0a3e"))
        #expect(shown.contains("remote    https://cache.example.net/pbc/v1/cache?uuid=0a6f0a3e"))
    }

    @Test("text from outside cannot reach the terminal")
    func safety() throws {
        var snapshot = CacheSamples.full
        snapshot.cache?.log[0].reason = "\u{1B}[2J"
        snapshot.cache?.records[0].origin.bidder = "\u{1B}]0;x\u{7}"
        #expect(!text(try sample(snapshot, 200, 60)).unicodeScalars.contains("\u{1B}"))
    }

    @Test("saved zones are below the creatives, an answer and a video each")
    func zones() throws {
        var sample = try sample(CacheSamples.withZones, 200, 60)
        #expect(sample.state.views.cache.list.model.rows.count == 8)
        let shown = text(sample)
        #expect(shown.contains("2.5 MB"), "\(shown)")
        #expect(shown.contains("41:07") && shown.contains("18:53") && shown.contains("mid 2.4s"), "\(shown)")
        #expect(!shown.unicodeScalars.contains("\u{1B}"))
        try sample.press("G")
        #expect(sample.state.views.cache.list.model.selected == nil && text(sample).contains("download"))
        try sample.press("e")
        #expect(sample.effects == [] && text(sample).contains("zones expire after an hour"))
        try sample.press("t")
        #expect(sample.effects == [])
        try sample.press("/")
        sample.type("9001")
        try sample.press("Enter")
        #expect(sample.state.views.cache.list.model.rows.count == 2)
    }

    @Test("d discards the zone under the cursor, in either of its rows, also without a creative cache")
    func deletingZones() throws {
        for hasCache in [true, false] {
            var snapshot = CacheSamples.withZones
            if !hasCache { snapshot.cache = nil }
            var sample = try sample(snapshot)
            try sample.press("G d")
            #expect(sample.effects == [.discardZone("rewarded \u{1B}[2J")])
            #expect(sample.effects.map(\.input) == [.beside(.zoneDiscarded("rewarded \u{1B}[2J"))])
            try sample.press("k k d")
            #expect(sample.effects == [.discardZone("zone-9001")])
            // The row is removed once the session reports it; the cursor stays where it was in the list.
            sample.snapshot.zones.removeFirst()
            sample.send(.snapshotArrived)
            #expect(sample.state.views.cache.list.model.rows.count == (hasCache ? 6 : 2))
            #expect(sample.state.views.cache.list.model.selectedLine != nil)
        }
    }

    @Test("zones are shown without a creative cache too")
    func zonesAlone() throws {
        var snapshot = CacheSamples.withZones
        snapshot.cache = nil
        let shown = text(try sample(snapshot))
        #expect(shown.contains("zone-9001") && !shown.contains("no creative cache in this session yet"))
    }

    @Test("any size renders", arguments: [(0, 0), (1, 1), (20, 5), (39, 7), (60, 20), (300, 100)])
    func sizes(_ columns: Int, _ rows: Int) throws {
        let sample = try sample(CacheSamples.refused, columns, rows)
        #expect(sample.frame.grid.size == Size(columns: columns, rows: rows))
    }
}
