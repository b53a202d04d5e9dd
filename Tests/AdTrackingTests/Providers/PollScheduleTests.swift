import AdTracking
import Ports
import Testing

/// When metadata is asked for (TRK-20).
@Suite struct PollScheduleTests {
    /// Longest distance of two requests of a schedule with a 4 s interval: twice that, and the jitter.
    static let longest: Duration = .milliseconds(8_400)

    /// The uptimes of the requests within `span`, each ending as `end` says.
    private static func requests(
        _ schedule: PollSchedule, for span: Duration, end: (Duration, inout PollSchedule, Moment) -> Duration
    ) -> [Duration] {
        var schedule = schedule
        var now = Moment(wall: .ms(0), uptime: .zero)
        var starts: [Duration] = []
        schedule.started(at: now)
        while let next = schedule.nextPollAt, next <= span {
            now = now.advanced(by: next - now.uptime)
            guard schedule.shouldPoll(at: now) else { break }
            starts.append(now.uptime)
            let length = end(now.uptime, &schedule, now)
            now = now.advanced(by: length)
            if length < schedule.timeout {
                schedule.failed(at: now)
            } else {
                schedule.failed(isTimeout: true, at: now)
            }
        }
        return starts
    }

    private static func distances(_ starts: [Duration]) -> [Duration] {
        zip(starts.dropFirst(), starts).map { $0 - $1 }
    }

    @Test(arguments: [Duration.seconds(2), .seconds(4), .seconds(10)])
    func failuresHalveTheRateAndNoMore(interval: Duration) {
        let schedule = PollSchedule(interval: interval, seed: 3)
        let starts = Self.requests(schedule, for: .seconds(120)) { _, _, _ in .milliseconds(20) }
        for distance in Self.distances(starts) { #expect(distance <= interval * 2.1, "\(starts)") }
        for distance in Self.distances(starts).dropFirst(2) { #expect(distance >= interval * 1.9, "\(starts)") }
    }

    /// As in earlier versions, for their recordings.
    @Test func earlierVersionsBackedOffToAMinute() {
        var schedule = PollSchedule(seed: 3, isEarlier: true)
        for expected in [4.0, 8, 16, 32, 60, 60] {
            schedule.started(at: .ms(0))
            _ = schedule.shouldPoll(at: .ms(1_000_000))
            schedule.failed(at: .ms(1_000_000))
            let wait = (schedule.nextPollAt ?? .zero).inSeconds - 1_000
            #expect(abs(wait - expected) <= expected * 0.05 + 0.001, "\(wait)")
        }
    }

    /// An answer that takes long is part of the wait: it does not add to it.
    @Test func waitingForAnAnswerCounts() {
        let schedule = PollSchedule(seed: 3)
        let starts = Self.requests(schedule, for: .seconds(120)) { _, _, _ in .seconds(5) }
        for distance in Self.distances(starts) { #expect(distance <= Self.longest, "\(starts)") }
    }

    @Test func aServerThatHangsIsAskedAsOften() {
        let schedule = PollSchedule(seed: 3)
        let starts = Self.requests(schedule, for: .seconds(120)) { _, schedule, _ in schedule.timeout }
        let distances = Self.distances(starts)
        // Every other request waits as long as any request may, for servers that are slow.
        for distance in distances { #expect(distance <= .milliseconds(11_100), "\(distances)") }
        for pair in zip(distances, distances.dropFirst()) { #expect(min(pair.0, pair.1) <= Self.longest) }
    }

    @Test func aSlowServerIsHeard() {
        var schedule = PollSchedule(seed: 3)
        var now = Moment(wall: .ms(0), uptime: .zero)
        schedule.started(at: now)
        var documents = 0
        for _ in 0..<10 {
            now = now.advanced(by: max(.zero, (schedule.nextPollAt ?? .zero) - now.uptime))
            guard schedule.shouldPoll(at: now) else { break }
            let limit = schedule.timeout
            now = now.advanced(by: min(limit, .seconds(9)))
            if limit >= .seconds(9) {
                documents += 1
                schedule.succeeded(at: now)
            } else {
                schedule.failed(isTimeout: true, at: now)
            }
        }
        #expect(documents == 9)
    }

    @Test func oneRequestAtATime() {
        var schedule = PollSchedule(seed: 1)
        let before = schedule.shouldPoll(at: .ms(0))
        #expect(!before)
        schedule.started(at: .ms(0))
        let first = schedule.shouldPoll(at: .ms(0))
        #expect(first && schedule.isInFlight)
        let second = schedule.shouldPoll(at: .ms(60_000))
        #expect(!second)
        #expect(schedule.nextPollAt == nil)
    }

    @Test(arguments: Array(UInt64(1)...20))
    func intervalHasJitterOfFivePercent(seed: UInt64) throws {
        var schedule = PollSchedule(seed: seed)
        schedule.started(at: .ms(0))
        _ = schedule.shouldPoll(at: .ms(0))
        schedule.succeeded(at: .ms(1_000))
        let next = try #require(schedule.nextPollAt)
        #expect((.milliseconds(4_800)...(.milliseconds(5_200))).contains(next), "seed \(seed)")
    }

    @Test func failuresBackOffToTwoIntervals() throws {
        var schedule = PollSchedule(seed: 3)
        schedule.started(at: .ms(0))
        for expected in [4.0, 8, 8, 8, 8, 8, 8] {
            _ = schedule.shouldPoll(at: .ms(1_000_000))
            schedule.failed(at: .ms(1_000_000))
            let wait = try #require(schedule.nextPollAt).inSeconds - 1_000
            #expect(abs(wait - expected) <= expected * 0.05 + 0.001, "\(wait)")
            // The next request is due at once for the test.
            schedule.started(at: .ms(0))
        }
        #expect(schedule.consecutiveFailures == 7)
        _ = schedule.shouldPoll(at: .ms(1_000_000))
        schedule.succeeded(at: .ms(1_000_000))
        #expect(schedule.consecutiveFailures == 0)
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 4.0), ("999999999999999999999", 4.0), ("86400", 300.0),
        ("Thu, 01 Jan 1970 00:17:40 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 4.0), ("soon", 4.0), ("", 4.0),
    ])
    func retryAfterIsHonoured(_ text: String, _ seconds: Double) throws {
        var schedule = PollSchedule(seed: 3)
        schedule.started(at: .ms(0))
        _ = schedule.shouldPoll(at: .ms(1_000_000))
        schedule.failed(retryAfter: text, at: .ms(1_000_000))
        let wait = try #require(schedule.nextPollAt).inSeconds - 1_000
        #expect(abs(wait - seconds) <= 0.21, "\(wait)")
    }
}
