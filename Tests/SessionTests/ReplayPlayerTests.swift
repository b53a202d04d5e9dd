import AdTracking
import Ports
import Session
import TestSupport
import Testing

@Suite struct ReplayPlayerTests {
    private static let real: Duration = .seconds(5_000)

    /// Inputs at 10, 12, 12, 15 and 20 s of uptime.
    private static func player(from start: Duration = .seconds(10), speed: Double = 1) throws -> ReplayPlayer {
        let inputs = [10, 12, 12, 15, 20].map { second in
            RecordedInput(
                input: second == 10 ? .started : .woke,
                at: Moment(wall: FakeOrigin.start + .seconds(second - 10), uptime: .seconds(second)))
        }
        let recording = Recording(configuration: .init(mediaURL: try WebURL("http://127.0.0.1/a")), inputs: inputs)
        return ReplayPlayer(Replay(recording), from: start, speed: speed, real: real)
    }

    private static func uptime(_ player: ReplayPlayer, after seconds: Double = 0) -> Duration {
        player.course.now(real + .seconds(seconds)).uptime
    }

    @Test func playsAtItsSpeed() throws {
        var player = try Self.player(speed: 2)
        #expect(player.next == .seconds(12))
        player.advance(real: Self.real + .seconds(0.9))
        #expect(player.replay.position == 1)
        player.advance(real: Self.real + .seconds(1))
        #expect(player.replay.position == 3)
        #expect(player.next == .seconds(15))
        player.advance(real: Self.real + .seconds(60))
        #expect(player.next == nil)
    }

    @Test func stepsWithItsSpeed() throws {
        let replay = try Self.player().replay
        var player = ReplayPlayer(replay, after: 3, speed: 2, real: Self.real)
        #expect(player.course.isPaused && Self.uptime(player, after: 60) == .seconds(12))
        _ = player.take(.playerCommanded(.play), real: Self.real)
        #expect(Self.uptime(player, after: 1) == .seconds(14))
    }

    /// Nothing comes after the last input: the clock stops there, and a seek back starts there.
    @Test func theClockStopsAtTheEnd() throws {
        var player = try Self.player(speed: 2)
        #expect(Self.uptime(player, after: 4.9) < .seconds(20))
        for seconds in [5.0, 6, 3_600] {
            #expect(Self.uptime(player, after: seconds) == .seconds(20))
            player.advance(real: Self.real + .seconds(seconds))
            let view = try #require(player.snapshot(real: Self.real + .seconds(seconds)).replay)
            #expect(view.isOver && view.isStopped)
        }
        #expect(player.snapshot(real: Self.real + .seconds(3_600)).at.wall == FakeOrigin.start + .seconds(10))
        _ = player.take(.playerCommanded(.seek(.by(.seconds(-5)))), real: Self.real + .seconds(3_600))
        #expect(Self.uptime(player, after: 3_600) == .seconds(15))
        #expect(Self.uptime(player, after: 3_601) == .seconds(17))
        #expect(player.snapshot(real: Self.real + .seconds(3_600)).replay?.isStopped == false)
    }

    @Test func marksAreThoseOfTheWholeRecordingAtEveryPosition() throws {
        var session = try MonitorHarness.ran()
        let breaks = session.snapshot().breaks
        let recording = Recording(configuration: session.state.configuration, inputs: session.inputs)
        let span = try #require(Replay(recording).span)
        var first: ReplayView?
        for start in [span.lowerBound, span.lowerBound + .seconds(30), span.upperBound] {
            var player = ReplayPlayer(Replay(recording), from: start, real: Self.real)
            let view = try #require(player.snapshot(real: Self.real).replay)
            #expect(view.span == span && view.count == recording.inputs.count)
            #expect(view.offset(at: player.course.now(Self.real)) == start - span.lowerBound)
            #expect(view.marks.count { $0.kind == .adBreak } == breaks.count && breaks.count == 2)
            #expect(view.marks.allSatisfy { .zero <= $0.offset && $0.offset <= view.length })
            #expect(first.map { $0.marks == view.marks } ?? true)
            first = first ?? view
        }
    }

    @Test func aSnapshotKnowsTheCourse() throws {
        var player = try Self.player(speed: 2)
        #expect(player.snapshot(real: Self.real).replay?.isPaused == false)
        _ = player.take(.playerCommanded(.pause), real: Self.real + .seconds(1))
        let view = try #require(player.snapshot(real: Self.real + .seconds(1)).replay)
        #expect(view.isPaused && view.speed == 2 && view.length == .seconds(10))
    }

    @Test func aPauseHoldsThePositionAndPlayResumesThere() throws {
        var player = try Self.player()
        #expect(player.take(.playerCommanded(.pause), real: Self.real + .seconds(3))?.isGood == true)
        #expect(player.course.isPaused)
        #expect(player.replay.position == 3)
        player.advance(real: Self.real + .seconds(100))
        #expect(player.replay.position == 3)
        #expect(Self.uptime(player, after: 100) == .seconds(13))
        _ = player.take(.toggled(.pause), real: Self.real + .seconds(100))
        #expect(Self.uptime(player, after: 102) == .seconds(15))
        player.advance(real: Self.real + .seconds(102))
        #expect(player.replay.position == 4)
    }

