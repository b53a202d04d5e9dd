import Bidding
import Screen
import Session
import TestSupport
import Testing

@testable import Dashboard

@Suite struct AuctionPaneTests {
    private func sample(_ document: String, _ columns: Int = 120, _ rows: Int = 40) throws -> DashboardSample {
        var sample = DashboardSample(try AuctionSamples.snapshot(document), columns, rows)
        try sample.press("8")
        return sample
    }

    private func text(_ sample: DashboardSample) -> String { TextWriter.text(of: sample.frame.grid) }

    @Test("an adapter won", arguments: [(80, 24), (120, 40), (40, 8)])
    func bidder(_ columns: Int, _ rows: Int) throws {
        let sample = try sample(AuctionSamples.bidder, columns, rows)
        expectGolden("auction-bidder", sample.frame.grid, [sample.panes])
    }

    @Test("a bid won, a line item won, no winner")
    func outcomes() throws {
        let documents = [
            ("rtb", AuctionSamples.rtbWins), ("direct", AuctionSamples.directWins), ("no-fill", AuctionSamples.noFill),
        ]
        for (name, document) in documents {
            let sample = try sample(document)
            expectGolden("auction-\(name)", sample.frame.grid, [sample.panes])
        }
    }

    @Test("a reason has the room that names and states leave, and the code of a loss its words")
    func reasons() throws {
        let shown = text(try sample(AuctionSamples.bidder))
        #expect(shown.contains(" lost   102 lost to a higher bid") && shown.contains(" lost   100 below the floor"))
        #expect(shown.contains(" no bid 101 timeout"))
        #expect(shown.contains("src    name       cpm USD state  reason"), "no room for the price as offered")
        let wide = text(try sample(AuctionSamples.bidder, 200, 60))
        #expect(wide.contains(" price   cpm USD state  reason") && wide.contains("102 lost to a higher bid: Kestrel"))
    }

    @Test("a long name is cut before the reason is")
    func longName() throws {
        let shown = text(
            try sample(AuctionSamples.rtbWins.replacing("seat-a", with: String(repeating: "seat", count: 10))))
        #expect(shown.contains("seatseatseatseatsea… 2.1     WON   highest"))
    }

