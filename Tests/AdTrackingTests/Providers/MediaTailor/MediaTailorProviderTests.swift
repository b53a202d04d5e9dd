import HLS
import Ports
import TestSupport
import Testing

@testable import AdTracking

/// A session of MediaTailor as the tracker sees it.
@Suite struct MediaTailorProviderTests {
    private static func opened(_ mode: String = "") throws -> MediaTailorProvider {
        let url = try WebURL("\(ProviderSamples.mediaTailor.mediaURL)\(mode)")
        var provider = MediaTailorProvider(ProviderOptions(mediaURL: url))
        _ = provider.open()
        _ = provider.openingAnswered(try #require(ProviderSamples.mediaTailor.opening.first))
        return provider
    }

    private static var stream: StreamFacts { ProviderSamples.mediaTailor.stream }

    private static func text(_ request: ProviderRequest?) -> String {
        request.map { "\($0.method.rawValue) \(String(decoding: $0.body, as: UTF8.self))" } ?? "none"
    }

    private static func read(_ text: String, _ provider: inout MediaTailorProvider) throws -> DecodedMetadata {
        try provider.read(.answer(200, text, url: "https://v.example/"), on: stream)
    }

    /// Second 12 of the session is 12 s after the first segment of its first playlist (PRV-21).
    @Test func secondsAreDatesOfThePlaylist() throws {
        var provider = try Self.opened()
        let document = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider)
        #expect(document.breaks.map(\.start) == [.second(12)] && document.dataRange == nil)
        let ads = document.breaks.flatMap(\.ads)
        #expect(ads.map(\.start) == [.second(12), .second(27)])
        #expect(ads[0].events.map(\.start) == [12, 12, 15.75, 19.5, 23.25, 27].map { UnixTime.second($0) })
        #expect(!ads.flatMap(\.events).contains { $0.isReportedByService })
    }

