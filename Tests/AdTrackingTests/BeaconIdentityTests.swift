import AdTracking
import Ports
import Testing

/// The same type and URL told again is one beacon, whatever a server does to ids, starts, order and cache busters; what
/// one document lists side by side, or lists again later than a break is long, is another.
@Suite struct BeaconIdentityTests {
    /// What a server changes with its polls.
    struct Change: Sendable, CustomTestStringConvertible {
        var ids: Bool
        /// Milliseconds by which starts differ, poll by poll, again from the first.
        var shifts: [Int64]
        var buster: Buster?
        /// Whether the numbers of ids and cache busters repeat, as where two instances take turns.
        var turns: Int?

        enum Buster: String, Sendable {
            case named = "?c={place}&cb="
            case unnamed = "?c={place}&x17="
            /// As ad servers write parameters behind a path.
            case inPath = ";c={place};ord="
            case unnamedInPath = ";c={place};x17="
            case partOfPath = "/{place}/-/"
            case dated = "?c={place}&m0ment="
            case padded = "?c={place}&tok3n="

            func value(_ number: Int) -> String {
                switch self {
                case .named, .unnamed, .inPath, .unnamedInPath, .partOfPath: "\(number)"
                case .dated: "2027-01-15T08%3A00:\(number)Z"
                case .padded: "q8+z/\(number)%3D="
                }
            }
        }

        var testDescription: String {
            "ids \(ids), shifts \(shifts), buster \(buster?.rawValue ?? "none"), turns \(turns ?? 0)"
        }
    }

    static let changes: [Change] = [true, false].flatMap { ids in
        [[0], [0, 1], [0, 5, -5], [0, 300, -300], [0, 12_000], [12_000, 0, -12_000]].flatMap { shifts in
            [nil, .named, .unnamed, .inPath, .unnamedInPath, .partOfPath].flatMap { buster in
                // Without a number in ids and URLs it makes no difference whether numbers repeat.
                (ids || buster != nil ? [nil, 2] : [nil]).map {
                    Change(ids: ids, shifts: shifts, buster: buster, turns: $0)
                }
            }
        }
    }

    /// What a server lists twice at one time.
    enum Twice: String, Sendable, CaseIterable { case events, ads, breaks }

    static func document(_ change: Change, poll: Int, twice: Twice?) -> [AdBreak] {
        let breaks = document(change, poll: poll)
        switch twice {
        case nil: return breaks
        case .breaks:
            return breaks
                + breaks.map { AdBreak.test("\($0.name ?? "")-again", 60_000 + shift(change, poll), 45_000, $0.ads) }
        case .ads, .events:
            return breaks.map { adBreak in
                var adBreak = adBreak
                adBreak.ads = adBreak.ads.flatMap { ad in
                    var again = ad
                    again.name = ad.name.map { "\($0)-again" }
                    var both = ad
                    both.events += ad.events
                    return twice == .ads ? [ad, again] : [both]
                }
                return adBreak
            }
        }
    }

    private static func shift(_ change: Change, _ poll: Int) -> Int64 { change.shifts[poll % change.shifts.count] }

    static func document(_ change: Change, poll: Int) -> [AdBreak] {
        let shift = shift(change, poll)
        let number = change.turns.map { poll % $0 } ?? poll
        let ids = change.ids ? "-\(number)" : ""
        let ads = (0..<3).map { place in
            var ad = Ad.full("a\(place)", 60_000 + Int64(place) * 15_000 + shift, 15_000)
            ad.name = "a\(place)\(ids)"
            guard let buster = change.buster else { return ad }
            let mark = buster.rawValue.replacing("{place}", with: "\(place)")
            for index in ad.events.indices {
                // Each request of metadata makes its own for each URL.
                let value = buster.value(7_000_000 + number * 1_000 + place * 50 + index)
                ad.events[index].urls = ad.events[index].urls.map { $0 + mark + value }
            }
            return ad
        }
        return [.test("b\(ids)", 60_000 + shift, 45_000, ads)]
    }

    /// What a service that pages lists at a time: ads that are not finished.
    private static func page(_ breaks: [AdBreak], at: Int64) -> DecodedMetadata {
        var page = DecodedMetadata()
        page.keepsUnlisted = true
        page.breaks = breaks.compactMap { adBreak in
            var adBreak = adBreak
            adBreak.ads.removeAll { $0.end <= .ms(at) }
            return adBreak.ads.isEmpty ? nil : adBreak
        }
        return page
    }

