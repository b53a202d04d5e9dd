import AdTracking
import HLS
import Ports
import Testing

/// Ids of the media and metadata, in whatever order they come (PRV-45 to PRV-47).
@Suite struct DAIProviderTests {
    private static let stream = ProviderSamples.dated

    private static func opened(_ body: String = DAITexts.opening(), address: String = "linear/v1/hls/event/KEY") throws
        -> DAIProvider
    {
        let url = "https://dai.google.com/\(address)/stream"
        var provider = DAIProvider(ProviderOptions(mediaURL: try WebURL(url)))
        _ = provider.open()
        guard case .opened = provider.openingAnswered(.answer(201, body, url: url)) else {
            throw ProviderProblem()
        }
        return provider
    }

    private struct ProviderProblem: Error {}

    private static func events(_ document: DecodedMetadata?) -> [String] {
        (document?.breaks ?? []).flatMap { adBreak in
            adBreak.ads.flatMap { ad in
                ad.events.map { event in
                    let distance = (event.start - UnixTime.second(0)).inMilliseconds
                    let ids = event.urls.map { $0.replacing(DAITexts.prefix, with: "") }.joined(separator: "+")
                    return "\(adBreak.name ?? "-")/\(ad.name ?? "-") \(event.type) \(distance) \(ids)"
                }
            }
        }
    }

    private static func read(
        _ text: String, _ provider: inout DAIProvider, on stream: StreamFacts = stream
    ) throws -> DecodedMetadata {
        try provider.read(.answer(200, text, url: "https://dai.google.com/m", type: "application/json"), on: stream)
    }

    /// What the session takes after it read the media, or a playlist if there are no marks.
    private static func seen(
        _ marks: [MediaMark], _ provider: inout DAIProvider, on stream: StreamFacts = stream
    ) -> DecodedMetadata? {
        provider.mediaRead(marks, on: stream)
        let hasDocument = provider.hasDocument
        guard case .media(let document) = provider.takeDocument(on: stream) else {
            #expect(!hasDocument)
            return nil
        }
        #expect(hasDocument && !provider.hasDocument)
        return document
    }

