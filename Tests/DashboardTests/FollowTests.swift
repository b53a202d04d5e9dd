import Ports
import Testing

@testable import Dashboard
@testable import Session

@Suite struct FollowTests {
    private let onAir = NodePath(breakID: "break-B2")
    private let ad = NodePath(breakID: "break-B2", adID: "brandx-summer-id")

    @Test("the ad on air is unfolded and its newest event selected")
    func opens() {
        let sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        #expect(sample.state.views.breaks.tree.expanded == [onAir, ad])
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)?.eventID
                == "A2-thirdQuartile")
    }

    @Test("a break folds by itself two seconds after its end, not before", arguments: [(1_900, true), (2_000, false)])
    func folds(_ milliseconds: Int, _ isOpen: Bool) {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.snapshot.breaks[1].isOnAir = false
        sample.snapshot.breaks[1].hasEnded = true
        sample.snapshot.breaks[1].ads[1].isOnAir = false
        sample.snapshot.playhead.limitStream = nil
        sample.snapshot.playhead.date = SnapshotSamples.at(12, 41, 31.2) + .milliseconds(milliseconds)
        sample.snapshot.at = sample.now
        sample.send(.snapshotArrived)
        #expect(sample.state.views.breaks.tree.expanded.contains(onAir) == isOpen)
    }

    @Test("the playhead moves on between snapshots: a tick folds too")
    func ticks() {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.snapshot.breaks[1].isOnAir = false
        sample.snapshot.breaks[1].ads[1].isOnAir = false
        sample.snapshot.playhead.limitStream = nil
        sample.snapshot.playhead.date = SnapshotSamples.at(12, 41, 31.2)
        sample.snapshot.at = sample.now
        sample.send(.snapshotArrived)
        #expect(sample.state.views.breaks.tree.expanded.contains(onAir))
        sample.now = sample.now.advanced(by: .seconds(2))
        sample.send(.ticked)
        #expect(!sample.state.views.breaks.tree.expanded.contains(onAir))
    }

    @Test("nodes that the user folds or unfolds stay so")
    func userWins() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("g } h F")
        sample.send(.snapshotArrived)
        #expect(!sample.state.views.breaks.tree.expanded.contains(onAir))
        try sample.press("g l F")
        sample.now = sample.now.advanced(by: .seconds(600))
        sample.send(.ticked)
        #expect(sample.state.views.breaks.tree.expanded.contains(NodePath(breakID: "break-B1")))
    }

    @Test("moving by hand ends following, F starts it again")
    func suspends() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("k")
        #expect(!sample.state.views.breaks.tree.follows)
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)?.eventID
                == "A2-midpoint")
        try sample.press("F")
        #expect(sample.state.views.breaks.tree.follows)
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)?.eventID
                == "A2-thirdQuartile")
    }

    @Test("between breaks the next one is selected")
    func between() {
        let sample = DashboardSample(SnapshotSamples.preRoll, 120, 40)
        #expect(
            sample.state.views.breaks.model.path(at: sample.state.views.breaks.model.selectedRow)
                == NodePath(breakID: "break-B3"))
    }
}
