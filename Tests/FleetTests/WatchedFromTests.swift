import Fleet
import Testing

/// From where on a successor claims (FLT-15). The viewer is at second 100 when it is taken.
@Suite struct WatchedFromTests {
    private static func viewer(played: Int? = nil) -> StoreAnswer.TakenViewer {
        var viewer = StoreAnswer.TakenViewer(
            id: ViewerEpoch(viewer: 1, epoch: 2), dueFrom: nil, playhead: .seconds(100))
        viewer.playedSince = played.map { .seconds($0) }
        return viewer
    }

    /// An agent that gives a viewer says where it left it.
    @Test(arguments: [(90, 90), (40, 40), (39, 100), (120, 100)]) func aGivenViewerGoesOnWhereItWasLeft(
        _ left: Int, _ from: Int
    ) {
        for viewer in [Self.viewer(), Self.viewer(played: 5)] {
            for isContinued in [true, false] {
                #expect(viewer.watchedFrom(leftAt: .seconds(left), isContinued: isContinued) == .seconds(from))
            }
        }
    }

    /// After a kill all is known up to the playhead that was saved last.
    @Test(arguments: [(25, 75), (60, 40), (61, 100), (0, 100)]) func aKilledViewerGoesOnAtItsSavedPlayhead(
        _ played: Int, _ from: Int
    ) {
        let viewer = Self.viewer(played: played)
        #expect(viewer.watchedFrom(leftAt: nil, isContinued: true) == .seconds(from))
        #expect(viewer.watchedFrom(leftAt: nil, isContinued: false) == .seconds(100))
    }

    @Test func aViewerThatDidNotPlayGoesOnWhereItIs() {
        #expect(Self.viewer().watchedFrom(leftAt: nil, isContinued: true) == .seconds(100))
        let new = StoreAnswer.TakenViewer(id: ViewerEpoch(viewer: 1, epoch: 1), dueFrom: nil, playhead: nil)
        #expect(new.watchedFrom(leftAt: .seconds(5), isContinued: true) == nil)
    }

    /// The same motion, from an earlier moment.
    @Test(arguments: [1, 2, 0] as [Double]) func aPlayheadIsHeldBeforeWhatIsUndecided(rate: Double) {
        let head = PlayheadReading(media: .seconds(100), readAt: .seconds(50), rate: rate)
        let held = head.held(to: .seconds(90))
        #expect(held.media == .seconds(90) && held.rate == rate)
        #expect(held.readAt == (rate == 0 ? .seconds(50) : .seconds(50) - .seconds(10) / rate))
        #expect(head.held(to: .seconds(110)) == head && head.held(to: .seconds(39)) == head)
    }
}
