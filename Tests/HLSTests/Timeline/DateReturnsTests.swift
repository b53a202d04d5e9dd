import HLS
import Ports
import Testing

/// Steps of PROGRAM-DATE-TIME behind which dates are shown a second time, and what begins there.
@Suite struct DateReturnsTests {
    private static let slack: Duration = .milliseconds(250)

    /// Eight segments of 6 s; at the fifth, at 24 s, the dates step.
    private static func stepped(
        by step: Double, discontinuity: Int? = nil, mark: (inout MediaPlaylist) -> Void = { _ in }
    ) -> Timeline {
        folded(
            steady(0, count: 8) { playlist in
                playlist.jumpDates(from: 4, by: step)
                if let discontinuity { playlist.segments[discontinuity].isDiscontinuity = true }
                mark(&playlist)
            })
    }

    private static func begins(_ timeline: Timeline, from place: Double = 0) -> [[UnixTime]] {
        timeline.dateReturns(from: .second(place), slack: slack).map(\.begins)
    }

    @Test func aStepBackNamesBothDates() {
        let returns = Self.stepped(by: -3).dateReturns(from: .second(0), slack: Self.slack)
        let expected = DateReturn(
            place: .second(24), end: .second(24), next: .second(21), begins: [.second(21)], listed: .second(24))
        #expect(returns == [expected])
    }

    @Test(arguments: [0.0, 0.25, 3, -0.25]) func otherStepsAreNone(by step: Double) {
        #expect(Self.begins(Self.stepped(by: step)).isEmpty)
    }

    /// Forward too, and only at the boundary of the two segments.
    @Test(arguments: [(-3.0, true), (3, true), (-300_000_000, true), (0, false), (0.25, false), (-0.25, false)])
    func theDateBeforeAStep(by step: Double, isStep: Bool) {
        let timeline = Self.stepped(by: step)
        #expect(timeline.dateBeforeStep(at: .second(24), slack: Self.slack) == (isStep ? .second(24) : nil))
        for place in [0, 18, 23.999, 24.001, 30, 48] {
            #expect(timeline.dateBeforeStep(at: .second(place), slack: Self.slack) == nil, "\(place)")
        }
    }

    /// A step where the viewer is was not played yet.
    @Test func onlyStepsAtThePlaceOrBehindItCount() {
        let timeline = Self.stepped(by: -3)
        #expect(Self.begins(timeline, from: 24).count == 1)
        #expect(Self.begins(timeline, from: 24.001).isEmpty)
    }

    /// Segments that begin at a date of their own, up to the date before the step.
    @Test func whatBeginsBehindTheStep() {
        #expect(Self.begins(Self.stepped(by: -9)) == [[.second(15), .second(21)]])
    }

    /// Both sides of the step have segments at 12 and 18 s: the step is a place where an ad may begin, the other is not known to be.
    @Test func whereBothSidesHaveASegmentTheStepCounts() {
        #expect(Self.begins(Self.stepped(by: -12)) == [[.second(12)]])
        #expect(Self.begins(Self.stepped(by: -12, discontinuity: 5)) == [[.second(12), .second(18)]])
    }

    /// A server may let every segment step back; the next steps are named when these are passed.
    @Test func onlyTheFirstStepsAreNamed() {
        var timeline = Timeline()
        let playlist = listing(0, Array(repeating: 6, count: 40), date: 0) { playlist in
            for index in playlist.segments.indices { playlist.segments[index].date = .second(Double(-index)) }
        }
        _ = timeline.fold(playlist)
        let returns = timeline.dateReturns(from: .second(0), slack: Self.slack)
        #expect(returns.count == Timeline.returnLimit)
        #expect(returns.first?.next == .second(-1))
        #expect(Self.begins(timeline, from: 6 * 38).count == 2)
    }

    /// The playlist lists what begins behind a step that was passed only later; dates that the media before it reaches are shown once.
    @Test func whatIsListedBehindAPassedStep() {
        func begins(_ timeline: Timeline, step: Double = 24, from place: Double, until end: Double = 24) -> [UnixTime] {
            timeline.begins(
                behindStepAt: .second(step), from: .second(place), until: .second(end), slack: Self.slack)
        }
        #expect(begins(Self.stepped(by: -9), from: 24) == [.second(21)])
        #expect(begins(Self.stepped(by: -12), from: 24).isEmpty)
        let marked = Self.stepped(by: -12, discontinuity: 5)
        #expect(begins(marked, from: 24) == [.second(18)])
        // The segment at the place counts, those before it do not.
        #expect(begins(marked, from: 35) == [.second(18)])
        #expect(begins(marked, from: 36).isEmpty)
        // The step is not kept any more, nor is what came before it.
        #expect(begins(Self.stepped(by: 0), step: -6, from: 12) == [.second(12), .second(18)])
    }

    /// Behind the step 24 s of media are listed.
    @Test(arguments: [(-3.0, 24.0), (-24, 24), (-30, 18), (-300, -252)])
    func howFarThePlaylistListsWhatComesAgain(by step: Double, _ listed: Double) {
        let timeline = Self.stepped(by: step)
        #expect(timeline.dateReturns(from: .second(0), slack: Self.slack).map(\.listed) == [.second(listed)])
        #expect(
            timeline.listed(behindStepAt: .second(24), from: .second(30), until: .second(24), slack: Self.slack)
                == .second(listed))
    }

    /// Behind another step, whether back or forward, no more of these dates follows.
    @Test(arguments: [-60.0, 600]) func anotherStepEndsWhatComesAgain(by step: Double) {
        let timeline = Self.stepped(by: -300) { $0.jumpDates(from: 6, by: step) }
        #expect(timeline.dateReturns(from: .second(0), slack: Self.slack).first?.listed == .second(24))
    }

    /// What begins at a discontinuity before the step is that.
    @Test func aDiscontinuityBeforeTheStepKeepsItsDate() {
        #expect(Self.begins(Self.stepped(by: -12, discontinuity: 2)) == [[]])
    }
}
