import AdTracking
import HLS
import Ports
import Session
import TestSupport
import Testing

/// Which variant a session follows, and how it carries on when the server refuses it (HLS-31).
@Suite struct VariantLadderTests {
    private static let type = "application/vnd.apple.mpegurl"
    private static let names = ["v1080", "v720", "v360"]

    /// Two breaks, three variants of one stream; `status` is that of the answer of a variant at a time, in milliseconds.
    private static func origin(
        status: @escaping @Sendable (String, Int64) -> Int = { _, _ in 200 }
    ) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            let path = request.url.path
            if path.hasSuffix("/index.m3u8"), request.url.query?.contains("initSession") != true {
                let text =
                    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720\nv720.m3u8\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1920x1080\nv1080.m3u8\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360\nv360.m3u8\n"
                return FakeOrigin.text(text, type: Self.type, of: request)
            }
            guard let name = names.first(where: { path.hasSuffix("/\($0).m3u8") }) else { return nil }
            let status = status(name, (now.wall - FakeOrigin.start).inMilliseconds)
            guard status == 200 else { return FakeOrigin.status(status, request) }
            // Encoders of different variants number their segments differently.
            let number = (names.firstIndex(of: name) ?? 0) * 700
            let text = stream.playlist(at: now).split(separator: "\n", omittingEmptySubsequences: false).map { line in
                guard line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:"), let first = Int(line.dropFirst(22)) else { return line }
                return "#EXT-X-MEDIA-SEQUENCE:\(first + number)"
            }
            return FakeOrigin.text(text.joined(separator: "\n"), type: Self.type, of: request)
        }
        return origin
    }

    private static func media(_ session: MonitorHarness) -> [String] {
        session.requested.compactMap { url in names.first { url.contains("/\($0).m3u8") } }
    }

    /// The last snapshot of the session when its recording is replayed.
    private static func replayed(_ session: MonitorHarness) throws -> Snapshot {
        var replay = Replay(try session.recorded(.standard))
        replay.move(to: replay.count)
        return replay.snapshot(at: session.now)
    }

    // MARK: Stepping down

    @Test(arguments: [400, 401, 403, 404, 410]) func aBestVariantThatIsRefusedFromTheStart(_ status: Int) throws {
        let session = try MonitorHarness.ran(Self.origin { name, _ in name == "v1080" ? status : 200 }, until: 240_000)
        var copy = session
        let snapshot = copy.snapshot()
        #expect(snapshot.session.phase == .running && snapshot.session.renewals == 0)
        let variant = try #require(snapshot.playlist.variant)
        #expect(variant.number == 1 && variant.hasSteppedDown && variant.isFallback)
        #expect(Array(Self.media(session).prefix(3)) == ["v1080", "v1080", "v720"])
        #expect(session.urls.sorted() == session.origin.plan)
        let finding = try #require(snapshot.findings.first { $0.finding.rule == "variant-refused" })
        #expect(
            finding.finding.message == "variant 2 (1920x1080 6,000 kbit/s v1080.m3u8) answered \(status): "
                + "following variant 1 (1280x720 2,400 kbit/s v720.m3u8)")
        #expect(finding.finding.section == "HLS-31" && finding.finding.path == "variant 2")
    }

    // MARK: Stuck

    /// One that is not there for now is no refusal, and yet the others have the stream.
    @Test func aVariantThatFailsForLongIsLeft() throws {
        let session = try MonitorHarness.ran(
            Self.origin { name, time in name == "v1080" && time >= 110_000 ? 503 : 200 }, until: 300_000)
        #expect(session.urls.sorted() == session.origin.plan)
        let first = try #require(session.log.first { $0.contains(": following variant") })
        #expect(first.contains("the variant failed (answered 503): following variant 1, "))
        var copy = session
        #expect(copy.snapshot().playlist.variant?.number == 1)
        #expect(!copy.snapshot().findings.contains { $0.finding.rule == "variant-refused" })
    }

    /// No playlist was read yet, so that no target duration is known.
    @Test(arguments: [false, true]) func aVariantThatFailsFromTheStartIsLeft(_ isHanging: Bool) throws {
        var origin = Self.origin { name, _ in name == "v1080" ? 503 : 200 }
        let stream = origin.override
        origin.override = { request, now, count in
            guard isHanging, request.url.path.hasSuffix("/v1080.m3u8") else { return stream?(request, now, count) }
            let exchange = HTTPExchange(failure: HTTPFailure(.timeout, "no answer in 10 s"))
            return FakeOrigin.Reply(exchange: exchange, delay: .seconds(10))
        }
        var session = try MonitorHarness(origin, joinAt: 20_000)
        session.start()
        session.run(untilEdge: 40_000)
        #expect(Set(Self.media(session)) == ["v1080"], "not before 21 s")
        session.run(untilEdge: 300_000)
        #expect(session.urls.sorted() == session.origin.plan)
        let snapshot = session.snapshot()
        #expect(snapshot.playlist.variant?.number == 1 && snapshot.session.phase == .running)
        #expect(!snapshot.findings.contains { $0.finding.rule == "variant-refused" })
        let first = try #require(session.log.first { $0.contains(": following variant") })
        #expect(first.contains(": following variant 1, "))
    }

    /// The server of all is away: they are asked in turn at the pace of failures, and the best one is followed when it is back.
    @Test func anOutageOfAllVariantsIsNoHammering() throws {
        let session = try MonitorHarness.ran(
            Self.origin { _, time in (80_000..<140_000).contains(time) ? 503 : 200 }, until: 200_000)
        let switches = session.log.filter { $0.contains(": following variant") }
        #expect(switches.count == 3, "\(switches)")
        #expect(Self.media(session).count < 60)
        var copy = session
        #expect(copy.snapshot().playlist.variant?.number == 2 && copy.snapshot().playhead.state == .playing)
        #expect(copy.snapshot().session.playlistHealth.state == .good)
    }

    /// The same origin, with a page in the place of some playlists: a server without the file may answer so, with 200.
    private static func origin(withPages paths: [String]) -> FakeOrigin {
        var origin = Self.origin()
        let stream = origin.override
        origin.override = { request, now, count in
            if request.url.query?.contains("initSession=true") == true, count == 0 {
                let addresses = #"{"manifestUrl":"/d/index.m3u8?sessid=D","trackingUrl":"/d/metadata?sessid=D"}"#
                return FakeOrigin.text(addresses, type: "application/json", of: request)
            }
            guard paths.contains(request.url.path) else { return stream?(request, now, count) }
            return FakeOrigin.text("<html><body>App</body></html>", type: "text/html", of: request)
        }
        return origin
    }

    @Test func aBestVariantThatIsAPageFromTheStart() throws {
        var session = try MonitorHarness.ran(Self.origin(withPages: ["/d/v1080.m3u8"]), until: 300_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.phase == .running && snapshot.session.renewals == 0)
        #expect(snapshot.session.playlistHealth.state == .good)
        #expect(snapshot.playlist.variant?.number == 1 && snapshot.playlist.variant?.hasSteppedDown == true)
        #expect(Array(Self.media(session).prefix(3)) == ["v1080", "v1080", "v720"])
        // It looks after two minutes whether the best one is there, and leaves it at once.
        #expect(Self.media(session).drop { $0 == "v1080" }.count { $0 == "v1080" } == 1)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// The session is as one whose multivariant playlist is a page (TRK-32).
    @Test func aSessionWhoseVariantsAreAllPagesIsReplaced() throws {
        let session = try MonitorHarness.ran(Self.origin(withPages: Self.names.map { "/d/\($0).m3u8" }), until: 300_000)
        #expect(
            session.log.contains {
                $0.contains(
                    "session over: the playlist of the session answered 200 without a playlist 3 times in a row")
            })
        var copy = session
        #expect(copy.snapshot().session.sessionID == "S1" && copy.snapshot().session.phase == .running)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// Gone in the middle of the first break: playhead, breaks and ledger do not notice.
    @Test func aVariantThatGoesInTheMiddleOfABreak() throws {
        var session = try MonitorHarness(Self.origin { name, time in name == "v1080" && time > 95_000 ? 404 : 200 })
        session.start()
        session.run(untilEdge: 94_000)
        let before = session.snapshot()
        session.run(untilEdge: 300_000)
        let after = session.snapshot()
        #expect(after.playlist.variant?.number == 1 && after.session.playlistHealth.state == .good)
        #expect(session.urls.sorted() == session.origin.plan, "each beacon once")
        #expect(after.session.sessionID == before.session.sessionID && after.session.renewals == 0)
        #expect(before.breaks.allSatisfy { known in after.breaks.contains { $0.id == known.id } })
        #expect(session.log.filter { $0.contains("playhead j") }.count == 1, "it joined once and never jumped")
        #expect(after.findings.allSatisfy { $0.finding.rule != "timeline-reset" })
        // It looks after two minutes whether the refused one is back.
        #expect(Self.media(session).drop { $0 == "v1080" }.count { $0 == "v1080" } == 1)
        #expect(try Self.replayed(session).playlist.variant?.number == 1)
    }

    @Test func theHigherOnesAreTriedAfterTheLowerOnes() throws {
        let origin = Self.origin { name, _ in name == "v1080" ? 200 : 403 }
        var session = try MonitorHarness.ran(origin) { $0.following.variant = .height(720) }
        #expect(Array(Self.media(session).prefix(4)) == ["v720", "v720", "v360", "v1080"])
        #expect(session.snapshot().session.phase == .running && session.snapshot().session.renewals == 0)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// The server ended the session: no variant answers, and after all were asked once a new session is requested.
    @Test func aSessionThatIsOverIsStillFoundToBe() throws {
        var session = try MonitorHarness(Self.origin { _, time in (100_000...104_000).contains(time) ? 403 : 200 })
        session.start()
        session.run(untilEdge: 300_000)
        #expect(session.log.contains { $0.contains("session over: the playlist of the session answered 403") })
        #expect(session.urls.count == Set(session.urls).count)
        #expect(session.snapshot().session.phase == .running)
    }

    @Test(arguments: [500, 503, 429]) func whatMayPassStepsNowhere(_ status: Int) throws {
        var session = try MonitorHarness.ran(
            Self.origin { name, time in name == "v1080" && (80_000...89_000).contains(time) ? status : 200 })
        #expect(Set(Self.media(session)) == ["v1080"])
        #expect(session.snapshot().findings.allSatisfy { $0.finding.rule != "variant-refused" })
    }

    @Test func theRefusedVariantIsFollowedAgainWhenItIsBack() throws {
        var session = try MonitorHarness.ran(
            Self.origin { name, time in name == "v1080" && (90_000...150_000).contains(time) ? 410 : 200 },
            until: 260_000)
        let variant = try #require(session.snapshot().playlist.variant)
        #expect(variant.number == 2 && !variant.isFallback && !variant.hasSteppedDown)
        #expect(session.log.contains { $0.hasPrefix("info: back to the preferred variant") })
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// What earlier versions recorded of such a stream replays as it was: they stayed.
    @Test func anEarlierRecordingStays() throws {
        var session = try MonitorHarness.ran(Self.origin { name, _ in name == "v1080" ? 404 : 200 }, until: 90_000) {
            $0.following.isLenient = false
            $0.renewal = .never
        }
        #expect(Set(Self.media(session)) == ["v1080"])
        #expect(session.snapshot().session.playlistHealth.problem == "answered 404")
    }

    // MARK: Choosing

    @Test(arguments: [
        (VariantWish.best, "v1080"), (.worst, "v360"), (.number(720), "v720"), (.height(360), "v360"),
        (.number(5_999_999), "v720"), (.uri("v360.m3u8"), "v360"),
    ])
    func theWantedVariantIsFollowed(_ wish: VariantWish, _ name: String) throws {
        var session = try MonitorHarness.ran(Self.origin()) { $0.following.variant = wish }
        #expect(Set(Self.media(session)) == [name])
        #expect(session.urls.sorted() == session.origin.plan)
        let playlist = session.snapshot().playlist
        #expect(playlist.variant?.wish == wish && playlist.variants.count == 3)
        let json = SnapshotJSON(isRedacted: true).value(of: session.snapshot())["playlist"]
        #expect(json?["variant"]?["wanted"]?.stringValue == wish.text)
        #expect(json?["variant"]?["steppedDown"] == false)
        let followed = json?["variants"]?.arrayValue?.filter { $0["followed"] == true }
        #expect(followed?.count == 1 && followed?.first?["url"]?.stringValue?.hasSuffix("\(name).m3u8") == true)
    }

    @Test func aWishThatNothingFitsNamesWhatThereIs() throws {
        var session = try MonitorHarness(Self.origin()) { $0.following.variant = .height(2_160) }
        session.start()
        session.run(for: .seconds(10))
        #expect(
            session.snapshot().session.playlistHealth.problem
                == "variant '2160p': there is none such; choose one of 1280x720 2,400 kbit/s v720.m3u8, "
                + "1920x1080 6,000 kbit/s v1080.m3u8, 640x360 800 kbit/s v360.m3u8")
        #expect(Self.media(session).isEmpty)
        // Another wish is enough to begin.
        session.submit(.variantChosen(.worst))
        session.run(for: .seconds(60))
        #expect(session.snapshot().session.phase == .running && Set(Self.media(session)) == ["v360"])
    }

    @Test func anotherVariantIsChosenWhileItPlays() throws {
        var session = try MonitorHarness(Self.origin())
        session.start()
        session.run(untilEdge: 90_000)
        session.submit(.variantChosen(.height(360)))
        session.run(for: .milliseconds(100))
        #expect(Self.media(session).last == "v360", "at once")
        #expect(session.log.contains { $0.hasPrefix("info: variant 360p chosen: following variant 3") })
        session.submit(.variantChosen(.height(999)))
        #expect(session.log.last?.hasPrefix("warning: variant '999p': there is none such; choose one of") == true)
        session.submit(.variantChosen(.number(360)))
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().playlist.variant?.wish == .number(360))
        #expect(session.urls.sorted() == session.origin.plan)
        #expect(session.log.filter { $0.contains("playhead j") }.count == 1)
        let replayed = try Self.replayed(session)
        #expect(replayed.playlist.variant?.number == 3 && replayed.log.last == session.snapshot().log.last)
    }

    @Test func aChoiceOutlivesTheSessionInWhichItWasMade() throws {
        var session = try MonitorHarness(Self.origin { _, time in (100_000...104_000).contains(time) ? 403 : 200 })
        session.start()
        session.run(untilEdge: 80_000)
        session.submit(.variantChosen(.worst))
        session.run(untilEdge: 200_000)
        #expect(session.snapshot().playlist.variant?.wish == .worst)
        #expect(Self.media(session).last == "v360")
    }

    @Test func aSinglePlaylistHasNothingToChoose() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/index.m3u8"), request.url.query?.contains("initSession") != true else {
                return nil
            }
            return FakeOrigin.text(stream.playlist(at: now), type: Self.type, of: request)
        }
        var session = try MonitorHarness.ran(origin) { $0.following.variant = .height(720) }
        let words = "the stream has one playlist and no variants"
        #expect(session.log.contains("warning: variant 720p: \(words)"))
        session.submit(.variantChosen(.worst))
        #expect(session.log.last == "warning: variant worst: \(words)")
        #expect(session.urls.sorted() == stream.plan)
        #expect(session.snapshot().playlist.variants.isEmpty)
    }
}
