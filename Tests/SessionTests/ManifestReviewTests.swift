import Ports
import Session
import Simulation
import TestSupport
import Testing

/// When the multivariant playlist is read again because of a variant that the server refuses (HLS-31).
@Suite struct ManifestReviewTests {
    private static let type = "application/vnd.apple.mpegurl"
    private static let low = "#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360\nlow.m3u8\n"
    private static let high = "#EXT-X-STREAM-INF:BANDWIDTH=6000000,RESOLUTION=1920x1080\nhigh.m3u8"
    private static let whole = "#EXTM3U\n" + low + high + "\n"
    /// The address of the best variant is `hi`.
    private static let cut = String(whole.dropLast(8))

    /// Two breaks; `manifest` is the multivariant playlist at a time in milliseconds, nil for none, and `isThere` whether a
    /// variant is then.
    private static func origin(
        isThere: @escaping @Sendable (String, Int64) -> Bool = { _, _ in true },
        manifest: @escaping @Sendable (Int64) -> String?
    ) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            let name = request.url.path.split(separator: "/").last ?? ""
            if name == "index.m3u8", request.url.query?.contains("initSession") != true {
                guard let text = manifest(time) else { return FakeOrigin.status(404, request) }
                return FakeOrigin.text(text, type: type, of: request)
            }
            guard !request.url.path.hasSuffix("/metadata"), !name.isEmpty else { return nil }
            guard ["low.m3u8", "high.m3u8"].contains(name) else {
                return ["hi", "h1gh.m3u8"].contains(name) ? FakeOrigin.status(404, request) : nil
            }
            guard isThere(String(name), time) else { return FakeOrigin.status(404, request) }
            return FakeOrigin.text(stream.playlist(at: now), type: type, of: request)
        }
        return origin
    }

    /// Requests for playlists, in order.
    private static func playlists(_ session: MonitorHarness) -> [String] {
        session.requests.compactMap { carried in
            switch carried.purpose {
            case .fetch(.multivariant): "manifest"
            case .fetch(.mediaPlaylist): carried.request.url.path.split(separator: "/").last.map(String.init)
            default: nil
            }
        }
    }

    private static func rules(_ session: MonitorHarness) -> Set<String> {
        var session = session
        return Set(session.snapshot().findings.map(\.finding.rule))
    }

    // MARK: A playlist that is cut

    /// The playlist is read again before the refusal counts, so that the best variant is followed from the start.
    @Test func anAddressThatIsCutIsReadAgain() throws {
        var session = try MonitorHarness.ran(Self.origin { $0 < 60_500 ? Self.cut : Self.whole })
        #expect(Array(Self.playlists(session).prefix(4)) == ["manifest", "hi", "manifest", "high.m3u8"])
        #expect(Self.playlists(session).count { $0 == "manifest" } == 2)
        let snapshot = session.snapshot()
        #expect(snapshot.session.phase == .running && snapshot.playlist.variant?.number == 2)
        #expect(snapshot.playlist.variant?.isFallback == false && snapshot.session.renewals == 0)
        #expect(!Self.rules(session).contains("variant-refused"))
        #expect(session.log.contains { $0.contains("ends in the address of variant 2 and may be cut") })
        #expect(session.urls.sorted() == session.origin.plan)
    }

    @Test func theOnlyVariantWhoseAddressIsCut() throws {
        let lone = "#EXTM3U\n" + Self.high + "\n"
        var session = try MonitorHarness.ran(
            Self.origin { $0 < 60_500 ? String(lone.dropLast(8)) : lone })
        #expect(Array(Self.playlists(session).prefix(4)) == ["manifest", "hi", "manifest", "high.m3u8"])
        #expect(session.snapshot().session.renewals == 0 && !Self.rules(session).contains("L53"))
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// Many servers leave out the last line end. Nothing is requested twice for that alone.
    @Test func aMissingLineEndAloneProvesNothing() throws {
        let session = try MonitorHarness.ran(Self.origin { _ in String(Self.whole.dropLast()) })
        #expect(Self.playlists(session).count { $0 == "manifest" } == 1)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// A whole playlist without the last line end, whose last variant is gone: it is read again once, then the variant is refused.
    @Test func theSameAddressAgainIsRefused() throws {
        let text = String(Self.whole.dropLast())
        let session = try MonitorHarness.ran(
            Self.origin(isThere: { name, _ in name == "low.m3u8" }, manifest: { _ in text }))
        #expect(
            Array(Self.playlists(session).prefix(5)) == ["manifest", "high.m3u8", "manifest", "high.m3u8", "low.m3u8"])
        #expect(
            Self.playlists(session).count { $0 == "manifest" } == 3, "the third before the next try, two minutes later")
        #expect(Self.rules(session).contains("variant-refused"))
        #expect(session.urls.sorted() == session.origin.plan)
    }

    // MARK: A variant that is tried again

    /// An address that was damaged within the playlist: the session steps down, and finds the right one two minutes later.
    @Test func aDamagedAddressIsReplacedWhenTheVariantIsTriedAgain() throws {
        let damaged = Self.whole.replacing("high", with: "h1gh")
        var session = try MonitorHarness.ran(
            Self.origin { $0 < 60_500 ? damaged : Self.whole }, until: 300_000)
        let requested = Self.playlists(session)
        #expect(Array(requested.prefix(4)) == ["manifest", "h1gh.m3u8", "h1gh.m3u8", "low.m3u8"])
        #expect(requested.count { $0 == "h1gh.m3u8" } == 2, "the damaged address is not asked again")
        #expect(requested.count { $0 == "manifest" } == 2 && requested.last == "high.m3u8")
        let variant = try #require(session.snapshot().playlist.variant)
        #expect(variant.number == 2 && !variant.isFallback)
        #expect(session.log.count { $0.contains("error: playlist: answered 404") } == 1)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// A variant that stays away is tried after 2, 4 … minutes. The stream that plays meanwhile does not fail with that.
    @Test func aVariantThatStaysAwayIsNoFailureOfTheStream() throws {
        var session = try MonitorHarness(
            Self.origin(isThere: { name, time in name == "low.m3u8" || time < 80_000 }, manifest: { _ in Self.whole }))
        session.start()
        session.run(untilEdge: 100_000)
        var failing = 0
        for _ in 0..<2_000 {
            session.run(for: .milliseconds(200))
            if session.snapshot().session.phase != .running { failing += 1 }
        }
        #expect(failing == 0)
        #expect(Self.playlists(session).count { $0 == "manifest" } == 3, "at the start, and before each of two tries")
        #expect(Self.playlists(session).drop { $0 != "low.m3u8" }.count { $0 == "high.m3u8" } == 2)
        #expect(session.snapshot().playlist.variant?.number == 1 && session.snapshot().session.renewals == 0)
        #expect(session.urls.sorted() == session.origin.plan)
    }

    /// The multivariant playlist is not to be had when the variant is to be tried again: what plays continues.
    @Test(arguments: [nil, "no playlist", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"])
    func withoutTheMultivariantPlaylistTheOtherVariantContinues(_ answer: String?) throws {
        let origin = Self.origin(
            isThere: { name, time in name == "low.m3u8" || time < 80_000 },
            manifest: { (190_000...260_000).contains($0) ? answer : Self.whole })
        var session = try MonitorHarness.ran(origin, until: 330_000)
        #expect(session.snapshot().session.phase == .running)
        #expect(Self.playlists(session).count { $0 == "manifest" } == 2)
        let requested = Self.playlists(session)
        #expect(!requested.drop { $0 != "low.m3u8" }.contains("high.m3u8"), "it rests again")
        #expect(session.log.contains { $0.hasPrefix("debug: multivariant playlist: ") })
        #expect(session.urls.sorted() == session.origin.plan)
    }

    @Test func aVariantThatIsListedNoLongerIsNotTried() throws {
        let origin = Self.origin(
            isThere: { name, time in name == "low.m3u8" || time < 80_000 },
            manifest: { $0 < 100_000 ? Self.whole : "#EXTM3U\n" + Self.low })
        var session = try MonitorHarness.ran(origin, until: 600_000)
        #expect(Self.playlists(session).count { $0 == "manifest" } == 2)
        #expect(!Self.playlists(session).drop { $0 != "low.m3u8" }.contains("high.m3u8"))
        #expect(session.snapshot().playlist.variant?.isFallback == false)
    }

    /// Earlier versions read it once, and their recordings replay so.
    @Test func anEarlierRecordingDoesNotReadItAgain() throws {
        let session = try MonitorHarness.ran(
            Self.origin(isThere: { name, time in name == "low.m3u8" || time < 80_000 }, manifest: { _ in Self.cut }),
            until: 300_000
        ) { $0.following.rereadsManifest = false }
        #expect(Self.playlists(session).count { $0 == "manifest" } == 1)
    }
}
