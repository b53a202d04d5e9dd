import AdTracking
import Ports
import TestSupport
import Testing

@testable import Session

/// Breaks opened by markers and filled from a VAST tag.
@Suite struct DecisionTests {
    /// At 60 s the viewer joins and the playhead is at 48 s; the break is listed at 72 s and reached at 80 s of the
    /// wall clock.
    static let marker = AdServer.Marker(start: 68_000, duration: 20_000)

    static func server(_ answer: String, marker: AdServer.Marker = marker) -> AdServer {
        var server = AdServer()
        server.markers = [marker]
        server.answers = { path, _ in path == "vast" ? answer : nil }
        return server
    }

    static let pod = AdServer.vast(
        AdServer.ad("b", seconds: 12, sequence: 2), AdServer.ad("a", seconds: 8, sequence: 1))

    @Test func aMarkedBreakIsFilledAndTracked() throws {
        var session = try MonitorHarness(Self.server(Self.pod))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests == [FakeOrigin.base + "/ads/vast?p=2&d=20&m=00%3A00%3A40.000"])
        #expect(session.tracking == AdServer.beacons("a", "b"))
        #expect(session.errorsTold.isEmpty)
        let adBreak = try #require(session.snapshot().breaks.first { $0.source.hasPrefix("vast") })
        #expect(adBreak.start == FakeOrigin.start + .seconds(68))
        #expect(adBreak.duration == .seconds(20))
        #expect(adBreak.ads.map(\.name) == ["a", "b"])
        #expect(adBreak.ads.map { ($0.start - adBreak.start).inSeconds } == [0, 8])
        #expect(session.snapshot().counters.adRequests == 1)
    }

    /// The pod fills the break, so a start that waits for the answer would leave no room for the last ad.
    @Test func aMarkedPreRollHasItsWholeLength() throws {
        var server = Self.server(Self.pod, marker: .init(start: 0, duration: 20_000))
        server.vodDuration = 120_000
        server.delay = .milliseconds(800)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(40))
        #expect(session.tracking == AdServer.beacons("a", "b"))
        #expect(session.errorsTold.isEmpty)
    }

    /// A beacon whose macros were filled is counted as every other one: a second try is none more, and it was as late as it was claimed.
    @Test func aFilledBeaconIsCountedOnce() throws {
        let pod = Self.pod.replacing("e=impression", with: "e=impression&cb=[CACHEBUSTING]")
        var session = try MonitorHarness(Self.server(pod))
        let answer = session.origin.override
        session.origin.override = { request, now, count in
            guard request.url.path == "/b", count == 0 else { return answer?(request, now, count) }
            return FakeOrigin.failure(.connect, "refused")
        }
        session.start()
        session.run(for: .seconds(60))
        let beacons = AdServer.beacons("a", "b").count
        #expect(session.urls.count == beacons + 1)
        #expect(session.snapshot().counters.retries == 1)
        #expect(session.health().beacons.sent == beacons && session.health().beacons.due == beacons)
        #expect(session.snapshot().activity.hosts.reduce(0) { $0 + $1.lateness.count } == beacons)
    }

    /// A packager that marks each break in two ways has one break, and the ad server one request.
    @Test(arguments: [0, 400, 3_000] as [Int64]) func aBreakWithTwoMarkersIsRequestedOnce(after: Int64) throws {
        var server = Self.server(Self.pod)
        server.rangesAfter = after
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 1)
        #expect(session.tracking == AdServer.beacons("a", "b"))
    }

    /// What was announced and taken back before it began is not played, whether or not the ad server has answered.
    @Test(arguments: [20, 10_000]) func aBreakThatIsWithdrawnHasNoBeacons(delay: Int64) throws {
        var server = Self.server(Self.pod, marker: .init(start: 100_000, duration: 20_000))
        (server.rangesAfter, server.rangeLead, server.rangeGoes, server.hasTags) = (0, 16_000, 8_000, false)
        server.delay = .milliseconds(delay)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(90))
        #expect(session.adRequests.count == 1)
        #expect(session.urls.isEmpty)
        #expect(session.log.contains { $0.contains("withdrawn by the playlist") })
    }

    /// Dates that step where the programme returns make no break shorter or longer.
    @Test(arguments: [-30_000, -3_000, 30_000] as [Int64]) func aStepOfDatesAtTheReturnCutsNoAd(step: Int64) throws {
        var server = Self.server(Self.pod)
        server.dateStep = (Self.marker.start + Self.marker.duration, step)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.tracking == AdServer.beacons("a", "b"))
        let rules = Set(session.snapshot().findings.map(\.finding.rule))
        #expect(rules.isDisjoint(with: ["marker-duration", "marker-count", "marker-start"]), "\(rules)")
    }

    /// Ads that are stitched into a marked break may keep the dates of their production: those of the tag come with the media.
    @Test(arguments: [-300_000_000_000, -3_600_000, -5_000, 3_600_000] as [Int64], [true, false])
    func aBreakWithDatesOfItsOwnIsFilled(step: Int64, comesBack: Bool) throws {
        var server = Self.server(Self.pod)
        server.dateStep = (Self.marker.start, step)
        server.dateStepEnd = comesBack ? Self.marker.start + Self.marker.duration : nil
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.tracking == AdServer.beacons("a", "b"))
        #expect(session.errorsTold.isEmpty)
        let snapshot = session.snapshot()
        let adBreak = try #require(snapshot.breaks.first { $0.source == "vast+marker" })
        #expect(adBreak.start == FakeOrigin.start + .milliseconds(Self.marker.start))
        #expect(adBreak.ads.map { ($0.start - adBreak.start).inSeconds } == [0, 8])
        let rules = Set(snapshot.findings.map(\.finding.rule))
        #expect(rules.isDisjoint(with: ["marker-duration", "marker-count", "marker-start"]), "\(rules)")
    }

    /// The answer arrives 5 s after the viewer reached the break: one who joins where it begins, and one who plays across the step.
    @Test(arguments: [(48_000, 5), (52_000, 9)] as [(Int64, Int)])
    func aLateAnswerLosesTheFirstAdOfABreakWithDatesOfItsOwn(start: Int64, delay: Int) throws {
        var server = Self.server(Self.pod, marker: .init(start: start, duration: 20_000))
        (server.dateStep, server.dateStepEnd) = ((start, -300_000_000_000), start + 20_000)
        server.delay = .seconds(delay)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.errorsTold == ["a 304"])
        #expect(session.tracking == AdServer.beacons("b"))
    }

    /// Ads are requested when the marker is seen, not when the playhead reaches it.
    @Test func theTagIsRequestedAheadOfThePlayhead() throws {
        var session = try MonitorHarness(Self.server(Self.pod))
        session.start()
        session.run(for: .seconds(13))
        #expect(session.adRequests.count == 1)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().breaks.map(\.source) == ["vast+marker"])
    }

    @Test func whileObservingTagsAreAskedForAndNothingIsSent() throws {
        var session = try MonitorHarness(Self.server(Self.pod)) { $0.mode = .observe }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 1)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().event("complete", ad: "b")?.state == .observed)
        #expect(session.log.contains { $0.contains("although beacons are only observed") })
    }

    @Test func withoutMarkersNothingHappensAndItIsLogged() throws {
        var session = try MonitorHarness(Self.server(Self.pod, marker: .init(start: 1_000_000, duration: 4_000)))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.isEmpty)
        #expect(session.log.contains { $0.contains("no ad markers yet") })
    }

    @Test func joiningInTheMiddleRequestsNoAds() throws {
        var session = try MonitorHarness(Self.server(Self.pod, marker: .init(start: 40_000, duration: 40_000)))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.isEmpty)
        #expect(session.log.contains { $0.contains("already on air") })
    }

    // MARK: What goes wrong

    @Test func noAdIsReportedAndShown() throws {
        var session = try MonitorHarness(Self.server(AdServer.noAd()))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.urls == [FakeOrigin.base + "/b?ad=none&c=303"])
        let ad = try #require(session.snapshot().breaks.first { $0.source.hasPrefix("vast") }?.ads.first)
        #expect(ad.name == "no ad 303")
        #expect(ad.events.map(\.event) == ["error"])
        #expect(ad.events.map(\.state) == [.done])
        #expect(ad.creative?.hops.map(\.outcome) == [.noAd])
        #expect(session.log.contains { $0.hasPrefix("error: break at ") && $0.contains("303 has no ad") })
    }

    @Test func aFailedTagGivesNoAd() throws {
        var server = AdServer()
        server.markers = [Self.marker]
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.urls.isEmpty)
        let ad = try #require(session.snapshot().breaks.first { $0.source.hasPrefix("vast") }?.ads.first)
        #expect(ad.name == "no ad 301")
        #expect(ad.creative?.hops.first?.status == 404)
    }

    @Test func aWrapperThatNeverAnswersTimesOutAndIsReported() throws {
        let inner = FakeOrigin.base + "/ads/slow"
        var server = Self.server(AdServer.wrapper(to: inner))
        server.markers = [Self.marker]
        var origin = server.origin()
        let stream = origin.override
        origin.override = { request, now, count in
            if request.url.path == "/ads/slow" {
                return FakeOrigin.failure(.timeout, "no answer in time", delay: request.totalTimeout)
            }
            return stream?(request, now, count)
        }
        var session = try MonitorHarness(origin) { configuration in
            configuration.provider = .none
            configuration.decision = .vast(tag: AdServer.tag)
        }
        session.start()
        session.run(for: .seconds(60))
        #expect(session.errorsTold == ["w 301"])
        #expect(session.tracking.isEmpty)
    }

    /// The transport guarantees to end a request; the session does not depend on it.
    @Test func theWholeChainHasALimit() throws {
        var server = Self.server(AdServer.wrapper(to: FakeOrigin.base + "/ads/slow"))
        server.answers = { path, _ in
            path == "vast"
                ? AdServer.wrapper(to: FakeOrigin.base + "/ads/slow") : AdServer.vast(AdServer.ad("x", seconds: 8))
        }
        server.delay = .seconds(7)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.errorsTold == ["w 301"])
        #expect(session.tracking.isEmpty)
    }

    @Test func whatDoesNotFitIsNotPlayed() throws {
        let marker = AdServer.Marker(start: 68_000, duration: 12_000)
        var session = try MonitorHarness(Self.server(Self.pod, marker: marker))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.tracking == AdServer.beacons("a"))
        #expect(session.errorsTold == ["b 206"])
        let snapshot = session.snapshot()
        #expect(snapshot.findings.contains { $0.finding.rule == "ad-not-played" && $0.finding.message.contains("206") })
        #expect(snapshot.breaks.first { $0.source.hasPrefix("vast") }?.ads.map(\.name) == ["a", "b"])
    }

    @Test func anUnplayableAdIsReportedWith403() throws {
        let answer = AdServer.vast(
            AdServer.ad("a", seconds: 8, sequence: 1, type: "application/x-shockwave-flash"),
            AdServer.ad("b", seconds: 12, sequence: 2))
        var session = try MonitorHarness(Self.server(answer))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.errorsTold == ["a 403"])
        #expect(session.tracking == AdServer.beacons("b"))
    }

    /// The answer arrives 9 s after the playhead reached the break: the first ad should have started, the second should
    /// not.
    @Test func aLateAnswerLosesTheAdsThatShouldHaveStarted() throws {
        var server = Self.server(Self.pod, marker: .init(start: 48_000, duration: 20_000))
        server.delay = .seconds(5)
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.errorsTold == ["a 304"])
        #expect(session.tracking == AdServer.beacons("b"))
    }

    /// An open break receives its length with its IN tag, 12 s after its OUT tag.
    @Test func aBreakThatEndsEarlyCutsItsPod() throws {
        let marker = AdServer.Marker(start: 68_000, duration: 12_000, isAnnounced: false)
        var session = try MonitorHarness(Self.server(Self.pod, marker: marker))
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests == [FakeOrigin.base + "/ads/vast?p=2&d=-1&m=00%3A00%3A40.000"])
        #expect(session.tracking == AdServer.beacons("a") + AdServer.beacons("b").prefix(4))
        #expect(session.snapshot().event("complete", ad: "b")?.reason == .adCut)
    }

    /// The break is announced with 56 s and its IN tag comes after 28 s. The ad that cannot be played was reported when the
    /// pod was placed; that the pod is shorter moves its place and makes no second report of it.
    @Test func aCutPodReportsWhatIsNotPlayedOnce() throws {
        let pod = AdServer.vast(
            AdServer.ad("a", seconds: 28, sequence: 1), AdServer.ad("b", seconds: 28, sequence: 2),
            AdServer.ad("c", seconds: 8, sequence: 3, type: "video/x-flv"))
        let marker = AdServer.Marker(start: 68_000, duration: 56_000, endsAfter: 28_000)
        var session = try MonitorHarness(Self.server(pod, marker: marker))
        session.start()
        session.run(for: .seconds(120))
        #expect(session.errorsTold.filter { $0.hasPrefix("c ") } == ["c 403"])
        #expect(session.urls.count == Set(session.urls).count)
        // The break was cut: the first ad was played, the second was not.
        #expect(session.tracking.contains(AdServer.beacon("a", "thirdQuartile")))
        #expect(!session.tracking.contains { $0.contains("ad=b&") })
    }

    // MARK: The same creative twice

    struct Creatives: Sendable {
        /// Universal ad ids of the two ads; nil for an ad without one.
        var ids: [String?]
        /// Addresses of their media files.
        var files: [String]
        var name: String?
    }

    /// The universal ad id names a creative; without one its media file does (L47).
    @Test(arguments: [
        Creatives(
            ids: ["AD-1", "AD-1"], files: ["https://m.example/a.mp4", "https://m.example/b.mp4"], name: "r AD-1"),
        Creatives(ids: ["AD-1", "AD-2"], files: ["https://m.example/a.mp4", "https://m.example/a.mp4"]),
        Creatives(
            ids: [nil, nil], files: ["https://m.example/a.mp4", "https://m.example/a.mp4"],
            name: "https://m.example/a.mp4"),
        Creatives(ids: [nil, nil], files: ["https://m.example/a.mp4", "https://m.example/b.mp4"]),
    ])
    func aCreativeThatPlaysTwiceInAPodIsAFinding(_ row: Creatives) throws {
        let ads = zip(row.ids, row.files).enumerated().map { index, creative -> String in
            let name = creative.0.map { "<UniversalAdId idRegistry=\"r\">\($0)</UniversalAdId>" } ?? ""
            return """
                <Ad id="\(index)" sequence="\(index + 1)"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
                <Impression><![CDATA[\(AdServer.beacon("\(index)", "impression"))]]></Impression>
                <Creatives><Creative>\(name)<Linear><Duration>00:00:08</Duration><MediaFiles>
                <MediaFile delivery="progressive" type="video/mp4" width="1280" height="720">
                <![CDATA[\(creative.1)]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
                """
        }
        let answer = "<VAST version=\"4.2\">\(ads.joined())</VAST>"
        var session = try MonitorHarness(Self.server(answer))
        session.start()
        session.run(for: .seconds(60))
        let snapshot = session.snapshot()
        #expect(snapshot.breaks.first { $0.source.hasPrefix("vast") }?.ads.count == 2)
        let messages = snapshot.findings.map(\.finding).filter { $0.rule == "L47" }.map(\.message)
        #expect(messages == [row.name].compactMap { $0 }.map { "the creative '\($0)' plays 2 times in one break" })
    }

    @Test func aSkippedAdIsOver() throws {
        var session = try MonitorHarness(Self.server(Self.pod))
        session.start()
        session.run(untilEdge: 84_500)
        #expect(session.snapshot().breaks.first?.ads.first?.isOnAir == true)
        session.submit(.userActed(.skip))
        session.run(for: .seconds(40))
        #expect(
            session.tracking.filter { $0.contains("ad=a&") }
                == [
                    "impression", "creativeView", "start", "firstQuartile", "midpoint", "skip",
                ].map { AdServer.beacon("a", $0) })
        #expect(session.tracking.filter { $0.contains("ad=b&") } == AdServer.beacons("b"))
    }

    /// The viewer skips the last ad; behind it is one that no player could show.
    @Test func aSkipReportsWhatIsNotPlayedOnce() throws {
        let pod = AdServer.vast(
            AdServer.ad("a", seconds: 8, sequence: 1), AdServer.ad("b", seconds: 12, sequence: 2),
            AdServer.ad("c", seconds: 8, sequence: 3, type: "video/x-flv"))
        var session = try MonitorHarness(Self.server(pod))
        session.start()
        session.run(untilEdge: 92_500)
        #expect(session.snapshot().breaks.first?.ads.first { $0.isOnAir }?.name == "b")
        session.submit(.userActed(.skip))
        session.run(for: .seconds(60))
        #expect(session.tracking.last == AdServer.beacon("b", "skip"))
        #expect(session.errorsTold.filter { $0.hasPrefix("c ") } == ["c 403"])
        #expect(session.urls.count == Set(session.urls).count)
    }

    // MARK: Chains

    @Test func wrappersAddTheirBeaconsAndTheChainIsShown() throws {
        var server = AdServer()
        server.markers = [Self.marker]
        server.answers = { path, _ in
            switch path {
            case "vast": AdServer.wrapper(to: FakeOrigin.base + "/ads/inner?c=[CACHEBUSTING]")
            case "inner": AdServer.vast(AdServer.ad("a", seconds: 8))
            default: nil
            }
        }
        var session = try MonitorHarness(server)
        session.start()
        session.run(for: .seconds(60))
        #expect(session.adRequests.count == 2)
        #expect(session.adRequests.last?.contains("[") == false)
        #expect(Set(session.tracking) == Set(AdServer.beacons("a") + [AdServer.beacon("w", "impression")]))
        let creative = try #require(session.snapshot().breaks.first?.ads.first?.creative)
        #expect(creative.hops.map(\.outcome) == [.wrapper, .inline])
        #expect(creative.hops.map(\.status) == [200, 200])
        #expect(creative.hops.map(\.depth) == [0, 1])
        #expect(
            creative.hops.first?.body
                == Array(AdServer.wrapper(to: FakeOrigin.base + "/ads/inner?c=[CACHEBUSTING]").utf8))
        #expect(creative.media.map(\.isChosen) == [true])
        #expect(creative.facts.contains(.init("title", "Title a")))
    }

    struct TagRule: Sendable {
        var media: String
        var firesByDefault = true
        var allowsPrivate = false
        var rule: AddressRule
    }

    /// The tag that a person typed may be anywhere; the tag that a wrapper names is judged as beacons are.
    @Test(arguments: [
        TagRule(media: "https://cdn.example/live/index.m3u8", rule: .publicOnly),
        TagRule(media: "https://cdn.example/live/index.m3u8", allowsPrivate: true, rule: .anywhere),
        TagRule(media: FakeOrigin.base + "/live/index.m3u8", rule: .loopbackOnly),
        TagRule(media: FakeOrigin.base + "/live/index.m3u8", firesByDefault: false, rule: .anywhere),
    ])
    func tagsOfWrappersCarryTheRuleOfBeacons(_ row: TagRule) throws {
        var server = AdServer()
        server.markers = [Self.marker]
        server.answers = { path, _ in
            path == "vast"
                ? AdServer.wrapper(to: FakeOrigin.base + "/ads/inner") : AdServer.vast(AdServer.ad("a", seconds: 8))
        }
        var configuration = MonitorConfiguration(mediaURL: try WebURL(row.media))
        configuration.sending.firesByDefault = row.firesByDefault
        configuration.sending.allowsPrivate = row.allowsPrivate
        configuration.provider = .none
        configuration.decision = .vast(tag: AdServer.tag)
        var session = try MonitorHarness(server.origin()) { $0 = configuration }
        session.start()
        session.run(for: .seconds(60))
        let requests = session.requests(for: .adDecision)
        #expect(requests.map(\.url.path) == ["/ads/vast", "/ads/inner"])
        #expect(requests.map(\.addressRule) == [.anywhere, row.rule])
    }

    @Test func theUsersMacrosWin() throws {
        var session = try MonitorHarness(
            Self.server(Self.pod), .vast(tag: FakeOrigin.base + "/ads/vast?p=[BREAKPOSITION]&x=[MINE]")
        ) {
            $0.macros = ["BREAKPOSITION": "9", "MINE": "a b"]
        }
        session.start()
        session.run(for: .seconds(20))
        #expect(session.adRequests == [FakeOrigin.base + "/ads/vast?p=9&x=a%20b"])
    }

    // MARK: Once

    @Test func anotherProcessSendsNothingAgain() throws {
        var first = try MonitorHarness(Self.server(Self.pod))
        first.start()
        first.run(for: .seconds(25))
        #expect(!first.urls.isEmpty)
        var second = try MonitorHarness(Self.server(Self.pod), joinAt: 80_000 - 2_000)
        second.journal = first.journal
        second.start()
        second.run(for: .seconds(60))
        #expect(Set(first.urls).isDisjoint(with: second.urls))
    }

    @Test func aReplayShowsTheSame() throws {
        var session = try MonitorHarness(Self.server(Self.pod))
        session.start()
        session.run(for: .seconds(60))
        let recording = try session.recorded(.none)
        #expect(recording.configuration == session.state.configuration)
        var replay = Replay(recording)
        replay.move(to: replay.count)
        let last = try #require(session.inputs.last?.at)
        let live = session.state.snapshotForTests(at: last)
        let again = replay.snapshot()
        #expect(again.breaks == live.breaks)
        #expect(again.counters == live.counters)
        #expect(again.log.suffix(1_000) == live.log.suffix(1_000))
    }
}
