import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Properties that hold for any mix of inputs. Failure messages contain the seeds.
@Suite struct PropertyTests {
    private static let origin = FakeOrigin(breaks: [
        .init(
            id: "b1",
            ads: [
                .init("a1", start: 80_000, duration: 10_000, isUserDriven: true),
                .init("a2", start: 90_000, duration: 7_000),
            ]),
        .init(id: "b2", ads: [.init("a3", start: 120_000, duration: 12_000)]),
    ])

    /// a→c equals a→b→c: waking more often does not change the beacons sent.
    @Test(arguments: 0..<12 as Range<UInt64>) func tickSplittingChangesNothing(seed: UInt64) throws {
        var plain = try MonitorHarness(Self.origin)
        plain.start()
        plain.run(untilEdge: 180_000)
        var split = try MonitorHarness(Self.origin)
        split.start()
        var random = SplitMix64(seed: seed)
        while split.now.wall < FakeOrigin.start + .seconds(180) {
            split.run(for: .milliseconds(Int64(random.next() % 1_700)))
            split.submit(.woke)
        }
        split.run(untilEdge: 180_000)
        #expect(split.urls.sorted() == plain.urls.sorted(), "seed \(seed)")
        #expect(split.urls.sorted() == Self.origin.plan, "seed \(seed)")
    }

    /// No timed beacon is sent twice, whatever the actions and network failures.
    @Test(arguments: 0..<40 as Range<UInt64>) func anyInterleavingSendsEachBeaconOnce(seed: UInt64) throws {
        var origin = Self.origin
        origin.override = { request, now, count in
            var random = SplitMix64(seed: seed ^ UInt64(bitPattern: now.uptime.inMicroseconds) ^ UInt64(count))
            switch random.next() % 12 {
            case 0 where !request.url.path.hasSuffix("/b"):
                return FakeOrigin.failure(.timeout, "no answer", delay: .seconds(5))
            case 1: return FakeOrigin.status(503, request)
            case 2 where !request.url.path.hasSuffix("/b"):
                return FakeOrigin.text("<html>", type: "text/html", of: request)
            default: return nil
            }
        }
        var session = try MonitorHarness(origin) { $0.seed = seed }
        session.start()
        var random = SplitMix64(seed: seed)
        session.disturb(&random, for: .seconds(200), pauses: 2_500)
        // A failed beacon is retried on purpose: only a second request after a success is an error.
        let succeeded = session.snapshot().events.flatMap(\.urls).map { url in
            (url.url, url.attempts.filter { ($0.exchange?.status).map { (200..<300).contains($0) } ?? false }.count)
        }
        let timed = Set(origin.plan)
        for (url, count) in succeeded where timed.contains(url) { #expect(count <= 1, "seed \(seed): \(url)") }
    }

    /// 5,000 random inputs, in any order and with clocks that jump, never trap and respect the limits.
    @Test(arguments: 0..<10 as Range<UInt64>) func nonsenseTrapsNothing(seed: UInt64) throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/index.m3u8"))
        configuration.log.lines = 300
        var state = MonitorState(configuration)
        var random = SplitMix64(seed: seed)
        var now = Moment(wall: FakeOrigin.start, uptime: .zero)
        var open: [RequestID] = []
        for _ in 0..<500 {
            now.uptime += .milliseconds(Int64(random.next() % 5_000))
            now.wall = UnixTime(
                microseconds: random.next() % 50 == 0 ? Int64(bitPattern: random.next()) : now.wall.microseconds + 1_000
            )
            let input: Input
            switch random.next() % 8 {
            case 0: input = .started
            case 1: input = .fetched(open.popLast() ?? RequestID(Int(random.next() % 50)), Self.exchange(&random))
            case 2: input = .fetched(RequestID(Int(random.next() % 50)), Self.exchange(&random))
            case 3: input = .beaconAnswered(ClaimID(Int(random.next() % 50)), Self.exchange(&random))
            case 4: input = .claimsWritten([ClaimID(Int(random.next() % 50)), ClaimID(-1)])
            case 5: input = random.next() % 2 == 0 ? .journalOpened(JournalOpening()) : .journalFailed("no")
            case 6: input = .woke
            default: input = Self.input(&random)
            }
            for case .fetch(let id, _, _) in state.apply(input, at: now) { open.append(id) }
            if random.next() % 20 == 0 { _ = SnapshotJSON().value(of: state.snapshot(at: now)).text() }
        }
        #expect(state.snapshot(at: now).log.count <= 300 + 512, "seed \(seed)")
        #expect(state.snapshot(at: now).findings.count <= 200, "seed \(seed)")
    }

