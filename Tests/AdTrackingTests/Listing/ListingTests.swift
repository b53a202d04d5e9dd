import Ports
import Testing

@testable import AdTracking

/// What answers of providers have in common (PRV-1 to PRV-13); the conformance vectors have whole sessions.
@Suite struct ListingTests {
    /// An ad whose length no answer tells lasts up to its last event: each is due (Google DAI verifies every id that is played).
    @Test func anAdOfUnknownLengthLastsUpToItsLastEvent() throws {
        var ad = ListedAd(id: "a", start: .zero)
        ad.date = .second(0)
        ad.events = [0, 5, 10].map {
            ListedEvent("progress", told: ExactDecimal($0), urls: ["https://t.example/\($0)"])
        }
        var listed = ListedBreak(id: "b", start: .zero, date: .second(0))
        listed.ads = [ad]
        let adBreak = try #require(AdBreak(listed, listedUntil: nil))
        #expect(adBreak.ads.map(\.duration) == [.seconds(10)])
        var viewer = AdViewer()
        viewer.metadata(DecodedMetadata(breaks: [adBreak]))
        let start = UnixTime.second(0).milliseconds
        viewer.play(start - 1_000, start + 20_000)
        #expect(viewer.requests.count == 3)
    }

    @Test(arguments: [
        ("PT1H2M3.25S", "3723.25"), ("PT90M", "5400"), ("P1DT1S", "86401"), ("PT0S", "0"), ("12.5", "12.5"),
        ("00:01:02.5", "62.5"), ("PT", nil), ("P", nil), ("PT1.5M", nil), ("PT1S2M", nil), ("-1", nil), ("P1M", nil),
        ("PT1S1S", nil), ("", nil), ("x", nil), ("1:2", nil), ("99999999999999999999", nil),
        ("P1DT2H", "93600"), ("PT007S", "7"), ("PTT1S", nil), ("pt1s", nil), ("PT1s", nil), ("PT1S ", nil),
        ("PT1é", nil),
        ("PT.5S", nil), ("PT1", nil), ("P1D2H", nil), ("PT1H1H", nil),
    ])
    func lengthsAreReadExactly(text: String, seconds: String?) {
        #expect(ListedTime.seconds(text: text)?.text == seconds)
    }

    @Test(
        arguments: [
            ("2026-04-01T10:00:00Z", 1_775_037_600_000), ("2026-04-01T10:00:00.250Z", 1_775_037_600_250),
            ("2026-04-01T10:00:00.123456789Z", 1_775_037_600_123), ("2026-04-01T10:00:00+00:00", 1_775_037_600_000),
            ("2026-04-01T10:00:00+02:00", nil), ("today", nil), ("2026-04-01T10:00:00.123456+00:00", 1_775_037_600_123),
            ("2026-04-01T10:00:00.123456+02:00", nil), ("2026-04-01T10:00:00.1234567-05:00", nil),
            ("2026-04-01T10:00:00.12345+02:00", nil), ("2026-04-01T10:00:00.1234567x", nil),
        ] as [(String, Int64?)])
    func datesAreUTC(text: String, milliseconds: Int64?) {
        #expect(ListedTime.date(.string(text))?.milliseconds == milliseconds)
    }

    private static func answer(_ id: String?, at start: Int32, _ length: Int32, _ ads: [(String, Int32)] = [])
        -> ListedAnswer
    {
        var answer = ListedAnswer()
        var adBreak = ListedBreak(id: id, start: ExactDecimal(start), told: ExactDecimal(length))
        adBreak.ads = ads.map { ListedAd(id: $0.0, start: ExactDecimal($0.1), length: ExactDecimal(10)) }
        answer.breaks = [adBreak]
        return answer
    }

    @Test func nothingIsRemovedAndALengthOfZeroReplacesNothing() {
        var listing = Listing()
        listing.add(Self.answer("b", at: 60, 20, [("x", 60), ("y", 70)]))
        listing.add(Self.answer("b", at: 60, 0))
        #expect(listing.breaks.map(\.length) == [ExactDecimal(20)] && listing.breaks.first?.ads.count == 2)
        #expect(listing.findings == [])
        listing.add(Self.answer("b", at: 60, 10))
        #expect(listing.findings.map(\.rule) == ["L38"])
    }

    /// An id that changed and an ad that moved are one ad; a repeated id far away is another one.
    @Test func adsAreMatchedInRounds() {
        var listing = Listing()
        listing.add(Self.answer("b", at: 60, 40, [("x", 60), ("tmp", 70)]))
        listing.add(Self.answer("b", at: 60, 40, [("x", 65), ("y", 70), ("x", 90)]))
        #expect(listing.breaks.first?.ads.compactMap(\.id) == ["x", "y", "x"])
        #expect(listing.breaks.first?.ads.map(\.start) == [65, 70, 90].map { ExactDecimal($0) })
    }

    @Test func mergingTwiceIsMergingOnce() {
        var listing = Listing()
        let answers = [Self.answer("b", at: 60, 20, [("x", 60)]), Self.answer(nil, at: 90, 5, [("z", 90)])]
        answers.forEach { listing.add($0) }
        let once = listing.breaks
        answers.forEach { listing.add($0) }
        #expect(listing.breaks == once && once.count == 2)
    }

    /// One answer may list a break of one id again and again, each time with other ads.
    @Test func theAdsOfABreakAreLimited() {
        var answer = ListedAnswer()
        for number in 0..<1_000 {
            var adBreak = ListedBreak(id: "b", start: .zero, told: ExactDecimal(10))
            adBreak.ads = (0..<2).map {
                ListedAd(id: "\(number)-\($0)", start: ExactDecimal(Int32(number)), length: ExactDecimal(1))
            }
            answer.breaks.append(adBreak)
        }
        var listing = Listing()
        listing.add(answer)
        #expect(listing.breaks.map(\.ads.count) == [ListedAnswer.adsPerBreak])
        #expect(listing.breaks.first?.ads.map(\.start).max() == ExactDecimal(249), "the first ones are kept")
        #expect(listing.findings.map(\.rule) == ["L03"] && listing.findings.map(\.path) == ["b"])
        let kept = listing.breaks
        listing.add(answer)
        #expect(listing.breaks == kept && listing.findings.count == 1, "it is found once")
    }

    /// By its id, else the first one near it that has no id or is near one without.
    @Test func aBreakIsFoundByItsIDOrItsStart() {
        var listing = Listing()
        listing.add(Self.answer("a", at: 10, 5))
        listing.add(Self.answer(nil, at: 60, 5))
        listing.add(Self.answer("b", at: 60, 5))
        listing.add(Self.answer("a", at: 60, 5))
        #expect(listing.breaks.map(\.id) == ["a", "b"])
        listing.add(Self.answer("c", at: 60, 5))
        listing.add(Self.answer(nil, at: 60, 7))
        #expect(listing.breaks.map(\.id) == ["a", "b", "c"])
        #expect(listing.breaks.map(\.told) == [7, 5, 5].map { ExactDecimal($0) })
    }

    @Test func untimedEventsFollowTheLength() {
        let length = ExactDecimal(20)
        let offsets = ["impression", "firstQuartile", "complete", "breakEnd", "mute", "secondQuartile"].map {
            ListedEvent($0).offset(inLength: length)?.text
        }
        #expect(offsets == ["0", "5", "20", "20", nil, nil])
        #expect(
            ["midpoint", "complete", "breakEnd"].map { ListedEvent($0).offset(inLength: .zero)?.text } == [
                nil, nil, "0",
            ])
        #expect(ListedEvent("breakEnd").offset(inLength: nil) == nil)
    }
}
