import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// Sessions of which only the tracking data is known (PRV-48).
@Suite struct AttachedSessionTests {
    private static let address = FakeOrigin.base + "/s/metadata?sessid=S1"

    /// - Parameter milliseconds: when it attaches, after the start of the stream.
    private static func session(
        _ clock: AttachedClock = .offset(.zero), at milliseconds: Int64 = 60_000, url: String = address,
        from origin: FakeOrigin = MainPathTests.twoBreaks, _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws -> MonitorHarness {
        let media = try WebURL(url)
        var session = try MonitorHarness(origin, joinAt: milliseconds) { configuration in
            configuration.mediaURL = media
            configuration.following.attached = clock
            configuration.mode = .observe
            configuration.sending.isReadonly = true
            configuration.renewal = .never
            change(&configuration)
        }
        session.start()
        return session
    }

    /// When the first break is on air, on the dates of the media.
    private static var breakStart: Int64 { MainPathTests.twoBreaks.breaks[0].start }

    @Test func breaksAreOnAirByTheClock() throws {
        var session = try Self.session()
        session.run(untilEdge: Self.breakStart - 1_000)
        var snapshot = session.snapshot()
        #expect(snapshot.playlist.kind == .clock && snapshot.session.phase == .running)
        #expect(snapshot.playhead.state == .playing && snapshot.playhead.latency == .zero)
        #expect(snapshot.session.manifestURL == nil && snapshot.session.metadataURL == Self.address)
        #expect(snapshot.session.initPath == "tracking" && snapshot.session.opening == nil)
        #expect(!snapshot.breaks.contains { $0.isOnAir })
        session.run(untilEdge: Self.breakStart + 5_000)
        snapshot = session.snapshot()
        #expect(snapshot.breaks.filter(\.isOnAir).map(\.start) == [FakeOrigin.start + .milliseconds(Self.breakStart)])
        session.run(untilEdge: 200_000)
        #expect(session.requested.allSatisfy { $0 == Self.address })
        #expect(session.receipts.isEmpty && session.snapshot().counters.beaconsSent == 0)
        // Everything that was due is shown as what a viewer would have sent.
        let due = session.snapshot().events.filter { !$0.isUserTriggered }
        #expect(due.count == MainPathTests.twoBreaks.plan.count)
        #expect(due.allSatisfy { $0.state == .observed }, "\(due.filter { $0.state != .observed }.map(\.event))")
    }

    @Test(arguments: [-20_000, 15_000] as [Int64]) func theOffsetMovesTheViewer(_ milliseconds: Int64) throws {
        var session = try Self.session(.offset(.milliseconds(milliseconds)))
        session.run(for: .seconds(90))
        let snapshot = session.snapshot()
        #expect(snapshot.playhead.latency == .milliseconds(-milliseconds))
        #expect(snapshot.playhead.date == session.now.wall + .milliseconds(milliseconds))
    }

    /// Answers with one avail, in the form of MediaTailor, on every address.
    private static var avails: FakeOrigin {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in
            let avail =
                #"{"availId":"v","startTimeInSeconds":1000,"durationInSeconds":20,"ads":[{"adId":"a","startTimeInSeconds":1000,"#
                + #""durationInSeconds":20,"trackingEvents":[{"eventType":"start","startTimeInSeconds":1000,"#
                + #""beaconUrls":["http://127.0.0.1:8080/b"]}]}]}"#
            return FakeOrigin.text(#"{"avails":[\#(avail)],"nextToken":"t"}"#, type: "application/json", of: request)
        }
        return origin
    }

    /// Harmonic reads any object, and finds no breaks in those of others: what could read them is named, once (PRV-41).
    @Test(arguments: [nil, "harmonic"] as [String?]) func anotherProvidersAnswerIsSaid(_ name: String?)
        throws
    {
        var session = try Self.session(at: 1_000_000, from: Self.avails) { configuration in
            if let setting = name.flatMap(ProviderSetting.init(rawValue:)) { configuration.provider = setting }
        }
        session.run(for: .seconds(30))
        let findings = session.snapshot().findings.filter { $0.finding.rule == "other-provider" }
        #expect(
            findings.map(\.finding.message) == [
                "the stream is of AWS Elemental MediaTailor: start again with --provider mediatailor"
            ])
        #expect(findings.map(\.count) == [1] && session.snapshot().breaks.isEmpty)
    }

