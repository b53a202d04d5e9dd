import AdTracking
import HLS
import Ports
import TestSupport
import Testing

@testable import Session

/// Pings are beacons (PRV-43): claimed, written to the journal, sent at most once, in fire mode only; their answers bring ads.
@Suite struct PingTests {
    private static let ping = FakeOrigin.base + "/session/ping/S1.json?v=3"

    /// An ad of 8 s at second 12 of the programme.
    private static let ads = #"""
        {"breaks":[{"type":"linear","breakId":"b1","timeOffset":12,"duration":8,"ads":[{"creative":"a1","duration":8,
         "events":{"impressions":["\#(FakeOrigin.base)/b?e=i"],"midpoints":["\#(FakeOrigin.base)/b?e=m"],
                   "mutes":["\#(FakeOrigin.base)/b?e=mute"]}}]}]}
        """#
    private static let beacons = ["/b?e=i", "/b?e=m"].map { FakeOrigin.base + $0 }

    /// A programme of two minutes, whose pings name the position 10 s on.
    private static func origin(
        _ answer: @escaping @Sendable (HTTPRequest, Int) -> FakeOrigin.Reply? = { _, _ in nil },
        session: @escaping @Sendable (Int) -> String = { _ in "S1" }
    ) -> FakeOrigin {
        var origin = FakeOrigin(vodDuration: 120_000)
        origin.override = { request, _, count in
            func json(_ text: String) -> FakeOrigin.Reply {
                FakeOrigin.text(text, type: "application/json", of: request)
            }
            if request.url.path.hasPrefix("/preplay/") {
                return json(
                    #"{"playURL":"/live/index.m3u8?s=\#(count)","sid":"\#(session(count))","prefix":"/","ads":{"breaks":[]}}"#
                )
            }
            guard request.url.path.hasPrefix("/session/ping/") else { return nil }
            if let answer = answer(request, count) { return answer }
            let second = request.url.query?.split(separator: "&").first { $0.hasPrefix("pt=") }
                .flatMap { Int($0.dropFirst(3)) }
            return json(#"{"next_time":\#((second ?? 0) + 10),"ads":\#(ads)}"#)
        }
        return origin
    }

    private static func session(
        _ origin: FakeOrigin = origin(), wanted: Int = 4, mode: ReportingMode = .fire,
        _ change: (inout MonitorConfiguration) -> Void = { _ in }
    ) throws -> MonitorHarness {
        let url = try WebURL("\(FakeOrigin.base)/preplay/7.json?v=2&ad.cping=1&ad.pingf=\(wanted)")
        return try MonitorHarness(origin) {
            $0.mediaURL = url
            $0.mode = mode
            change(&$0)
        }
    }

    private static func pings(_ session: MonitorHarness) -> [String] {
        session.urls.filter { $0.contains("/session/ping/") }.map { String($0.dropFirst(ping.count)) }
    }

    @Test func eachPingIsSentOnceAndBringsAds() throws {
        var session = try Self.session()
        session.start()
        session.run(for: .seconds(35))
        #expect(Self.pings(session) == ["&ev=start&pt=0", "&pt=10", "&pt=20", "&pt=30"])
        #expect(session.urls.filter { $0.contains("/b?") } == Self.beacons)
        let snapshot = session.snapshot()
        #expect(snapshot.session.provider == "uplynk" && snapshot.session.service?.mode == "client")
        let ping = try #require(snapshot.session.service?.ping)
        #expect(ping.state == .acknowledged && ping.cause == "position" && ping.next == StreamTime.zero + .seconds(40))
        #expect(snapshot.counters.beaconsSent == 6 && snapshot.counters.beaconsAcknowledged == 6)
        let kept = session.journal.filter { $0.beacon.breakName == "=ping/S1" }
        #expect(kept.count == 4 && kept.allSatisfy { $0.outcome == "acknowledged" && $0.beacon.type == "ping" })
    }

    /// The log and the growth of a break agree that no poll brought it, and the growth names the ping.
    @Test func whatAPingBringsIsOfNoPoll() throws {
        var session = try Self.session()
        session.start()
        session.run(for: .seconds(5))
        #expect(session.log.contains { $0.hasPrefix("info: metadata 200 ") && $0.hasSuffix(", +1 new (B1), +1 ad") })
        #expect(!session.log.contains { $0.contains("metadata poll") })
        let growth = try #require(session.snapshot().breaks.first).growth
        #expect(growth.steps.first?.newAdCount == 1 && growth.steps.allSatisfy { $0.poll == nil })
        #expect(growth.steps.first?.ping == 1, "\(growth.steps)")
        let json = SnapshotJSON().value(of: session.snapshot())["breaks"]?.arrayValue?.first?["growth"]?.arrayValue
        #expect(json?.first?["ping"]?.integerValue == 1 && json?.first?["poll"] == .null)
    }

    /// In observe mode the ping that is due is shown and not sent, so no answer names a next one.
    @Test func observeModeSendsNone() throws {
        var session = try Self.session(mode: .observe)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.urls == [])
        let ping = try #require(session.snapshot().session.service?.ping)
        #expect(ping.state == .observed && ping.cause == "start" && ping.next == nil)
        #expect(session.log.contains("info: ping start observed: no further ads are known without its answer"))
        #expect(session.journal == [])
    }

    /// A ping is due when its position is passed, and not before: at no moment is a beacon missing.
    @Test func whatIsScheduledIsNotDue() throws {
        var session = try Self.session()
        session.start()
        for _ in 0..<70 {
            session.run(for: .milliseconds(500))
            let sum = Verdict(session.snapshot()).beacons
            #expect(sum.due == sum.sent && sum.due == session.urls.count)
        }
        let sum = Verdict(session.snapshot()).beacons
        #expect((sum.sent, sum.pings, sum.adSpaces) == (6, 4, 0))
        #expect(session.health().beacons == sum)
    }

    /// What is not sent is due nevertheless, and counted once when a person arms the session.
    @Test(arguments: [ReportingMode.observe, .fire]) func whatIsNotSentIsDue(_ mode: ReportingMode) throws {
        var session = try Self.session(mode: mode) { if mode == .fire { $0.sending.allowHosts = ["tracker.example"] } }
        session.start()
        session.run(for: .seconds(20))
        #expect(session.health().beacons.due == 1 && session.health().beacons.sent == 0)
        guard mode == .observe else { return }
        session.submit(.modeChosen(.fire))
        session.run(for: .seconds(3))
        let sum = session.health().beacons
        #expect(sum.sent > 0 && sum.due - sum.sent == session.snapshot().events.count { $0.state == .observed })
    }

    /// What was only observed is pinged when a person arms the session, and once in all its runs.
    @Test func anArmedSessionBeginsToPing() throws {
        var first = try Self.session(mode: .observe)
        first.start()
        first.run(for: .seconds(20))
        first.submit(.modeChosen(.fire))
        first.run(for: .seconds(5))
        #expect(Self.pings(first) == ["&ev=start&pt=0", "&pt=19"])
        var second = try Self.session()
        second.journal = first.journal
        second.start()
        second.run(for: .seconds(15))
        #expect(Self.pings(second) == ["&pt=10"])
    }

    /// A journal on disk stores pings under the session of the stream, as it does with all beacons.
    @Test(arguments: [nil, "https://content.uplynk.com sid"])
    func whatAnEarlierRunSentIsNotSentAgain(_ session: String?) throws {
        var first = try Self.session()
        first.losesAnswers = true
        first.start()
        first.run(for: .seconds(5))
        #expect(Self.pings(first) == ["&ev=start&pt=0"])
        var second = try Self.session()
        second.journal = first.journal.map { entry in
            var entry = entry
            entry.beacon.session = session ?? entry.beacon.session
            return entry
        }
        second.start()
        second.run(for: .seconds(25))
        // Nothing repeats: the next one has another position.
        #expect(Self.pings(second) == ["&pt=10", "&pt=20"])
    }

    /// The server may have counted a ping whose answer was lost.
    @Test(arguments: [503, nil] as [Int?]) func oneWithoutAnAnswerIsNotRepeated(_ status: Int?) throws {
        let origin = Self.origin { request, count in
            guard count == 1 else { return nil }
            return status.map { FakeOrigin.status($0, request) } ?? FakeOrigin.failure(.reset, "connection reset")
        }
        var session = try Self.session(origin) { $0.retry = .standard }
        session.start()
        session.run(for: .seconds(15))
        #expect(session.snapshot().session.metadataHealth.state == .failing)
        let counters = session.snapshot().counters
        #expect((counters.beaconsFailed, counters.beaconsUnknown) == (status == nil ? (0, 1) : (1, 0)))
        let failed = session.health().recent.failure
        #expect((failed?.event, failed?.status) == (status == nil ? nil : "ping position", status))
        let word = status == nil ? "unknown" : "failed"
        #expect(session.log.contains { $0.hasPrefix("error: ping position ") && $0.hasSuffix(": \(word)") })
        Self.expectItsOwnWord(&session, status)
        session.run(for: .seconds(20))
        #expect(session.log.contains { $0.hasPrefix("info: pings recovered: 200") })
        let verdict = Verdict(session.snapshot())
        #expect(!verdict.problems.contains(.ping(status: status)))
        #expect(Self.pings(session) == ["&ev=start&pt=0", "&pt=10", "&pt=20", "&pt=30"])
        #expect(session.snapshot().session.metadataHealth.state == .good)
    }

    /// A failed ping is no failed request of metadata, in no text: state, verdict, finding, error, log.
    private static func expectItsOwnWord(_ session: inout MonitorHarness, _ status: Int?) {
        let (snapshot, health) = (session.snapshot(), session.health())
        #expect(snapshot.session.metadataHealth.isPing)
        #expect(Verdict(snapshot).problems.first == .ping(status: status))
        #expect(snapshot.counters.pingsFailed == (status == nil ? 0 : 1))
        #expect(health.problem?.hasPrefix("ping: ") == true, "\(health.problem ?? "")")
        #expect(snapshot.errors.latest?.kind == .beacon)
        #expect(snapshot.errors.latest?.message.hasPrefix("ping position ") == true)
        let findings = snapshot.findings.filter { $0.finding.rule == "L01" }.map(\.finding.message)
        #expect(findings == (status.map { ["ping was answered with \($0)"] } ?? []))
        let errors = session.log.filter { $0.hasPrefix("error: ") && !$0.contains("was answered with") }
        #expect(errors.count == 1 && !errors[0].contains("metadata"), "\(errors)")
    }

    /// The ping was counted, and what it brings cannot be read: that is another matter.
    @Test func anAnswerThatIsNoDocumentIsThatOfAPing() throws {
        let origin = Self.origin { request, count in
            count == 1 ? FakeOrigin.text("<html>", type: "text/html", of: request) : nil
        }
        var session = try Self.session(origin)
        session.start()
        session.run(for: .seconds(15))
        let snapshot = session.snapshot()
        #expect(snapshot.counters.beaconsFailed == 0 && snapshot.counters.pingsFailed == 0)
        #expect(snapshot.session.metadataHealth.isPing && Verdict(snapshot).problems.first == .ping(status: 200))
        #expect(snapshot.errors.latest?.kind == .metadata)
        #expect(session.log.contains { $0.hasPrefix("error: ping position: the body ") })
        #expect(!session.log.contains { $0.hasPrefix("error: metadata") })
        let finding = snapshot.findings.first { $0.finding.rule == "L01" }?.finding.message
        #expect(finding?.hasPrefix("ping was answered with 200, but the body ") == true, "\(finding ?? "")")
    }

    @Test func aSeekIsPingedOnceEachTime() throws {
        var session = try Self.session()
        session.start()
        session.run(for: .seconds(5))
        for _ in 0..<2 {
            session.submit(.playerCommanded(.seek(.date(FakeOrigin.start + .seconds(60)))))
            session.run(for: .seconds(1))
            session.submit(.playerCommanded(.seek(.date(FakeOrigin.start + .seconds(5)))))
            session.run(for: .seconds(1))
        }
        let seeks = Self.pings(session).filter { $0.contains("ev=seek") }
        #expect(seeks.count == 4 && seeks.filter { $0.contains("pt=60&") }.count == 2, "\(seeks)")
    }

    // MARK: Who reports

    @Test func whatTheServiceReportsIsSentOnlyWhenAPersonWantsIt() throws {
        for reportsAnyway in [false, true] {
            var session = try Self.session(wanted: 3) {
                $0.sending.reportsAnyway = reportsAnyway
                $0.writesHistory = true
            }
            session.start()
            session.run(for: .seconds(35))
            #expect(Self.pings(session).count == 4)
            #expect(session.urls.filter { $0.contains("/b?") } == (reportsAnyway ? Self.beacons : []))
            let snapshot = session.snapshot()
            #expect(snapshot.session.service?.reporter == .both)
            let modes = session.notes.compactMap {
                if case .session(let session) = $0.content { session.serviceMode } else { nil }
            }
            #expect(Set(modes) == ["pings"])
            let rules = snapshot.findings.map(\.finding.rule)
            #expect(rules.contains("two-parties") == reportsAnyway && rules.contains("P04") == !reportsAnyway)
            if !reportsAnyway {
                #expect(snapshot.event("impression", ad: "a1")?.reason == .serverBeaconed)
            }
        }
    }

    // MARK: What stands in the way

    /// A ping is sent where beacons may be sent, and nowhere else.
    @Test func theGateHoldsForPings() throws {
        var session = try Self.session { $0.sending.allowHosts = ["tracker.example"] }
        session.start()
        session.run(for: .seconds(30))
        #expect(Self.pings(session) == [])
        #expect(session.snapshot().session.service?.ping?.reason == .hostNotAllowed)
    }

    @Test func withoutAJournalNoPingLeaves() throws {
        var session = try Self.session()
        session.journalFails = "journal: disk full"
        session.start()
        session.run(for: .seconds(30))
        #expect(session.urls == [])
    }

    /// The server ends the session: a new one is opened, whose pings are its own.
    @Test func anExpiredSessionIsBegunAnew() throws {
        let origin = Self.origin(
            { request, count in
                request.url.path.hasSuffix("S1.json") && count > 0 ? FakeOrigin.status(410, request) : nil
            }, session: { "S\($0 + 1)" })
        var session = try Self.session(origin)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.snapshot().session.renewals == 1 && session.snapshot().session.sessionID == "S2")
        #expect(session.log.contains { $0.contains("session over: the pings of the session answered 410 3 times") })
        let pings = session.urls.filter { $0.contains("/session/ping/") }
        #expect(pings.filter { $0.contains("/S1.json") }.count == 4 && Set(pings).count == pings.count)
        #expect(pings.contains { $0.contains("/S2.json?v=3&ev=start") })
        // The journal of the new session has those of the former one as copies, which a report does not count.
        #expect(Set(session.state.desk.journal.carried.map(\.url)) == Set(pings.filter { $0.contains("/S1.json") }))
    }

    /// The server rejects the playlist, from the beginning or later, and names the same session again: what that answer lists is
    /// known, even if no ping leaves.
    @Test(arguments: [0, 10]) func theSameSessionNamedAgainListsNewAds(rejectedAfter seconds: Int) throws {
        var origin = FakeOrigin()
        origin.override = { request, now, count in
            if request.url.path.hasPrefix("/preplay/") {
                let ads = count == 0 ? #"{"breaks":[]}"# : Self.ads
                let text = #"{"playURL":"/live/index.m3u8","sid":"S1","prefix":"/","ads":\#(ads)}"#
                return FakeOrigin.text(text, type: "application/json", of: request)
            }
            let rejected = (FakeOrigin.start + .seconds(70 + seconds))..<(FakeOrigin.start + .seconds(92))
            guard request.url.path.hasSuffix(".m3u8"), rejected.contains(now.wall) else { return nil }
            return FakeOrigin.status(404, request)
        }
        var session = try Self.session(origin, mode: .observe)
        session.start()
        session.run(for: .seconds(15))
        #expect(session.snapshot().breaks.flatMap(\.ads).isEmpty == (seconds > 0))
        session.run(for: .seconds(30))
        #expect(session.log.contains("warning: the server names the same session again: following it"))
        #expect(session.snapshot().breaks.flatMap(\.ads).map(\.name) == ["a1"])
        #expect(session.snapshot().session.renewals == 0)
    }

    @Test func theServerEndsThePings() throws {
        let origin = Self.origin { request, _ in
            FakeOrigin.text(#"{"next_time":-1}"#, type: "application/json", of: request)
        }
        var session = try Self.session(origin)
        session.start()
        session.run(for: .seconds(60))
        #expect(Self.pings(session) == ["&ev=start&pt=0"])
        #expect(session.snapshot().findings.map(\.finding.rule).contains("P08"))
    }

    /// A recording has the answers to pings, so it replays to the same ads.
    @Test func aReplayShowsTheSame() throws {
        var session = try Self.session()
        session.start()
        session.run(for: .seconds(35))
        let recording = try session.recorded(.none)
        var state = MonitorState(recording.configuration)
        for input in recording.inputs { _ = state.apply(input.input, at: input.at) }
        let replayed = state.snapshotForTests(at: session.now)
        #expect(replayed.session.service == session.snapshot().session.service)
        #expect(replayed.breaks.map(\.name) == session.snapshot().breaks.map(\.name))
        #expect(replayed.breaks.count == 1)
    }
}
