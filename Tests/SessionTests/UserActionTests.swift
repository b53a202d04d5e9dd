import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The effects of the keys m and p, and of the other actions (TRK-10).
@Suite struct UserActionTests {
    private static let origin = FakeOrigin(breaks: [
        .init(id: "b1", ads: [.init("a1", start: 80_000, duration: 20_000, isUserDriven: true)])
    ])

    /// A session that is 5 s into the ad.
    private func inAd(_ change: (inout MonitorConfiguration) -> Void = { _ in }) throws -> MonitorHarness {
        var session = try MonitorHarness(Self.origin, change)
        session.start()
        session.run(for: .seconds(2))
        let latency = try #require(session.snapshot().playhead.latency)
        session.run(untilEdge: 85_000 + latency.inMilliseconds)
        return session
    }

    private func userURLs(_ session: MonitorHarness) -> [String] {
        session.urls.filter { url in ["mute", "unmute", "pause", "resume"].contains { url.hasSuffix("=" + $0) } }
    }

    @Test func mMutesAndReports() throws {
        var session = try inAd()
        session.submit(.toggled(.mute))
        #expect(session.snapshot().playhead.isMuted)
        #expect(session.snapshot().userReport?.wasReported == nil)
        session.run(for: .seconds(1))
        #expect(userURLs(session) == [FakeOrigin.beacon("a1", "mute")])
        let report = try #require(session.snapshot().userReport)
        #expect(report.action == .mute)
        #expect(report.wasReported == true)
        #expect(report.message == "mute sent for B1/A1 200 20ms")
        #expect(session.log.contains("info: mute sent for B1/A1 200 20ms"))
    }

    @Test func mmppGivesOneOfEach() throws {
        var session = try inAd()
        for toggle in [PlayerToggle.mute, .mute, .pause, .pause] {
            session.submit(.toggled(toggle))
            session.run(for: .milliseconds(400))
        }
        #expect(userURLs(session) == ["mute", "unmute", "pause", "resume"].map { FakeOrigin.beacon("a1", $0) })
        #expect(session.snapshot().playhead.state == .playing)
        #expect(!session.snapshot().playhead.isMuted)
        session.run(for: .seconds(60))
        #expect(userURLs(session).count == 4)
        #expect(Set(Self.origin.plan).isSubset(of: session.urls))
    }

    @Test func repeatedActionsAreSentEachTime() throws {
        var session = try inAd()
        for _ in 0..<3 {
            session.submit(.userActed(.mute))
            session.run(for: .milliseconds(400))
        }
        #expect(userURLs(session).count == 3)
        #expect(session.snapshot().userReport?.number == 3)
    }

    @Test func withoutAnAdNothingGoesOut() throws {
        var session = try MonitorHarness(Self.origin)
        session.start()
        session.submit(.toggled(.pause))
        #expect(session.snapshot().userReport?.message == "pause: no ad on air")
        #expect(session.snapshot().userReport?.wasReported == false)
        session.submit(.toggled(.pause))
        session.run(for: .seconds(2))
        session.submit(.toggled(.mute))
        #expect(session.snapshot().userReport?.message == "mute: no ad on air")
        #expect(userURLs(session).isEmpty)
    }

    @Test func anActionWithoutAnEventIsReported() throws {
        var session = try inAd()
        session.submit(.userActed(.skip))
        #expect(session.snapshot().userReport?.message == "skip: B1/A1 has no such event")
        #expect(session.snapshot().userReport?.wasReported == false)
    }

    @Test func aFailedReportIsFalse() throws {
        var session = try inAd()
        session.origin.override = { request, _, _ in request.url.path == "/b" ? FakeOrigin.status(404, request) : nil }
        session.submit(.userActed(.mute))
        session.run(for: .seconds(1))
        #expect(session.snapshot().userReport?.wasReported == false)
        #expect(session.snapshot().userReport?.message == "mute sent for B1/A1 404 20ms")
    }

    /// The store of a fleet does not grant it: who asked for the action need not wait until the session ends.
    @Test func aRefusedReportIsFalse() throws {
        var session = try inAd()
        session.submit(.toggled(.mute))
        session.submit(.claimsRefused((0..<100).map { RefusedClaim(id: ClaimID($0), refusal: .storeAway) }))
        #expect(session.snapshot().userReport?.wasReported == false)
        #expect(session.snapshot().userReport?.message == "mute sent for B1/A1; it did not leave")
        session.run(for: .seconds(1))
        #expect(userURLs(session).isEmpty)
    }

    @Test func observeModeListsTheBeaconsItWouldSend() throws {
        var session = try inAd { $0.mode = .observe }
        session.submit(.toggled(.mute))
        #expect(session.snapshot().userReport?.message == "mute observed for B1/A1, not sent")
        #expect(session.snapshot().userReport?.wasReported == false)
        #expect(session.snapshot().event("mute", ad: "a1")?.state == .observed)
        #expect(session.urls.isEmpty)
    }

