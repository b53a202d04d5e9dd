import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Observe and fire modes, retries, address rules, and beacons that must not be sent twice.
@Suite struct BeaconTests {
    private static let base = MainPathTests.twoBreaks

    @Test func observeModeSendsNothingAndListsDueBeacons() throws {
        var session = try MonitorHarness.ran { $0.mode = .observe }
        #expect(session.urls.isEmpty)
        #expect(session.journal.isEmpty)
        let snapshot = session.snapshot()
        #expect(snapshot.events.allSatisfy { $0.state == .observed && $0.reason == .observeMode })
        #expect(snapshot.counters.events == [.observed: 18])
        #expect(snapshot.counters.beaconsSent == 0)
        #expect(session.log.contains("info: beacon midpoint B1/A1 \(StateWord.observed.rawValue)"))
    }

    @Test func aSnapshotHasTheHeaderFieldsOfTheRequests() throws {
        var session = try MonitorHarness.ran(until: 100_000) { $0.userAgent = "Player/1" }
        let shown = session.snapshot().session.beaconFields
        #expect(shown.contains { $0.name == "User-Agent" && $0.value == "Player/1" })
        #expect(!session.beaconRequests.isEmpty && session.beaconRequests.allSatisfy { $0.fields == shown })
    }

    @Test func onlyLoopbackFiresByDefault() throws {
        for (url, mode) in [
            ("http://127.0.0.1/a.m3u8", ReportingMode.fire), ("http://localhost:8/a.m3u8", .fire),
            ("http://[::1]/a.m3u8", .fire),
            ("http://10.0.0.1/a.m3u8", .observe), ("https://cdn.example/a.m3u8", .observe),
        ] {
            #expect(MonitorConfiguration(mediaURL: try WebURL(url)).mode == mode, "\(url)")
        }
    }

