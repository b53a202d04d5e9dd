import HLS
import Ports
import Testing

@testable import AdTracking

/// Sessions: breaks without times and records of the media, in whatever order they come (PRV-30 to PRV-33).
@Suite struct YospaceProviderTests {
    private static let stream = ProviderSamples.dated

    private struct ProviderProblem: Error {}

    private static func stream(playedTo milliseconds: Int) -> StreamFacts {
        StreamFacts(timeline: stream.timeline, playhead: UnixTime.second(0) + .milliseconds(Int64(milliseconds)))
    }

    private static func answered(
        _ body: String, at url: String = YospaceTexts.master
    ) throws -> (YospaceProvider, OpeningStep) {
        var provider = YospaceProvider(ProviderOptions(mediaURL: try WebURL(url)))
        guard case .request(let request) = provider.open(), request.url.text == url, request.method == .get else {
            throw ProviderProblem()
        }
        let step = provider.openingAnswered(.answer(200, body, url: url))
        return (provider, step)
    }

    private static func opened() throws -> YospaceProvider { try answered(YospaceTexts.playlist).0 }

    private static func read(
        _ text: String, _ provider: inout YospaceProvider, on stream: StreamFacts = stream
    ) throws -> DecodedMetadata {
        try provider.read(.answer(200, text, url: "https://csm-e.example/a", type: "text/xml"), on: stream)
    }

    /// What the session takes after it read the media, or a playlist if there are no marks.
    private static func seen(
        _ marks: [MediaMark], _ provider: inout YospaceProvider, on stream: StreamFacts = stream
    ) -> DecodedMetadata? {
        provider.mediaRead(marks, on: stream)
        #expect(provider.hasDocument)
        guard case .media(let document)? = provider.takeDocument(on: stream) else { return nil }
        #expect(!provider.hasDocument)
        return document
    }

    /// The ads as `break/ad start`, in milliseconds.
    private static func ads(_ document: DecodedMetadata?) -> [String] {
        (document?.breaks ?? []).flatMap { adBreak in
            adBreak.ads.map { ad in
                "\(adBreak.name ?? "-")/\(ad.name ?? "-") \((ad.start - UnixTime.second(0)).inMilliseconds)"
            }
        }
    }

    // MARK: Opening

    @Test func theManifestNamesTheSession() throws {
        let (provider, step) = try Self.answered(YospaceTexts.playlist)
        guard case .opened(let addresses) = step else { throw ProviderProblem() }
        #expect(addresses.manifestURL.text == "https://csm-e.example/csm/live/ch1.m3u8;jsessionid=AB.1?token=9")
        #expect(addresses.metadataURL?.text == "https://csm-e.example/csm/analytics;jsessionid=AB.1?id=3")
        #expect(addresses.sessionID == "AB.1" && addresses.isRecognised && addresses.path == .manifest)
        #expect(provider.readsMedia(of: .zero..<(.zero + .seconds(6)), on: Self.stream))
    }

    @Test(arguments: [
        ("#EXTM3U\nv0.m3u8\n", "manifest names no session (EXT-X-YOSPACE-ANALYTICS-URL)"),
        ("<html/>", "manifest is neither a playlist nor VMAP that names one (yospace:Stream)"),
    ]) func anotherAnswerIsNone(_ body: String, _ problem: String) throws {
        guard case .failed(let failure) = try Self.answered(body).1 else { throw ProviderProblem() }
        #expect(failure.explanation == problem)
    }