    /// An object with neither breaks nor a data range is no tracking data, so the session has never read any.
    @Test func anyOtherObjectIsNoGoodAnswer() throws {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in
            FakeOrigin.text(#"{"status":"ok"}"#, type: "application/json", of: request)
        }
        var session = try Self.session(from: origin)
        // A third one ends the session (TRK-32).
        session.run(for: .seconds(10))
        let health = session.snapshot().session.metadataHealth
        #expect(health.state == .failing && health.lastGoodAt == nil)
        #expect(session.snapshot().errors.latest?.kind == .metadata)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L01" })
    }

    /// Answers without breaks that no other provider finds breaks in are those of a session that has none yet.
    @Test func anAnswerWithoutBreaksIsNoOtherProviders() throws {
        var session = try Self.session(from: FakeOrigin(breaks: []))
        session.run(for: .seconds(20))
        #expect(session.snapshot().counters.metadataPolls > 1 && session.snapshot().breaks.isEmpty)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "other-provider" })
    }

    /// Answers with seconds alone have breaks where the date of second 0 puts them.
    @Test(arguments: [true, false]) func secondsCountFromTheDateThatIsGiven(isGiven: Bool) throws {
        let url = "https://x.example/v1/tracking/9f8e7d6c5b4a3928/cfg/s-1"
        let zero = FakeOrigin.start + .seconds(60)
        var session = try Self.session(
            isGiven ? .zero(zero) : .offset(.zero), at: 1_000_000, url: url, from: Self.avails)
        session.run(for: .seconds(30))
        let snapshot = session.snapshot()
        #expect(snapshot.breaks.map(\.start) == (isGiven ? [zero + .seconds(1_000)] : []))
        #expect(snapshot.findings.contains { $0.finding.rule == "P01" } == !isGiven)
        session.run(for: .seconds(40))
        #expect(session.snapshot().breaks.contains { $0.isOnAir } == isGiven)
        #expect(session.receipts.isEmpty)
    }

    /// The recording knows that there is no playlist, and replays to the same screens.
    @Test(arguments: [
        AttachedClock.offset(.milliseconds(-2_500)), .zero(FakeOrigin.start + .seconds(3)),
    ])
    func aRecordingReplays(_ clock: AttachedClock) throws {
        var session = try Self.session(clock)
        session.run(untilEdge: 150_000)
        let recording = try session.recorded(.none)
        #expect(recording.configuration.following.attached == clock)
        var replay = Replay(recording)
        replay.move(to: recording.inputs.count)
        let end = try #require(recording.inputs.last).at
        var last = session.state.snapshotForTests(at: end)
        var replayed = replay.snapshot(at: end)
        (last.session.replay, replayed.session.replay) = (nil, nil)
        let json = SnapshotJSON(isRedacted: false)
        #expect(json.value(of: replayed) == json.value(of: last))
    }

    /// The server ends the session: it is over, and nothing opens another one.
    @Test func aSessionThatEndsIsOver() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            now.wall > FakeOrigin.start + .seconds(90) ? FakeOrigin.status(404, request) : nil
        }
        var session = try Self.session(from: origin)
        session.run(for: .seconds(90))
        #expect(session.snapshot().session.phase == .over)
        #expect(session.requested.allSatisfy { $0 == Self.address })
    }

    /// A viewer cannot get ahead of the clock for good, and may look back.
    @Test func itIsNoFasterThanTheClock() throws {
        var session = try Self.session { $0.rate = 4 }
        session.run(for: .seconds(120))
        let latency = try #require(session.snapshot().playhead.latency)
        #expect(latency.magnitude <= .seconds(18), "\(latency)")
        session.submit(.playerCommanded(.seek(.by(.seconds(-30)))))
        let back = try #require(session.snapshot().playhead.latency)
        #expect(back > .seconds(11), "\(back)")
    }
}
