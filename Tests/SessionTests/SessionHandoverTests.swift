import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// A session that another process continues (FLT-15).
@Suite struct SessionHandoverTests {
    private static let gap = Duration.seconds(4)

    /// The sessions of two processes; the second one begins 4 s after the first one ended, in the first ad.
    private static func handedOn(
        at edge: Int64 = 95_000, from origin: FakeOrigin = MainPathTests.twoBreaks,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws -> (first: MonitorHarness, second: MonitorHarness) {
        var first = try MonitorHarness(MainPathTests.twoBreaks)
        first.start()
        first.run(untilEdge: edge)
        let handover = first.state.handover
        let date = try #require(handover.claimedThrough)
        let passed = try #require(first.snapshot().playhead.date) - date + gap
        var second = try MonitorHarness(origin, joinAt: edge + gap.inMilliseconds) { configuration in
            configuration.following.running = handover.running
            configuration.start = .resuming(date, at: .seconds(1_000) - passed)
            change(&configuration)
        }
        second.journal = first.journal
        second.start()
        return (first, second)
    }

    private static func initialisations(_ session: MonitorHarness) -> Int {
        session.requested.count { $0.contains("initSession=true") }
    }

    @Test(arguments: [92_500, 94_000, 95_000, 101_000, 112_000, 130_000] as [Int64])
    func theViewerContinues(edge: Int64) throws {
        var (first, second) = try Self.handedOn(at: edge)
        second.run(untilEdge: 200_000)
        #expect(Self.initialisations(second) == 0)
        #expect((first.urls + second.urls).sorted() == MainPathTests.twoBreaks.plan)
        #expect(second.snapshot().session.sessionID == first.snapshot().session.sessionID)
    }

    /// What became due while there was no viewer is sent late, by as much as it is.
    @Test func theGapIsSentLate() throws {
        var (first, second) = try Self.handedOn()
        let joined = try #require(first.snapshot().playhead.latency)
        second.run(for: .seconds(1))
        let late = try #require(second.receipts.first)
        let event = try #require(second.snapshot().events.first { $0.urls.first?.url == late.url })
        #expect(late.at.wall - (event.start + joined) > .seconds(1))
        #expect(second.snapshot().playhead.latency == joined)
    }

    /// What the journal has not confirmed is left to the successor.
    @Test func whatIsNotClaimedYetIsTheSuccessors() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.run(untilEdge: 90_000)
        let start =
            FakeOrigin.start + .milliseconds(try #require(MainPathTests.twoBreaks.breaks.first?.ads.first).start)
        let behind = session.now.wall - (try #require(session.snapshot().playhead.date))
        try #require(start + behind > session.now.wall)
        // The journal takes 2 ms.
        session.run(for: start + behind - session.now.wall + .milliseconds(1))
        #expect(session.state.handover.claimedThrough == start - .microseconds(1))
        session.run(for: .milliseconds(20))
        #expect(session.state.handover.claimedThrough.map { $0 >= start } == true)
    }

    /// Before the first document it is not known what was due.
    @Test func nothingIsClaimedThroughBeforeTheFirstDocument() throws {
        let stream = MainPathTests.twoBreaks
        var origin = stream
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            var reply = FakeOrigin.text(stream.metadata(at: now), type: "application/json", of: request)
            reply.delay = .seconds(6)
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(1))
        let joined = try #require(session.state.handover.claimedThrough)
        session.run(for: .seconds(4))
        #expect(session.state.handover.claimedThrough == joined)
        session.run(for: .seconds(4))
        #expect(session.state.handover.claimedThrough.map { $0 - joined > .seconds(6) } == true)
    }

    /// The server has ended it meanwhile: a new one is opened.
    @Test func aRejectedSessionIsReplaced() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            if request.url.query?.contains("initSession=true") == true {
                let addresses = #"{"manifestUrl":"/n/index.m3u8?sessid=N","trackingUrl":"/n/metadata?sessid=N"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            return request.url.path.hasPrefix("/n/") || request.url.path.hasSuffix("/b")
                ? nil : FakeOrigin.status(410, request)
        }
        var (_, second) = try Self.handedOn(from: origin)
        second.run(untilEdge: 200_000)
        #expect(Self.initialisations(second) == 1)
        #expect(second.snapshot().session.sessionID == "N" && second.snapshot().session.phase == .running)
    }

    /// Pages in place of what the former process had pass, as they do there; one of an earlier version does not say what it had.
    @Test(arguments: ["/metadata", ".m3u8"], [true, false])
    func aPageInPlaceOfWhatWasThereIsAwaited(path: String, isOfEarlierVersion: Bool) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix(path), now.wall < FakeOrigin.start + .seconds(125) else { return nil }
            return FakeOrigin.text(MissingMetadataTests.page, type: "text/html", of: request)
        }
        var (_, second) = try Self.handedOn(from: origin) {
            if isOfEarlierVersion { $0.following.running?.delivered = [] }
        }
        second.run(untilEdge: 124_000)
        #expect((Self.initialisations(second) > 0) == isOfEarlierVersion)
        second.run(untilEdge: 240_000)
        #expect(second.snapshot().session.phase == .running)
    }

    /// What another process had is handed on to the next one, too.
    @Test func whatWasDeliveredIsHandedOnTwice() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            request.url.path.hasSuffix("/b") ? nil : FakeOrigin.status(503, request)
        }
        let (first, continuing) = try Self.handedOn(from: origin)
        var second = continuing
        second.run(for: .seconds(10))
        #expect(second.state.handover.running?.delivered == [.playlist, .metadata])
        #expect(second.state.handover.running?.anchor == first.state.handover.running?.anchor)
    }

    /// Another stream, or another provider, has a session of its own.
    @Test func anotherStreamOpensItsOwn() throws {
        var (_, second) = try Self.handedOn { $0.following.running?.provider = "mediatailor" }
        second.run(for: .seconds(2))
        #expect(Self.initialisations(second) == 1)
        let other = try WebURL(FakeOrigin.base + "/other/index.m3u8")
        (_, second) = try Self.handedOn { $0.following.running?.mediaURL = other }
        second.run(for: .seconds(2))
        #expect(Self.initialisations(second) == 1)
    }

    @Test func aSessionThatIsOverIsNotHandedOn() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            request.url.query?.contains("initSession=true") == true ? nil : FakeOrigin.status(403, request)
        }
        var session = try MonitorHarness(origin) { $0.renewal = .never }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.state.handover.running == nil)
        #expect(try MonitorHarness(origin).state.handover == SessionHandover())
    }
}