    /// All breaks of a recorded programme are in the answer that opens the session: nothing is requested.
    @Test func aProgrammeIsKnownAtOnce() throws {
        let stream =
            "<vmap:Extensions><vmap:Extension><yospace:Stream id=\"s1\" duration=\"00:01:40\" urlDomain=\"csm.example\" "
            + "urlSuffix=\"/v/1.m3u8\"/></vmap:Extension></vmap:Extensions>"
        let breaks = ["00:00:12", "50%"].enumerated().map { number, offset in
            VMAPTexts.adBreak(at: offset, name: "b\(number)", ads: VMAPTexts.ad("a\(number)", 10))
        }
        var (provider, step) = try Self.answered(YospaceTexts.document(breaks + [stream]))
        guard case .opened(let addresses) = step else { throw ProviderProblem() }
        #expect(addresses.manifestURL.text == "https://csm.example/v/1.m3u8" && addresses.metadataURL == nil)
        #expect(!provider.hasDocument)
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        #expect(provider.nextRequest == nil && provider.pollInterval == nil && provider.hasDocument)
        #expect(!provider.readsMedia(of: .zero..<(.zero + .seconds(6)), on: Self.stream))
        #expect(provider.takeDocument(on: StreamFacts()) == nil)
        guard case .answer(let document, _, _)? = provider.takeDocument(on: Self.stream) else {
            throw ProviderProblem()
        }
        #expect(Self.ads(document) == ["b0/a0 12000", "b1/a1 50000"] && !provider.hasDocument)
        // It counts as an answer, and there is nothing to request.
        provider.succeeded(at: Moment(wall: .second(1), uptime: .seconds(1)))
        #expect(provider.nextRequest == nil)
    }

    // MARK: Breaks and records