    @Test func aRateChangesWhatIsToCome() throws {
        var player = try Self.player()
        _ = player.take(.playerCommanded(.setRate(0.5)), real: Self.real + .seconds(2))
        #expect(Self.uptime(player, after: 2) == .seconds(12))
        #expect(Self.uptime(player, after: 4) == .seconds(13))
        #expect(player.take(.playerCommanded(.setRate(0)), real: Self.real)?.isGood == false)
        #expect(player.take(.playerCommanded(.setRate(1_001)), real: Self.real)?.isGood == false)
        #expect(player.course.speed == 0.5)
    }

    @Test(arguments: [
        (SeekTarget.live, 20, 5), (.by(.seconds(-2)), 11, 1), (.by(.seconds(2)), 15, 4), (.by(.seconds(-900)), 10, 1),
        (.by(.seconds(900)), 20, 5), (.date(FakeOrigin.start + .seconds(2)), 12, 3),
        (.date(FakeOrigin.start + .seconds(900)), 20, 5), (.date(FakeOrigin.start - .seconds(900)), 10, 1),
    ])
    func aSeekEndsWithinTheRecording(target: SeekTarget, uptime: Int, position: Int) throws {
        var player = try Self.player(from: .seconds(13))
        #expect(player.take(.playerCommanded(.seek(target)), real: Self.real)?.isGood == true)
        #expect(Self.uptime(player) == .seconds(uptime))
        #expect(player.replay.position == position)
        #expect(!player.course.isPaused)
    }

    /// Two inputs of one moment are two steps.
    @Test func aStepIsOneInput() throws {
        var player = try Self.player()
        for (position, uptime) in [(2, 12), (3, 12), (4, 15), (5, 20), (5, 20)] {
            _ = player.step(by: 1, real: Self.real)
            #expect(player.replay.position == position)
            #expect(Self.uptime(player, after: 50) == .seconds(uptime))
            #expect(player.course.isPaused)
        }
        let notice = player.step(by: -3, real: Self.real)
        #expect(notice.text == "paused at 0:02.0 of 0:10.0, step 2 of 5: timer")
        #expect(player.replay.position == 2)
        player.advance(real: Self.real + .seconds(50))
        #expect(player.replay.position == 2)
        _ = player.step(by: .min, real: Self.real)
        #expect(player.replay.position == 0)
        _ = player.step(by: .max, real: Self.real)
        #expect(player.replay.position == 5)
    }

    @Test func atTheEndTheNoticeDoesNotReportThatItPlays() throws {
        var player = try Self.player(from: .seconds(13))
        let end = player.take(.playerCommanded(.seek(.live)), real: Self.real)
        #expect(end?.text.hasPrefix("ended at 0:10.0 of 0:10.0, step 5 of 5") == true, "\(end?.text ?? "")")
        let back = player.take(.playerCommanded(.seek(.by(.seconds(-2)))), real: Self.real)
        #expect(back?.text.hasPrefix("playing at 0:08.0 of 0:10.0") == true, "\(back?.text ?? "")")
    }

    @Test func theInputsHaveWordsForPeople() {
        #expect(Input.fetched(RequestID(1), HTTPExchange()).words == "answer to a request")
        #expect(Input.stopped.words == "end of the session")
        #expect(Input.claimsWritten([]).words == "claims written")
    }

    @Test func aStepStartsAtTheCurrentInput() throws {
        var player = try Self.player()
        let notice = player.step(by: 1, real: Self.real + .seconds(2.5))
        #expect(player.replay.position == 4)
        #expect(notice.text == "paused at 0:05.0 of 0:10.0, step 4 of 5: timer")
        _ = player.take(.playerCommanded(.play), real: Self.real + .seconds(60))
        #expect(Self.uptime(player, after: 61) == .seconds(16))
    }

    @Test func nothingElseCanBeDone() throws {
        var player = try Self.player()
        let before = player.course
        for input in [Input.toggled(.mute), .modeChosen(.fire), .retryAsked(.allFailed), .stopped, .logCleared] {
            #expect(player.take(input, real: Self.real)?.isGood == false)
        }
        #expect(player.course == before)
        #expect(player.replay.position == 1)
    }

    /// From any position it shows the same as a replay from the start.
    @Test(arguments: 0..<3 as Range<UInt64>) func aSeekShowsWhatPlayingToThereShows(seed: UInt64) throws {
        var session = try MonitorHarness(
            FakeOrigin(breaks: [.init(id: "b", ads: [.init("a", start: 70_000, duration: 20_000)])])
        ) {
            $0.seed = seed
        }
        session.start()
        session.run(for: .seconds(60))
        let recording = try session.recorded(.none)
        var player = ReplayPlayer(Replay(recording), from: .zero, real: Self.real)
        let span = try #require(player.replay.span)
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let target = span.lowerBound + .milliseconds(Int64(random.next() % 62_000))
            let distance = target - Self.uptime(player)
            _ = player.take(.playerCommanded(.seek(.by(distance))), real: Self.real)
            if random.next() % 3 == 0 {
                _ = player.step(by: Int(random.next() % 9) - 4, real: Self.real)
                _ = player.take(.playerCommanded(.play), real: Self.real)
            }
            var fresh = Replay(recording)
            fresh.move(to: player.replay.position)
            #expect(
                PropertyTests.text(player.snapshot(real: Self.real))
                    == PropertyTests.text(fresh.snapshot(at: player.course.now(Self.real))), "seed \(seed)")
        }
    }
}
