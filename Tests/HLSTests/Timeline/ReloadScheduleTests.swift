import HLS
import Ports
import Testing

/// When to request the playlist again (HLS-8) and when it is stale (HLS-9).
@Suite struct ReloadScheduleTests {
    private func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }

    /// Seconds from the request, made at second 100, to the next one.
    private func delay(
        after outcome: ReloadOutcome, on timeline: Timeline, schedule: inout ReloadSchedule, answered: Double = 100,
        retryAfter: Duration? = nil
    ) -> Double? {
        _ = schedule.noteAnswer(
            outcome, timeline: timeline, requested: moment(100), answered: moment(answered),
            delivery: ReloadSchedule.Delivery(retryAfter: retryAfter))
        return schedule.nextReload.map { ($0.uptime - .seconds(100)).inSeconds }
    }

    private let live = folded(listing(0, [6, 6, 4.5], date: 0))

    @Test func afterAChangeTheDurationOfTheLastSegment() {
        var schedule = ReloadSchedule()
        #expect(delay(after: .changed, on: live, schedule: &schedule) == 4.5)
    }

    /// A server that breaks its target duration has nothing new before the segment is over, either.
    @Test(arguments: [6.4, 7.2, 20]) func aLastSegmentBeyondTheTargetDurationCountsInFull(seconds: Double) {
        var schedule = ReloadSchedule()
        let timeline = folded(listing(0, [6, 6, seconds], date: 0, target: 6))
        #expect(delay(after: .changed, on: timeline, schedule: &schedule) == seconds)
    }

    @Test func afterNoChangeHalfTheTargetDuration() {
        var schedule = ReloadSchedule()
        #expect(delay(after: .unchanged, on: live, schedule: &schedule) == 3)
    }

    /// One answer with lengths in milliseconds must not end the reloads.
    @Test func lengthsInAnotherUnitDoNotStopTheReloads() {
        var schedule = ReloadSchedule()
        let segment = folded(listing(0, [6, 6, 6_000], date: 0))
        #expect(delay(after: .changed, on: segment, schedule: &schedule) == 6)
        let target = folded(listing(0, [6, 6, 6], date: 0, target: 6_000))
        #expect(delay(after: .changed, on: target, schedule: &schedule) == 6)
        #expect(delay(after: .unchanged, on: target, schedule: &schedule) == 30)
        let both = folded(listing(0, [6_000, 6_000, 6_000], date: 0, target: 6_000))
        #expect(delay(after: .changed, on: both, schedule: &schedule) == 60)
        #expect(delay(after: .error, on: both, schedule: &schedule) == 1)
    }

    @Test func errorsDoubleUpToTheTargetDuration() {
        var schedule = ReloadSchedule()
        let delays = (0..<5).map { _ in delay(after: .error, on: live, schedule: &schedule) }
        #expect(delays == [1, 2, 4, 6, 6])
        #expect(schedule.consecutiveErrors == 5)
        #expect(delay(after: .unchanged, on: live, schedule: &schedule) == 3)
        #expect(delay(after: .invalid, on: live, schedule: &schedule) == 1, "a good answer starts the count anew")
    }

    /// A wait in vain has passed already: the next request comes at once, twice in a row.
    @Test func timeoutsAreRepeatedAtOnce() throws {
        var schedule = ReloadSchedule()
        var waits: [Duration] = []
        for number in 0..<4 {
            let requested = Moment(wall: epochDate, uptime: .seconds(100 * number))
            let answered = requested.advanced(by: .seconds(10))
            _ = schedule.noteAnswer(
                .error, timeline: folded(steady(0)), requested: requested, answered: answered,
                delivery: .init(isTimeout: number != 3))
            waits.append(try #require(schedule.nextReload).uptime - requested.uptime)
        }
        // The third one waits as after any error, but not before its answer; an error that comes late does, too.
        #expect(waits == [.seconds(10), .seconds(10), .seconds(10), .seconds(10)])
        var prompt = ReloadSchedule()
        let now = Moment(wall: epochDate, uptime: .seconds(50))
        for (isTimeout, expected) in [(true, 0.0), (true, 0), (true, 4), (false, 6), (true, 0)] {
            _ = prompt.noteAnswer(
                .error, timeline: folded(steady(0)), requested: now, answered: now,
                delivery: .init(isTimeout: isTimeout))
            #expect((try #require(prompt.nextReload).uptime - now.uptime).inSeconds == expected)
        }
    }

    @Test func errorsBeforeTheFirstPlaylistHaveTheirOwnLimit() {
        var schedule = ReloadSchedule()
        let delays = (0..<6).map { _ in delay(after: .error, on: Timeline(), schedule: &schedule) }
        #expect(delays == [1, 2, 4, 8, 8, 8])
    }

    @Test func retryAfterIsHonouredWithinReason() {
        var schedule = ReloadSchedule()
        #expect(delay(after: .error, on: live, schedule: &schedule, retryAfter: .seconds(30)) == 30)
        #expect(delay(after: .error, on: live, schedule: &schedule, retryAfter: .seconds(86_400)) == 300)
        #expect(
            delay(after: .error, on: live, schedule: &schedule, retryAfter: .zero) == 4, "never sooner than without it")
    }

    /// The pause begins with the answer, and jitter does not shorten it (RFC 9110 section 10.2.3).
    @Test func thePauseOfTheServerIsKeptInFull() {
        for seed in 0..<20 {
            var schedule = ReloadSchedule(jitterSeed: UInt64(seed))
            let delay = delay(after: .error, on: live, schedule: &schedule, answered: 105, retryAfter: .seconds(30))
            #expect(delay == 35, "seed \(seed)")
        }
    }

    @Test func aSlowAnswerIsFollowedAtOnce() {
        var schedule = ReloadSchedule()
        #expect(delay(after: .changed, on: live, schedule: &schedule, answered: 109) == 9)
    }

    @Test func nothingMoreIsAskedAfterTheEnd() {
        var schedule = ReloadSchedule()
        #expect(delay(after: .changed, on: folded(steady(0) { $0.hasEndList = true }), schedule: &schedule) == nil)
        #expect(delay(after: .changed, on: folded(steady(0) { $0.playlistType = .vod }), schedule: &schedule) == nil)
    }

    @Test func aBlockingServerIsAskedAtOnceUnlessNothingChanged() {
        var timeline = Timeline(prefersLowLatency: true)
        _ = timeline.fold(
            steady(0) {
                $0.partTarget = .seconds(1)
                $0.serverControl = ServerControl(canBlockReload: true)
            })
        var schedule = ReloadSchedule()
        #expect(delay(after: .changed, on: timeline, schedule: &schedule) == 0)
        #expect(delay(after: .unchanged, on: timeline, schedule: &schedule) == 3)
        #expect(delay(after: .deltaIncomplete, on: timeline, schedule: &schedule) == 0)
        #expect(
            delay(after: .deltaIncomplete, on: timeline, schedule: &schedule) == 1, "a second one in a row is an error")
        var patient = ReloadSchedule(minimumDelay: .milliseconds(200))
        #expect(delay(after: .changed, on: timeline, schedule: &patient) == 0.2)
    }

    @Test func jitterStaysWithinItsSpread() throws {
        var schedule = ReloadSchedule(jitterSeed: 7)
        var other = ReloadSchedule(jitterSeed: 7)
        let delays = try (0..<50).map { _ in try #require(delay(after: .unchanged, on: live, schedule: &schedule)) }
        #expect(delays.allSatisfy { $0 >= 2.85 && $0 <= 3.15 })
        #expect(Set(delays).count > 10)
        #expect(
            delay(after: .unchanged, on: live, schedule: &other) == delays[0], "the same seed gives the same delays")
    }

    @Test(
        arguments: [
            (8.9, []), (9, ["stale-playlist"]), (21, ["stale-playlist"]), (21.1, ["playlist-stuck"]),
        ] as [(Double, [String])])
    func staleness(_ given: (age: Double, rules: [String])) {
        var schedule = ReloadSchedule()
        #expect(
            schedule.noteAnswer(.changed, hasAdvanced: true, timeline: live, requested: moment(0), answered: moment(0))
                .isEmpty)
        for outcome in [ReloadOutcome.unchanged, .error, .invalid] {
            let findings = schedule.noteAnswer(
                outcome, timeline: live, requested: moment(given.age), answered: moment(given.age))
            #expect(findings.map(\.rule) == given.rules)
        }
    }

    /// Before any playlist was read no target duration is known.
    @Test func withoutAnyPlaylistAStreamIsStuckAfter21Seconds() {
        var schedule = ReloadSchedule()
        let empty = Timeline()
        #expect(schedule.stuckUptime(timeline: empty) == nil, "nothing was requested yet")
        for second in [100.0, 101, 103] {
            _ = schedule.noteAnswer(
                .error, timeline: empty, requested: moment(second), answered: moment(second + 0.5))
        }
        #expect(schedule.stuckUptime(timeline: empty) == .seconds(121))
        _ = schedule.noteAnswer(
            .changed, hasAdvanced: true, timeline: live, requested: moment(107), answered: moment(107))
        #expect(schedule.stuckUptime(timeline: live) == .seconds(128) + .microseconds(1))
    }

    @Test func anAgeIsCutAndALengthIsAsWritten() {
        var schedule = ReloadSchedule()
        _ = schedule.noteAnswer(.changed, hasAdvanced: true, timeline: live, requested: moment(0), answered: moment(0))
        let findings = schedule.noteAnswer(
            .unchanged, timeline: live, requested: moment(11.873465), answered: moment(11.873465))
        #expect(findings.map(\.message) == ["no new media for 11.8 s with a target duration of 6 s"])
    }

    @Test func newDateRangesDoNotKeepAPlaylistFresh() {
        var schedule = ReloadSchedule()
        _ = schedule.noteAnswer(.changed, hasAdvanced: true, timeline: live, requested: moment(0), answered: moment(0))
        _ = schedule.noteAnswer(.changed, hasAdvanced: false, timeline: live, requested: moment(6), answered: moment(6))
        let findings = schedule.noteAnswer(.unchanged, timeline: live, requested: moment(9), answered: moment(9))
        #expect(findings.map(\.rule) == ["stale-playlist"])
    }
}