    /// The session is in the address of its manifest, so a damaged address of the tracking data costs nothing. Where there is none, as with
    /// guided insertion and where the service reports, none is made up.
    @Test(arguments: [
        (#""trackingUrl": "http://[::""#, "client", true), (#""trackingUrl": "\#u{FFFD}v1/t""#, "client", true),
        (#""tracking": "http:///x""#, "server", true), (#""trackingUrl": null"#, "client", false),
        (#""t\#u{FFFD}ackingUrl": "/v1/x""#, "client", true), (#""t\#u{FFFD}ackingUrl": "/v1/x""#, "server", true),
        (#""x": 1"#, "client", false), (#""x": 1"#, "server", false),
    ])
    func aDamagedAddressIsThatOfTheManifest(member: String, mode: String, isKnown: Bool) throws {
        let answer = try JSONReader.read(
            Array(#"{"manifestUrl": "/p/v1/master/9f8e7d6c5b4a/c/a.m3u8?aws.sessionId=s-1", \#(member)}"#.utf8)
        )
        let asked = try WebURL("https://m.example/p/v1/session/9f8e7d6c5b4a/c/a.m3u8")
        let session = try MediaTailorSession.explicit(answer, mode: mode, asked: asked).get()
        #expect(
            session.tracking?.text == (isKnown ? "https://m.example/p/v1/tracking/9f8e7d6c5b4a/c/s-1" : nil),
            "\(answer.text())")
    }

    /// The events of an avail are limited as those of an ad.
    @Test func theEventsOfAnAvailAreLimited() throws {
        let events = (0..<3 * ListedAnswer.eventsPerAd).map {
            #"{"eventType":"e\#($0)","beaconUrls":["https://t.example/\#($0)"]}"#
        }.joined(separator: ",")
        let text =
            #"{"avails":[{"availId":"b","startTimeInSeconds":1,"durationInSeconds":9,"ads":[],"adBreakTrackingEvents":[\#(events)]}]}"#
        let document = try MediaTailorDocument.read(Array(text.utf8), .client)
        #expect(document.answer.breaks.map(\.events.count) == [ListedAnswer.eventsPerAd])
        #expect(document.answer.breaks.first?.events.last?.name == "e\(ListedAnswer.eventsPerAd - 1)")
    }

    /// Everything is shown, nothing is sent, and the reason is the service (PRV-16).
    @Test func whatTheServiceReportsIsNeverSent() throws {
        var provider = try Self.opened("?aws.reportingMode=server")
        let document = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider)
        var viewer = AdViewer()
        viewer.metadata(document)
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 6_000, start + 60_000)
        #expect(viewer.requests == [])
        let events = viewer.tracker.book.breaks.flatMap(\.ads).flatMap(\.events)
        #expect(events.count == 12)
        for event in events {
            #expect(
                viewer.tracker.status(of: event.id) == EventStatus(.skipped, .serverBeaconed), "\(event.event.rawName)")
        }
        #expect(SkipReason.serverBeaconed.words.sentence == "reported by the service")
    }

    /// What lies before the join is older than the session, whoever reports it.
    @Test func whatIsBeforeTheJoinIsSo() throws {
        var provider = try Self.opened("?aws.reportingMode=server")
        var viewer = AdViewer()
        viewer.metadata(try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider))
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 20_000, start + 60_000)
        let events = viewer.tracker.book.breaks.flatMap(\.ads).flatMap(\.events)
        let earlier = events.filter { viewer.tracker.status(of: $0.id)?.isBeforeJoin == true }
        #expect(earlier.map(\.event.start) == events.map(\.event.start).filter { $0 < .second(20) })
        #expect(earlier.count == 4)
        #expect(events.allSatisfy { viewer.tracker.status(of: $0.id)?.reason == .serverBeaconed })
    }

    @Test func theSameDocumentInAClientSessionIsSentOnce() throws {
        var provider = try Self.opened()
        let document = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider)
        var viewer = AdViewer()
        viewer.metadata(document)
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 6_000, start + 60_000)
        #expect(viewer.requests.count == 12 && Set(viewer.requests).count == 12)
    }

    /// The end of a break waits until the stream is listed behind it, and then it comes though no page lists the break again (PRV-25), nor
    /// if pages list the next one.
    @Test(arguments: [
        #"{"avails":[],"nextToken":"t"}"#, #"{"avails":null,"nextToken":"t"}"#,
        #"{"avails":[{"availId":"n","startTimeInSeconds":37,"durationInSeconds":9,"ads":[]}],"nextToken":"t"}"#,
    ])
    func theEndOfABreakComesWithoutTheBreak(_ page: String) throws {
        var provider = try Self.opened()
        let whole = MediaTailorTexts.document(avails: 1, token: "t")
            .replacing(
                #""adMarkerDuration":"PT25S""#,
                with: #""adBreakTrackingEvents":[{"eventType":"breakEnd","beaconUrls":["https://t.example/end"]}]"#)
        var (playlists, viewer) = (Viewer(), AdViewer())
        func read(_ text: String) throws -> AdTracker.Outcome {
            viewer.metadata(
                try provider.read(
                    .answer(200, text, url: "https://v.example/"), on: StreamFacts(timeline: playlists.timeline)))
        }
        playlists.reload(playlistText(0, count: 5), at: 1)
        _ = try read(whole)
        _ = try read(page)
        #expect(!viewer.tracker.book.breaks.flatMap(\.ads).flatMap(\.events).contains { $0.event.type == .breakEnd })
        playlists.reload(playlistText(0, count: 20), at: 2)
        let outcome = try read(page)
        #expect(outcome.merge.changes.map(\.kind) == [.added])
        _ = try read(page)
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 6_000, start + 60_000)
        #expect(viewer.requests.count == 13 && viewer.requests.filter { $0.hasSuffix("/end") }.count == 1)
    }

    /// A page lacks what is finished at the live edge, which the viewer has not reached yet (PRV-9).
    @Test func whatAPageLacksIsPlayedNevertheless() throws {
        var provider = try Self.opened()
        let whole = MediaTailorTexts.document(avails: 1, token: "t")
        let first = try #require(whole.firstRange(of: #"{"adId":"a12""#)?.lowerBound)
        let second = try #require(whole.firstRange(of: #"{"adId":"a27""#)?.lowerBound)
        var viewer = AdViewer()
        viewer.metadata(try Self.read(whole, &provider))
        let outcome = viewer.metadata(try Self.read(String(whole[..<first] + whole[second...]), &provider))
        #expect(!outcome.merge.changes.contains { $0.kind == .vanished })
        let start = UnixTime.second(0).milliseconds
        viewer.play(start + 6_000, start + 60_000)
        #expect(viewer.requests.count == 12 && Set(viewer.requests).count == 12)
    }

    /// An answer that repeats the one before is not read again, and means the same on a playlist that has moved.
    @Test func aRepeatedAnswerMeansTheSame() throws {
        var provider = try Self.opened()
        for text in [
            MediaTailorTexts.document(avails: 2, token: "t"),
            #"{"avails":[{"availId":"v","startTimeInSeconds":12,"durationInSeconds":9,"availProgramDateTime":"#
                + #""2026-01-01T00:00:00Z","ads":[]}]}"#,
        ] {
            let first = try Self.read(text, &provider)
            #expect(try Self.read(text, &provider) == first)
            var moved = Self.stream
            moved.placesSeconds = false
            let again = try provider.read(.answer(200, text, url: "https://v.example/"), on: moved)
            var fresh = try Self.opened()
            #expect(again == (try fresh.read(.answer(200, text, url: "https://v.example/"), on: moved)))
        }
    }

    /// Who reports is said once for each session, and `--fire-anyway` sends what the service reports too (PRV-16).
    @Test(arguments: [true, false]) func whoReportsIsSaidOnce(anyway: Bool) throws {
        var options = ProviderOptions(
            mediaURL: try WebURL("\(ProviderSamples.mediaTailor.mediaURL)?aws.reportingMode=server"))
        options.reportsAnyway = anyway
        var provider = MediaTailorProvider(options)
        _ = provider.open()
        _ = provider.openingAnswered(try #require(ProviderSamples.mediaTailor.opening.first))
        guard case .findings(let findings)? = provider.takeDocument(on: Self.stream) else {
            Issue.record("nothing is said")
            return
        }
        #expect(findings.map(\.rule) == [anyway ? "two-parties" : "P04"])
        #expect(!provider.hasDocument && provider.takeDocument(on: Self.stream) == nil)
        let events = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider).breaks
            .flatMap(\.ads).flatMap(\.events)
        #expect(events.allSatisfy { $0.isReportedByService == !anyway } && events.count == 12)
    }

    /// A day counts from the token, not from the start of the machine.
    @Test func aTokenIsSentOnAMachineThatRunsForDays() throws {
        var provider = try Self.opened()
        provider.start(at: .second(200_000))
        #expect(Self.text(provider.request(on: Self.stream, at: .second(200_000))) == "POST {}")
        _ = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider)
        provider.succeeded(at: .second(200_000))
        #expect(Self.text(provider.request(on: Self.stream, at: .second(200_007))) == #"POST {"NextToken":"t"}"#)
        provider.succeeded(at: .second(200_007))
        #expect(Self.text(provider.request(on: Self.stream, at: .second(283_000))) == "POST {}")
    }

    @Test func pagesFollowTheTargetDuration() throws {
        var provider = try Self.opened()
        var now = Moment.second(100)
        provider.start(at: now)
        #expect(Self.text(provider.request(on: StreamFacts(), at: now)) == "none", "there is no playlist yet")
        #expect(provider.nextRequest == now.uptime + .seconds(1))
        #expect(Self.text(provider.request(on: Self.stream, at: now)) == "POST {}")
        _ = try Self.read(MediaTailorTexts.document(avails: 1, token: "t1="), &provider)
        provider.succeeded(at: now)
        #expect(provider.pollInterval == .seconds(6))
        now = Moment.second(107)
        #expect(Self.text(provider.request(on: Self.stream, at: now)) == #"POST {"NextToken":"t1="}"#)
        provider.failed(.answer(400), retryAfter: nil, at: now)
        #expect(provider.nextRequest == now.uptime, "a rejected token is dropped at once")
        #expect(Self.text(provider.request(on: Self.stream, at: now)) == "POST {}")
        provider.failed(.answer(405), retryAfter: nil, at: now)
        #expect(Self.text(provider.request(on: Self.stream, at: now)) == "GET ")
    }

    /// A tracking address that accepts GET alone is no session that is over.
    @Test func anAddressThatAcceptsOnlyGETIsPolled() throws {
        var provider = try Self.opened()
        provider.start(at: .second(100))
        #expect(Self.text(provider.request(on: Self.stream, at: .second(100))) == "POST {}")
        provider.failed(.answer(403), retryAfter: nil, at: .second(100))
        #expect(try #require(provider.nextRequest) > .seconds(101))
        for second in [110.0, 120] {
            #expect(Self.text(provider.request(on: Self.stream, at: .second(second))) == "GET ")
            let document = try Self.read(MediaTailorTexts.document(avails: 1, token: "t"), &provider)
            provider.succeeded(at: .second(second))
            let findings = provider.lint(
                document, AdTracker.Outcome(), BreakBook(session: "s"), on: Self.stream, at: .second(second))
            #expect(!findings.contains { ["L50", "L53"].contains($0.rule) })
            #expect(provider.status.tokenSince == nil, "the whole list is requested, whatever token it has")
        }
    }

    /// The rules of what is reported with the next good answer, after polls with these statuses: the first one has a token.
    private static func rules(after statuses: [Int]) throws -> [String] {
        var provider = try opened()
        provider.start(at: .second(100))
        _ = provider.request(on: stream, at: .second(100))
        _ = try read(MediaTailorTexts.document(avails: 1, token: "t1="), &provider)
        provider.succeeded(at: .second(100))
        for (index, status) in statuses.enumerated() {
            let now = Moment.second(200 + Double(index) * 100)
            let request = provider.request(on: stream, at: now)
            #expect(text(request) == (index == 0 ? #"POST {"NextToken":"t1="}"# : "POST {}"))
            provider.failed(.answer(status), retryAfter: nil, at: now)
        }
        let now = Moment.second(1_000)
        _ = provider.request(on: stream, at: now)
        let document = try read(MediaTailorTexts.document(avails: 1, token: "t2="), &provider)
        provider.succeeded(at: now)
        let findings = provider.lint(document, AdTracker.Outcome(), BreakBook(session: "s"), on: stream, at: now)
        return findings.map(\.rule).filter { ["L50", "L53"].contains($0) }
    }

    /// A good answer shows that the session is not over: only three in a row end it (TRK-32).
    @Test func aRejectedPollDoesNotEndTheSession() throws {
        #expect(try Self.rules(after: [400]) == ["L50"])
        #expect(try Self.rules(after: [400, 400]) == [])
        #expect(try Self.rules(after: [400, 503]) == ["L50"])
        #expect(try Self.rules(after: [404]) == [])
    }

    /// What begins first or ends last may be an overlay (PRV-24).
    @Test func startAndEndOfABreakBelongToAdsOfTheMedia() throws {
        func ad(_ id: String, at second: Int32, isLinear: Bool = true) -> ListedAd {
            var ad = ListedAd(id: id, start: ExactDecimal(second), length: ExactDecimal(10))
            ad.date = UnixTime.second(Double(second))
            ad.isLinear = isLinear
            return ad
        }
        var listed = ListedBreak(
            id: "v", start: ExactDecimal(340), statedDuration: ExactDecimal(30), date: .second(340))
        listed.events = [
            ListedEvent("breakStart", urls: ["https://t.example/s"]),
            ListedEvent("breakEnd", urls: ["https://t.example/e"]),
        ]
        listed.ads = [ad("ov1", at: 340, isLinear: false), ad("a", at: 340), ad("b", at: 350)]
        listed.ads.append(ad("ov2", at: 358, isLinear: false))
        let placed = try #require(AdBreak(listed, listedUntil: nil))
        #expect(
            placed.ads.map { "\($0.name ?? "") \($0.events.map(\.rawName))" } == [
                #"ov1 []"#, #"a ["breakStart"]"#, #"b ["breakEnd"]"#, #"ov2 []"#,
            ])
        listed.ads = [ad("ov1", at: 340, isLinear: false)]
        #expect(try #require(AdBreak(listed, listedUntil: nil)).ads.first?.events.count == 2)
    }

    @Test func aCompleteStreamNeedsOneAnswer() throws {
        var provider = try Self.opened()
        var viewer = Viewer()
        viewer.reload(playlistText(0, count: 60, isComplete: true), at: 1)
        provider.start(at: .second(100))
        _ = provider.request(on: StreamFacts(timeline: viewer.timeline), at: .second(100))
        provider.failed(.answer(503), retryAfter: nil, at: .second(100))
        #expect(provider.nextRequest != nil)
        _ = provider.request(on: StreamFacts(timeline: viewer.timeline), at: .second(120))
        provider.succeeded(at: .second(120))
        #expect(provider.nextRequest == nil)
    }

    /// The viewer of a live stream that ends still has to play what it listed last, and a channel that returns has new breaks.
    @Test func aLiveStreamThatEndedIsPolledToItsEnd() throws {
        var (provider, live, ended) = (try Self.opened(), Viewer(), Viewer())
        live.reload(playlistText(0, count: 60), at: 1)
        ended.reload(playlistText(0, count: 60, isComplete: true), at: 1)
        provider.start(at: .second(100))
        var stream = StreamFacts(timeline: live.timeline)
        for (second, isPlayed) in [(100, false), (110, false), (120, true)] {
            #expect(provider.nextRequest != nil)
            _ = provider.request(on: stream, at: .second(Double(second)))
            provider.succeeded(at: .second(Double(second)))
            stream.timeline = ended.timeline
            stream.isPlayed = second == 110
            #expect((provider.nextRequest == nil) == isPlayed)
        }
        provider.playlistArrived(on: StreamFacts(timeline: live.timeline))
        #expect(try #require(provider.nextRequest) <= .seconds(127))
    }

    /// The end of a break that grows belongs to its last ad, which is not known yet (PRV-25).
    @Test(arguments: [("PT25S", 1), ("PT60S", 0)]) func theEndOfABreakWaitsUntilItIsComplete(
        planned: String, ends: Int
    ) throws {
        var provider = try Self.opened()
        let text = #"""
            {"avails":[{"availId":"v","startTimeInSeconds":340,"durationInSeconds":25,"adMarkerDuration":"\#(planned)",
            "ads":[{"adId":"a","startTimeInSeconds":340,"durationInSeconds":25}],
            "adBreakTrackingEvents":[{"eventType":"breakStart","beaconUrls":["https://t.example/s"]},
            {"eventType":"breakEnd","beaconUrls":["https://t.example/e"]}]}]}
            """#
        let events = try Self.read(text, &provider).breaks.flatMap(\.ads).flatMap(\.events)
        #expect(events.count { $0.type == .breakStart } == 1 && events.count { $0.type == .breakEnd } == ends)
        #expect(events.filter { $0.type == .breakEnd }.allSatisfy { $0.start == .second(365) })
    }

    /// The tracking data of a live break, at 12 s, lags the playlist by a segment (PRV-25). Segments have 6 s.
    @Test(arguments: [
        // As long as the marker promised.
        ("PT36S", 36, 8, true),
        // The first of its ads, in a playlist that is one segment, and one poll, ahead.
        ("PT36S", 12, 5, false), ("PT36S", 12, 6, false), ("PT36S", 30, 8, false), ("PT36S", 30, 9, false),
        // Slate fills the rest of the promise.
        ("PT36S", 30, 10, true), ("PT120S", 30, 10, false),
        // It returned before its time.
        ("PT120S", 30, 12, false), ("PT120S", 30, 13, true),
        // Nothing is promised.
        ("PT0S", 12, 5, false), ("PT0S", 12, 6, true),
    ])
    func theEndOfABreakWaitsForDataThatLags(planned: String, length: Int, segments: Int, hasEnd: Bool) throws {
        var (provider, playlists) = (try Self.opened(), Viewer())
        playlists.reload(playlistText(0, count: segments), at: 1)
        let document = try Self.read(Self.growing(to: length, of: planned), &provider, playlists)
        let ends = document.breaks.flatMap(\.ads).flatMap(\.events).filter { $0.type == .breakEnd }
        #expect(ends.map(\.start) == (hasEnd ? [UnixTime.second(Double(12 + length))] : []))
    }

    @Test func aBreakThatGrowsReportsItsEndOnce() throws {
        var (provider, playlists, viewer) = (try Self.opened(), Viewer(), AdViewer())
        let start = UnixTime.second(0).milliseconds
        for segments in 4...20 {
            playlists.reload(playlistText(0, count: segments), at: Double(segments))
            let text = Self.growing(to: min(30, 6 * (segments - 3)), of: "PT36S")
            viewer.metadata(try Self.read(text, &provider, playlists))
            let position = start + Int64(segments) * 6_000 - 18_000
            viewer.play(position - 6_000, position)
            #expect(viewer.requests == (segments >= 10 ? ["https://t.example/e"] : []), "\(segments) segments")
        }
    }

    /// Each answer has the date before which it is final, one that repeats the answer before, too (TRK-5).
    @Test func anAnswerIsFinalTwoTargetDurationsBehindTheEdge() throws {
        var (provider, playlists) = (try Self.opened(), Viewer())
        let texts = [#"{"avails":[]}"#, Self.growing(to: 12, of: "PT36S")]
        for (segments, text) in [(5, texts[0]), (6, texts[0]), (7, texts[1]), (9, texts[1])] {
            playlists.reload(playlistText(0, count: segments), at: Double(segments))
            #expect(try Self.read(text, &provider, playlists).settledUntil == .second(Double(segments * 6 - 12)))
        }
        playlists.reload(playlistText(0, count: 10, isComplete: true), at: 10)
        #expect(try Self.read(texts[1], &provider, playlists).settledUntil == nil)
    }

    /// An avail at second 12, with one ad as long as it is by now.
    private static func growing(to length: Int, of planned: String) -> String {
        #"""
        {"avails":[{"availId":"v","startTimeInSeconds":12,"durationInSeconds":\#(length),
        "adMarkerDuration":"\#(planned)","ads":[{"adId":"a","startTimeInSeconds":12,"durationInSeconds":\#(length)}],
        "adBreakTrackingEvents":[{"eventType":"breakEnd","beaconUrls":["https://t.example/e"]}]}]}
        """#
    }

    private static func read(
        _ text: String, _ provider: inout MediaTailorProvider, _ playlists: Viewer
    ) throws -> DecodedMetadata {
        try provider.read(
            .answer(200, text, url: "https://v.example/"), on: StreamFacts(timeline: playlists.timeline))
    }

    /// A page without the first ad of an avail lists what reports the start of the avail again (PRV-25): it stays where it was.
    @Test func theStartOfABreakStaysWithItsFirstAd() throws {
        func page(_ ads: [Int]) -> String {
            let listed = ads.map {
                #"""
                {"adId":"a\#($0)","startTimeInSeconds":\#(340 + $0 * 10),"durationInSeconds":10,"trackingEvents":[
                {"eventType":"start","startTimeInSeconds":\#(340 + $0 * 10),"beaconUrls":["https://t.example/a\#($0)"]}]}
                """#
            }
            return #"""
                {"avails":[{"availId":"v","startTimeInSeconds":340,"durationInSeconds":20,"ads":[\#(listed.joined(separator: ","))],
                "adBreakTrackingEvents":[{"eventType":"breakStart","beaconUrls":["https://t.example/s"]}]}]}
                """#
        }
        var provider = try Self.opened()
        var book = BreakBook(session: "s")
        for text in [page([0, 1]), page([1]), page([1])] {
            let document = try Self.read(text, &provider)
            #expect(
                !DocumentLint.findings(in: document, LintContext(isSecure: false, isPublic: false)).map(\.rule)
                    .contains("L21"))
            _ = book.merge(document, playhead: nil, keep: .seconds(600))
        }
        let starts = book.breaks.flatMap(\.ads).filter { ad in ad.events.contains { $0.event.type == .breakStart } }
        #expect(starts.map(\.ad.name) == ["a0"])
    }

    /// What an answer lists by seconds did not move where the playlist has another date for its second (MT8).
    @Test func aSecondThatGetsAnotherDateDidNotMove() throws {
        var provider = try Self.opened()
        var (book, moves): (BreakBook, [MergeChange.Kind]) = (BreakBook(session: "s"), [])
        for (second, shift) in [(340, 0), (340, 424), (341, 424)] as [(Int, Int64)] {
            let text = #"""
                {"avails":[{"availId":"v","startTimeInSeconds":\#(second),"durationInSeconds":15,"ads":[
                {"adId":"a","startTimeInSeconds":\#(second),"durationInSeconds":15,"trackingEvents":[
                {"eventType":"start","startTimeInSeconds":\#(second),"beaconUrls":["https://t.example/a"]}]}]}]}
                """#
            var document = try Self.read(text, &provider)
            for index in document.breaks.indices { document.breaks[index].shift(by: .milliseconds(shift)) }
            moves += book.merge(document, playhead: nil, keep: .seconds(600)).changes.map(\.kind)
        }
        #expect(moves.count { if case .placed = $0 { true } else { false } } == 3, "\(moves)")
        #expect(moves.count { if case .moved = $0 { true } else { false } } == 3, "\(moves)")
    }

    @Test(arguments: [
        (#"{"adBreaks":[]}"#, "is JSON without 'avails': it is no tracking data of this service"),
        ("[]", "is a JSON array instead of an object"), ("", "is empty"), ("<html>", "is HTML instead of JSON"),
    ])
    func whatIsNoTrackingDataIsNamed(text: String, explanation: String) throws {
        var provider = try Self.opened()
        let problem = #expect(throws: MetadataProblem.self) { try Self.read(text, &provider) }
        #expect(problem?.explanation == explanation)
    }
}

extension AdBreak {
    /// The same seconds at another date.
    fileprivate mutating func shift(by span: Duration) {
        start = start + span
        for ad in ads.indices {
            ads[ad].start = ads[ad].start + span
            for event in ads[ad].events.indices { ads[ad].events[event].start = ads[ad].events[event].start + span }
        }
    }
}