    @Test func armingSendsLaterBeacons() throws {
        var session = try MonitorHarness.ran(until: 100_000) { $0.mode = .observe }
        session.submit(.modeChosen(.fire))
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().session.mode == .fire)
        #expect(session.urls.count > 6 && session.urls.count < 18)
        #expect(!session.urls.contains(FakeOrigin.beacon("a1", "start")))
        #expect(session.urls.contains(FakeOrigin.beacon("a3", "complete")))
        #expect(Set(session.urls).count == session.urls.count)
        #expect(session.log.contains("warning: armed: beacons are sent"))
    }

    /// A tunnel or a proxy to a public stream looks like a stream on this machine.
    @Test func armingALoopbackSessionReachesEveryHost() throws {
        let outside = "https://tracker.example/b?ad="
        var origin = Self.base
        for (place, adBreak) in origin.breaks.enumerated() {
            for ad in adBreak.ads.indices {
                origin.breaks[place].ads[ad].events[1].urls = ["\(outside)\(place).\(ad)"]
            }
        }
        var session = try MonitorHarness.ran(origin, until: 100_000) { $0.sending.firesByDefault = true }
        func sent() -> [String] { session.requested.filter { $0.hasPrefix(outside) } }
        #expect(session.snapshot().session.sendsToLoopbackOnly && session.health().sendsToLoopbackOnly)
        #expect(sent().isEmpty)
        session.submit(.modeChosen(.fire))
        #expect(!session.snapshot().session.sendsToLoopbackOnly)
        session.run(untilEdge: 200_000)
        #expect(!sent().isEmpty && Set(sent()).count == sent().count)
        #expect(!sent().contains("\(outside)0.0"), "what was due before is not sent")
    }

    /// The lane is what keeps `impression` before `start` on the wire (`SendOrderTests`).
    @Test func theBeaconsOfAnAdShareALaneInTheirOrder() throws {
        let session = try MonitorHarness.ran(until: 200_000)
        let ads = MainPathTests.twoBreaks.breaks.flatMap(\.ads).map(\.id)
        let lanes = ads.map { ad in
            session.beaconRequests.filter { $0.url.text.contains("?ad=\(ad)&") }.map {
                (lane: $0.lane, url: $0.url.text)
            }
        }
        for (ad, sent) in zip(ads, lanes) {
            #expect(sent.first?.lane != nil && Set(sent.map(\.lane)).count == 1)
            #expect(sent.prefix(2).map(\.url) == ["impression", "start"].map { FakeOrigin.beacon(ad, $0) })
        }
        #expect(Set(lanes.compactMap { $0.first?.lane }).count == ads.count, "no ad waits for another")
    }

    /// Whether a beacon arrived whose request was cancelled at the end is unknown, as the journal has it.
    @Test func whatIsCancelledAtTheEndIsUnknown() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        session.losesAnswers = true
        session.run(untilEdge: 100_500)
        let open = session.journal.filter { $0.outcome == nil }
        #expect(!open.isEmpty && session.health().beacons.unknown == 0)
        session.submit(.stopped)
        for number in 0..<100 {
            session.submit(
                .beaconAnswered(ClaimID(number), HTTPExchange(failure: HTTPFailure(.cancelled, "stopped"))))
        }
        #expect(session.health().beacons.unknown == open.count)
        #expect(session.journal.filter { $0.outcome == nil } == open)
    }

    /// A beacon that waits for another try when sending ends has failed.
    @Test func whatWaitsWhenSendingEndsHasFailed() throws {
        var origin = Self.base
        origin.override = { request, _, _ in
            request.url.path == "/b" ? FakeOrigin.failure(.connect, "refused") : nil
        }
        var session = try MonitorHarness.ran(origin, until: 100_500)
        func waiting() -> Int {
            session.state.snapshotForTests(at: session.now).events.flatMap(\.urls).count { $0.state == .waiting }
        }
        let count = waiting()
        let failed = session.health().beacons.failed
        #expect(count > 0)
        session.submit(.modeChosen(.observe))
        #expect(waiting() == 0)
        #expect(session.health().beacons.failed == failed + count)
        #expect(
            session.log.contains { $0.hasPrefix("warning: beacon ") && $0.contains("no other try is made: failed") })
    }

    /// The second tries are handed to the edge, which does not let them leave: each beacon was sent once, is due once and has failed.
    @Test func aRetryThatIsRefusedHasFailed() throws {
        var origin = Self.base
        origin.override = { request, _, _ in
            request.url.path == "/b" ? FakeOrigin.failure(.connect, "refused") : nil
        }
        var session = try MonitorHarness.ran(origin, until: 80_000)
        while session.urls.isEmpty { session.run(for: .milliseconds(10)) }
        session.run(for: .milliseconds(100))
        session.losesAnswers = true
        session.run(for: .seconds(1))
        let sent = Set(session.urls).count
        #expect(session.urls.count == 2 * sent && session.snapshot().counters.retries == sent)
        session.submit(.claimsRefused((0..<100).map { RefusedClaim(id: ClaimID($0), refusal: .storeAway) }))
        let beacons = session.health().beacons
        #expect(beacons.sent == sent && beacons.due == sent && beacons.failed == sent)
        #expect(session.snapshot().counters.retries == 0)
        // What is added up elsewhere only increases: there it was an attempt.
        #expect(MetricsText.render([session.health()], version: "1").contains("adtop_beacon_retries_total \(sent)\n"))
        let lines = session.log.filter { $0.contains("could not reach the fleet's store: failed") }
        #expect(lines.count == sent && lines.allSatisfy { $0.hasPrefix("error: beacon ") })
    }

    /// The hosts of all beacons lead to forbidden addresses: none was sent, and each is due once.
    @Test func whatDoesNotLeaveIsNotSent() throws {
        var origin = Self.base
        origin.override = { request, _, _ in
            request.url.path == "/b" ? FakeOrigin.failure(.addressNotAllowed, "10.0.0.5 is private") : nil
        }
        let session = try MonitorHarness.ran(origin)
        let beacons = session.health().beacons
        #expect(beacons.sent == 0 && beacons.failed == 0 && beacons.due == 18)
    }

    @Test func disarmingStopsAtOnce() throws {
        var session = try MonitorHarness.ran(until: 110_000)
        let sent = session.urls.count
        session.submit(.modeChosen(.observe))
        session.run(untilEdge: 200_000)
        #expect(sent > 0)
        #expect(session.urls.count == sent)
    }

    @Test func readOnlyNeverSends() throws {
        var session = try MonitorHarness.ran(until: 80_000) { $0.sending.isReadonly = true }
        #expect(session.snapshot().session.mode == .observe)
        #expect(!session.snapshot().session.canArm)
        session.submit(.modeChosen(.fire))
        session.run(untilEdge: 200_000)
        #expect(session.urls.isEmpty)
        #expect(session.log.contains("warning: read-only: beacons are not sent"))
    }

    @Test func aPublicSessionNeverReachesPrivateHosts() throws {
        // The fake origin ignores hosts, so the same stream also serves as one on the Internet.
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live/index.m3u8"))
        configuration.mode = .fire
        var origin = Self.base
        origin.breaks[0].ads[0].events[1].urls = [
            "http://10.1.2.3/b", "http://127.0.0.1/b", "https://ads.example/b?x=1",
        ]
        var session = try MonitorHarness(origin) { $0 = configuration }
        session.start()
        session.run(untilEdge: 120_000)
        let event = try #require(session.snapshot().event("start", ad: "a1"))
        #expect(event.urls.map(\.state) == [.skipped, .skipped, .acknowledged])
        #expect(event.urls.map(\.reason) == [.hostNotAllowed, .hostNotAllowed, nil])
        #expect(session.urls.allSatisfy { $0.hasPrefix("https://ads.example/") })
    }

    /// Staging trackers at private addresses behind a stream with a name: `--allow-host` names them.
    @Test func anAllowedHostIsReachedAtAPrivateAddress() throws {
        var configuration = MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live/index.m3u8"))
        configuration.mode = .fire
        configuration.sending.allowHosts = ["10.1.2.3", "staging.example"]
        var origin = Self.base
        origin.breaks[0].ads[0].events[1].urls = [
            "http://10.1.2.3/b", "http://127.0.0.1/b", "https://t.staging.example/b?x=1",
        ]
        var session = try MonitorHarness(origin) { $0 = configuration }
        session.start()
        session.run(untilEdge: 120_000)
        let event = try #require(session.snapshot().event("start", ad: "a1"))
        #expect(event.urls.map(\.state) == [.acknowledged, .skipped, .acknowledged])
        let rule = AddressRule.publicOnly(except: ["10.1.2.3", "staging.example"])
        #expect(session.beaconRequests.allSatisfy { $0.addressRule == rule && $0.trustedHost == "cdn.example" })
        #expect(session.requests(for: .metadata).allSatisfy { $0.addressRule == rule })
    }

    @Test func publicBeaconsCarryTheAddressRuleToTheEdge() throws {
        var state = MonitorState(MonitorConfiguration(mediaURL: try WebURL("https://cdn.example/live/index.m3u8")))
        let start = Moment(wall: FakeOrigin.start, uptime: .zero)
        let effects = state.apply(.started, at: start)
        guard case .fetch(_, .sessionInit, let request)? = effects.first else {
            Issue.record("no session request in \(effects)")
            return
        }
        #expect(request.addressRule == .publicOnly && request.trustedHost == "cdn.example")
        #expect(request.fields["user-agent"] == "adtop/dev (+monitor)")
    }

    struct Collectors: Sendable {
        var firesByDefault: Bool
        var states: [DeliveryState]
        var reasons: [SkipReason?]
        var rule: AddressRule
    }

    /// A loopback address may be a tunnel or a proxy to a public stream: without `--fire` its trackers elsewhere are shown
    /// as not sent, with the reason, and every request carries the rule to the edge.
    @Test(arguments: [
        Collectors(
            firesByDefault: true, states: [.skipped, .skipped, .acknowledged],
            reasons: [.hostNotAllowed, .hostNotAllowed, nil], rule: .loopbackOnly),
        Collectors(
            firesByDefault: false, states: [.acknowledged, .acknowledged, .acknowledged], reasons: [nil, nil, nil],
            rule: .anywhere),
    ])
    func aLoopbackSessionReachesOnlyThisMachineByDefault(_ row: Collectors) throws {
        var origin = Self.base
        origin.breaks[0].ads[0].events[1].urls = [
            "https://tracker.example/b", "http://10.1.2.3/b", "http://localhost:9/b",
        ]
        var session = try MonitorHarness.ran(origin, until: 120_000) { $0.sending.firesByDefault = row.firesByDefault }
        #expect(session.snapshot().session.mode == .fire)
        let event = try #require(session.snapshot().event("start", ad: "a1"))
        #expect(event.urls.map(\.state) == row.states)
        #expect(event.urls.map(\.reason) == row.reasons)
        let elsewhere = session.requested.filter { $0.contains("tracker.example") || $0.contains("10.1.2.3") }
        #expect(elsewhere.isEmpty == row.firesByDefault)
        #expect(session.urls.contains("http://localhost:9/b"))
        #expect(session.beaconRequests.allSatisfy { $0.addressRule == row.rule })
    }

    /// `--allow-host` holds for redirects too, and https never falls to http: both rules are part of the request of a beacon.
    @Test(arguments: [[], ["127.0.0.1", "Good.test"]] as [[String]])
    func beaconsCarryTheRedirectRuleToTheEdge(_ hosts: [String]) throws {
        let session = try MonitorHarness.ran(until: 120_000) { $0.sending.allowHosts = hosts }
        let rule = RedirectRule(allowedHosts: hosts.isEmpty ? nil : ["127.0.0.1", "good.test"], allowsDowngrade: false)
        #expect(!session.beaconRequests.isEmpty)
        #expect(session.beaconRequests.allSatisfy { $0.redirectRule == rule })
    }

    @Test func hostsMayBeNarrowed() throws {
        var origin = Self.base
        origin.breaks[0].ads[0].events[1].urls = ["http://good.test/b", "http://sub.good.test/b", "http://bad.test/b"]
        var session = try MonitorHarness.ran(origin, until: 120_000) {
            $0.sending.allowHosts = ["good.test"]
            $0.sending.firesByDefault = false
        }
        let event = try #require(session.snapshot().event("start", ad: "a1"))
        #expect(event.urls.map(\.state) == [.acknowledged, .acknowledged, .skipped])
        #expect(session.urls.allSatisfy { $0.contains("good.test") })
        // What is due and may not be sent is due all the same, also where an event has nothing else.
        let beacons = Verdict(session.snapshot()).beacons
        #expect(beacons.sent == 2 && beacons.due > 3, "\(beacons)")
    }

    /// Its request was written three seconds after the claim: it waited for its turn or for its connection.
    @Test func aBeaconIsLateByWhatItWaitedFor() throws {
        var origin = Self.base
        origin.override = { request, _, _ in
            guard request.url.text == FakeOrigin.beacon("a1", "start") else { return nil }
            var reply = FakeOrigin.text("", type: "image/gif", of: request)
            reply.exchange.sentAfter = .seconds(3)
            return reply
        }
        var session = try MonitorHarness.ran(origin, until: 120_000)
        let snapshot = session.snapshot()
        let url = try #require(snapshot.event("start", ad: "a1")?.urls.first)
        #expect(try #require(url.late) >= .seconds(3))
        #expect(snapshot.counters.late == 1)
        #expect(snapshot.findings.filter { $0.finding.rule == "L60" }.map(\.count) == [1])
        #expect(session.log.contains { $0.contains("beacon start B1/A1") && $0.contains(" late ") })
    }

    @Test func aFailedBeaconIsTriedAgain() throws {
        var origin = Self.base
        origin.override = { request, _, count in
            guard request.url.text == FakeOrigin.base + "/flaky/b" else { return nil }
            return count < 2
                ? FakeOrigin.failure(.connect, "connection refused")
                : FakeOrigin.text("", type: "image/gif", of: request)
        }
        origin.breaks[0].ads[0].events[1].urls = [FakeOrigin.base + "/flaky/b"]
        var session = try MonitorHarness.ran(origin, until: 120_000)
        let delivery = try #require(session.snapshot().event("start", ad: "a1")?.urls.first)
        #expect(delivery.state == .acknowledged)
        #expect(delivery.attempts.count == 3)
        #expect(delivery.attempts.map { $0.exchange?.failure?.kind } == [.connect, .connect, nil])
        #expect(session.snapshot().counters.retries == 2)
        #expect(
            session.log.contains { $0.hasPrefix("warning: beacon start B1/A1 connection refused try 1 retry in 0.") })
    }

    /// The process was stopped while a try waited, and goes on after the deadline: the tracker gets nothing that late.
    @Test func aTryWhoseTimeIsOverIsNotMade() throws {
        var origin = Self.base
        origin.override = { request, _, _ in
            request.url.path == "/down/b" ? FakeOrigin.failure(.connect, "connection refused") : nil
        }
        origin.breaks[0].ads[0].events[1].urls = [FakeOrigin.base + "/down/b"]
        var session = try MonitorHarness(origin)
        session.start()
        for _ in 0..<600 where session.snapshot().event("start", ad: "a1")?.urls.first?.state != .waiting {
            session.run(for: .milliseconds(100))
        }
        let tries = session.urls.count { $0.hasSuffix("/down/b") }
        #expect(tries == 1)
        session.now = session.now.advanced(by: .seconds(60))
        session.run(for: .seconds(10))
        #expect(session.urls.count { $0.hasSuffix("/down/b") } == tries)
        #expect(session.snapshot().event("start", ad: "a1")?.state == .failed)
        #expect(session.snapshot().counters.beaconsFailed == 1)
        #expect(session.log.contains("error: beacon start B1/A1 too late for another try: failed"))
    }

    @Test func theLastFailureIsReportedAndAPersonMayRetry() throws {
        var origin = Self.base
        let isUp = FakeOrigin.start + .seconds(130)
        origin.override = { request, now, _ in
            guard request.url.path == "/down/b", now.wall < isUp else { return nil }
            return FakeOrigin.status(503, request)
        }
        origin.breaks[0].ads[0].events[1].urls = [FakeOrigin.base + "/down/b"]
        var session = try MonitorHarness.ran(origin, until: 131_000) { $0.retry = .standard }
        #expect(session.snapshot().event("start", ad: "a1")?.state == .failed)
        #expect(session.log.contains { $0 == "error: beacon start B1/A1 503 20ms: failed after 2 tries" })
        #expect(session.snapshot().counters.beaconsFailed == 1)
        session.submit(.retryAsked(.allFailed))
        session.run(for: .seconds(1))
        #expect(session.snapshot().event("start", ad: "a1")?.state == .done)
        // It is acknowledged now, and not failed as well.
        #expect(session.snapshot().counters.beaconsFailed == 0)
        session.submit(.retryAsked(.allFailed))
        #expect(session.log.last == "info: retry: no failed delivery")
    }

    /// TRK-26 X5, X6: a process ends between send and answer; the next process does not send beacons again that may
    /// have arrived.
    @Test func aRestartSendsNothingTwice() throws {
        var first = try MonitorHarness(Self.base)
        first.start()
        first.run(untilEdge: 97_000)
        first.losesAnswers = true
        first.run(untilEdge: 103_000)
        let lost = first.journal.filter { $0.outcome == nil }.map(\.beacon.url)
        #expect(!lost.isEmpty)
        var second = try MonitorHarness(Self.base, joinAt: 103_000)
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 240_000)
        #expect(Set(first.urls).isDisjoint(with: second.urls))
        #expect(second.log.contains { $0.contains("from earlier runs, \(lost.count) with unknown outcome") })
        let unknown = second.snapshot().events.filter { $0.state == .unknown }.flatMap(\.urls).map(\.url)
        #expect(Set(unknown) == Set(lost))
        #expect(second.snapshot().events.filter { $0.state == .done }.count >= 6)
    }

    /// Those of an earlier process and those of this one, each beacon once; one that a person sends again is not unknown.
    @Test func outcomesAreUnknownInBothProcesses() throws {
        var first = try MonitorHarness(Self.base)
        first.start()
        first.run(untilEdge: 97_000)
        first.losesAnswers = true
        first.run(untilEdge: 103_000)
        let lost = first.journal.filter { $0.outcome == nil }.map(\.beacon.url)
        var origin = Self.base
        let doubtful = Set([FakeOrigin.beacon("a3", "start"), FakeOrigin.beacon("a3", "midpoint")])
        origin.override = { request, _, _ in
            doubtful.contains(request.url.text)
                ? FakeOrigin.failure(.timeout, "no answer within 5 s", delay: .seconds(5)) : nil
        }
        var second = try MonitorHarness(origin, joinAt: 103_000)
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 240_000)
        let snapshot = second.snapshot()
        #expect(snapshot.counters.beaconsUnknown == doubtful.count && snapshot.counters.earlierUnknown == lost.count)
        #expect(Verdict(snapshot).beacons.unknown == lost.count + doubtful.count && !lost.isEmpty)
        #expect(second.health().beacons == Verdict(snapshot).beacons)
        let event = try #require(snapshot.events.first { $0.urls.contains { $0.url == lost[0] } })
        second.submit(.retryAsked(.event(event.id)))
        second.run(for: .seconds(5))
        #expect(second.snapshot().counters.earlierUnknown == lost.count - event.urls.count)
    }

    /// The list shows what the journal has, so the counts do, too; what is sent again is not counted as of before.
    @Test func failuresOfAnEarlierProcessAreCounted() throws {
        var origin = Self.base
        let (rejected, unanswered) = (FakeOrigin.beacon("a1", "start"), FakeOrigin.beacon("a1", "midpoint"))
        origin.override = { request, _, _ in
            switch request.url.text {
            case rejected: FakeOrigin.status(503, request)
            case unanswered: FakeOrigin.failure(.connect, "connection refused")
            default: nil
            }
        }
        var first = try MonitorHarness.ran(origin, until: 131_000)
        #expect(first.snapshot().counters.beaconsFailed == 2 && first.snapshot().counters.earlierFailed == 0)
        var second = try MonitorHarness(Self.base, joinAt: 131_000)
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 240_000)
        let snapshot = second.snapshot()
        let lost = snapshot.events.flatMap(\.urls).filter { [.failed, .rejected].contains($0.state) }.map(\.url)
        #expect(Set(lost) == [rejected, unanswered])
        #expect(snapshot.counters.beaconsFailed == 0 && snapshot.counters.earlierFailed == 2)
        #expect(Verdict(snapshot).beacons.failed == 2 && Verdict(snapshot).problems.contains(.failed(2)))
        #expect(second.health().beacons == Verdict(snapshot).beacons)
        let event = try #require(snapshot.events.first { $0.urls.contains { $0.url == rejected } })
        second.submit(.retryAsked(.event(event.id)))
        second.run(for: .seconds(1))
        #expect(second.snapshot().counters.earlierFailed == 1 && second.snapshot().counters.beaconsFailed == 0)
    }

    @Test func withoutAJournalNothingIsSent() throws {
        var session = try MonitorHarness(Self.base)
        session.journalFails = "journal: disk full"
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().session.mode == .observe)
        #expect(!session.snapshot().session.canArm)
        #expect(session.log.contains("error: journal: disk full: nothing is sent from now on"))
        #expect(session.snapshot().events.allSatisfy { $0.state == .observed })
    }

    @Test func aJournalThatBreaksStopsSending() throws {
        var session = try MonitorHarness.ran(until: 97_000)
        let sent = session.urls.count
        #expect(sent > 0)
        session.journalFails = "journal: disk full"
        session.run(untilEdge: 200_000)
        #expect(session.urls.count == sent)
        #expect(session.snapshot().events.allSatisfy { [.done, .observed, .skipped].contains($0.state) })
    }

    /// TRK-26 X6 and X7.
    @Test func whatVanishesAndReturnsIsNotSentAgain() throws {
        var origin = Self.base
        let stream = origin
        origin.override = { request, now, _ in
            let media = (now.wall - FakeOrigin.start).inMilliseconds
            guard request.url.path.hasSuffix("/metadata"), (105_000...118_000).contains(media) else { return nil }
            return FakeOrigin.text(
                stream.document([], from: 0, to: media + 60_000), type: "application/json", of: request)
        }
        let session = try MonitorHarness.ran(origin, until: 240_000) { $0.keep = .seconds(5) }
        #expect(Set(session.urls).count == session.urls.count)
        #expect(Set(session.urls).isSubset(of: stream.plan))
        #expect(session.log.contains { $0.contains("vanished") })
        #expect(session.log.contains { $0.contains("returned") })
    }

    /// TRK-26 X9.
    @Test func atDoubleSpeedEachGoesOutOnce() throws {
        var origin = FakeOrigin(hasSession: true, vodDuration: 240_000)
        origin.breaks = Self.base.breaks
        var session = try MonitorHarness(origin) { $0.rate = 2 }
        session.start()
        session.run(for: .seconds(125))
        #expect(session.snapshot().playhead.state == .ended)
        #expect(session.urls.sorted() == origin.plan)
    }

    /// TRK-26 X10.
    @Test func aSeekOverAnAdSendsNothing() throws {
        var origin = FakeOrigin(hasSession: true, vodDuration: 240_000)
        origin.breaks = Self.base.breaks
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(70))
        session.submit(.playerCommanded(.seek(.by(.seconds(60)))))
        session.run(for: .seconds(60))
        #expect(!session.urls.contains { $0.contains("a1") || $0.contains("a2") })
        #expect(session.urls.contains(FakeOrigin.beacon("a3", "complete")))
        #expect(session.snapshot().event("midpoint", ad: "a1")?.reason == .seekedOver)
        session.submit(.playerCommanded(.seek(.by(.seconds(-60)))))
        session.run(for: .seconds(60))
        #expect(Set(session.urls).count == session.urls.count)
    }

    /// Metadata that lists the first break while it is on air, and when it is over.
    @Test(arguments: [110_000, 130_000] as [Int64]) func lateMetadataIsCaughtUp(_ listed: Int64) throws {
        var origin = Self.base
        let stream = origin
        origin.override = { request, now, _ in
            let media = (now.wall - FakeOrigin.start).inMilliseconds
            guard request.url.path.hasSuffix("/metadata"), media < listed else { return nil }
            return FakeOrigin.text(stream.document([], from: 0, to: media), type: "application/json", of: request)
        }
        var session = try MonitorHarness.ran(origin)
        #expect(session.urls.sorted() == stream.plan)
        #expect(session.snapshot().counters.late > 0 && session.snapshot().counters.breaksOnAir == 2)
        #expect(session.log.contains { $0.contains("beacon start B1/A1 200 20ms late +") })
        let late = try #require(session.snapshot().event("start", ad: "a1")?.urls.first?.late)
        let least = Duration.milliseconds(listed - 100_000)
        #expect(late > least && late < least + .seconds(15))
    }

    @Test func stoppingSendsNoMoreAndForgetsNothing() throws {
        var session = try MonitorHarness(Self.base)
        session.start()
        session.run(untilEdge: 97_000)
        let sent = session.urls.count
        session.submit(.stopped)
        session.run(untilEdge: 200_000)
        #expect(session.state.isQuiet)
        #expect(session.urls.count == sent)
        #expect(session.snapshot().session.phase == .ended)
        #expect(session.journal.allSatisfy { $0.outcome != nil })
    }
}