    /// The beacons of a viewer that polls every four seconds, without what a cache buster adds.
    /// - Parameter journalIsLate: whether a document arrives before the journal of an earlier process is opened.
    static func receipts(
        _ change: Change, restartEvery: Int? = nil, journalIsLate: Bool = false,
        range: ClosedRange<Int64>? = 0...600_000, twice: Twice? = nil, inPages: Bool = false
    ) -> [String] {
        func answer(_ poll: Int, at: Int64) -> DecodedMetadata {
            let breaks = document(change, poll: poll, twice: twice)
            return inPages ? page(breaks, at: at) : .test(breaks, range: range)
        }
        // Nine polls before the first ad show each change: no sequence of starts is longer than three.
        let beginning: Int64 = 24_000
        var viewer = AdViewer()
        viewer.now = .ms(beginning)
        var receipts: [String] = []
        var journal: [RestoredBeacon] = []
        var poll = 0
        for at in stride(from: beginning, to: 160_000, by: 500) {
            if at % 4_000 == 0 {
                if let restartEvery, poll > 0, poll % restartEvery == 0 {
                    receipts += viewer.requests
                    journal += viewer.restorable
                    let now = viewer.now
                    viewer = AdViewer()
                    viewer.now = now
                    if journalIsLate { viewer.metadata(answer(poll, at: at)) }
                    viewer.tracker.restored(journal)
                    guard !journalIsLate else {
                        poll += 1
                        viewer.play(at, at + 500)
                        continue
                    }
                }
                viewer.metadata(answer(poll, at: at))
                poll += 1
            }
            viewer.play(at, at + 500)
        }
        receipts += viewer.requests
        return withoutBusters(receipts)
    }

    private static func withoutBusters(_ urls: [String]) -> [String] {
        let added = /[?;].*|\/-\/.*/
        return urls.map { $0.replacing(added, with: "") }
    }

    @Test(arguments: changes) func nothingIsSentTwice(_ change: Change) {
        let receipts = Self.receipts(change)
        let twice = Dictionary(grouping: receipts) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice.mapValues(\.count))")
        // An ad that jumps about may jump over some of its moments.
        if change.shifts.allSatisfy({ abs($0) < 1_000 }) { #expect(Set(receipts).count == 18) }
    }

    /// Dates with a time of day and base64 have marks, escaped or not; ids change as well.
    @Test(arguments: [Change.Buster.dated, .padded]) func norWithMarks(_ buster: Change.Buster) {
        let change = Change(ids: true, shifts: [0, 300, -300], buster: buster)
        let receipts = Self.receipts(change)
        #expect(Set(receipts).count == receipts.count && receipts.count == 18)
        let restarted = Self.receipts(change, restartEvery: 3)
        #expect(Set(restarted).count == restarted.count)
    }

    @Test(arguments: changes) func norWithoutARange(_ change: Change) {
        let receipts = Self.receipts(change, range: nil)
        #expect(Set(receipts).count == receipts.count)
    }

    /// The first document that has something else begins within the break, so that nothing was learned of it before.
    @Test(arguments: changes) func norWhereTheRangeBeginsInTheBreak(_ change: Change) {
        var viewer = AdViewer()
        viewer.metadata(Self.document(change, poll: 0), range: 40_000...110_000)
        viewer.play(40_000, 100_000)
        viewer.metadata(Self.document(change, poll: 1), range: 80_000...150_000)
        viewer.play(100_000, 140_000)
        let receipts = Self.withoutBusters(viewer.requests)
        #expect(Set(receipts).count == receipts.count)
    }

    /// Its only ad was moved beyond what the documents list, and comes back with other values in all its URLs.
    @Test(arguments: [Int64(0), 6_000, 12_000, 30_000]) func norWhatComesBackLaterUnderItsName(_ shift: Int64) {
        func document(_ start: Int64, token: String) -> [AdBreak] {
            var ad = Ad.full("a", start, 5_000)
            for index in ad.events.indices {
                ad.events[index].urls = ad.events[index].urls.map { $0 + "?t0k=\(token)" }
            }
            return [.test("b", start, 5_000, [ad])]
        }
        var viewer = AdViewer()
        viewer.metadata(document(10_000, token: "7a3f9c21e0"), range: 0...20_000)
        viewer.play(0, 20_000)
        viewer.metadata([], range: 0...24_000)
        viewer.play(20_000, 24_000)
        viewer.metadata(document(10_000 + shift, token: "1b88d04c5f"), range: 0...60_000)
        viewer.play(24_000, 60_000)
        let receipts = Self.withoutBusters(viewer.requests)
        #expect(receipts.count == 6)
        #expect(Set(receipts).count == receipts.count)
    }

    /// Pages list what is not finished. What left a page may come back under another name, where its server moved it.
    @Test(arguments: changes, [nil, 3] as [Int?]) func norByPages(_ change: Change, _ restartEvery: Int?) {
        let receipts = Self.receipts(change, restartEvery: restartEvery, inPages: true)
        let twice = Dictionary(grouping: receipts) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice.mapValues(\.count))")
        if change.shifts.allSatisfy({ abs($0) < 1_000 }) { #expect(Set(receipts).count == 18) }
    }

