import Ports
import Testing

@testable import AdTracking

/// Date ranges below metadata: one break, one ad, and no beacon that both list unless a person wants it (TRK-29).
@Suite struct SignaledLayerTests {
    /// The beacon of an event.
    private static func url(_ ad: String, _ type: EventType) -> String { "https://t.example/\(ad)/\(type.rawValue)" }

    /// An ad with a start and an end.
    /// - Parameter beacons: name of the ad in its URLs.
    private static func ad(_ name: String?, _ start: Int64, _ length: Int64 = 10_000, beacons: String? = nil) -> Ad {
        let beacons = beacons ?? name ?? ""
        return .test(
            name, start, length,
            [
                .test(.start, start, url: url(beacons, .start)),
                .test(.complete, start + length, url: url(beacons, .complete)),
            ])
    }

    private static func metadata(_ ads: [Ad], named name: String = "m") -> AdBreak {
        AdBreak(name: name, start: ads[0].start, duration: ads[ads.count - 1].end - ads[0].start, ads: ads)
    }

    private static func signaled(_ ads: [Ad]) -> AdBreak {
        var adBreak = metadata(ads, named: "r")
        adBreak.source = .signaling
        return adBreak
    }

    private static func beacons(_ ads: String...) -> [String] { ads.flatMap { [url($0, .start), url($0, .complete)] } }

    /// `m: a+r/x, b`, the ads with what date ranges call them; tombstones are left out.
    private static func texts(_ viewer: AdViewer) -> [String] {
        viewer.tracker.book.presentBreaks.map { adBreak in
            let ads = adBreak.presentAds.map { ad in
                let signaled = ad.ad.signaled
                let sign = signaled?.isAlone == true ? "=" : "+"
                return ad.name.text + (signaled.map { "\(sign)\($0.breakName)/\($0.name ?? "-")" } ?? "")
            }
            return "\(adBreak.name.text) \(adBreak.source): \(ads.joined(separator: ", "))"
        }
    }

    private static func findings(_ viewer: AdViewer) -> [Finding] {
        var differences = SignaledDifferences()
        return differences.findings(in: viewer.tracker)
    }

    // MARK: One ad

    @Test(arguments: [0, 300, -300] as [Int64], [false, true])
    func twoDescriptionsAreOneAd(shift: Int64, isMetadataFirst: Bool) {
        var viewer = AdViewer()
        let (known, signaled) = (Self.metadata([Self.ad("a", 60_000)]), Self.signaled([Self.ad("x", 60_000 + shift)]))
        if isMetadataFirst { viewer.metadata([known]) }
        viewer.place([signaled], by: .signaling)
        if !isMetadataFirst { viewer.metadata([known]) }
        #expect(Self.texts(viewer) == ["m metadata: a+r/x"])
        #expect(viewer.tracker.book.breaks.count == 1)
        // What they list apart is sent, each once.
        viewer.play(59_000, 75_000)
        #expect(viewer.requests.sorted() == Self.beacons("a", "x").sorted())
    }