    @Test func disarmingEndsOpenReports() throws {
        var session = try inAd()
        session.losesAnswers = true
        session.submit(.userActed(.mute))
        session.run(for: .milliseconds(100))
        #expect(session.snapshot().userReport?.wasReported == nil)
        session.submit(.modeChosen(.observe))
        #expect(session.snapshot().userReport?.wasReported == false)
    }

    @Test func aPauseHoldsThePlayheadAndItsBeacons() throws {
        var session = try inAd()
        session.submit(.toggled(.pause))
        let held = session.snapshot().playhead.date
        session.run(for: .seconds(10))
        #expect(session.snapshot().playhead.date == held)
        #expect(!session.urls.contains(FakeOrigin.beacon("a1", "midpoint")))
        session.submit(.toggled(.pause))
        session.run(for: .seconds(40))
        #expect(session.urls.filter { $0 == FakeOrigin.beacon("a1", "midpoint") }.count == 1)
    }

    @Test func commandsBeforeTheStreamAreRejected() throws {
        var session = try MonitorHarness(Self.origin)
        session.submit(.playerCommanded(.seek(.live)))
        session.submit(.playerCommanded(.setRate(2)))
        #expect(session.log == Array(repeating: "warning: the playhead has not joined the stream yet", count: 2))
    }

    /// The window moves on by a segment at a time, at any moment of the 4 s between two reloads.
    @Test(arguments: Array(stride(from: Int64(60_000), to: 64_000, by: 400)), [true, false])
    func aSeekToTheStartOfTheWindowStaysInIt(edge: Int64, isByDate: Bool) throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks, joinAt: 40_000)
        session.start()
        session.run(untilEdge: edge)
        let date = FakeOrigin.start + .seconds(30)
        session.submit(.playerCommanded(.seek(isByDate ? .date(date) : .by(.seconds(-3_600)))))
        #expect(session.log.contains { $0.contains("s after the start of the window, which moves on") })
        session.run(for: .seconds(60))
        #expect(session.snapshot().playhead.state == .playing)
        #expect(!session.log.contains { $0.contains("fell behind") || $0.contains("stalled") })
    }

    /// The start of a complete stream stays where it is.
    @Test func aSeekToTheStartOfACompleteStreamReachesIt() throws {
        var session = try MonitorHarness(FakeOrigin(vodDuration: 240_000))
        session.start()
        session.run(for: .seconds(20))
        session.submit(.playerCommanded(.seek(.by(.seconds(-3_600)))))
        #expect(session.snapshot().playhead.date == FakeOrigin.start)
        #expect(!session.log.contains { $0.contains("which moves on") })
    }

    @Test func aFastViewerKeepsItsDistanceFromTheLiveEdge() throws {
        var session = try inAd()
        session.submit(.playerCommanded(.seek(.by(.seconds(-8)))))
        session.submit(.playerCommanded(.setRate(2)))
        #expect(session.snapshot().playhead.rate == 2)
        session.run(for: .seconds(60))
        let playhead = session.snapshot().playhead
        #expect(playhead.rate == 1 && playhead.state == .playing)
        let holdBack = try #require(session.snapshot().playlist.holdBack)
        // The edge moves by a segment at a time.
        let segment = try #require(session.snapshot().playlist.targetDuration)
        #expect(try #require(playhead.behindEdge) >= holdBack - segment)
        #expect(session.log.filter { $0.contains("at the live edge: no faster than rate 1") }.count == 1)
        #expect(!session.log.contains { $0.contains("stalled") })
    }

    @Test func aRecordingFromBeforeReplaysAsItWas() throws {
        var session = try inAd { $0.following.keepsFromEdge = false }
        session.submit(.playerCommanded(.setRate(2)))
        session.run(for: .seconds(30))
        #expect(session.snapshot().playhead.rate == 2)
    }

    @Test func anActionWithoutAnAdIsNoFailure() throws {
        var session = try MonitorHarness(Self.origin)
        session.start()
        session.run(for: .seconds(2))
        session.submit(.toggled(.mute))
        #expect(session.snapshot().userReport?.isFailure == false)
        session.submit(.userActed(.skip))
        #expect(session.snapshot().userReport?.isFailure == false)
    }

    @Test func badRatesAreRejected() throws {
        var session = try inAd()
        for rate in [0, -1, .nan, .infinity, 100] { session.submit(.playerCommanded(.setRate(rate))) }
        #expect(session.snapshot().playhead.rate == 1)
        #expect(session.log.filter { $0.contains("must be 0.1 to 16.0") }.count == 5)
    }
}
