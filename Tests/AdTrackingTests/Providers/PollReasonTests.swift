import HLS
import Ports
import Testing

@testable import AdTracking

/// Why the next request for metadata is when it is: the rule that plans it says so.
@Suite struct PollReasonTests {
    /// What happens to a schedule whose first request is in flight at 1,000 s.
    struct Step: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reason: PollReason
        var seconds: Double
        var take: @Sendable (inout PollSchedule) -> Void

        init(
            _ name: String, _ reason: PollReason, in seconds: Double,
            _ take: @escaping @Sendable (inout PollSchedule) -> Void
        ) {
            (testDescription, self.reason, self.seconds, self.take) = (name, reason, seconds, take)
        }
    }

    private static let now = Moment.ms(1_000_000)

    static let steps = [
        Step("an answer", .interval, in: 4) { $0.succeeded(at: now) },
        Step("an answer that asks for another interval", .service, in: 10) {
            $0.changeInterval(to: .seconds(10), from: .service)
            $0.succeeded(at: now)
        },
        Step("an answer at the target duration", .target, in: 6) {
            $0.changeInterval(to: .seconds(6), from: .target)
            $0.succeeded(at: now)
        },
        Step("a failure", .failure, in: 4) { $0.failed(at: now) },
        Step("a failure that asks for less than the back-off", .failure, in: 4) { $0.failed(retryAfter: "1", at: now) },
        Step("a failure that asks for more", .retryAfter, in: 30) { $0.failed(retryAfter: "30", at: now) },
        Step("an ad in the media", .media, in: 0) {
            $0.succeeded(at: now)
            $0.hurry()
        },
        Step("an ad in the media of a server that fails", .failure, in: 4) {
            $0.failed(at: now)
            $0.hurry()
        },
        Step("a rejected token", .token, in: 0) {
            $0.failed(at: now)
            $0.started(at: now, because: .token)
        },
    ]

    @Test(arguments: steps) func theScheduleSaysWhy(_ step: Step) throws {
        var schedule = PollSchedule(seed: 3)
        #expect(schedule.next == nil)
        schedule.started(at: Self.now)
        #expect(schedule.next == NextPoll(at: Self.now.uptime, reason: .start))
        let isDue = schedule.shouldPoll(at: Self.now)
        #expect(isDue && schedule.next == nil, "nothing is planned while a request is in flight")
        step.take(&schedule)
        let next = try #require(schedule.next)
        let wait = try #require(next.at).inSeconds - Self.now.uptime.inSeconds
        #expect(next.reason == step.reason && abs(wait - step.seconds) <= step.seconds * 0.05 + 0.001, "\(wait)")
    }

    /// Every service that is polled says why, whatever its server does.
    @Test(arguments: ProviderContractTests.rows) func everyServiceSaysWhy(_ row: ProviderContractTests.Row) throws {
        let samples = try row.samples
        var provider = ProviderContract(make: { row.type.init($0) }, samples: samples).opened()
        #expect(provider.nextPoll == nil)
        provider.start(at: Self.now)
        guard provider.nextPoll != nil else { return #expect(provider.pollInterval == nil) }
        #expect(provider.nextPoll?.reason == .start)
        var now = Self.now
        func request() throws {
            now = now.advanced(by: max(.zero, try #require(provider.nextRequest) - now.uptime))
            #expect(provider.request(on: samples.stream, at: now) != nil)
            #expect(provider.nextPoll == nil)
        }
        try request()
        provider.failed(.answer(503), retryAfter: nil, at: now)
        #expect(provider.nextPoll?.reason == .failure)
        try request()
        provider.failed(.answer(503), retryAfter: "200", at: now)
        #expect(provider.nextPoll?.reason == .retryAfter)
        try request()
        provider.succeeded(at: now)
        let reason = try #require(provider.nextPoll).reason
        let intervals: [PollReason] = [.interval, .target, .service, .complete]
        #expect(intervals.contains(reason), "\(reason)")
        #expect((provider.nextRequest == nil) == (reason == .complete))
    }

    private static func stream(isComplete: Bool) -> StreamFacts {
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60, isComplete: isComplete), at: 1)
        return StreamFacts(timeline: viewer.timeline)
    }

    /// A session of MediaTailor after its first request, which the playlist allows.
    private static func mediaTailor(on stream: StreamFacts = stream(isComplete: false)) throws -> MediaTailorProvider {
        var provider = MediaTailorProvider(ProviderOptions(mediaURL: try WebURL(ProviderSamples.mediaTailor.mediaURL)))
        _ = provider.open()
        _ = provider.openingAnswered(try #require(ProviderSamples.mediaTailor.opening.first))
        provider.start(at: now)
        let early = provider.request(on: StreamFacts(), at: now)
        #expect(early == nil && provider.nextPoll == NextPoll(at: now.uptime + .seconds(1), reason: .playlist))
        #expect(provider.request(on: stream, at: now) != nil)
        return provider
    }

    @Test func pagesSayWhy() throws {
        var provider = try Self.mediaTailor()
        _ = try provider.read(
            .answer(200, MediaTailorTexts.document(avails: 1, token: "t"), url: "https://v.example/"),
            on: Self.stream(isComplete: false))
        provider.succeeded(at: Self.now)
        #expect(provider.nextPoll?.reason == .target)
        let later = Self.now.advanced(by: .seconds(7))
        _ = provider.request(on: Self.stream(isComplete: false), at: later)
        provider.failed(.answer(400), retryAfter: nil, at: later)
        #expect(provider.nextPoll == NextPoll(at: later.uptime, reason: .token))
        _ = provider.request(on: Self.stream(isComplete: false), at: later)
        provider.failed(.answer(405), retryAfter: nil, at: later)
        #expect(provider.nextPoll == NextPoll(at: later.uptime, reason: .method))
    }

    @Test func aCompleteStreamSaysThatNoneFollows() throws {
        var provider = try Self.mediaTailor(on: Self.stream(isComplete: true))
        provider.succeeded(at: Self.now)
        #expect(provider.nextPoll == NextPoll(at: nil, reason: .complete))
        provider.playlistArrived(on: Self.stream(isComplete: false))
        #expect(provider.nextPoll?.reason == .target && provider.nextRequest != nil)
    }
}