    @Test func metadataFirst() throws {
        var provider = try Self.opened()
        #expect(Self.events(try Self.read(DAITexts.document(breaks: 1), &provider)) == [])
        let first = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        #expect(Self.events(first) == ["b0/a0 start 12000 google_0a_start_77"])
        // Known ids, and those that only keep the connection alive, change nothing.
        #expect(Self.seen([DAITexts.mark("google_0a_start_77", at: 20_000)], &provider) == nil)
        #expect(Self.seen([DAITexts.mark("other", at: 20_000)], &provider) == nil)
        let second = Self.seen([DAITexts.mark("google_0a_midpoint_77", at: 19_500)], &provider)
        #expect(
            Self.events(second) == [
                "b0/a0 start 12000 google_0a_start_77", "b0/a0 midpoint 19500 google_0a_midpoint_77",
            ])
        let alive = Self.seen([DAITexts.mark("google_0a_progress_1", at: 20_000)], &provider)
        #expect(Self.events(alive).contains { $0.contains("progress") } == false)
    }

    /// A process that continues a session verifies no id that a former session of the viewer did (TRK-32, FLT-15).
    @Test func verifiedIDsAreHandedOn() throws {
        var replacing = try Self.opened()
        replacing.replaces(try Self.opened(), thatVerified: [DAITexts.prefix + "google_0a_start"])
        var provider = try Self.opened()
        provider.recall(try #require(replacing.memory(on: Self.stream)))
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        let marks = [DAITexts.mark("google_0a_start", at: 12_000), DAITexts.mark("google_0a_midpoint", at: 19_500)]
        #expect(Self.events(Self.seen(marks, &provider)) == ["b0/a0 midpoint 19500 google_0a_midpoint"])
    }

    /// Ads are shown and cannot be verified: that is reported once, with the reason (PRV-44).
    @Test(arguments: ["stream", "pa/event/KEY/stream/S:ATL/master.m3u8"])
    func aSessionWithoutVerificationIsReported(_ address: String) throws {
        var provider =
            if address == "stream" {
                try Self.opened(DAITexts.opening().replacing("media_verification_url", with: "media_verificatian_url"))
            } else {
                DAIProvider(
                    ProviderOptions(mediaURL: try WebURL("https://dai.google.com/linear/hls/\(address)")))
            }
        if address != "stream" {
            guard case .opened = provider.open() else { throw ProviderProblem() }
        }
        guard provider.hasDocument, case .findings(let findings) = provider.takeDocument(on: Self.stream) else {
            throw ProviderProblem()
        }
        #expect(findings.map(\.rule) == ["P12"])
        #expect(!provider.hasDocument)
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        let document = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        #expect(Self.events(document) == ["b0/a0 start 12000 "])
    }

    @Test func idsFirst() throws {
        var provider = try Self.opened()
        #expect(Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider) == nil)
        #expect(
            Self.events(try Self.read(DAITexts.document(breaks: 1), &provider)) == [
                "b0/a0 start 12000 google_0a_start_77"
            ])
    }

    /// An id belongs to no ad when an answer to a later request has no tag for it; a tag that comes still later does not make it
    /// another beacon.
    @Test func anIdWithoutATagIsVerifiedOnce() throws {
        var provider = try Self.opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        _ = provider.request(on: Self.stream, at: Moment(wall: .second(0), uptime: .zero))
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        let empty = #"{"tags":{},"ads":{},"ad_breaks":{}}"#
        #expect(Self.events(try Self.read(empty, &provider)) == [])
        provider.succeeded(at: Moment(wall: .second(1), uptime: .seconds(1)))
        _ = provider.request(on: Self.stream, at: Moment(wall: .second(9), uptime: .seconds(9)))
        let document = try Self.read(empty, &provider)
        #expect(
            Self.events(document) == [
                "google_0a_start_77/google_0a_start_77 mediaVerification 12000 google_0a_start_77"
            ])
        #expect(document.findings.map(\.rule) == ["L66"])
        let later = try Self.read(DAITexts.document(breaks: 1), &provider)
        #expect(Self.events(later) == [] && later.findings.isEmpty)
    }

    /// An id without a tag belongs to no ad: it is verified wherever in its break it is, also after the last ad (PRV-45).
    @Test(arguments: [
        (13_000, "a0", 10), (31_000, "c0", 10), (35_000, "c0", 5),
    ])
    func anIdWithoutATagIsVerifiedBehindTheFirstAdToo(at place: Int, in ad: String, lastAd length: Int) throws {
        var provider = try Self.opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        let text = DAITexts.document(breaks: 1).replacing(
            #""c0":{"duration":10"#, with: #""c0":{"duration":\#(length)"#)
        _ = try Self.read(text, &provider)
        _ = Self.seen(DAITexts.marks(ofBreak: 0) + [DAITexts.mark("google_X1_77", at: place)], &provider)
        _ = provider.request(on: Self.stream, at: Moment(wall: .second(9), uptime: .seconds(9)))
        let document = try Self.read(text, &provider)
        #expect(
            Self.events(document).filter { $0.contains("mediaVerification") }
                == ["b0/\(ad) mediaVerification \(place) google_X1_77"])
        var viewer = AdViewer()
        let outcome = viewer.metadata(document)
        let zero = UnixTime.second(0).milliseconds
        viewer.play(zero + 10_000, zero + Int64(place) - 500)
        #expect(viewer.requests.contains { $0.hasSuffix("google_X1_77") } == false)
        viewer.play(zero + Int64(place) - 500, zero + 50_000)
        #expect(viewer.requests.filter { $0.hasSuffix("google_X1_77") }.count == 1)
        #expect(viewer.state(.mediaVerification) == .done)
        var facts = Self.stream
        facts.playhead = .second(50)
        let findings = provider.lint(document, outcome, viewer.tracker.book, on: facts, at: viewer.now)
        #expect(!findings.contains { $0.message.contains("mediaVerification") })
    }

    // MARK: Tags that come late

    private static let empty = #"{"tags":{},"ads":{},"ad_breaks":{}}"#

    /// A session that has read the start id of the first ad, and whose newest answer has no tag for it.
    private static func waiting(playhead: Double) throws -> (provider: DAIProvider, stream: StreamFacts) {
        var provider = try opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        _ = seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        _ = provider.request(on: stream, at: Moment(wall: .second(0), uptime: .zero))
        let facts = StreamFacts(timeline: stream.timeline, playhead: .second(playhead))
        let document = try read(empty, &provider, on: facts)
        #expect(events(document) == [] && document.findings.isEmpty)
        return (provider, facts)
    }

    /// The viewer is not there yet: nothing was sent, so the tag counts (PRV-45).
    @Test func aTagThatComesBeforeTheViewerPlacesItsId() throws {
        var (provider, stream) = try Self.waiting(playhead: 3)
        #expect(provider.takeDocument(on: stream) == nil)
        #expect(provider.nextDocument(after: .second(3)) == .second(12))
        stream.playhead = .second(11)
        _ = try Self.read(Self.empty, &provider, on: stream)
        let document = try Self.read(DAITexts.document(breaks: 1), &provider, on: stream)
        #expect(Self.events(document) == ["b0/a0 start 12000 google_0a_start_77"] && document.findings.isEmpty)
        stream.playhead = .second(13)
        #expect(!provider.hasDocument && provider.takeDocument(on: stream) == nil)
        #expect(provider.nextDocument(after: .second(3)) == nil)
    }

    @Test func anIdIsLooseFromWhereTheViewerReachesIt() throws {
        var (provider, stream) = try Self.waiting(playhead: 3)
        let loose = "google_0a_start_77/google_0a_start_77 mediaVerification 12000 google_0a_start_77"
        stream.playhead = .second(12)
        guard case .media(let document)? = provider.takeDocument(on: stream) else { throw ProviderProblem() }
        #expect(Self.events(document) == [loose] && document.findings.map(\.rule) == ["L66"])
        #expect(!provider.hasDocument && provider.takeDocument(on: stream) == nil)
        // Its beacon may have been sent.
        let later = try Self.read(DAITexts.document(breaks: 1), &provider, on: stream)
        #expect(Self.events(later) == [] && later.findings.isEmpty)
    }

    /// A request that failed, or whose answer is no metadata, has no tag either; one that was made before the id was read shows nothing.
    @Test(arguments: [HTTPExchange.answer(500), .answer(200, "<html>Log in</html>"), .failure(.timeout)])
    func anIdIsVerifiedOnceWhereMetadataFails(_ exchange: HTTPExchange) throws {
        var provider = try Self.opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        _ = provider.request(on: Self.stream, at: Moment(wall: .second(0), uptime: .zero))
        var stream = StreamFacts(timeline: Self.stream.timeline, playhead: .second(3))
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider, on: stream)
        provider.failed(exchange, retryAfter: nil, at: Moment(wall: .second(1), uptime: .seconds(1)))
        #expect(!provider.hasDocument && provider.nextDocument(after: .second(3)) == nil)
        _ = provider.request(on: stream, at: Moment(wall: .second(9), uptime: .seconds(9)))
        #expect((try? provider.read(exchange, on: stream)) == nil)
        provider.failed(exchange, retryAfter: nil, at: Moment(wall: .second(9), uptime: .seconds(9)))
        #expect(provider.takeDocument(on: stream) == nil && provider.nextDocument(after: .second(3)) == .second(12))
        var recovered = provider
        stream.playhead = .second(12)
        guard case .media(let document)? = provider.takeDocument(on: stream) else { throw ProviderProblem() }
        #expect(
            Self.events(document) == [
                "google_0a_start_77/google_0a_start_77 mediaVerification 12000 google_0a_start_77"
            ])
        #expect(document.findings.map(\.rule) == ["L66"])
        // Its beacon may have been sent: a tag does not count any more. Before the viewer was there it does.
        #expect(Self.events(try Self.read(DAITexts.document(breaks: 1), &provider, on: stream)) == [])
        stream.playhead = .second(11)
        let tagged = try Self.read(DAITexts.document(breaks: 1), &recovered, on: stream)
        #expect(Self.events(tagged) == ["b0/a0 start 12000 google_0a_start_77"])
        #expect(!recovered.hasDocument)
    }

    /// The newest document is still the one that was read: it has no tag for what was found since.
    @Test func anIdIsVerifiedWhereMetadataHasNotChanged() throws {
        var provider = try Self.opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        var stream = StreamFacts(timeline: Self.stream.timeline, playhead: .second(3))
        _ = try Self.read(Self.empty, &provider, on: stream)
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider, on: stream)
        _ = provider.request(on: stream, at: Moment(wall: .second(0), uptime: .zero))
        provider.succeeded(at: Moment(wall: .second(1), uptime: .seconds(1)))
        stream.playhead = .second(12)
        guard case .media(let document)? = provider.takeDocument(on: stream) else { throw ProviderProblem() }
        #expect(document.findings.map(\.rule) == ["L66"])
    }

    /// `progress` only keeps the connection alive.
    @Test func anIdThatWaitedIsNotVerifiedIfItsTagIsForProgress() throws {
        var provider = try Self.opened()
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        _ = Self.seen([DAITexts.mark("google_0a_progress_1", at: 14_000)], &provider)
        _ = provider.request(on: Self.stream, at: Moment(wall: .second(0), uptime: .zero))
        var stream = StreamFacts(timeline: Self.stream.timeline, playhead: .second(3))
        _ = try Self.read(Self.empty, &provider, on: stream)
        _ = try Self.read(DAITexts.document(breaks: 1), &provider, on: stream)
        stream.playhead = .second(20)
        #expect(provider.takeDocument(on: stream) == nil)
    }

    /// One process found no tag in time, and the next one has it: the id is the same beacon.
    @Test func anIdIsVerifiedOnceAcrossARestart() throws {
        var (provider, stream) = try Self.waiting(playhead: 3)
        stream.playhead = .second(12)
        guard case .media(let loose)? = provider.takeDocument(on: stream) else { throw ProviderProblem() }
        let zero = UnixTime.second(0).milliseconds
        var first = AdViewer()
        first.metadata(loose)
        first.play(zero + 10_000, zero + 14_000)
        #expect(first.requests.count == 1)
        var other = try Self.opened()
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &other)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.metadata(try Self.read(DAITexts.document(breaks: 1), &other))
        second.play(zero + 10_000, zero + 14_000)
        #expect(second.requests == [])
    }

    /// What an id was first known as counts: under another name it would be another beacon.
    @Test func aMeaningDoesNotChange() throws {
        var provider = try Self.opened()
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        let changed = DAITexts.document(breaks: 1).replacing("\"type\":\"start\"", with: "\"type\":\"complete\"")
        #expect(Self.events(try Self.read(changed, &provider)) == ["b0/a0 start 12000 google_0a_start_77"])
    }

    @Test func eachIdIsOneBeaconWhateverItsName() throws {
        var provider = try Self.opened()
        let document = DAITexts.document(breaks: 1).replacing(
            "\"type\":\"midpoint\"", with: "\"type\":\"acceptinvitation\"")
        _ = try Self.read(document, &provider)
        let read = Self.seen(DAITexts.marks(ofBreak: 0), &provider)
        let events = (read?.breaks ?? []).flatMap(\.ads).flatMap(\.events)
        #expect(events.count == 10)
        #expect(events.allSatisfy { $0.identityName == "mediaVerification" && $0.eventClass == .time })
    }

    /// What several segments show is one document, and a programme waits for a playlist.
    @Test func whatTheMediaShowsWaitsUntilItIsTaken() throws {
        var provider = try Self.opened()
        _ = try Self.read(DAITexts.document(breaks: 2), &provider)
        provider.mediaRead(DAITexts.marks(ofBreak: 0), on: Self.stream)
        let document = Self.seen(DAITexts.marks(ofBreak: 1), &provider)
        #expect(document?.breaks.map(\.name) == ["b0", "b1"])
        var programme = try Self.opened(DAITexts.opening(Self.programme), address: "ondemand/v1/hls/content/1/vid/2")
        programme.mediaRead([], on: StreamFacts())
        #expect(programme.takeDocument(on: StreamFacts()) == nil && programme.hasDocument)
        #expect(Self.seen([], &programme)?.breaks.count == 1)
    }

    @Test func dateRangesCarryIds() throws {
        var provider = try Self.opened()
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        var viewer = Viewer()
        let range =
            #"#EXT-X-DATERANGE:ID="1",START-DATE="\#(UnixTime.second(14).iso8601)",X-COM-ID="google_0a_start_9""#
        viewer.reload(playlistText(0, count: 60, tags: range), at: 1)
        let document = Self.seen([], &provider, on: StreamFacts(timeline: viewer.timeline))
        #expect(Self.events(document) == ["b0/a0 start 14000 google_0a_start_9"])
    }

    /// An id without a tag may get one with the next answer: up to it nothing is decided.
    @Test func anIdWithoutATagIsUnexplained() throws {
        var provider = try Self.opened()
        _ = Self.seen([DAITexts.mark("google_0a_start_77", at: 12_000)], &provider)
        #expect(provider.unexplainedFrom == .second(12))
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        #expect(provider.unexplainedFrom == nil)
    }

    // MARK: What is missing

    /// The playhead may pass segments before they are read: how many ads the media has is known when all were read (P07).
    @Test func fewerAdsAreReportedOnceTheBreakWasRead() throws {
        var provider = try Self.opened()
        _ = try Self.read(DAITexts.document(breaks: 1), &provider)
        let marks = DAITexts.marks(ofBreak: 0)
        var stream = StreamFacts(timeline: Self.stream.timeline, playhead: .second(40))
        stream.reading = MediaReading(from: .second(0), awaited: .second(26))
        #expect(Self.seen(Array(marks.prefix(5)), &provider, on: stream)?.findings == [])
        #expect(try Self.read(DAITexts.document(breaks: 1), &provider, on: stream).findings == [])
        var other = provider
        stream.reading.awaited = .second(37)
        #expect(
            try Self.read(DAITexts.document(breaks: 1), &provider, on: stream).findings.map(\.message) == [
                "1 of the 2 announced ads were seen in the media"
            ])
        #expect(Self.seen(marks, &other, on: stream)?.findings == [])
        #expect(try Self.read(DAITexts.document(breaks: 1), &other, on: stream).findings == [])
    }

    // MARK: Recorded programmes

    private static let programme = #"""
        ,"ad_breaks":[{"type":"pre","start":12,"duration":20,"ads":[
        {"seq":1,"ad_id":"a","duration":20,"events":[{"time":0,"type":"start"},{"time":10,"type":"midpoint"}]}]}]
        """#

    @Test func aProgrammeIsKnownAtOnceAndItsIdsVerifyTheNearestEvent() throws {
        var provider = try Self.opened(DAITexts.opening(Self.programme), address: "ondemand/v1/hls/content/1/vid/2")
        #expect(
            Self.events(Self.seen([], &provider))
                == ["-/a start 12000 ", "-/a midpoint 22000 "].map { $0.replacing("-/", with: "at 12/") })
        #expect(Self.seen([], &provider) == nil && provider.pollInterval == nil)
        let document = Self.seen(
            [
                DAITexts.mark("google_x", at: 12_100), DAITexts.mark("google_y", at: 18_000),
                DAITexts.mark("google_z", at: 21_600),
            ], &provider)
        #expect(
            Self.events(document) == [
                "at 12/a start 12000 google_x", "at 12/a midpoint 22000 google_z",
                "at 12/a mediaVerification 18000 google_y",
            ])
        // Media outside of breaks has no ids.
        #expect(
            provider.readsMedia(
                of: StreamTime(microseconds: 30_000_000)..<StreamTime(microseconds: 36_000_000), on: Self.stream))
        #expect(
            !provider.readsMedia(
                of: StreamTime(microseconds: 36_000_000)..<StreamTime(microseconds: 42_000_000), on: Self.stream))
    }

    /// Until its id is read an event of a programme has no address, which is not an invalid one, and it is the same event after (PRV-46).
    @Test func anEventWaitsForItsId() throws {
        var provider = try Self.opened(DAITexts.opening(Self.programme), address: "ondemand/v1/hls/content/1/vid/2")
        var viewer = AdViewer()
        func status() -> EventStatus? {
            viewer.tracker.book.breaks.first?.ads.first?.events.first.flatMap { viewer.tracker.status(of: $0.id) }
        }
        let zero = UnixTime.second(0).milliseconds
        viewer.metadata(try #require(Self.seen([], &provider)))
        viewer.play(zero + 10_000, zero + 15_000)
        #expect(status() == EventStatus(.idle, .noMetadataInTime))
        viewer.play(zero + 15_000, zero + 24_000)
        #expect(status() == EventStatus(.skipped, .noMetadataInTime))
        let before = viewer.tracker.book.breaks.first?.ads.first?.events.first?.id
        viewer.metadata(try #require(Self.seen([DAITexts.mark("google_x", at: 12_100)], &provider)))
        #expect(viewer.tracker.book.breaks.first?.ads.first?.events.first?.id == before)
        #expect(viewer.requests.contains { $0.contains("google_x") })
    }

    @Test(arguments: [
        (#"{"avails":[]}"#, "has neither tags nor ads: it is no metadata of this service"),
        ("<html>", "is HTML instead of JSON"),
        ("", "is empty"), ("[]", "is a JSON array instead of an object"),
    ])
    func whatIsNoMetadata(_ text: String, _ expected: String) throws {
        var provider = try Self.opened()
        do throws(MetadataProblem) {
            _ = try provider.read(.answer(200, text), on: Self.stream)
            #expect(Bool(false), "it is read")
        } catch {
            #expect(error.explanation == expected)
        }
    }
}
