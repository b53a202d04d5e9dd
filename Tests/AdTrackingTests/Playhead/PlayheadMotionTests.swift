import AdTracking
import HLS
import Ports
import TestSupport
import Testing

/// Changes without a command: stalls, ends, jumps, clocks (HLS-13).
@Suite struct PlayheadMotionTests {
    @Test func stallsAtTheExactInstantAndResumesWithoutCatchUp() throws {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        #expect(viewer.playhead.nextWake == .seconds(54))
        viewer.tick(60)
        #expect(viewer.reading.state == .stalled)
        #expect(viewer.changes.last == PlayheadChange(.stalled, at: .second(54)))
        #expect(viewer.segments.last?.toMoment == .second(54))
        #expect(viewer.reading.segmentSequence == nil && viewer.reading.behindEdge == .zero)
        viewer.reload(playlistText(1), at: 61)
        viewer.tick(63)
        #expect(viewer.playhead.position == .second(38))
        #expect(viewer.reading.latency == .seconds(25) && viewer.reading.drift == .seconds(7))
        #expect(viewer.ranges.count == 1, "a stall is not a jump")
    }

    @Test func endsWithTheLastSegment() {
        var viewer = Viewer()
        viewer.reload(playlistText(0, isComplete: true), at: 0)
        viewer.tick(100)
        #expect(viewer.changes.last == PlayheadChange(.ended, at: .second(36)))
        #expect(viewer.reading.state == .ended)
        viewer.note(viewer.playhead.seek(to: .second(30), at: .second(101), on: viewer.timeline))
        viewer.tick(103)
        #expect(viewer.reading.state == .playing && viewer.playhead.position == .second(32))
    }

    @Test func anEndThatComesDuringAStallEnds() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(60)
        viewer.reload(playlistText(0, isComplete: true), at: 61)
        #expect(viewer.reading.state == .ended)
    }

    @Test func theWindowPassesAStalledViewer() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.reload(playlistText(12), at: 108)
        #expect(viewer.playhead.position == .second(90))
        #expect(viewer.kinds.suffix(2) == [.fellBehind, .jumped(from: .second(36), to: .second(90))])
        viewer.tick(109)
        #expect(viewer.ranges.count == 2)
    }

    @Test func aResetJumpsToTheLiveTargetWithoutFinding() {
        var viewer = Viewer()
        viewer.reload(playlistText(100), at: 636)
        viewer.tick(700)
        viewer.reload(playlistText(0), at: 701)
        #expect(viewer.playhead.position == .second(36 + 18))
        #expect(!viewer.kinds.contains(.fellBehind))
    }

    @Test func datesThatJumpSplitWhatWasPlayed() {
        var viewer = Viewer()
        let jump = [4: "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(26).iso8601)"]
        viewer.reload(playlistText(0, before: jump), at: 36)
        viewer.tick(44)
        #expect(viewer.segments.map(\.fromDate) == [.second(18), .second(26)])
        #expect(viewer.segments.map(\.toDate) == [.second(24), .second(28)])
        #expect(viewer.segments.map(\.fromMoment) == [.second(36), .second(42)])
        #expect(viewer.segments.map(\.isContinuous) == [false, false])
    }

    @Test func datesThatRoundLeaveNoGap() {
        var viewer = Viewer()
        let rounded = [4: "#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(24.03).iso8601)"]
        viewer.reload(playlistText(0, before: rounded), at: 36)
        viewer.tick(42)
        viewer.tick(44)
        #expect(viewer.segments.map(\.isContinuous) == [false, true])
        #expect(viewer.segments[1].fromDate == viewer.segments[0].toDate)
        #expect(viewer.segments[1].toDate == .second(26.03))
    }

    @Test func theWallClockMayJump() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(38)
        viewer.tick(Moment(wall: .second(3_639), uptime: .seconds(39)))
        #expect(viewer.playhead.position == .second(21))
        #expect(viewer.reading.latency == .seconds(3_618))
        #expect(viewer.reading.drift == .zero)
        viewer.tick(Moment(wall: .second(-100), uptime: .seconds(39)))
        #expect(viewer.playhead.position == .second(21))
        #expect(viewer.reading.latency == .seconds(-121))
    }

    @Test func aGapInUptimePlaysUpToTheEdgeOnly() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(36 + 86_400)
        #expect(viewer.playhead.position == .second(36))
        #expect(viewer.ranges.count == 1)
    }

    @Test func uptimeNeverRunsBack() {
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.tick(40)
        viewer.tick(39)
        #expect(viewer.playhead.position == .second(22))
    }

    @Test func aReloadThatComesLateChangesNothingBeforeIt() {
        // The owner updates the timeline before the playhead: the part played up to the stall must be kept.
        var viewer = Viewer()
        viewer.reload(playlistText(0), at: 36)
        viewer.reload(playlistText(1), at: 100)
        viewer.tick(101)
        #expect(viewer.changes.map(\.kind) == [.joined(.second(18)), .stalled, .resumed])
        #expect(viewer.playhead.position == .second(37))
    }

    @Test func momentsOfDates() throws {
        var viewer = Viewer(start: .offset(.zero))
        viewer.reload(playlistText(0), at: 36)
        viewer.note(viewer.playhead.setRate(2, at: .second(36), on: viewer.timeline))
        viewer.tick(40)
        let played = try #require(viewer.segments.first)
        #expect(played.moment(showing: .second(3)) == .second(37.5))
        #expect(played.moment(showing: .second(9)) == nil)
        #expect(viewer.playhead.uptime(reaching: .second(10)) == .seconds(41))
        #expect(viewer.playhead.uptime(reaching: .second(40)) == nil, "not before a reload")
        #expect(viewer.playhead.uptime(reaching: .second(1)) == nil, "already passed")
    }

    @Test func theNumberOfTicksDoesNotMatter() {
        let seed: UInt64 = 0x7E57_0003
        var random = SplitMix64(seed: seed)
        for round in 0..<200 {
            let course = Course(&random)
            var sparse = Viewer()
            var dense = Viewer()
            for step in course.steps {
                sparse.perform(step)
                for tick in course.ticks(before: step.at, &random) { dense.tick(tick) }
                dense.perform(step)
            }
            #expect(dense.ranges == sparse.ranges, "seed \(seed), round \(round)")
            #expect(dense.changes == sparse.changes, "seed \(seed), round \(round)")
            #expect(dense.reading == sparse.reading, "seed \(seed), round \(round)")
        }
    }
}