    @Test func recordsPlaceTheAdsThatWereSeen() throws {
        var provider = try Self.opened()
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider)) == [])
        let marks = YospaceTexts.marks(ofBreak: 0)
        // The second ad is only expected: nothing of it is due before it is seen.
        let first = try #require(Self.seen(Array(marks.prefix(1)), &provider))
        #expect(Self.ads(first) == ["b0/a0 12000"] && first.breaks.map(\.duration) == [.seconds(25)])
        #expect(Self.seen(Array(marks.prefix(3)), &provider) == nil)
        #expect(Self.ads(Self.seen(marks, &provider)) == ["b0/a0 12000", "b0/c0 27000"])
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider)) == ["b0/a0 12000", "b0/c0 27000"])
    }

    /// The session gets both breaks of an id, each at its place (PRV-31).
    @Test func anIDThatIsUsedAgainIsAnotherBreak() throws {
        var provider = try Self.opened()
        let text = YospaceTexts.document(breaks: 1)
        _ = try Self.read(text, &provider)
        #expect(Self.ads(Self.seen(YospaceTexts.marks(ofBreak: 0), &provider)) == ["b0/a0 12000", "b0/c0 27000"])
        _ = try Self.read(text, &provider)
        let later = [("a0", 192), ("c0", 207)].flatMap { media, second in
            [
                YospaceTexts.mark(media, "S", "1:2", at: second * 1_000),
                YospaceTexts.mark(media, "E", "2:2", at: second * 1_000 + 9_000),
            ]
        }
        provider.mediaRead(later, on: Self.stream)
        #expect(provider.takeDocument(on: Self.stream) == nil)
        let document = try Self.read(YospaceTexts.document(breaks: 0), &provider)
        #expect(Self.ads(document) == ["b0/a0 192000", "b0/c0 207000"])
        #expect(document.breaks.map(\.start) == [.second(192)] && provider.takeDocument(on: Self.stream) == nil)
    }

    /// A value that changes with each answer is in the newest one's URL only: two URLs of an event would be two beacons.
    @Test func anEventHasTheURLsOfTheNewestAnswer() throws {
        var provider = try Self.opened()
        for token in ["7f3a91c28b21d4e5", "8b21d4e57f3a91c2"] {
            let text = YospaceTexts.document(breaks: 1)
                .replacing("</Tracking>", with: "?zz=\(token)</Tracking>")
                .replacing("</Impression>", with: "?zz=\(token)</Impression>")
            _ = try Self.read(text, &provider)
        }
        let document = try #require(Self.seen(YospaceTexts.marks(ofBreak: 0), &provider))
        let urls = document.breaks.flatMap(\.ads).flatMap(\.events).map(\.urls)
        #expect(urls.count == 12 && urls.allSatisfy { $0.count == 1 && $0[0].hasSuffix("?zz=8b21d4e57f3a91c2") })
    }

    /// Each answer lists only what is new: the end of a break comes with the passing of time (PRV-25, PRV-31).
    @Test(arguments: [6, 4]) func theEndOfABreakComesThoughNoAnswerListsItAgain(_ seen: Int) throws {
        var provider = try Self.opened()
        let events =
            "<vmap:TrackingEvents><vmap:Tracking event=\"breakEnd\">https://t.example/end</vmap:Tracking></vmap:TrackingEvents>"
        _ = try Self.read(YospaceTexts.document([YospaceTexts.adBreak(0, more: events)]), &provider)
        func ends(_ document: DecodedMetadata?) -> [UnixTime] {
            (document?.breaks ?? []).flatMap(\.ads).flatMap(\.events).filter { $0.type == .breakEnd }.map(\.start)
        }
        var playlists = Viewer()
        playlists.reload(playlistText(0, count: 5), at: 1)
        func stream(_ second: Int64) -> StreamFacts {
            StreamFacts(timeline: playlists.timeline, playhead: .second(0) + .seconds(second))
        }
        #expect(ends(Self.seen(Array(YospaceTexts.marks(ofBreak: 0).prefix(seen)), &provider, on: stream(13))) == [])
        #expect(ends(try Self.read(YospaceTexts.document([]), &provider, on: stream(13))) == [])
        playlists.reload(playlistText(0, count: 20), at: 2)
        #expect(ends(Self.seen([], &provider, on: stream(40))) == [.second(37)])
        #expect(ends(Self.seen([], &provider, on: stream(44))) == [])
    }

    /// The answer to a request may be older than an ad that began after it: the next one is due at once, and once.
    @Test(arguments: [0, 1]) func anAdThatBeginsDuringARequestIsAskedForAfterIt(_ listed: Int) throws {
        var provider = try Self.opened()
        func ask(at second: Int64) -> Bool {
            provider.request(on: Self.stream, at: Moment(wall: .second(0), uptime: .seconds(second))) != nil
        }
        func answer(_ breaks: Int, at second: Int64) throws {
            _ = try Self.read(YospaceTexts.document(breaks: breaks), &provider)
            provider.succeeded(at: Moment(wall: .second(0), uptime: .seconds(second)))
        }
        provider.start(at: Moment(wall: .second(0), uptime: .zero))
        #expect(ask(at: 0))
        provider.mediaRead(YospaceTexts.marks(ofBreak: 0), on: Self.stream)
        #expect(provider.nextRequest == nil)
        try answer(listed, at: 1)
        let next = try #require(provider.nextRequest)
        #expect(listed == 0 ? next <= .seconds(1) : next >= .seconds(4))
        #expect(ask(at: 6))
        try answer(0, at: 7)
        let later = try #require(provider.nextRequest)
        #expect(later >= .seconds(10))
    }

    @Test func recordsMayComeBeforeTheirBreak() throws {
        var provider = try Self.opened()
        #expect(Self.seen(YospaceTexts.marks(ofBreak: 0), &provider) == nil)
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider)) == ["b0/a0 12000", "b0/c0 27000"])
    }

    /// Two segments are requested at a time, and a request may have to be repeated.
    @Test func theOrderInWhichSegmentsAreReadDoesNotMatter() throws {
        let marks = YospaceTexts.marks(ofBreak: 0) + YospaceTexts.marks(ofBreak: 1)
        for seed in 1...50 as ClosedRange<UInt64> {
            var (provider, random) = (try Self.opened(), SplitMix64(seed: seed))
            var rest = marks
            while !rest.isEmpty {
                let mark = rest.remove(at: Int(random.next() % UInt64(rest.count)))
                _ = Self.seen([mark], &provider)
                if random.next() % 4 == 0 { _ = try Self.read(YospaceTexts.document(breaks: 2), &provider) }
            }
            let document = try Self.read(
                YospaceTexts.document(breaks: 2), &provider, on: Self.stream(playedTo: 200_000))
            #expect(
                Self.ads(document) == ["b0/a0 12000", "b0/c0 27000", "b1/a1 72000", "b1/c1 87000"], "seed \(seed)")
            #expect(document.findings.map(\.message) == [], "seed \(seed)")
        }
    }

    /// A viewer joins in the middle of an ad: nothing is wrong, and the next ad is known.
    @Test func joiningInTheMiddleOfAnAdIsNoFinding() throws {
        var provider = try Self.opened()
        _ = try Self.read(YospaceTexts.document(breaks: 1), &provider)
        let marks = Array(YospaceTexts.marks(ofBreak: 0).dropFirst())
        let document = Self.seen(marks, &provider, on: Self.stream(playedTo: 60_000))
        #expect(Self.ads(document) == ["b0/c0 27000"] && document?.findings == [])
        #expect(document?.breaks.map(\.duration) == [.seconds(10)])
    }

    /// That the first record is missing is said when the viewer has passed it: it may still be read.
    @Test func anEstimatedStartIsReportedWhenItWasPlayed() throws {
        var provider = try Self.opened()
        _ = try Self.read(YospaceTexts.document(breaks: 1), &provider)
        var marks = YospaceTexts.marks(ofBreak: 0)
        let start = marks.remove(at: 3)
        let end = marks.remove(at: 2)
        #expect(Self.ads(Self.seen(marks, &provider)) == ["b0/a0 12000", "b0/c0 31000"])
        let later = Self.seen([], &provider, on: Self.stream(playedTo: 40_000))
        #expect(later?.findings.map(\.rule) == ["P03"] && later?.findings.map(\.path) == ["b0/c0"])
        #expect(Self.seen([], &provider, on: Self.stream(playedTo: 41_000)) == nil)
        #expect(Self.ads(Self.seen([end, start], &provider)) == ["b0/a0 12000", "b0/c0 27000"])
    }

    /// The ad on air is in no answer: the next one is requested at once, and once.
    @Test func anUnknownAdIsAskedForAtOnce() throws {
        var provider = try Self.opened()
        func moment(_ seconds: Double) -> Moment { Moment(wall: .second(seconds), uptime: .seconds(seconds)) }
        provider.start(at: moment(0))
        #expect(provider.request(on: Self.stream, at: moment(0)) != nil)
        provider.succeeded(at: moment(1))
        #expect(provider.nextRequest.map { $0 > .seconds(4) } == true)
        provider.mediaRead([YospaceTexts.mark("x", "S", "1:3", at: 12_000)], on: Self.stream)
        #expect(provider.nextRequest.map { $0 <= .seconds(1) } == true && provider.nextPoll?.reason == .media)
        #expect(provider.request(on: Self.stream, at: moment(2)) != nil)
        let document = try Self.read(YospaceTexts.document(breaks: 1), &provider, on: Self.stream(playedTo: 20_000))
        #expect(document.findings.map(\.rule) == ["L66"])
        provider.succeeded(at: moment(2))
        provider.mediaRead([YospaceTexts.mark("x", "M", "2:3", at: 14_000)], on: Self.stream)
        #expect(provider.nextRequest.map { $0 > .seconds(5) } == true)
    }

    /// The last segments of a channel that ended are read after the last request.
    @Test func anUnknownAdIsAskedForAfterTheEnd() throws {
        var provider = try Self.opened()
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60, isComplete: true), at: 1)
        var stream = StreamFacts(timeline: viewer.timeline, playhead: .second(360))
        stream.isPlayed = true
        provider.start(at: .second(0))
        _ = provider.request(on: stream, at: .second(0))
        provider.succeeded(at: .second(1))
        #expect(provider.nextPoll == NextPoll(at: nil, reason: .complete))
        provider.mediaRead([YospaceTexts.mark("a0", "S", "1:3", at: 12_000)], on: stream)
        #expect(try #require(provider.nextRequest) <= .seconds(1))
        _ = provider.request(on: stream, at: .second(2))
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: stream)) == ["b0/a0 12000"])
        provider.succeeded(at: .second(2))
        #expect(provider.nextRequest == nil)
    }

    /// A damaged playlist dated the segment: its record waits for the next one. A date that comes again counts.
    @Test func aDateThatIsFarOffWaitsForAnotherPlaylist() throws {
        func marks(late seconds: Int) -> [MediaMark] {
            YospaceTexts.marks(ofBreak: 0).prefix(1).map { mark in
                var mark = mark
                mark.position = .zero + .seconds(12)
                mark.at = MediaMoment(UnixTime.second(0) + .seconds(12 + seconds))
                return mark
            }
        }
        for late in [0, 59, 345_600, -345_600] {
            var provider = try Self.opened()
            _ = try Self.read(YospaceTexts.document(breaks: 1), &provider)
            let isNear = late < 60 && late > -60
            #expect(
                Self.ads(Self.seen(marks(late: late), &provider)) == (isNear ? ["b0/a0 \(12_000 + late * 1_000)"] : []))
            #expect(Self.ads(Self.seen([], &provider)) == (isNear ? [] : ["b0/a0 12000"]))
        }
        var provider = try Self.opened()
        _ = try Self.read(YospaceTexts.document(breaks: 1), &provider)
        let far = marks(late: 0).map { mark in
            var mark = mark
            mark.position = .zero + .seconds(3_600)
            return mark
        }
        #expect(Self.seen(far, &provider) == nil && Self.seen([], &provider) == nil)
    }

    /// A start that stayed unknown belongs to no later airing of the same media.
    @Test func anUnknownStartIsGivenUp() throws {
        var provider = try Self.opened()
        let marks = YospaceTexts.marks(ofBreak: 0).prefix(3)
        _ = Self.seen(Array(marks), &provider)
        for _ in 0..<YospaceQueue.answerLimit { _ = try Self.read(YospaceTexts.document(breaks: 0), &provider) }
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider)) == [])
        let later = Self.seen([YospaceTexts.mark("a0", "S", "1:3", at: 92_000)], &provider)
        #expect(Self.ads(later) == ["b0/a0 92000"])
    }

    /// What a missed break reports is due at once, which is where the viewer is; once.
    @Test func aMissedBreakIsReportedAtTheViewer() throws {
        var provider = try Self.opened()
        let events = ["breakStart", "breakEnd"].map {
            "<vmap:Tracking event=\"\($0)\">https://t.example/\($0)</vmap:Tracking>"
        }
        let more = "<vmap:TrackingEvents>\(events.joined())</vmap:TrackingEvents>"
        let text = YospaceTexts.document([VMAPTexts.adBreak(at: "00:00:00", name: "gone", ads: "", more: more)])
        let early = try Self.read(text, &provider)
        #expect(early.breaks.isEmpty && early.findings.map(\.rule) == ["P09"])
        let document = try #require(Self.seen([], &provider, on: Self.stream(playedTo: 30_000)))
        let moments = document.breaks.flatMap(\.ads).flatMap(\.events).map {
            "\($0.type) \(($0.start - UnixTime.second(0)).inMilliseconds)"
        }
        #expect(document.breaks.map(\.name) == ["gone"] && moments == ["breakStart 30000", "breakEnd 30000"])
        #expect(try Self.read(text, &provider, on: Self.stream(playedTo: 34_000)).breaks.isEmpty)
    }

    /// The end of a break belongs to its last ad, so it waits until all are seen, or the break is over.
    @Test func theEndOfABreakWaits() throws {
        var provider = try Self.opened()
        let tracking = "<vmap:Tracking event=\"breakEnd\">https://t.example/end</vmap:Tracking>"
        let more = "<vmap:TrackingEvents>\(tracking)</vmap:TrackingEvents>"
        _ = try Self.read(YospaceTexts.document([YospaceTexts.adBreak(0, more: more)]), &provider)
        func ends(_ document: DecodedMetadata?) -> [String] {
            (document?.breaks ?? []).flatMap(\.ads).filter { $0.events.contains { $0.type == .breakEnd } }
                .map { $0.name ?? "-" }
        }
        let marks = YospaceTexts.marks(ofBreak: 0)
        #expect(ends(Self.seen(Array(marks.prefix(3)), &provider)) == [])
        #expect(ends(Self.seen(marks, &provider)) == ["c0"])
    }

    // MARK: Sessions that an earlier process followed

    /// The stream for a viewer who joined at that second.
    private static func stream(joinedAt second: Double, playedTo milliseconds: Int? = nil) -> StreamFacts {
        var facts = stream(playedTo: milliseconds ?? Int(second * 1_000))
        facts.reading.from = .second(second)
        return facts
    }

    private static let earlier = EarlierAd(adBreak: "b0", ad: "a0", start: .second(12))

    /// The ad in whose middle the viewer joined began where it did for the earlier process (PRV-32).
    @Test(arguments: [true, false]) func theAdOnAirIsContinued(_ isListedFirst: Bool) throws {
        var provider = try Self.opened()
        provider.continues([EarlierAd(adBreak: "b0", ad: "a0", start: .second(-3_600)), Self.earlier])
        let here = Self.stream(joinedAt: 14)
        // Behind the join, in the middle of the ad.
        let next = Array(YospaceTexts.marks(ofBreak: 0)[1...1])
        if isListedFirst {
            #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: here)) == ["b0/a0 12000"])
            #expect(Self.seen(next, &provider, on: here) == nil)
        } else {
            #expect(Self.seen(next, &provider, on: here) == nil)
            #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: here)) == ["b0/a0 12000"])
        }
        let rest = Array(YospaceTexts.marks(ofBreak: 0).dropFirst(2))
        let document = Self.seen(rest, &provider, on: here)
        #expect(
            Self.ads(document) == ["b0/a0 12000", "b0/c0 27000"] && document?.breaks.map(\.duration) == [.seconds(25)])
        let later = Self.stream(joinedAt: 14, playedTo: 60_000)
        #expect(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: later).findings == [])
    }

    /// The segment in which the viewer joins may still have the first record.
    @Test func theFirstRecordOfAContinuedAdPlacesNoOther() throws {
        var provider = try Self.opened()
        provider.continues([Self.earlier])
        let here = Self.stream(joinedAt: 12.5)
        _ = try Self.read(YospaceTexts.document(breaks: 1), &provider, on: here)
        #expect(Self.seen(Array(YospaceTexts.marks(ofBreak: 0).prefix(3)), &provider, on: here) == nil)
        let later = Self.stream(joinedAt: 12.5, playedTo: 60_000)
        #expect(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: later).findings == [])
    }

    /// An ad that was over, or is still to come, is not the one in which the viewer joined; nor is one in a stream without dates.
    @Test(arguments: [40.0, 11.0, 14.0]) func otherAdsAreNotContinued(_ joined: Double) throws {
        var provider = try Self.opened()
        provider.continues([Self.earlier])
        var here = Self.stream(joinedAt: joined)
        if joined == 14 { here.timeline.dateOfZero = .second(0) }
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider, on: here)) == [])
    }

    /// Another process knows the breaks that were listed, though no answer lists them again (FLT-15).
    @Test(arguments: [true, false]) func anotherProcessContinues(_ isDated: Bool) throws {
        var provider = try Self.opened()
        let more =
            "<vmap:TrackingEvents><vmap:Tracking event=\"breakEnd\">https://t.example/end</vmap:Tracking></vmap:TrackingEvents>"
        let gone = VMAPTexts.adBreak(at: "00:00:00", name: "gone", ads: "")
        _ = try Self.read(
            YospaceTexts.document([YospaceTexts.adBreak(0, more: more), YospaceTexts.adBreak(1), gone]), &provider)
        _ = Self.seen(Array(YospaceTexts.marks(ofBreak: 0).prefix(2)), &provider)
        func names(at second: Double) -> [String?]? {
            provider.memory(on: Self.stream(joinedAt: second))?["breaks"]?.arrayValue?.map { $0["id"]?.stringValue }
        }
        #expect(names(at: 20) == ["b0", "b1"] && names(at: 200) == ["b1"])
        var next = try Self.opened()
        next.recall(try #require(provider.memory(on: Self.stream(joinedAt: 18))))
        next.continues([Self.earlier])
        var here = Self.stream(joinedAt: 18)
        if !isDated { here.timeline.dateOfZero = .second(0) }
        let document = try #require(Self.seen(Array(YospaceTexts.marks(ofBreak: 0).dropFirst(2)), &next, on: here))
        #expect(Self.ads(document) == ["b0/a0 12000", "b0/c0 27000"])
        let known = Self.seen(YospaceTexts.marks(ofBreak: 0), &provider)
        func events(_ document: DecodedMetadata?) -> [TrackingEvent]? {
            document?.breaks.flatMap(\.ads).flatMap(\.events)
        }
        #expect(events(document) == events(known) && events(document)?.last?.type == .breakEnd)
        #expect(try Self.read(YospaceTexts.document([gone]), &next, on: here).findings == [])
    }

    @Test(
        arguments: [[:], 7, ["breaks": [7, ["start": "x"], ["start": "0", "ads": 7]], "missed": 7]] as [JSONValue])
    func whatCannotBeReadIsForgotten(_ memory: JSONValue) throws {
        var provider = try Self.opened()
        provider.recall(memory)
        #expect(Self.ads(try Self.read(YospaceTexts.document(breaks: 1), &provider)) == [])
        #expect(Self.ads(Self.seen(YospaceTexts.marks(ofBreak: 0), &provider)) == ["b0/a0 12000", "b0/c0 27000"])
    }

    /// Up to the ad on air that no answer has listed nothing is decided.
    @Test func anAdThatNoAnswerListsIsUnexplained() throws {
        var provider = try Self.opened()
        _ = Self.seen(Array(YospaceTexts.marks(ofBreak: 0).prefix(1)), &provider)
        #expect(provider.unexplainedFrom == .second(12))
        _ = try Self.read(YospaceTexts.document(breaks: 1), &provider)
        #expect(provider.unexplainedFrom == nil)
    }

    // MARK: How the media carries records

    @Test(arguments: [
        "YMID=m,YTYP=S,YSEQ=1:3,YDUR=1.5", "YMID=m YTYP=S YSEQ=1:3 YDUR=1.5 OTHER=1",
        "YDUR=1.5;YSEQ=1:3;YTYP=S;YMID=m\u{0}",
    ]) func anEventMessageHasPairs(_ text: String) throws {
        let record = try #require(YospaceRecord(YospaceTexts.mark(text, at: 0)))
        #expect(record.media == "m" && record.isFirst && record.offset == ExactDecimal(6).quarters(1))
    }

    @Test(arguments: ["", "YMID", "YMID=m,YTYP=S,YSEQ=1:3", "=,=,=", "ymid=m,ytyp=S,yseq=1:3,ydur=0"])
    func anotherMessageIsNone(_ text: String) {
        #expect(YospaceRecord(YospaceTexts.mark(text, at: 0)) == nil)
    }

    /// Frames of the service's own with and without the byte of the encoding, and texts of the user's own.
    @Test func aTagHasFrames() throws {
        func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
        func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
            Array(id.utf8) + size(content.count) + [0, 0] + content
        }
        let frames =
            frame("YMID", [3] + Array("m".utf8)) + frame("YTYP", Array("S".utf8))
            + frame("YSEQ", [0] + Array("1:3".utf8) + [0]) + frame("TXXX", [3] + Array("YDUR\u{0}0.5".utf8))
        let tag = try #require(ID3Tag((Array("ID3".utf8) + [4, 0, 0] + size(frames.count) + frames)[...]))
        let mark = MediaMark(TimedMetadata(at: .zero, .id3(tag)), at: MediaMoment(UnixTime.second(0)))
        let record = try #require(YospaceRecord(mark))
        #expect(record.media == "m" && record.isFirst && record.offset == ExactDecimal(1).quarters(2))
    }
}