    /// A replayed recording, in one pass or back and forth, shows the same as the live session.
    @Test(arguments: 0..<4 as Range<UInt64>) func replayEqualsLive(seed: UInt64) throws {
        var session = try MonitorHarness(Self.origin) { $0.seed = seed }
        session.start()
        var random = SplitMix64(seed: seed)
        let seen = session.disturb(&random, for: .seconds(150), pauses: 4_000, noting: Self.text)
        let recording = try session.recorded(.none)
        #expect(recording.inputs == session.inputs, "seed \(seed)")
        var replay = Replay(recording)
        for (position, expected) in seen {
            replay.move(to: position)
            #expect(Self.text(replay.snapshot()) == expected, "seed \(seed), input \(position)")
        }
        for (position, expected) in seen.shuffled(using: &random).prefix(10) {
            replay.move(to: position)
            #expect(Self.text(replay.snapshot()) == expected, "seed \(seed), back to input \(position)")
        }
    }

    /// The same with secrets replaced: the dump, which masks them, is identical.
    @Test(arguments: 0..<4 as Range<UInt64>) func aRedactedReplayDumpsTheSame(seed: UInt64) throws {
        var session = try MonitorHarness(Self.origin) { $0.seed = seed }
        session.start()
        var random = SplitMix64(seed: seed)
        let seen = session.disturb(&random, for: .seconds(150), pauses: 4_000, noting: Self.maskedText)
        var replay = Replay(try session.recorded(.standard))
        for (position, expected) in seen {
            replay.move(to: position)
            #expect(Self.maskedText(replay.snapshot()) == expected, "seed \(seed), input \(position)")
        }
    }

    static func text(_ snapshot: Snapshot) -> String {
        SnapshotJSON(isRedacted: false).value(of: snapshot).text(indented: true)
    }

    /// As dumps show it.
    static func maskedText(_ snapshot: Snapshot) -> String {
        SnapshotJSON().value(of: snapshot).text(indented: true)
    }

    /// A random action of a person.
    static func input(_ random: inout SplitMix64) -> Input {
        switch random.next() % 14 {
        case 0: .toggled(.mute)
        case 1: .toggled(.pause)
        case 2: .playerCommanded(.seek(.live))
        case 3: .playerCommanded(.seek(.by(.milliseconds(Int64(random.next() % 40_000) - 20_000))))
        case 4: .playerCommanded(.seek(.date(FakeOrigin.start + .milliseconds(Int64(random.next() % 200_000)))))
        case 5: .playerCommanded(.setRate([0.5, 1, 1, 1, 2, 8][Int(random.next() % 6)]))
        case 6: .playerCommanded(.play)
        case 7: .userActed(UserAction.allCases[Int(random.next() % 8)])
        case 8: .logCleared
        case 9: .libraryLogged(.warning, "http: connection closed")
        default: .woke
        }
    }

    /// Random answers of every kind.
    private static func exchange(_ random: inout SplitMix64) -> HTTPExchange {
        let now = Moment(wall: FakeOrigin.start + .milliseconds(Int64(random.next() % 200_000)), uptime: .zero)
        var body: [UInt8]
        switch random.next() % 5 {
        case 0: body = Array(origin.playlist(at: now).utf8)
        case 1: body = Array(origin.metadata(at: now).utf8)
        case 2: body = Array(#"{"manifestUrl":"a.m3u8?sessid=1","trackingUrl":"metadata?sessid=1"}"#.utf8)
        case 3: body = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8\n".utf8)
        default: body = []
        }
        for _ in 0..<(random.next() % 4) where !body.isEmpty {
            body[Int(random.next() % UInt64(body.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.next() % 6 == 0 { return HTTPExchange(failure: HTTPFailure(.reset, "reset"), body: body) }
        let status = [200, 200, 200, 302, 404, 503, -1, Int.max][Int(random.next() % 8)]
        let fields = [
            HTTPField("Retry-After", random.next() % 2 == 0 ? "99999999999999999999" : "Sun, 06 Nov 1994 08:49:37 GMT")
        ]
        return HTTPExchange(
            hops: [.init(url: FakeOrigin.base + "/index.m3u8", status: status, fields: fields)], body: body,
            timings: .init(total: Int64(bitPattern: random.next())))
    }
}

extension MonitorHarness {
    /// Submits random actions of a person, with random pauses of less than `pauses` milliseconds before them, until so much of the
    /// stream has passed.
    /// - Returns: after each of them the number of all inputs, and what `text` makes of the snapshot.
    @discardableResult
    mutating func disturb(
        _ random: inout SplitMix64, for span: Duration, pauses: UInt64, noting text: ((Snapshot) -> String)? = nil
    ) -> [(Int, String)] {
        var seen: [(Int, String)] = []
        while now.wall < FakeOrigin.start + span {
            run(for: .milliseconds(Int64(random.next() % pauses)))
            submit(PropertyTests.input(&random))
            if let text { seen.append((inputs.count, text(snapshot()))) }
        }
        return seen
    }
}
