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
            ListedEvent("progress", statedOffset: ExactDecimal($0), urls: ["https://t.example/\($0)"])
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
        ("PT.5S", nil), ("PT1", nil), ("P1D2H", nil), ("PT1H1H", nil), ("PT1M-5S", nil), ("PT-1M90S", nil),
        ("00:01:-5", nil), ("00:-1:90", nil), ("-1:61:00", nil),
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
        var adBreak = ListedBreak(id: id, start: ExactDecimal(start), statedDuration: ExactDecimal(length))
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
            var adBreak = ListedBreak(id: "b", start: .zero, statedDuration: ExactDecimal(10))
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
        #expect(listing.breaks.map(\.statedDuration) == [7, 5, 5].map { ExactDecimal($0) })
    }

    /// Of several breaks of one id in an answer each is its own, also when a later answer lists only the second one.
    @Test func breaksOfOneIDInAnAnswerAreTheirOwn() {
        var answer = ListedAnswer()
        answer.breaks = [132, 12, 132].map {
            ListedBreak(id: "m", start: ExactDecimal($0), statedDuration: ExactDecimal(5))
        }
        answer.separateBreaks()
        #expect(answer.breaks.map(\.id) == ["m at 132", "m", "m at 132"])
        #expect(answer.breaks.map(\.writtenID) == ["m", "m", "m"])
        var listing = Listing()
        listing.add(answer)
        listing.add(Self.answer("m", at: 132, 7))
        #expect(listing.breaks.map(\.start) == [12, 132].map { ExactDecimal($0) })
        #expect(listing.breaks.map(\.statedDuration) == [5, 7].map { ExactDecimal($0) })
    }

    @Test(arguments: [
        (
            "uplynk",
            #"{"next_time":1,"ads":{"breaks":[{"breakId":"m","timeOffset":12},{"breakId":"m","timeOffset":132}]}}"#
        ),
        ("broadpeak", #"{"adpods":[{"id":"m","starttime_ms":12000},{"id":"m","starttime_ms":132000}]}"#),
        ("primetime", #"{"pods":[{"id":"m","startTime":12},{"id":"m","startTime":132}]}"#),
    ]) func podsOfOneIDAreTheirOwn(_ name: String, _ text: String) throws {
        let reader = try #require(ProviderTable.readers.first { $0.name == name })
        var listing = Listing()
        listing.add(try reader.saved(Array(text.utf8)).listed)
        #expect(listing.breaks.map(\.start) == [12, 132].map { ExactDecimal($0) })
        #expect(listing.breaks.map(\.writtenID) == ["m", "m"])
    }

    /// Something else in the place of the breaks is reported: it would look like a session without ads.
    @Test(arguments: [
        ("mediatailor", #"{"avails":{"availId":"1"}}"#), ("mediatailor", #"{"avails":[],"nonLinearAvails":"x"}"#),
        ("uplynk", #"{"next_time":1,"ads":{"breaks":{"timeOffset":1}}}"#),
    ]) func breaksThatAreNoListAreReported(_ name: String, _ text: String) throws {
        let reader = try #require(ProviderTable.readers.first { $0.name == name })
        let listed = try reader.saved(Array(text.utf8)).listed
        #expect(listed.breaks.isEmpty && listed.findings.map(\.rule) == ["L03"])
    }

    @Test func aFindingNamesTheTypeThatIsWrong() throws {
        func messages(_ text: String) throws -> [String] {
            try MediaTailorProvider.saved(Array(text.utf8)).listed.findings.map(\.message)
        }
        #expect(try messages(#"{"avails":{"availId":"1"}}"#) == ["the avails are a JSON object instead of an array"])
        #expect(try messages(#"{"avails":[[]]}"#) == ["an avail is a JSON array instead of an object"])
    }

    /// Two ads without a length share the break, so nothing shows where the second one begins; its event has a time.
    @Test func anEventKeepsItsTimeWhereItsAdHasNone() throws {
        let event = #"{"eventType":"start","startTimeInSeconds":75,"beaconUrls":["https://t.example/s"]}"#
        let ads = #"{"adId":"a","startTimeInSeconds":60},{"adId":"b","trackingEvents":[\#(event)]}"#
        let text = #"{"avails":[{"availId":"1","startTimeInSeconds":60,"durationInSeconds":30,"ads":[\#(ads)]}]}"#
        let ad = try #require(try MediaTailorProvider.saved(Array(text.utf8)).listed.breaks.first?.ads.last)
        #expect(ad.start == ExactDecimal(60) && ad.length == nil)
        #expect(ad.events.map { $0.statedOffset.map { ad.start.plus($0) } } == [ExactDecimal(75)])
    }

    /// A single address may stand for a list of one.
    @Test func anAddressMayBeWrittenWithoutItsList() throws {
        let events = #"{"eventType":"impression","startTimeInSeconds":60,"beaconUrls":"https://t.example/i"}"#
        let ads = #"{"adId":"a","startTimeInSeconds":60,"durationInSeconds":10,"trackingEvents":[\#(events)]}"#
        let text = #"{"avails":[{"availId":"1","startTimeInSeconds":60,"durationInSeconds":10,"ads":[\#(ads)]}]}"#
        let listed = try MediaTailorProvider.saved(Array(text.utf8)).listed
        #expect(listed.breaks.flatMap(\.ads).flatMap(\.events).map(\.urls) == [["https://t.example/i"]])
    }

    /// What a process hands on has the id as it was written: under another one its beacons would be others (FLT-15).
    @Test func aBreakIsHandedOnWithTheIDThatWasWritten() {
        var adBreak = ListedBreak(id: "m at 132", start: ExactDecimal(132))
        adBreak.name = "m"
        #expect(ListedBreak.list(memory: [adBreak.memory], limit: 9) == [adBreak])
    }

    /// Ads of one time are paired in their order, whatever their number, and those that moved with the nearest.
    @Test func adsOfOneTimeArePairedInTheirOrder() {
        let ads = (0..<4).map { number in
            var ad = ListedAd(id: nil, start: ExactDecimal(60), length: ExactDecimal(10))
            ad.creative = "c\(number)"
            return ad
        }
        var moved = ads
        for index in moved.indices { moved[index].start = ExactDecimal(60).plus(.sameOffset) }
        #expect(ListedAdMatch(ads, in: ads).partners == [0: 0, 1: 1, 2: 2, 3: 3])
        #expect(ListedAdMatch(moved, in: ads).partners == [0: 0, 1: 1, 2: 2, 3: 3])
        #expect(ListedAdMatch(Array(ads.suffix(1)), in: ads).partners == [0: 0])
        #expect(ListedAdMatch(ads, in: []).partners.isEmpty && ListedAdMatch([], in: ads).partners.isEmpty)
    }

    /// The nearest start, or the same date; breaks with two dates far from each other are never one.
    @Test func aBreakWithoutAnIDIsTheNearestOne() {
        var places = BreaksByPlace()
        func known(_ quarters: Int32, _ date: Int64? = nil) -> ListedBreak {
            ListedBreak(
                id: nil, start: ExactDecimal(1).quarters(quarters), date: date.map { UnixTime(milliseconds: $0) })
        }
        let all = [known(40), known(41), known(43, 7), known(60, 8)]
        for (index, adBreak) in all.enumerated() { places.insert(adBreak, at: index) }
        let near = ExactDecimal(1).quarters(2)
        #expect(places.index(of: known(40), within: near) == 0)
        #expect(places.index(of: known(42), within: near) == 1)
        #expect(places.index(of: known(43), within: near) == 2)
        #expect(places.index(of: known(43, 507), within: near) == 2)
        #expect(places.index(of: known(43, 508), within: near) == 1)
        #expect(places.index(of: known(47, 9), within: near) == nil)
        #expect(places.index(of: known(40, 8), within: near) == 3)
        #expect(places.index(of: known(50), within: near) == nil)
        places.remove(all[1], at: 1)
        #expect(places.index(of: known(41), within: near) == 0)
    }

    /// A dated break without an id whose start shakes is one, as one without dates is; at another date it is another one.
    @Test(
        arguments: [(500, 500, 1), (-500, -500, 1), (501, 501, 2), (0, 501, 2), (501, 0, 1)] as [(Int64, Int64, Int)])
    func aDatedBreakMayMove(by distance: Int64, _ shift: Int64, _ count: Int) {
        func answer(_ milliseconds: Int64, dated date: Int64) -> ListedAnswer {
            let start = ExactDecimal(seconds: .milliseconds(milliseconds))
            var adBreak = ListedBreak(
                id: nil, start: start, statedDuration: ExactDecimal(15), date: UnixTime(milliseconds: date))
            adBreak.ads = [ListedAd(id: "a", start: start, length: ExactDecimal(15))]
            var answer = ListedAnswer()
            answer.breaks = [adBreak]
            return answer
        }
        var listing = Listing()
        listing.add(answer(10_000, dated: 90_000))
        listing.add(answer(10_000 + distance, dated: 90_000 + shift))
        #expect(listing.breaks.count == count && listing.breaks.map(\.ads.count).max() == 1)
    }

    /// An answer may have a break that shrinks again and again.
    @Test func findingsAreLimited() {
        var answer = ListedAnswer()
        answer.breaks = (0..<1_000).map {
            ListedBreak(id: "b", start: .zero, statedDuration: ExactDecimal(Int32(2_000 - $0)))
        }
        var listing = Listing()
        listing.add(answer)
        #expect(listing.findings.count == DecodedMetadata.findingsKept)
        for _ in 0..<20 { listing.add(answer) }
        #expect(listing.findings.count == Listing.findingLimit)
    }

    /// VAST 3.0 has other names than VAST 4; `expand` beside `fullscreen` is about the creative.
    @Test(arguments: [
        (["expand", "Collapse", "close"], ["playerExpand", "playerCollapse", "closeLinear"]),
        (["expand", "fullscreen"], ["adExpand", "playerExpand"]),
        (["fullscreen", "playerExpand", "exitFullscreen"], ["fullscreen", "playerExpand", "playerCollapse"]),
        (["FULLSCREEN", "interactiveStart"], ["playerExpand", "interactiveStart"]),
    ]) func namesOfEarlierVersions(_ listed: [String], _ names: [String]) {
        var answer = ListedAnswer()
        var ad = ListedAd(id: "a", start: .zero, length: ExactDecimal(10))
        for name in listed { answer.add(name, ["https://t.example/\(name)"], to: &ad, at: "b/a") }
        let joined = answer.joined(ad, at: "b/a")
        #expect(joined.events.map(\.name) == names && answer.findings == [])
        #expect(joined.events.map(\.urls) == listed.map { ["https://t.example/\($0)"] })
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