/// A random session: reloads that may be late or skipped, with jumping and rounded dates, and commands.
private struct Course {
    enum Action {
        case reload(String)
        case pause, play, seekLive, end
        case seek(Double)
        case rate(Double)
    }

    struct Step {
        var at: Double
        var action: Action
    }

    var steps: [Step] = []

    init(_ random: inout SplitMix64) {
        var at = 36.0
        var first = 0
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            steps.append(Step(at: at, action: .reload(playlistText(first, before: Self.dates(first)))))
            at += Double(Int.random(in: 1...20, using: &random))
            if Bool.random(using: &random) { steps.append(Step(at: at, action: Self.command(&random))) }
            first += Int.random(in: 0...4, using: &random)
            at += Double(Int.random(in: 0...9_000, using: &random)) / 1_000
        }
        steps.append(Step(at: at + 30, action: .end))
    }

    private static func command(_ random: inout SplitMix64) -> Action {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .pause
        case 1: .play
        case 2: .seekLive
        case 3: .seek(Double(Int.random(in: 0...80, using: &random)))
        // Powers of two keep the arithmetic exact, so that results can be compared for equality.
        default: .rate([0.5, 1, 2, 4].randomElement(using: &random) ?? 1)
        }
    }

    /// A date for every segment, derived from its number so that reloads agree.
    private static func dates(_ first: Int) -> [Int: String] {
        let shifts = [0.04, 0, 0, -0.04, 0, 40, 40]
        var tags: [Int: String] = [:]
        for number in first..<(first + 6) {
            let date = Double(number) * 6 + shifts[number % shifts.count]
            tags[number] = "#EXT-X-PROGRAM-DATE-TIME:\(UnixTime.second(date).iso8601)"
        }
        return tags
    }

    func ticks(before end: Double, _ random: inout SplitMix64) -> [Double] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            end - Double(Int.random(in: 0...20_000, using: &random)) / 1_000
        }.sorted()
    }
}

extension Viewer {
    fileprivate mutating func perform(_ step: Course.Step) {
        let moment = Moment.second(step.at)
        switch step.action {
        case .reload(let text): reload(text, at: step.at)
        case .pause: note(playhead.pause(at: moment, on: timeline))
        case .play: note(playhead.play(at: moment, on: timeline))
        case .seekLive: note(playhead.seekLive(at: moment, on: timeline))
        case .seek(let target): note(playhead.seek(to: .second(target), at: moment, on: timeline))
        case .rate(let rate): note(playhead.setRate(rate, at: moment, on: timeline))
        case .end: tick(moment)
        }
    }
}
