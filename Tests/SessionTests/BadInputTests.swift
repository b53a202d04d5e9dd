import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// External failures: each is logged in one clear line, shown in the header's health, keeps the last valid data, is
/// retried with back-off, and ends without intervention.
@Suite struct BadInputTests {
    /// Gives bad answers for paths during a span of media time.
    private static func origin(
        failing paths: String..., during span: ClosedRange<Int64> = 80_000...120_000,
        with reply: @escaping @Sendable (HTTPRequest) -> FakeOrigin.Reply
    ) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            let media = (now.wall - FakeOrigin.start).inMilliseconds
            return paths.contains { request.url.path.hasSuffix($0) } && span.contains(media) ? reply(request) : nil
        }
        return origin
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reply: @Sendable (HTTPRequest) -> FakeOrigin.Reply
        /// The problem in metadata's log line and health.
        var metadataProblem: String
        /// The problem in the playlist's.
        var playlistProblem: String
        var kind = ErrorKind.metadata
    }

    static let faults = [
        Fault(
            testDescription: "refused", reply: { _ in FakeOrigin.failure(.connect, "connection refused") },
            metadataProblem: "connection refused", playlistProblem: "connection refused", kind: .network),
        Fault(
            testDescription: "TLS", reply: { _ in FakeOrigin.failure(.tls, "certificate is not trusted") },
            metadataProblem: "certificate is not trusted", playlistProblem: "certificate is not trusted", kind: .network
        ),
        Fault(
            testDescription: "never answers",
            reply: { _ in FakeOrigin.failure(.timeout, "no answer within 10 s", delay: .seconds(10)) },
            metadataProblem: "no answer within 10 s", playlistProblem: "no answer within 10 s", kind: .network),
        Fault(
            testDescription: "20 MB",
            reply: { _ in FakeOrigin.failure(.bodyTooLarge, "body is longer than 8388608 bytes") },
            metadataProblem: "body is longer", playlistProblem: "body is longer", kind: .network),
        Fault(
            testDescription: "truncated",
            reply: { _ in FakeOrigin.failure(.reset, "connection closed in the middle of the body") },
            metadataProblem: "in the middle of the body", playlistProblem: "in the middle of the body", kind: .network),
        Fault(
            testDescription: "404", reply: { FakeOrigin.status(404, $0) }, metadataProblem: "answered 404",
            playlistProblem: "answered 404"),
        Fault(
            testDescription: "503", reply: { FakeOrigin.status(503, $0) }, metadataProblem: "answered 503",
            playlistProblem: "answered 503"),
        Fault(
            testDescription: "HTML",
            reply: { FakeOrigin.text("<!DOCTYPE html><html>Login</html>", type: "text/html", of: $0) },
            metadataProblem: "the body (text/html) is HTML instead of JSON", playlistProblem: "not a playlist"),
        Fault(
            testDescription: "half a document",
            reply: { FakeOrigin.text(#"{"dataRange":{"start":1,"#, type: "application/json", of: $0) },
            metadataProblem: "is not JSON", playlistProblem: "not a playlist"),
        Fault(
            testDescription: "empty", reply: { FakeOrigin.text("", type: "application/json", of: $0) },
            metadataProblem: "is empty", playlistProblem: "not a playlist"),
    ]

    @Test(arguments: faults) func metadataFailsAndRecovers(fault: Fault) throws {
        var session = try MonitorHarness(Self.origin(failing: "/metadata", with: fault.reply))
        session.start()
        session.run(untilEdge: 79_000)
        let before = session.requested.filter { $0.contains("/metadata") }.count
        session.run(untilEdge: 119_000)
        let failing = session.snapshot()
        #expect(failing.session.metadataHealth.state == .failing)
        #expect(failing.session.metadataHealth.problem?.contains(fault.metadataProblem) == true)
        #expect(failing.session.phase == .failing)
        #expect(failing.session.metadataHealth.nextAttemptAt != nil)
        // The one that is not answered is under way at that moment: no next one is planned.
        let isWaiting = fault.metadataProblem.hasPrefix("no answer")
        let planned = failing.session.service?.next
        #expect(planned?.at == (isWaiting ? nil : failing.session.metadataHealth.nextAttemptAt))
        #expect(planned?.reason == (isWaiting ? nil : .failure))
        #expect(failing.errors.byKind[fault.kind]?.message.contains(fault.metadataProblem) == true)
        #expect(failing.errors.latest?.kind == fault.kind)
        #expect(failing.dataRange != nil)
        // One line at the start, none per attempt; attempts become less frequent.
        #expect(session.log.filter { $0.hasPrefix("error: metadata:") }.count == 1)
        // 40 s are ten intervals; after the first failure requests come half as often.
        #expect(session.requested.filter { $0.contains("/metadata") }.count - before <= 6)
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.metadataHealth.state == .good)
        #expect(session.snapshot().session.phase == .running)
        #expect(session.log.contains { $0.hasPrefix("info: metadata recovered") })
        // Metadata returned before its media was played, or shortly after: no beacon is lost or doubled.
        #expect(session.urls.sorted() == session.origin.plan)
    }

    @Test(arguments: faults) func thePlaylistFailsAndRecovers(fault: Fault) throws {
        var session = try MonitorHarness(Self.origin(failing: "high.m3u8", "low.m3u8", with: fault.reply))
        session.start()
        session.run(untilEdge: 79_000)
        session.run(untilEdge: 119_000)
        let failing = session.snapshot()
        #expect(failing.session.playlistHealth.state == .failing)
        #expect(failing.session.playlistHealth.problem?.contains(fault.playlistProblem) == true)
        #expect(failing.playhead.state == .stalled)
        #expect(failing.playlist.segmentCount == 8)
        #expect(failing.errors.byKind[.network]?.message.contains(fault.playlistProblem) == true)
        #expect(session.log.filter { $0.hasPrefix("error: playlist:") }.count == 1)
        #expect(failing.findings.contains { $0.finding.rule == "http-error" })
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.playlistHealth.state == .good)
        #expect(session.snapshot().playhead.state == .playing)
        #expect(session.log.contains { $0.hasPrefix("info: playlist recovered") })
        #expect(Set(session.urls).count == session.urls.count)
        #expect(Set(session.origin.breaks[1].ads[0].events.flatMap(\.urls)).isSubset(of: session.urls))
    }

    @Test(arguments: faults) func theSessionFailsAndRecovers(fault: Fault) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in now.wall < FakeOrigin.start + .seconds(70) ? fault.reply(request) : nil }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 69_000)
        #expect(
            session.log.contains { $0.hasPrefix("error: session failed (GET init: ") }
                || fault.testDescription == "never answers")
        #expect(session.snapshot().session.phase == (fault.testDescription == "never answers" ? .starting : .failing))
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().session.phase == .running)
        #expect(session.snapshot().session.initPath != nil)
    }

    @Test func retryAfterIsHonoured() throws {
        var session = try MonitorHarness(
            Self.origin(failing: "/metadata") { FakeOrigin.status(503, $0, fields: [HTTPField("Retry-After", "30")]) })
        session.start()
        session.run(untilEdge: 79_000)
        let before = session.requested.filter { $0.contains("/metadata") }.count
        session.run(untilEdge: 109_000)
        #expect(session.requested.filter { $0.contains("/metadata") }.count == before + 1)
    }

    /// The first retry, too, of each part of a stream (RFC 9110 section 10.2.3).
    @Test(arguments: [("/live/index.m3u8", 3), ("/s/index.m3u8", 1), ("/high.m3u8", 1), ("/metadata", 1), ("/vmap", 1)])
    func theFirstRetryWaitsAsLongAsTheServerAsks(part: String, requests: Int) throws {
        let answer = [HTTPField("Retry-After", "20")]
        let origin = Self.origin(failing: part, during: 60_000...120_000) {
            FakeOrigin.status(503, $0, fields: answer)
        }
        var session = try MonitorHarness(origin) {
            if part == "/vmap" { $0.decision = .vmap(tag: FakeOrigin.base + "/vmap") }
        }
        session.start()
        func count() -> Int { session.requested.filter { $0.contains(part) }.count }
        session.run(untilEdge: 79_900)
        #expect(count() == requests)
        session.run(untilEdge: 82_000)
        #expect(count() == requests * 2)
    }

    /// Of the requests of one attempt the longest pause counts, whichever asked for it.
    @Test func anAttemptWaitsForTheLongestPause() throws {
        var session = try MonitorHarness(
            Self.origin(failing: "/live/index.m3u8", during: 60_000...120_000) { request in
                let isInit = request.url.query?.contains("initSession") == true
                return FakeOrigin.status(503, request, fields: [HTTPField("Retry-After", isInit ? "20" : "2")])
            })
        session.start()
        session.run(untilEdge: 79_900)
        #expect(session.requested.count == 3)
        session.run(untilEdge: 82_000)
        #expect(session.requested.count == 6)
    }

    /// An outage of 40 s during a break that is listed only for a few seconds after it: the break is seen, because
    /// metadata is asked for at least every other interval.
    @Test(arguments: [false, true]) func anOutageDuringABreakLosesNoBeacon(hangs: Bool) throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        let outage: Range<Int64> = 78_000..<118_000
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let media = (now.wall - FakeOrigin.start).inMilliseconds
            if outage.contains(media) {
                guard hangs else { return FakeOrigin.failure(.connect, "connection refused") }
                return FakeOrigin.failure(.timeout, "no answer in time", delay: request.totalTimeout)
            }
            let listed = stream.breaks.filter { adBreak in
                adBreak.start <= media && (adBreak.id == "b2" || media < outage.upperBound + 11_000)
            }
            let text = stream.document(listed, from: media - 600_000, to: media + 60_000)
            return FakeOrigin.text(text, type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.urls.sorted() == origin.plan)
    }

    @Test func aWrongContentTypeIsAFinding() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            return FakeOrigin.text(stream.metadata(at: now), type: "text/plain", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        let finding = try #require(session.snapshot().findings.first { $0.finding.rule == "L02" })
        #expect(finding.finding.message == "metadata has the content type 'text/plain'")
        #expect(finding.count > 20)
        #expect(session.log.filter { $0.contains("L02") }.count == 1)
        #expect(session.urls.sorted() == origin.plan)
    }

    @Test func textThatIsNotUTF8CostsOnlyItself() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            var reply = FakeOrigin.text("", type: "application/json", of: request)
            reply.exchange.body = stream.metadata(at: now).utf8.flatMap { $0 == UInt8(ascii: "{") ? [$0] : [$0] }
            if let place = reply.exchange.body.firstIndex(of: UInt8(ascii: "b")) { reply.exchange.body[place] = 0xFF }
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.metadataHealth.state == .good)
        #expect(session.snapshot().playhead.state == .playing)
    }

    @Test func withoutDatesNothingIsDueAndItIsReported() throws {
        var origin = MainPathTests.twoBreaks
        origin.hasDates = false
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().playhead.state == .playing)
        #expect(session.snapshot().playhead.date == nil)
        #expect(session.snapshot().playhead.stream != nil)
        // One line of the playlist, one of the finding about its metadata.
        let lines = session.log.filter { $0.contains("no PROGRAM-DATE-TIME") }
        #expect(lines.count == 2 && lines.count { $0.contains("L46") } == 1, "\(lines)")
        #expect(session.snapshot().breaks.count == 2)
    }

    @Test func metadataWithoutDataRangeStillWorks() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let text = stream.metadata(at: now).split(separator: ",\"adBreaks\"", maxSplits: 1)
            return FakeOrigin.text(
                "{\"adBreaks\"" + (text.last.map(String.init) ?? ""), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "L06" })
        #expect(session.log.contains { $0.hasPrefix("error: ") && $0.hasSuffix("(L06)") })
        #expect(session.snapshot().dataRange == nil)
        #expect(session.urls.sorted() == origin.plan)
    }

    @Test func aClockThatJumpsChangesNoBeacon() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.run(untilEdge: 85_000)
        session.setClock(by: .seconds(3_600))
        session.origin.override = { request, now, count in
            var origin = MainPathTests.twoBreaks
            origin.override = nil
            let real = Moment(wall: now.wall - .seconds(3_600), uptime: now.uptime)
            return origin.reply(to: request, at: real, count: count)
        }
        session.run(for: .seconds(120))
        #expect(session.log.filter { $0 == "warning: the clock of this machine jumped by +3,600.0s" }.count == 1)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.snapshot().playhead.latency.map { $0 > .seconds(3_600) } == true)
    }

    @Test func aPlainStreamIsNotAnError() throws {
        var session = try MonitorHarness(FakeOrigin(hasSession: false))
        session.start()
        session.run(for: .seconds(300))
        let snapshot = session.snapshot()
        #expect(snapshot.session.provider == "none")
        #expect(snapshot.session.metadataHealth.state == .none)
        #expect(snapshot.session.metadataURL == nil)
        #expect(snapshot.session.phase == .running)
        #expect(snapshot.errors.latest == nil)
        #expect(
            session.log.filter { $0.contains("breaks are those of the playlist") } == [
                "info: no ad metadata (answered 404): breaks are those of the playlist"
            ])
        // Three quick requests, then one per minute.
        #expect(session.requested.filter { $0.contains("/metadata") }.count == 7)
    }

    /// Nothing is at an address that was only guessed: that is looked at again, and is no failure.
    @Test func aGuessThatIsNotThereIsNoFailure() throws {
        var session = try MonitorHarness(FakeOrigin(hasSession: false))
        session.start()
        var reasons: Set<PollReason> = []
        for _ in 0..<100 {
            session.run(for: .milliseconds(200))
            if let reason = session.snapshot().session.service?.next?.reason { reasons.insert(reason) }
        }
        #expect(reasons.contains(.guess) && !reasons.contains(.failure), "\(reasons)")
        #expect(session.snapshot().session.provider == "none")
    }

    @Test func metadataMayAppearLater() throws {
        var origin = MainPathTests.twoBreaks
        origin.hasSession = false
        let stream = MainPathTests.twoBreaks
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("/metadata"), now.wall > FakeOrigin.start + .seconds(100) else {
                return nil
            }
            return FakeOrigin.text(stream.metadata(at: now), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 260_000)
        #expect(session.snapshot().session.provider == "harmonic")
        #expect(session.log.contains { $0.hasPrefix("info: metadata appeared") })
        #expect(session.urls.sorted() == stream.plan)
    }

    /// The first look for metadata after a minute meets a server in trouble; the stream stays a plain one, and the next look
    /// finds it.
    @Test(arguments: [nil, 429, 503] as [Int?]) func metadataMayAppearAfterALookThatFailed(status: Int?) throws {
        var origin = MainPathTests.twoBreaks
        origin.hasSession = false
        let stream = MainPathTests.twoBreaks
        origin.override = { request, now, count in
            // Three answers make it a plain stream.
            guard request.url.path.hasSuffix("/metadata"), count > 3 else { return nil }
            guard count > 4 else {
                return status.map { FakeOrigin.status($0, request) } ?? FakeOrigin.failure(.timeout, "no answer")
            }
            return FakeOrigin.text(stream.metadata(at: now), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(90))
        #expect(session.requested.filter { $0.contains("/metadata") }.count == 4)
        #expect(session.snapshot().session.metadataHealth.state == .none)
        session.run(for: .seconds(120))
        #expect(session.snapshot().session.provider == "harmonic")
        #expect(session.urls.sorted() == stream.plan)
        #expect(session.snapshot().session.metadataHealth.state == .good)
    }

    /// What the address rules stopped is a finding, once for each kind of request, however often it is tried.
    @Test(arguments: [("/metadata", "metadata"), ("/high.m3u8", "media playlist"), ("/b", "beacon")])
    func aForbiddenAddressIsAFinding(path: String, what: String) throws {
        let origin = Self.origin(failing: path) { _ in
            FakeOrigin.failure(.addressNotAllowed, "10.0.0.5 has a private or loopback address; …")
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 79_000)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "address-not-allowed" })
        session.run(untilEdge: 119_000)
        let found = session.snapshot().findings.filter { $0.finding.rule == "address-not-allowed" }
        #expect(found.map(\.finding.path) == [what])
        #expect(
            found.first?.finding.message
                == "\(what) not requested: 10.0.0.5 has a private or loopback address; …")
        #expect((found.first?.count ?? 0) > 1)
    }

    /// The tracker that was named has been asked then.
    @Test func aForbiddenRedirectIsFoundAsSuch() throws {
        var reply = FakeOrigin.failure(.addressNotAllowed, "redirected from https to http")
        reply.exchange.hops = [.init(url: "http://127.0.0.1/b", status: 302, fields: [])]
        let answer = reply
        var session = try MonitorHarness(Self.origin(failing: "/b") { _ in answer })
        session.start()
        session.run(untilEdge: 119_000)
        let found = session.snapshot().findings.filter { $0.finding.rule == "address-not-allowed" }
        #expect(found.map(\.finding.message) == ["redirect of beacon not followed: redirected from https to http"])
    }
}