    /// A pod shows a creative twice; the page that is read while the second one plays lacks the first.
    @Test(arguments: [false, true]) func whatAPageListedTogetherStaysApart(_ changesIDs: Bool) {
        var viewer = AdViewer()
        for poll in 0..<10 {
            let at = Int64(poll) * 4_000
            let ads = (0..<2).map { place in
                var ad = Ad.full("same", 2_000 + Int64(place) * 15_000, 15_000)
                ad.name = changesIDs ? "a\(place)-\(poll)" : "a\(place)"
                return ad
            }
            viewer.metadata(Self.page([.test("b", 2_000, 30_000, ads)], at: at))
            viewer.play(at, at + 4_000)
        }
        #expect(viewer.requests.count == 12)
    }

    /// A page lists an ad once, and a later one lists it elsewhere, with another token: the next ad would start neither before this one nor
    /// while it plays.
    @Test(arguments: [(5_000, 20_000), (15_000, 44_000), (15_000, 46_500)] as [(Int64, Int64)])
    func norWhatALaterPageListsElsewhere(length: Int64, moved: Int64) {
        func listed(_ start: Int64, _ token: String) -> AdBreak {
            var ad = Ad.full("x", start, length)
            for index in ad.events.indices {
                ad.events[index].urls = ad.events[index].urls.map { "\($0)?token=\(token)" }
            }
            return .test("b", start, length, [ad])
        }
        var viewer = AdViewer()
        viewer.metadata(Self.page([listed(32_000, "k4f9a1c7d2")], at: 0))
        viewer.play(0, 20_000)
        viewer.metadata(Self.page([], at: 20_000))
        let seen = moved < 32_000 ? 28_000 : Int64(40_000)
        viewer.play(20_000, seen)
        viewer.metadata(Self.page([listed(moved, "b8e3d6a5f1")], at: 0))
        viewer.play(seen, 80_000)
        #expect(viewer.requests.count == 6)
    }

    /// An ad leaves the pages when it has been listed to its end, which is before it is played. The next one of the break has the
    /// same parameters with its own number, which is no cache buster.
    @Test(arguments: [Int64(1_500), 2_500]) func whatFollowsAnAdThatLeftThePagesIsAnotherOne(first: Int64) {
        func ad(_ name: String, _ start: Int64, _ length: Int64, _ number: Int64) -> Ad {
            func url(_ event: String) -> String {
                "https://t.example/b?break=\(5_000 + number)&ad=\(name)&event=\(event)&n=1"
            }
            return .test(
                name, start, length,
                [.test(.start, start, url: url("start")), .test(.complete, start + length, url: url("complete"))])
        }
        let breaks = (1...11).map { number in
            let start = Int64(number) * 5_000
            let ads = [
                ad("hurdles-\(5_000 + number)", start, first, Int64(number)),
                ad("marathon-\(5_000 + number)", start + first, 4_000 - first, Int64(number)),
            ]
            return AdBreak.test("\(number)", start, 4_000, ads)
        }
        var viewer = AdViewer()
        for at in stride(from: Int64(0), to: 60_000, by: 500) {
            let begun = breaks.compactMap { adBreak in
                var adBreak = adBreak
                adBreak.ads.removeAll { $0.start >= .ms(at + 3_000) }
                return adBreak.ads.isEmpty ? nil : adBreak
            }
            viewer.metadata(Self.page(begun, at: at + 2_500))
            viewer.play(at, at + 500)
        }
        let planned = breaks.flatMap(\.ads).flatMap(\.events).flatMap(\.urls)
        #expect(Set(planned).subtracting(viewer.requests) == [])
        #expect(viewer.requests.count == planned.count)
    }

    /// A collector that knows a beacon by a token alone: what differs between the ads of two pages are tokens, not cache busters.
    @Test(arguments: ["e/", "event?e=", "c/b0."], [Int64(4_000), 10_000])
    func adsOfPagesAreKnownByTokens(_ path: String, _ length: Int64) {
        func ad(_ name: String, _ start: Int64) -> Ad {
            func url(_ number: UInt64) -> String {
                let token = (UInt64(start) &* 0x9E37_79B9_7F4A_7C15 &+ number &* 0xBF58_476D_1CE4_E5B9).hexadecimal
                return "https://t.example/\(path)\(token)"
            }
            return .test(
                name, start, length,
                [
                    .test(.impression, start, url: url(1)), .test(.start, start, url: url(2)),
                    .test(.complete, start + length, url: url(3)),
                ])
        }
        var viewer = AdViewer()
        let starts: [Int64] = [10_000, 10_000 + length, 40_000, 40_000 + length]
        for at in stride(from: Int64(0), to: 70_000, by: 2_000) {
            // Each is listed for a moment, before it plays.
            let listed = starts.filter { $0 - 3_000 < at && at < $0 }
            let breaks = Dictionary(grouping: listed) { $0 / 35_000 }.map { number, starts in
                AdBreak.test("b\(number)", number == 0 ? 10_000 : 40_000, length * 2, starts.map { ad("a\($0)", $0) })
            }
            viewer.metadata(Self.page(breaks, at: at))
            viewer.play(at, at + 2_000)
        }
        #expect(viewer.requests.count == starts.count * 3)
    }

