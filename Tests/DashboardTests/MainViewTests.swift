import CreativeCache
import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// Views without the shell around them: an event with what they may know, and what they ask for.
@Suite struct MainViewTests {
    private static let rows = Rect(x: 1, y: 5, width: 60, height: 9)

    /// A turn of a view in that situation; `after` is the time since the snapshot.
    private func turn(
        _ snapshot: Snapshot, isFocused: Bool = true, after: Duration = .zero, isHeld: Bool = false
    ) -> ViewTurn {
        let now = SnapshotSamples.now.advanced(by: after)
        return ViewTurn(
            Scene(snapshot, held: nil, now: now), rows: Self.rows, isFocused: isFocused, isHeld: isHeld)
    }

    @Test func theCacheDeletesAllAtTheSecondPressOnly() {
        var view = CachePane()
        let purge = KeyPress(.char("D"))
        var first = turn(CacheSamples.full)
        view.refresh(breaks: TreePane(), &first)
        #expect(view.take(purge, &first) == [])
        #expect(first.requests == [.toast("press D again to delete all creatives", isGood: true)])
        var late = turn(CacheSamples.full, after: .seconds(4))
        #expect(view.take(purge, &late) == [] && late.requests == first.requests)
        var second = turn(CacheSamples.full, after: .seconds(5))
        #expect(view.take(purge, &second) == [.cache(.purge)] && second.requests.isEmpty)
    }

    @Test func keysOfAViewWithoutFocusHaveTheirUsualMeaning() {
        var cache = CachePane()
        var other = turn(CacheSamples.full, isFocused: false)
        #expect(cache.take(KeyPress(.char("D")), &other) == nil)
        var auction = AuctionPane()
        #expect(auction.perform(.priceDown, key: nil, &other) == nil)
        #expect(other.requests.isEmpty)
    }

    @Test func theBreaksShowAFailedEventWithItsParentsUnfolded() throws {
        var view = TreePane()
        view.fit(SnapshotSamples.midBreak)
        let path = try #require(view.nextFailedEvent)
        #expect(path.depth == 2)
        var turn = turn(SnapshotSamples.midBreak)
        view.reveal(path, &turn)
        view.settle(changedFrom: TreeState(), &turn)
        #expect(view.model.path(at: view.model.selectedRow) == path && !view.tree.follows)
        #expect(turn.requests == [.restartDetail])
    }

    @Test func aFrozenDisplayIsNotMovedByThePlayhead() {
        var (live, held) = (TreePane(), TreePane())
        var turns = (turn(SnapshotSamples.midBreak), turn(SnapshotSamples.midBreak, isHeld: true))
        live.settle(changedFrom: live.tree, &turns.0)
        held.settle(changedFrom: held.tree, &turns.1)
        #expect(live.tree.selection != nil && !live.tree.expanded.isEmpty)
        #expect(held.tree.selection == nil && held.tree.expanded.isEmpty && !held.model.rows.isEmpty)
    }

    @Test func theCreativeAsksForTheAdBesideTheOneThatItShows() {
        var breaks = TreePane()
        breaks.fit(SnapshotSamples.midBreak)
        var view = CreativePane()
        var turn = turn(SnapshotSamples.midBreak)
        view.refresh(breaks: breaks, &turn)
        #expect(view.list.model.subject == breaks.model.adUnderCursor)
        view.move(.right, &turn)
        view.selectBreak(-1, &turn)
        #expect(turn.requests == [.restartDetail, .selectAd(1), .selectBreak(-1)])
    }

    @Test func aListKeepsTheRowsInPlaceWhenFollowingEnds() {
        var view = PlaylistPane()
        var turn = turn(SnapshotSamples.midBreak)
        view.refresh(breaks: TreePane(), &turn)
        let before = view.list.viewport(height: Self.rows.height)
        view.move(.up, &turn)
        #expect(!view.list.follows && view.list.viewport(height: Self.rows.height).offset == before.offset)
    }
}