    @Test("the cursor starts at the winner, which is the first row")
    func winner() throws {
        let sample = try sample(AuctionSamples.bidder)
        #expect(
            sample.state.views.auction.list.model.rows.prefix(4) == [.stepNames, .stepTimes, .columns, .candidate(2)])
        #expect(sample.state.views.auction.list.model.selected == .candidate(2))
    }

    @Test(
        "keys run it again and change the selected price",
        arguments: [
            ("n", AuctionCommand.run), ("a", .run), ("w", .warm), ("+", .changePrice(candidate: 2, byCents: 1)),
            ("=", .changePrice(candidate: 2, byCents: 1)), ("-", .changePrice(candidate: 2, byCents: -1)),
            ("j -", .changePrice(candidate: 3, byCents: -1)),
        ])
    func keys(_ keys: String, _ command: AuctionCommand) throws {
        var sample = try sample(AuctionSamples.bidder)
        try sample.press(keys)
        #expect(sample.effects == [.auction(command)])
        #expect(!sample.state.isZoomed)
    }

    @Test("notices are sent after a question only")
    func notices() throws {
        var sample = try sample(AuctionSamples.bidder)
        try sample.press("f")
        #expect(sample.state.confirmation == .fireNotices(auction: 1, count: 2, hosts: ["dsp.example"]))
        #expect(text(sample).contains("Send 2 notices? y yes  n no"))
        try sample.press("n")
        #expect(sample.effects.isEmpty && sample.state.confirmation == nil)
        try sample.press("f y")
        #expect(sample.effects == [.auction(.fireNotices)])
    }

    @Test("without a price, or while bidders are asked, no price changes; a repeated notice is shown once")
    func noPrice() throws {
        var sample = try sample(AuctionSamples.bidder)
        sample.snapshot.auction?.result = nil
        sample.send(.snapshotArrived)
        sample.snapshot.auction?.waitingFor = ["slow\u{1B}[2J", "Python"]
        sample.send(.snapshotArrived)
        #expect(text(sample).contains("waiting for slow^[[2J, Python"))
        try sample.press("+ - +")
        #expect(sample.effects.isEmpty && sample.state.toasts.map(\.text) == ["the auction is still running"])
    }

    @Test("the last one stays on the screen while the next is running", arguments: [(80, 24), (160, 40), (40, 8)])
    func next(_ columns: Int, _ rows: Int) throws {
        var session = try AuctionSamples.Session()
        var sample = DashboardSample(try session.decided(), columns, rows)
        try sample.press("8 j")
        let model = sample.state.views.auction.list.model
        sample.snapshot = try session.underWay()
        sample.send(.snapshotArrived)
        #expect(sample.state.views.auction.list.model.rows == model.rows)
        #expect(sample.state.views.auction.list.model.selected == model.selected)
        expectGolden("auction-next", sample.frame.grid, [sample.panes])
    }

    @Test("while the next is running n reports it; prices and notices are those of the one shown")
    func keysMeanwhile() throws {
        var session = try AuctionSamples.Session()
        _ = try session.decided()
        var sample = DashboardSample(try session.underWay(), 120, 40)
        try sample.press("8 n a")
        #expect(sample.effects.isEmpty && sample.state.toasts.map(\.text) == ["auction 2 is still running"])
        try sample.press("+")
        #expect(sample.effects == [.auction(.changePrice(candidate: 1, byCents: 1))])
        try sample.press("f")
        #expect(sample.state.confirmation == .fireNotices(auction: 1, count: 1, hosts: ["dsp.example"]))
        sample.snapshot = try session.decided()
        sample.send(.snapshotArrived)
        try sample.press("y")
        #expect(sample.effects.isEmpty && sample.state.confirmation == nil)
        #expect(
            sample.state.toasts.last?.text == "a newer auction has been decided: nothing was sent; press $ again")
        try sample.press("f y")
        #expect(sample.effects.last == .auction(.fireNotices))
    }

    @Test("a frozen screen changes no prices of a later auction")
    func frozen() throws {
        var session = try AuctionSamples.Session()
        var sample = DashboardSample(try session.decided(), 120, 40)
        try sample.press("8 Z")
        sample.snapshot = try session.underWay()
        sample.send(.snapshotArrived)
        try sample.press("+")
        #expect(sample.effects == [.auction(.changePrice(candidate: 1, byCents: 1))])
        sample.snapshot = try session.decided()
        sample.send(.snapshotArrived)
        try sample.press("+")
        #expect(sample.effects.isEmpty)
        #expect(sample.state.toasts.last?.text == "a newer auction has been decided; old prices cannot be changed")
    }

    @Test("the cursor starts at the first keyword, wherever it was")
    func keywordsBegin() throws {
        var sample = DashboardSample(try AuctionSamples.snapshot(AuctionSamples.prebid), 80, 24)
        try sample.press("8 G K")
        #expect(sample.state.views.auction.list.model.selectedRow == 0 && sample.state.views.auction.list.offset == 0)
        let keywords = sample.state.views.auction.list.model.count
        try sample.press("K")
        #expect(
            sample.state.views.auction.list.model.selected == .candidate(0)
                && sample.state.views.auction.list.model.count != keywords)
    }

    @Test("what-if is shown, and its notices are never sent")
    func whatIf() throws {
        let snapshot = try AuctionSamples.snapshot(AuctionSamples.bidder, changes: [3: 11])
        var sample = DashboardSample(snapshot, 120, 40)
        try sample.press("8")
        #expect(text(sample).contains("WHAT IF"))
        #expect(text(sample).contains("2.51*"))
        #expect(sample.state.views.auction.list.model.selected == .candidate(3), "the line item wins now")
        try sample.press("f")
        #expect(sample.state.confirmation == nil)
    }

    @Test("creatives that can be cached have rows and a detail")
    func warm() throws {
        var sample = try sample(AuctionSamples.prebid, 160, 40)
        #expect(text(sample).contains("warm       0a6f0a3e  8 B  not cached: this session has no cache"))
        let row = try #require(sample.state.views.auction.list.model.rows.firstIndex(of: .warm(0)))
        try sample.press(
            Array(repeating: "j", count: row - sample.state.views.auction.list.model.selectedRow).joined(separator: " ")
        )
        #expect(sample.state.views.auction.list.model.selected == .warm(0))
        #expect(text(sample).contains("https://far.example/c?uuid=0a6f0a3e"))
        #expect(text(sample).contains("[2] Creative"))
    }

    @Test("K shows the targeting keys as sent, and marks buckets that differ from the exact ones")
    func targetingKeys() throws {
        var sample = try sample(AuctionSamples.prebid.replacing(#""price": 2,"#, with: #""price": 2.17,"#))
        try sample.press("K")
        #expect(text(sample).contains("hb_pb                   2.00  ! exact 2.10"))
        #expect(text(sample).contains("hb_cache_host           far.example"))
        try sample.press("K")
        #expect(!text(sample).contains("hb_cache_host"))
    }

    @Test("text from outside cannot reach the terminal raw")
    func hostile() throws {
        let screen = text(try sample(AuctionSamples.noFill))
        #expect(!screen.contains("\u{1B}") && !screen.contains("\u{202E}"))
        #expect(screen.contains("no fill"))
    }

    @Test("without an auction the view shows how to add one")
    func absent() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("8")
        #expect(text(sample).contains("--auction FILE adds one"))
        try sample.press("- K")
        #expect(sample.effects.isEmpty)
    }

    @Test("in other views its keys name their view")
    func elsewhere() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("$")
        #expect(sample.state.toasts.last?.text.contains("press 8") == true)
        try sample.press("n +")
        #expect(sample.state.isZoomed)
    }

    @Test("any size draws")
    func anySize() throws {
        for (columns, rows) in [(0, 0), (1, 1), (20, 5), (39, 7), (60, 20), (500, 3)] {
            let grid = try sample(AuctionSamples.bidder, columns, rows).frame.grid
            #expect(grid.size == Size(columns: columns, rows: rows))
        }
    }
}