    /// A session that runs for a day must not keep what its pages listed.
    @Test func finishedAdsOfPagesAreForgotten() {
        var viewer = AdViewer(keep: .seconds(120))
        var largest = 0
        for poll in 0..<500 {
            let at = Int64(poll) * 4_000
            let start = at / 30_000 * 30_000
            let ad = Ad.full("a\(start)", start, 15_000)
            viewer.metadata(Self.page([.test("b\(start)", start, 15_000, [ad])], at: at))
            viewer.play(at, at + 4_000)
            largest = max(largest, viewer.tracker.book.breaks.count)
        }
        #expect(largest <= 8)
    }

    /// The journal has what was sent under the names and URLs of then.
    @Test(arguments: changes) func norAcrossRestarts(_ change: Change) {
        let receipts = Self.receipts(change, restartEvery: 3)
        let twice = Dictionary(grouping: receipts) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice.mapValues(\.count))")
    }

    /// Another process had the session, or the file was locked: the first document is known before what was sent.
    @Test(arguments: changes) func norWhereTheJournalOpensLate(_ change: Change) {
        let receipts = Self.receipts(change, restartEvery: 3, journalIsLate: true)
        let twice = Dictionary(grouping: receipts) { $0 }.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice.mapValues(\.count))")
    }

    /// A document that lists an event, an ad or a break twice at one time has one showing of it, in the next process too.
    @Test(arguments: changes.filter { $0.turns == nil && $0.buster == nil }, Twice.allCases)
    func norWhatIsListedTwice(_ change: Change, _ twice: Twice) {
        for (restartEvery, journalIsLate) in [(nil, false), (3, false), (3, true)] as [(Int?, Bool)] {
            let receipts = Self.receipts(
                change, restartEvery: restartEvery, journalIsLate: journalIsLate, twice: twice)
            let doubled = Dictionary(grouping: receipts) { $0 }.filter { $0.value.count > 1 }
            #expect(
                doubled.isEmpty, "restart \(restartEvery ?? 0), late \(journalIsLate): \(doubled.mapValues(\.count))")
        }
    }

    /// A URL that was sent leaves its event, which stays, and appears in another ad at the same time.
    @Test(arguments: [Int64(0), 1, 300]) func aURLThatChangesItsEventIsSentOnce(_ shift: Int64) {
        var viewer = AdViewer()
        let start = TrackingEvent.test(.start, 10_000, url: "https://t.example/s")
        viewer.metadata([.test("b", 10_000, 15_000, [.test("a", 10_000, 0, [start])])], range: 0...60_000)
        viewer.play(0, 11_000)
        var emptied = TrackingEvent.test(.start, 10_000 - shift, url: "https://t.example/s")
        emptied.urls = []
        let other = Ad.test(nil, 10_000, 0, [start])
        viewer.metadata(
            [.test("b", 10_000, 15_000, [other, .test("a", 10_000, 0, [emptied])])], range: 0...60_000)
        viewer.play(11_000, 20_000)
        #expect(viewer.requests == ["https://t.example/s"])
    }

    /// As above, with another URL in the place of the one that was sent.
    @Test func aURLThatIsReplacedAndListedElsewhereIsSentOnce() {
        func ad(_ name: String?, _ url: String) -> Ad {
            .test(name, 10_000, 0, [.test(.start, 10_000, url: "https://t.example/\(url)")])
        }
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 15_000, [ad("a", "s")])], range: 0...60_000)
        viewer.play(0, 11_000)
        viewer.metadata([.test("b", 10_000, 15_000, [ad("a", "other"), ad(nil, "s")])], range: 0...60_000)
        viewer.play(11_000, 20_000)
        #expect(viewer.requests == ["https://t.example/s"])
    }

    /// A journal that is opened again tells the same: that is no further showing, which would be taken for the next one.
    @Test func openingAJournalAgainForgetsNoShowing() {
        func document(_ starts: [Int64]) -> [AdBreak] {
            starts.map { .test("b\($0)", $0, 15_000, [.full("same", $0, 15_000)]) }
        }
        var first = AdViewer()
        first.metadata(document([30_000]), range: 0...50_000)
        first.play(0, 46_000)
        #expect(first.requests.count == 6)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.metadata(document([30_001]), range: 0...50_000)
        second.tracker.restored(first.restorable)
        // 50 s later: nearer than what one of the two copies could be taken for.
        second.metadata(document([30_001, 80_000]), range: 0...100_000)
        second.play(46_000, 100_000)
        #expect(second.requests.count == 6)
    }

    /// One document lists a creative three times with one URL: three showings, whatever happens to ids and starts.
    @Test(arguments: [false, true], [Int64(0), 1, 300, 4_000]) func repeatedCreativeIsSentEachTime(
        _ changesIDs: Bool, _ shift: Int64
    ) {
        var viewer = AdViewer()
        for poll in 0..<30 {
            let moved = poll % 2 == 0 ? 0 : shift
            let ads = (0..<3).map { place in
                var ad = Ad.full("same", 30_000 + Int64(place) * 15_000 + moved, 15_000)
                ad.name = changesIDs ? "a\(place)-\(poll)" : "a\(place)"
                return ad
            }
            viewer.metadata([.test(changesIDs ? "b\(poll)" : "b", 30_000 + moved, 45_000, ads)], range: 0...600_000)
            viewer.play(Int64(poll) * 4_000, Int64(poll + 1) * 4_000)
        }
        #expect(viewer.requests.count == 18)
    }

    /// A creative that airs again with a fixed URL: another showing once it starts further away than its break is long,
    /// and 60 s.
    @Test(arguments: [
        (gap: Int64(61_000), length: Int64(15_000), count: 2), (59_000, 15_000, 1), (100_000, 120_000, 1),
    ])
    func creativeAirsAgain(_ test: (gap: Int64, length: Int64, count: Int)) {
        var viewer = AdViewer()
        viewer.metadata([.test("b1", 10_000, test.length, [.full("same", 10_000, 15_000)])], range: 0...60_000)
        viewer.play(0, 26_000)
        let again = 10_000 + test.gap
        viewer.metadata(
            [.test("b2", again, test.length, [.full("same", again, 15_000)])], range: again - 5_000...again + 60_000)
        viewer.play(26_000, again + 20_000)
        #expect(viewer.requests.filter { $0.hasSuffix("/start") }.count == test.count)
    }

    /// A break that grows at the live edge moves, and its next ad appears where the first one was: a number that names the
    /// ad in its URLs is no cache buster.
    @Test(arguments: [false, true], [nil, "?ad={ad}&x17=", ";ad={ad};x17=", "/{ad}/"])
    func aNewAdWhereAnotherMovedAwayIsAnother(
        _ changesIDs: Bool, _ buster: String?
    ) {
        func ads(_ names: [String], from start: Int64, poll: Int) -> [Ad] {
            names.enumerated().map { place, name in
                var ad = Ad.full(changesIDs ? "\(name)-\(poll)" : name, start + Int64(place) * 8_000, 8_000)
                for index in ad.events.indices {
                    let value = 5_000_000 + poll * 100_000 + place * 1_000 + index * 7
                    let type = ad.events[index].type
                    ad.events[index].urls = ["http://t/\(type)?ad=\(name)-739165"]
                    if let mark = buster?.replacing("{ad}", with: "\(name)-739165") {
                        ad.events[index].urls.append("http://u/\(type)\(mark)\(value)")
                    }
                }
                return ad
            }
        }
        var viewer = AdViewer()
        viewer.metadata([.test("b", 20_000, 16_000, ads(["crema"], from: 20_000, poll: 0))], range: 0...26_000)
        viewer.play(0, 26_500)
        let moved = ads(["crema", "latte"], from: 8_000, poll: 1)
        viewer.metadata([.test("b\(changesIDs ? "1" : "")", 8_000, 16_000, moved)], range: 0...30_000)
        viewer.play(26_500, 60_000)
        let sent = viewer.requests.map { $0.replacing(/[&;\/][x17=]*5\d{6}$/, with: "") }
        #expect(Set(sent).count == sent.count)
        #expect(sent.count { $0.contains("latte") } == 6 * (buster == nil ? 1 : 2), "\(sent)")
    }

    /// With equal ids it is the same however far it moved between two polls.
    @Test func equalIDsMoveAnyDistance() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 15_000, [.full("a", 10_000, 15_000)])], range: 0...600_000)
        viewer.play(0, 12_000)
        viewer.metadata([.test("b", 200_000, 15_000, [.full("a", 200_000, 15_000)])], range: 0...600_000)
        viewer.play(12_000, 220_000)
        #expect(viewer.requests.count == 6)
        #expect(Set(viewer.requests).count == 6)
    }

    /// What was sent moved away, and something else with its URLs is listed where it was sent: told again, under another name.
    @Test(arguments: [Int64(0), 1, 300]) func whatIsListedWhereItWasSentIsTheSame(_ shift: Int64) {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 15_000, [.full("a", 10_000, 15_000)])], range: 0...600_000)
        viewer.play(0, 26_000)
        viewer.metadata([.test("b", 200_000, 15_000, [.full("a", 200_000, 15_000)])], range: 0...600_000)
        var ad = Ad.full("a", 10_000 + shift, 15_000)
        ad.name = "other"
        viewer.metadata([.test("another", 10_000 + shift, 15_000, [ad])], range: 0...600_000)
        viewer.play(26_000, 40_000)
        #expect(viewer.requests.count == 6 && Set(viewer.requests).count == 6)
    }

    /// An ad that was left out polls ago did not move: one of its name that starts far away is another.
    @Test func equalIDsAfterAnAbsenceAreAnother() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 15_000, [.full("a", 10_000, 15_000)])], range: 0...600_000)
        viewer.play(0, 26_000)
        viewer.metadata([.test("b", 10_000, 15_000)], range: 0...600_000)
        viewer.metadata([], range: 0...600_000)
        viewer.metadata([.test("b", 10_000, 15_000, [.full("a", 200_000, 15_000)])], range: 0...600_000)
        viewer.play(26_000, 220_000)
        #expect(viewer.requests.filter { $0.hasSuffix("/start") }.count == 2)
    }

    /// A server that lists one break twice, under two names, has one showing of it; moments of one ad with one URL are
    /// each their own.
    @Test func sideBySideAtOneTimeIsOne() {
        let progress = { (offset: Int64) in
            TrackingEvent.test(.progress, 10_000 + offset, url: "https://t.example/progress")
        }
        let breaks = ["x", "y"].enumerated().map { place, name in
            var ad = Ad.full("same", 10_000 + Int64(place), 15_000)
            ad.name = "a-\(name)"
            ad.events += [progress(5_000 + Int64(place)), progress(10_000 + Int64(place))]
            return AdBreak.test(name, 10_000 + Int64(place), 15_000, [ad])
        }
        var viewer = AdViewer()
        viewer.metadata(breaks, range: 0...60_000)
        viewer.play(0, 40_000)
        #expect(viewer.requests.count == 8)
        #expect(viewer.requests.filter { $0.hasSuffix("progress") }.count == 2)
    }

    /// A document listed a creative twice; the next one, with other names, lists only the second showing. Its start tells it
    /// from the first one, in the next session too. In doubt nothing is sent.
    @Test(arguments: [false, true], [(Int64(0), 12), (300, 12), (-300, 12), (-15_000, 6)])
    func theShowingToComeIsKnownByItsStart(_ isRenewed: Bool, _ test: (shift: Int64, count: Int)) {
        let showings = [Int64(20_000), 50_000].map { start in
            AdBreak.test("b\(start)", start, 15_000, [.full("same", start, 15_000)])
        }
        var viewer = AdViewer()
        viewer.metadata(showings, range: 0...600_000)
        viewer.play(0, 36_000)
        var requests: [String] = []
        if isRenewed {
            requests = viewer.requests
            let former = viewer
            viewer = AdViewer()
            viewer.now = former.now
            viewer.tracker.follow(former.tracker)
        }
        let start = 50_000 + test.shift
        var ad = Ad.full("same", start, 15_000)
        ad.name = "other"
        viewer.metadata([.test("another", start, 15_000, [ad])], range: 34_000...600_000)
        viewer.play(36_000, 90_000)
        #expect((requests + viewer.requests).count == test.count)
    }

    /// A session without an identifier is followed by one with the same journal, which repeats what is known, also of an ad that moved.
    @Test func aJournalRepeatsWhatIsKnown() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 20_000, 15_000, [.full("a", 20_000, 15_000)])], range: 0...600_000)
        viewer.play(0, 22_000)
        #expect(viewer.requests.count == 2)
        viewer.metadata([.test("b", 24_000, 15_000, [.full("a", 24_000, 15_000)])], range: 0...600_000)
        var next = AdViewer()
        next.now = viewer.now
        next.tracker.follow(viewer.tracker)
        let known = next.tracker.ledger.knownBeacons
        next.tracker.restored(viewer.restorable)
        #expect(next.tracker.ledger.knownBeacons == known)
    }

    /// A request that did not leave is none in the session that follows: what it was for is not under way there, and may be sent.
    @Test func whatDidNotLeaveIsNotUnderWayInTheNextSession() {
        let breaks = [AdBreak.test("b", 20_000, 15_000, [.full("a", 20_000, 15_000)])]
        var viewer = AdViewer()
        viewer.respond = { _ in .failure(.addressNotAllowed) }
        viewer.metadata(breaks, range: 0...600_000)
        viewer.play(0, 22_000)
        #expect(viewer.requests.count == 2 && viewer.state(.start) == .skipped)
        var next = AdViewer()
        next.tracker.follow(viewer.tracker)
        next.metadata(breaks, range: 0...600_000)
        #expect(next.state(.start) == .idle)
        next.play(0, 22_000)
        #expect(next.requests.count == 2 && next.state(.start) == .done)
    }

    /// Another process has the claim and may have sent the beacon: the session that follows does not, although its ids differ.
    @Test func whatAnotherProcessClaimedIsUnknownInTheNextSession() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 20_000, 15_000, [.full("a", 20_000, 15_000)])], range: 0...600_000)
        let played = viewer.tracker.played(PlayedStretch(from: .ms(0), through: .ms(22_000)), at: .ms(22_000))
        let refused = LedgerTests.write(played.effects).map { RefusedClaim(id: $0, refusal: .taken) }
        #expect(refused.count == 2)
        viewer.run(viewer.tracker.claimsRefused(refused, at: .ms(22_001)))
        #expect(viewer.requests == [] && viewer.state(.start) == .skipped)
        var next = AdViewer()
        next.tracker.follow(viewer.tracker)
        var ad = Ad.full("a", 20_000, 15_000)
        ad.name = "other"
        next.metadata([.test("another", 20_000, 15_000, [ad])], range: 0...600_000)
        #expect(next.state(.start) == .unknown)
        next.play(0, 22_000)
        #expect(next.requests == [])
    }

    /// What an earlier process sent up to a date is unknown, also in the session that follows.
    @Test func whatIsForgottenIsUnknownInTheNextSession() {
        var viewer = AdViewer()
        viewer.tracker.restored([], completeFrom: .ms(100_000))
        var next = AdViewer()
        next.tracker.follow(viewer.tracker)
        let breaks = [Int64(20_000), 300_000].map { start in
            AdBreak.test("b\(start)", start, 15_000, [.full("a\(start)", start, 15_000)])
        }
        next.metadata(breaks, range: 0...600_000)
        next.play(0, 40_000)
        #expect(next.requests == [])
        next.seek(290_000)
        next.play(290_000, 320_000)
        #expect(next.requests.count == 6)
    }

    /// Another session has other ids, and its identifier in the URLs. Its viewer continues in the middle of the ad.
    @Test(arguments: [false, true]) func anotherSessionReportsNoMomentAgain(isReplacedTwice: Bool) throws {
        func listed(in session: Int) -> [AdBreak] {
            var ad = Ad.full("x", 20_000, 15_000)
            ad.name = "a\(session)"
            for index in ad.events.indices {
                ad.events[index].urls = ad.events[index].urls.map { "\($0)?session=\(session)" }
            }
            return [.test("b\(session)", 20_000, 15_000, [ad])]
        }
        func following(_ former: AdViewer, session: Int) -> AdViewer {
            var viewer = AdViewer()
            viewer.now = former.now
            viewer.tracker.follow(former.tracker)
            viewer.metadata(listed(in: session), range: 0...600_000)
            return viewer
        }
        var viewer = AdViewer()
        viewer.metadata(listed(in: 1), range: 0...600_000)
        viewer.play(0, 24_000)
        #expect(viewer.requests.count == 3)
        var next = following(viewer, session: 2)
        if isReplacedTwice { next = following(next, session: 3) }
        next.play(23_000, 60_000)
        #expect(
            next.requests.map { $0.split(separator: "/").last?.prefix { $0 != "?" } } == [
                "midpoint", "thirdQuartile", "complete",
            ])
        // The impression is due when the viewer joins.
        let events = next.tracker.book.breaks.flatMap(\.ads).flatMap(\.events)
        let impression = try #require(events.first(where: { $0.event.type == .impression }))
        #expect(next.tracker.ledger[impression.id]?.urls.first?.reason == .duplicate)
    }

    /// The session's own name is no part of its URLs, so what another one moves is the same, in the query and in the path, whether the one
    /// before still listed it at its end or not.
    @Test(arguments: ["?session=", "?p=1&sid=", "/"], [false, true])
    func norWhatAnotherSessionMoves(_ mark: String, hasLeft: Bool) throws {
        func listed(in session: String, at start: Int64) -> [AdBreak] {
            var ad = Ad.full("x", start, 15_000)
            ad.name = "x-\(session)"
            for index in ad.events.indices {
                ad.events[index].urls = ad.events[index].urls.map { "\($0)\(mark)\(session)" }
            }
            return [.test("b-\(session)", start, 15_000, [ad])]
        }
        var viewer = AdViewer(named: "first-one")
        viewer.metadata(listed(in: "first-one", at: 20_000), range: 0...600_000)
        viewer.play(0, 40_000)
        #expect(viewer.requests.count == 6)
        if hasLeft { viewer.metadata([AdBreak](), range: 0...600_000) }
        var next = AdViewer(named: "another")
        next.now = viewer.now
        next.tracker.follow(viewer.tracker)
        next.metadata(listed(in: "another", at: 32_000), range: 0...600_000)
        next.play(40_000, 90_000)
        #expect(next.requests == [])
        // A minute later it is another showing.
        var later = AdViewer(named: "the-third")
        later.now = next.now
        later.tracker.follow(next.tracker)
        later.metadata(listed(in: "the-third", at: 160_000), range: 0...600_000)
        later.play(90_000, 200_000)
        #expect(later.requests.count == 6)
    }

    /// Taken for one while a server lists only one of them at a time, and listed side by side later: both are sent.
    @Test func whatIsListedSideBySideLaterIsTwo() {
        let first = AdBreak.test("b1", 20_000, 15_000, [.full("same", 20_000, 15_000)])
        let second = AdBreak.test("b2", 60_000, 15_000, [.full("same", 60_000, 15_000)])
        var viewer = AdViewer()
        viewer.metadata([first], range: 0...600_000)
        viewer.metadata([second], range: 0...600_000)
        viewer.metadata([first, second], range: 0...600_000)
        viewer.play(0, 90_000)
        #expect(viewer.requests.count == 12)
    }

    /// Ads that differ by a number in their URLs are not one for that: nothing says that it is a cache buster.
    @Test(arguments: ["?crid=", ";crid=", "/"]) func idsInURLsAreNoCacheBusters(_ mark: String) {
        var viewer = AdViewer()
        for (place, ad) in ["1004711", "1004712"].enumerated() {
            let start = 20_000 + Int64(place) * 15_000
            var events = Ad.full("x", start, 15_000)
            events.name = "a\(ad)"
            for index in events.events.indices {
                events.events[index].urls = events.events[index].urls.map { "\($0)\(mark)\(ad)" }
            }
            // Each poll lists the ad on air only.
            viewer.metadata([.test("b\(ad)", start, 15_000, [events])], range: 0...600_000)
            viewer.play(start - 1_000, start + 14_500)
        }
        #expect(viewer.requests.filter { $0.contains("/start") }.count == 2)
    }

    /// A journal that was rebuilt from memory has a showing under every name that it had. One of them is in the new document;
    /// the other must not be taken for an ad that plays at its time, or a number of the ad would be a cache buster.
    @Test(arguments: ["?ad=spot-100{place}&zx=", ";ad=spot-100{place};zx=", "/spot-100{place}/"])
    func aShowingThatTheJournalHasTwiceTeachesNoCacheBuster(_ mark: String) {
        func document(_ shift: Int64, _ poll: Int, _ places: Range<Int>) -> [AdBreak] {
            let ads = places.map { place in
                var ad = Ad.full("x", 20_000 + Int64(place) * 13_000 + shift, 13_000)
                ad.name = "a\(place)-\(shift)"
                for index in ad.events.indices {
                    let buster = 7_000_000 + poll * 1_000 + place * 50 + index
                    let added = mark.replacing("{place}", with: "\(place)") + "\(buster)"
                    ad.events[index].urls = ad.events[index].urls.map { $0 + added }
                }
                return ad
            }
            return [.test("b-\(shift)", 20_000 + shift, 52_000, ads)]
        }
        var journal: [RestoredBeacon] = []
        for (poll, shift) in [Int64(0), 12_000].enumerated() {
            var viewer = AdViewer()
            viewer.metadata(document(shift, poll, 0..<1), range: 0...200_000)
            viewer.play(0, 60_000)
            journal += viewer.restorable
        }
        var viewer = AdViewer()
        viewer.tracker.restored(journal)
        viewer.metadata(document(0, 2, 0..<4), range: 0...200_000)
        viewer.play(30_000, 46_000)
        viewer.metadata(document(12_000, 3, 0..<4), range: 0...200_000)
        viewer.play(46_000, 120_000)
        let sent = viewer.requests.map { $0.replacing(/[&;\/][zx=]*7\d{6}$/, with: "") }
        #expect(Set(sent).count == sent.count, "\(sent)")
        #expect(!sent.contains { $0.hasSuffix("spot-1000") })
        #expect(sent.count == 18, "\(sent)")
    }

    /// What a journal restored is known under each name that the server gives it; a journal that is rebuilt has it once.
    @Test func aRebuiltJournalHasEachShowingOnce() {
        func document(_ name: String, at start: Int64) -> [AdBreak] {
            var ad = Ad.full("a", start, 15_000)
            ad.name = name
            return [.test("b-\(name)", start, 15_000, [ad])]
        }
        var first = AdViewer()
        first.metadata(document("x", at: 20_000), range: 0...200_000)
        first.play(0, 60_000)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        for (name, start) in [("x", Int64(20_000)), ("y", 32_000), ("z", 26_000)] {
            second.metadata(document(name, at: start), range: 0...200_000)
        }
        #expect(first.restorable.count == 6)
        #expect(second.tracker.ledger.held().map(\.key.url).sorted() == first.restorable.map(\.key.url).sorted())
    }
}