    @Test func anAdElsewhereIsAnother() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])])
        viewer.place([Self.signaled([Self.ad("x", 90_000)])], by: .signaling)
        #expect(Self.texts(viewer) == ["m metadata: a", "r signaling: x"])
        viewer.play(59_000, 105_000)
        #expect(viewer.requests == Self.beacons("a", "x"))
    }

    /// Each source knows a part of the pod; it is one break.
    @Test(arguments: [false, true]) func aPodOfWhichASourceKnowsAPart(isMetadataFirst: Bool) {
        var viewer = AdViewer()
        let known = Self.metadata([Self.ad("a", 60_000), Self.ad("b", 70_000)])
        let signaled = Self.signaled([Self.ad("y", 70_000), Self.ad("z", 80_000)])
        if isMetadataFirst { viewer.metadata([known]) }
        viewer.place([signaled], by: .signaling)
        if !isMetadataFirst { viewer.metadata([known]) }
        #expect(Self.texts(viewer) == ["m metadata: a, b+r/y, z=r/z"])
        viewer.play(59_000, 95_000)
        #expect(viewer.requests.sorted() == Self.beacons("a", "b", "y", "z").sorted())
        viewer.metadata([known])
        let differs = Self.findings(viewer).map(\.message)
        #expect(differs.contains("ad 'a': the metadata lists the ad, and no date range"))
        #expect(differs.contains("ad 'z': a date range lists the ad, and not the metadata"))
    }

    /// The metadata lists an ad after another one, as it is stitched: what was known of it stays.
    @Test(arguments: [false, true]) func metadataGrows(anyway: Bool) throws {
        var viewer = AdViewer(reportsAnyway: anyway)
        viewer.place([Self.signaled([Self.ad("a", 60_000), Self.ad("b", 70_000)])], by: .signaling)
        let before = viewer.tracker.book.breaks.flatMap(\.ads).map(\.id)
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])])
        #expect(Self.texts(viewer) == ["m metadata: a+r/a, b=r/b"])
        viewer.play(59_000, 65_000)
        viewer.metadata([Self.metadata([Self.ad("a", 60_000), Self.ad("b", 70_000)])])
        #expect(Self.texts(viewer) == ["m metadata: a+r/a, b+r/b"])
        #expect(viewer.tracker.book.breaks.flatMap(\.ads).map(\.id) == before)
        viewer.play(65_000, 85_000)
        #expect(viewer.requests == (anyway ? Self.beacons("a", "b") : []))
    }

    /// Where the metadata has two breaks for one of the date ranges, each ad is in its own.
    @Test func oneBreakOfDateRangesInTwoOfTheMetadata() {
        var viewer = AdViewer()
        viewer.place([Self.signaled([Self.ad("x", 60_000), Self.ad("y", 70_000)])], by: .signaling)
        let ads = viewer.tracker.book.breaks.flatMap(\.ads).map(\.id)
        viewer.metadata([
            Self.metadata([Self.ad("a", 60_000)], named: "m"), Self.metadata([Self.ad("b", 70_000)], named: "n"),
        ])
        #expect(Self.texts(viewer) == ["m metadata: a+r/x", "n metadata: b+r/y"])
        #expect(viewer.tracker.book.breaks.flatMap(\.ads).map(\.id) == ads)
        viewer.play(59_000, 85_000)
        #expect(viewer.requests.sorted() == Self.beacons("a", "b", "x", "y").sorted())
    }

    /// A page lists only what is not finished: the ad of a date range that it lists no more is no new one.
    @Test func whatAPageDoesNotListIsKnown() {
        var viewer = AdViewer(reportsAnyway: true)
        var page = DecodedMetadata.test([Self.metadata([Self.ad("a", 60_000), Self.ad("b", 70_000)])])
        page.keepsUnlisted = true
        viewer.metadata(page)
        viewer.place([Self.signaled([Self.ad("a", 60_000), Self.ad("b", 70_000)])], by: .signaling)
        viewer.play(59_000, 72_000)
        page.breaks[0].ads.removeFirst()
        viewer.metadata(page)
        viewer.place([Self.signaled([Self.ad("a", 60_000), Self.ad("b", 70_000)])], by: .signaling)
        #expect(viewer.tracker.book.breaks.map { $0.ads.map(\.name.text) } == [["a", "b"]])
        page.breaks = []
        viewer.metadata(page)
        #expect(viewer.tracker.book.breaks.map { $0.ads.map(\.name.text) } == [["a", "b"]])
        viewer.play(72_000, 85_000)
        #expect(viewer.requests == Self.beacons("a", "b"))
    }

    /// A page, or a window that has moved on, no longer lists an ad that the viewer has not seen yet.
    private static func viewerOfUnlisted(_ ads: [Ad], isPage: Bool = true, anyway: Bool = false) -> AdViewer {
        var viewer = AdViewer(reportsAnyway: anyway)
        let documents: [([AdBreak], ClosedRange<Int64>)] = [([metadata(ads)], 0...90_000), ([], 100_000...200_000)]
        for (breaks, range) in documents {
            var document = DecodedMetadata.test(breaks, range: isPage ? nil : range)
            document.keepsUnlisted = isPage
            viewer.metadata(document)
        }
        return viewer
    }

    /// A date range that comes only then describes that ad all the same.
    @Test(arguments: [false, true], [false, true])
    func aDateRangeOfAnAdThatIsListedNoMore(isPage: Bool, anyway: Bool) {
        var viewer = Self.viewerOfUnlisted([Self.ad("a", 60_000)], isPage: isPage, anyway: anyway)
        viewer.place([Self.signaled([Self.ad("x", 60_200, 9_000, beacons: "a")])], by: .signaling)
        #expect(Self.texts(viewer) == ["m metadata: a+r/x"] && viewer.tracker.book.breaks.count == 1)
        let rules = Set(Self.findings(viewer).map(\.rule))
        #expect(rules == ["signaling-differs", "signaling-twice"])
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == (anyway ? Self.beacons("a") : []))
        #expect(viewer.state(.start) == (anyway ? .done : .skipped))
    }

    /// What only the date range lists of it is sent, unless the range is withdrawn.
    @Test(arguments: [false, true]) func whatOnlyADateRangeListsOfIt(isWithdrawn: Bool) {
        var viewer = Self.viewerOfUnlisted([Self.ad("a", 60_000)])
        for _ in 0..<2 { viewer.place([Self.signaled([Self.ad("x", 60_000)])], by: .signaling) }
        if isWithdrawn { viewer.run(viewer.tracker.withdrawn(["r"], by: .signaling, at: viewer.now)) }
        #expect(Self.texts(viewer) == [isWithdrawn ? "m metadata: a" : "m metadata: a+r/x"])
        viewer.play(59_000, 75_000)
        let expected = isWithdrawn ? Self.beacons("a") : Self.beacons("a", "x")
        #expect(viewer.requests.sorted() == expected.sorted())
    }

    /// Pages keep what they do not list; a range that is withdrawn is gone, also where its ad is on no page any more.
    @Test(arguments: [false, true]) func aRangeThatIsWithdrawnBesidePages(isListed: Bool) {
        var viewer = AdViewer()
        var page = DecodedMetadata.test([Self.metadata([Self.ad("a", 60_000)])])
        page.keepsUnlisted = true
        viewer.metadata(page)
        viewer.place([Self.signaled([Self.ad("x", 60_000), Self.ad("z", 70_000)])], by: .signaling)
        #expect(Self.texts(viewer) == ["m metadata: a+r/x, z=r/z"])
        if !isListed {
            page.breaks = []
            viewer.metadata(page)
        }
        viewer.run(viewer.tracker.withdrawn(["r"], by: .signaling, at: viewer.now))
        #expect(Self.texts(viewer) == ["m metadata: a"])
        viewer.play(59_000, 85_000)
        #expect(viewer.requests == Self.beacons("a"))
    }

    /// An answer that repeats what is known is not composed again.
    @Test func whatIsKnownIsNotComposedAgain() {
        let (book, busters) = (BreakBook(session: "s"), CacheBusters())
        var layer = SignaledLayer()
        var document = DecodedMetadata.test([Self.metadata([Self.ad("a", 60_000)])])
        layer.take(document)
        layer.place([Self.signaled([Self.ad("x", 60_000), Self.ad("y", 70_000)])])
        let first = layer.composed(beside: book, busters)
        #expect(first.isNew && first.composition.addsAnything)
        layer.take(DecodedMetadata.test([Self.metadata([Self.ad("a", 60_000)])]))
        #expect(!layer.composed(beside: book, busters).isNew)
        document.breaks[0].ads[0].duration += .seconds(1)
        layer.take(document)
        #expect(layer.composed(beside: book, busters).isNew)
    }

    /// Many ads of one break, in one break and in many of the metadata: each keeps its id.
    @Test(arguments: [1, 40]) func manyAdsAreAdopted(breaks: Int) {
        var viewer = AdViewer(reportsAnyway: true)
        let ads = (0..<40).map { Self.ad("a\($0)", 60_000 + Int64($0) * 10_000) }
        viewer.place([Self.signaled(ads)], by: .signaling)
        let ids = viewer.tracker.book.breaks.flatMap(\.ads).map(\.id)
        let each = ads.count / breaks
        viewer.metadata(
            (0..<breaks).map { Self.metadata(Array(ads[($0 * each)..<(($0 + 1) * each)]), named: "m\($0)") })
        #expect(viewer.tracker.book.breaks.map(\.name.text) == (0..<breaks).map { "m\($0)" })
        #expect(viewer.tracker.book.breaks.flatMap(\.ads).map(\.id) == ids)
        #expect(viewer.tracker.book.nodeCount == breaks + 3 * ads.count)
    }

    /// A bumper that is shown twice in a row has one name: both are adopted.
    @Test func adsOfOneNameAreAdopted() {
        var viewer = AdViewer(reportsAnyway: true)
        viewer.metadata([Self.metadata([Self.ad("z", 60_000)])])
        viewer.place([Self.signaled([Self.ad("a", 70_000, 5_000), Self.ad("a", 75_000, 5_000)])], by: .signaling)
        let ids = viewer.tracker.book.breaks.flatMap(\.ads).map(\.id)
        viewer.metadata([
            Self.metadata([Self.ad("z", 60_000), Self.ad("a", 70_200, 5_000), Self.ad("a", 75_200, 5_000)])
        ])
        #expect(Self.texts(viewer) == ["m metadata: z, a+r/a, a+r/a"])
        #expect(viewer.tracker.book.breaks.flatMap(\.ads).map(\.id) == ids)
    }

    // MARK: Two parties

    /// A page does not list the finished events of an ad either, though the viewer has not seen them yet.
    @Test(arguments: [false, true], [false, true]) func whatAPageListsNoMoreIsHeldBack(isLate: Bool, anyway: Bool) {
        var viewer = AdViewer(reportsAnyway: anyway)
        var page = DecodedMetadata.test([Self.metadata([Self.ad("a", 60_000)])])
        page.keepsUnlisted = true
        viewer.metadata(page)
        let signaled = Self.signaled([Self.ad("x", 60_000, beacons: "a")])
        if !isLate { viewer.place([signaled], by: .signaling) }
        page.breaks[0].ads[0].events.removeFirst()
        viewer.metadata(page)
        if isLate { viewer.place([signaled], by: .signaling) }
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == (anyway ? Self.beacons("a") : []))
        #expect(viewer.state(.start) == (anyway ? .done : .skipped))
    }

    @Test(arguments: [false, true], [false, true])
    func whatBothListIsNotSent(isMetadataFirst: Bool, anyway: Bool) {
        var viewer = AdViewer(reportsAnyway: anyway)
        let (known, signaled) = (
            Self.metadata([Self.ad("a", 60_000)]), Self.signaled([Self.ad("x", 60_200, 9_000, beacons: "a")])
        )
        if isMetadataFirst { viewer.metadata([known]) }
        viewer.place([signaled], by: .signaling)
        if !isMetadataFirst { viewer.metadata([known]) }
        if !anyway {
            #expect(viewer.state(.start) == .skipped && viewer.reason(.start) == .twoParties)
        }
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == (anyway ? Self.beacons("a") : []))
        #expect(viewer.state(.complete) == (anyway ? .done : .skipped))
        #expect(viewer.unsent.map(\.reason) == (anyway ? [] : [.twoParties, .twoParties]))
        let twice = Self.findings(viewer).filter { $0.rule == "signaling-twice" }
        #expect(twice.map(\.severity) == [.error])
        #expect(twice.first?.place == FindingPlace(adBreak: "m", start: .ms(60_000), ad: "a"))
    }

    /// Without metadata the date ranges are the only list, and their beacons those of any ad.
    @Test func signalingAloneIsSent() {
        var viewer = AdViewer()
        viewer.place([Self.signaled([Self.ad("a", 60_000)])], by: .signaling)
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == Self.beacons("a"))
        #expect(Self.findings(viewer).isEmpty)
    }

    /// What was sent before the date range was there is not sent again, and what is left is held back.
    @Test(arguments: [false, true]) func aDateRangeThatIsLate(anyway: Bool) {
        var viewer = AdViewer(reportsAnyway: anyway)
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])])
        viewer.play(59_000, 65_000)
        viewer.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        viewer.play(65_000, 75_000)
        #expect(viewer.requests == (anyway ? Self.beacons("a") : [Self.url("a", .start)]))
        #expect(viewer.state(.start) == .done && viewer.state(.complete) == (anyway ? .done : .skipped))
        let twice = Self.findings(viewer).filter { $0.rule == "signaling-twice" }
        let ending =
            anyway
            ? "each is sent once (--fire-anyway)"
            : "1 was sent when only one of them was known, the rest is not sent without --fire-anyway"
        #expect(twice.count == 1 && twice.first?.message.hasSuffix("; \(ending)") == true, "\(twice)")
    }

    /// The metadata comes when the ad was reported, in its own names and with other moments.
    @Test(arguments: [false, true], [0, 400, -3_000] as [Int64]) func metadataThatIsLate(anyway: Bool, shift: Int64) {
        var viewer = AdViewer(reportsAnyway: anyway)
        viewer.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        viewer.play(50_000, 71_000)
        #expect(viewer.requests == Self.beacons("a"))
        viewer.metadata([Self.metadata([Self.ad("a", 60_000 + shift, 15_000)])])
        #expect(Self.texts(viewer) == ["m metadata: a+r/x"])
        #expect(viewer.state(.start) == .done && viewer.state(.complete) == .done)
        viewer.play(71_000, 90_000)
        #expect(viewer.requests == Self.beacons("a"))
    }

    @Test(arguments: [false, true], [false, true]) func afterARestart(isMetadataFirst: Bool, anyway: Bool) {
        var first = AdViewer()
        first.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        first.play(59_000, 75_000)
        #expect(first.requests == Self.beacons("a"))
        var second = AdViewer(reportsAnyway: anyway)
        second.tracker.restored(first.restorable)
        let known = Self.metadata([Self.ad("a", 60_300, 11_000)])
        if isMetadataFirst { second.metadata([known]) }
        second.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        if !isMetadataFirst { second.metadata([known]) }
        second.play(59_000, 80_000)
        #expect(second.requests == [])
    }

    /// Ids that are others with every poll: the ad is one all the same, and what was sent stays sent.
    @Test func idsChangeWithEveryPoll() {
        var viewer = AdViewer(reportsAnyway: true)
        viewer.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        for poll in 0..<8 {
            let start = 59_000 + Int64(poll) * 2_000
            viewer.metadata(
                [Self.metadata([Self.ad("a\(poll)", 60_000, beacons: "a")], named: "m\(poll)")], range: 0...200_000)
            #expect(Self.texts(viewer) == ["m\(poll) metadata: a\(poll)+r/x"])
            viewer.play(start, start + 2_000)
        }
        #expect(viewer.requests == Self.beacons("a"))
    }

    /// Another value of a cache buster does not make another beacon.
    @Test func aCacheBusterIsNotCompared() {
        var viewer = AdViewer()
        viewer.metadata([
            .test(
                "m", 60_000, 10_000,
                [.test("a", 60_000, 10_000, [.test(.start, 60_000, url: "https://t.example/s?cb=1")])])
        ])
        var ad = Self.ad("x", 60_000)
        ad.events = [.test(.start, 60_000, url: "https://t.example/s?cb=2")]
        viewer.place([Self.signaled([ad])], by: .signaling)
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == [] && viewer.reason(.start) == .twoParties)
    }

    /// The playlist withdraws a range before it is played: one list is left.
    @Test func aRangeThatIsWithdrawnHoldsNothingBack() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])])
        viewer.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        viewer.run(viewer.tracker.withdrawn(["r"], by: .signaling, at: viewer.now))
        #expect(Self.texts(viewer) == ["m metadata: a"])
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == Self.beacons("a"))
    }

    /// The metadata withdraws the ad: what is left is a break of the date ranges.
    @Test func metadataThatIsWithdrawn() {
        var viewer = AdViewer()
        viewer.place([Self.signaled([Self.ad("x", 60_000, beacons: "a")])], by: .signaling)
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])], range: 0...200_000)
        viewer.metadata([], range: 0...200_000)
        #expect(Self.texts(viewer) == ["r signaling: x"])
        viewer.play(59_000, 75_000)
        #expect(viewer.requests == Self.beacons("a"))
    }

    /// The viewer's actions are beacons like others.
    @Test(arguments: [false, true]) func theViewersActions(anyway: Bool) {
        var viewer = AdViewer(reportsAnyway: anyway)
        let mute = TrackingEvent.test(.mute, 60_000, 10_000)
        viewer.metadata([.test("m", 60_000, 10_000, [.test("a", 60_000, 10_000, [mute])])])
        viewer.place([Self.signaled([.test("x", 60_000, 10_000, [mute])])], by: .signaling)
        viewer.play(59_000, 65_000)
        let result = viewer.act(.mute, at: 65_000)
        #expect(anyway ? result == .claimed(round: 1) : result == .refused(.twoParties))
        #expect(viewer.requests == (anyway ? mute.urls : []))
    }

    // MARK: Differences

    @Test func equalDescriptionsAreFine() {
        var viewer = AdViewer()
        let ad = Ad.test("a", 60_000, 15_000)
        viewer.metadata([Self.metadata([ad])])
        viewer.place([Self.signaled([.test("a", 60_050, 15_100)])], by: .signaling)
        #expect(Self.findings(viewer).isEmpty)
    }

    @Test func whatDiffersIsReportedOnce() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([Self.ad("a", 60_200, 15_000)])])
        viewer.place([Self.signaled([Self.ad("x", 60_000)])], by: .signaling)
        var differences = SignaledDifferences()
        #expect(
            differences.findings(in: viewer.tracker).map(\.message) == [
                "ad 'a': the ad starts 200 ms later in the metadata than in its date range",
                "ad 'a': the ad is called 'x' in its date range",
                "ad 'a': the ad lasts 10000 ms in its date range and 15000 ms in the metadata",
                "ad 'a': 2 beacons are listed in the date range alone, 2 in the metadata alone",
            ])
        #expect(differences.findings(in: viewer.tracker).isEmpty)
    }

    /// A reload that changes nothing is not compared: a change that nothing was composed of is not seen.
    @Test func whatIsKnownIsNotComparedAgain() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([Self.ad("a", 60_000)])])
        let signaled = Self.signaled([Self.ad("a", 60_000)])
        viewer.place([signaled], by: .signaling)
        var differences = SignaledDifferences()
        #expect(differences.findings(in: viewer.tracker).map(\.rule) == ["signaling-twice"])
        viewer.tracker.book.breaks[0].ads[0].ad.start = .ms(61_000)
        #expect(differences.findings(in: viewer.tracker).isEmpty)
        viewer.tracker.compositions += 1
        #expect(differences.findings(in: viewer.tracker).map(\.rule) == ["signaling-differs"])
    }

    /// That an ad is over needs no reload.
    @Test func anAdOfOneSourceIsReportedWhenItIsOver() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([Self.ad("a", 60_000), Self.ad("b", 70_000)])])
        viewer.place([Self.signaled([Self.ad("b", 70_000), Self.ad("z", 80_000)])], by: .signaling)
        var differences = SignaledDifferences()
        #expect(differences.findings(in: viewer.tracker).map(\.rule) == ["signaling-twice"])
        var messages: [[String]] = []
        for start in [59_000, 69_500, 80_000] as [Int64] {
            viewer.play(start, start + 10_500)
            messages.append(differences.findings(in: viewer.tracker).map(\.message))
        }
        #expect(
            messages == [
                [], ["ad 'a': the metadata lists the ad, and no date range"],
                ["ad 'z': a date range lists the ad, and not the metadata"],
            ])
    }

    /// The length of an ad at the end of what the metadata covers is not final.
    @Test func anAdThatGrowsHasNoOtherLength() {
        var viewer = AdViewer()
        viewer.metadata([Self.metadata([.test("a", 60_000, 4_000)])], range: 0...64_000)
        viewer.place([Self.signaled([.test("a", 60_000, 15_000)])], by: .signaling)
        #expect(Self.findings(viewer).isEmpty)
        viewer.metadata([Self.metadata([.test("a", 60_000, 14_000)])], range: 0...90_000)
        #expect(Self.findings(viewer).map(\.rule) == ["signaling-differs"])
    }
}
