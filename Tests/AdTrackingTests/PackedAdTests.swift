import Ports
import Testing

@testable import AdTracking

/// Ads that documents do not list any more are kept as bytes. Nobody who asks for them sees a difference.
@Suite struct PackedAdTests {
    private static let url = "https://tracker.example/impression?session=4711&ad=city-car&break=17"
    private static let owner = EventKey.Owner(
        session: "s", breakName: .given("b"), adName: .synthesized(start: .ms(10_000), index: 1), adStart: .ms(10_000))
    private static let place = EventPlacement.Ad(
        AdID(3), length: .seconds(30), breakStart: .ms(9_000), breakLength: .seconds(60), track: .interstitial("i"))
    private static let at = Moment(
        wall: UnixTime(microseconds: 1_800_000_000_123_456), uptime: .microseconds(7_201_000_001))

    private static func entry(_ type: EventType, named name: String, _ urls: [URLDelivery]) -> Ledger.Entry {
        Ledger.Entry(
            key: EventKey(of: owner, type: name, start: .ms(10_003)), delivery: EventDelivery(urls: urls),
            shared: ["https://other.example/ü"],
            placement: EventPlacement(start: .ms(9_998), of: place, isPresent: false), type: type, isIdentified: true,
            macros: nil)
    }

    private static func answer(of url: String) -> BeaconAnswer {
        BeaconAnswer(
            status: 204, failure: nil, hops: [.init(url: url, status: 204, fields: [])],
            timings: .init(wait: 12_345, total: 23_456), contentType: nil, bytes: 0)
    }

    /// A slot with a value for everything that a slot may have.
    private static func fullSlot(_ url: String, _ state: DeliveryState) -> URLDelivery {
        var slot = URLDelivery(url: url)
        (slot.state, slot.reason, slot.isListed, slot.insertion) = (state, .queueFull, false, 4_711)
        (slot.filled, slot.replacement, slot.judged) = (url + "&filled", url + "&cb=2", .hostNotAllowed)
        (slot.round, slot.retryAt, slot.attemptCount, slot.late) = (2, .milliseconds(5), 3, .milliseconds(-7))
        slot.attempts = [BeaconAttempt(claim: ClaimID(8), at: at, answer: answer(of: url))]
        return slot
    }

    @Test func whatTheLedgerKnowsComesBackAsItWas() throws {
        let slots =
            DeliveryState.allCases.map { Self.fullSlot(Self.url + $0.rawValue, $0) }
            + ["", "http://é.example", Self.url].map { URLDelivery(url: $0) }
        let entries = [
            Self.entry(.impression, named: "Impression", slots), Self.entry(.mute, named: "mute", []),
            Self.entry(.unknown, named: "", [URLDelivery(url: "a")]),
        ]
        var rows = EventRows<Ledger.Entry>()
        for (number, entry) in entries.enumerated() { rows[EventID(number)] = entry }
        rows.pack(entries.indices.map(EventID.init))
        #expect(rows.open.count == 0)
        for (number, entry) in entries.enumerated() {
            let row = try #require(rows[EventID(number)])
            #expect(row.key == entry.key && row.delivery == entry.delivery && row.shared == entry.shared)
            #expect(row.placement == entry.placement && row.type == entry.type)
            #expect(row.isIdentified && row.macros == nil)
        }
    }

    /// A beacon that was sent once, as most are; its URL is much like that of the impression.
    @Test func aPastEventTakesFewBytes() throws {
        var slot = URLDelivery(url: "https://tracker.example/midpoint?session=4711&ad=city-car&break=17")
        (slot.state, slot.attemptCount, slot.late) = (.acknowledged, 1, .milliseconds(3))
        slot.attempts = [BeaconAttempt(claim: ClaimID(8), at: Self.at, answer: Self.answer(of: slot.url))]
        var entry = Self.entry(.midpoint, named: "midpoint", [slot])
        entry.shared = []
        var common = try #require(entry.common)
        common.url = Self.url
        var writer = PackedWriter()
        entry.write(to: &writer, common)
        #expect(writer.bytes.count <= 80)
    }

    @Test func plansComeBackAsTheyWere() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        let events = viewer.tracker.book.breaks[0].ads[0].eventIDs
        let plans = events.map { viewer.tracker.plans[$0] }
        viewer.tracker.plans.pack(events)
        #expect(viewer.tracker.plans.open.count == 0)
        #expect(events.map { viewer.tracker.plans[$0] } == plans)
    }

    @Test func anAdComesBackAsItWas() throws {
        var listed = Ad.full("a", 10_000, 30_000)
        listed.events[0].extras.append("prftStartTime", "7")
        listed.events[1].rawName = "MUTE"
        listed.events[2].sharedURLs = listed.events[2].urls
        listed.events[3].urls = ["https://t.example/1", "https://t.example/2", ""]
        (listed.events[4].isWindowed, listed.events[4].isReportedByService) = (true, true)
        (listed.events[5].isVerification, listed.events[5].isSignaled) = (true, true)
        var book = BreakBook(session: "s")
        _ = book.merge(.test([.test("b", 10_000, 30_000, [listed])]), playhead: nil, keep: .seconds(60))
        // An event that is not listed any more.
        listed.events.remove(at: 6)
        _ = book.merge(.test([.test("b", 10_000, 30_000, [listed])]), playhead: nil, keep: .seconds(60))
        let open = book.breaks[0].ads[0]
        #expect(open.events.contains { $0.presence == .vanished })
        var packed = open
        packed.pack()
        #expect(packed != open && packed.details.events.isEmpty)
        #expect(packed.events == open.events && packed.ad == open.ad && packed.eventIDs == open.eventIDs)
        #expect(packed.eventCount == open.eventCount && packed.plannedEnd == open.plannedEnd)
        // What changes it opens it.
        packed.ad.duration = .seconds(31)
        var longer = open
        longer.ad.duration = .seconds(31)
        #expect(packed == longer)
    }
}

extension PackedAdTests {
    private static let range: ClosedRange<Int64> = 0...60_000
    private static let later: ClosedRange<Int64> = 120_000...180_000
    private static let ads = [AdBreak.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])]

    /// A viewer who saw an ad that has left the documents.
    private static func viewer(_ answer: HTTPExchange? = .answer(204)) -> AdViewer {
        var viewer = AdViewer()
        viewer.respond = { _ in answer }
        viewer.metadata(ads, range: range)
        viewer.play(0, 60_000)
        viewer.metadata([], range: later)
        return viewer
    }

    private static func isPacked(_ tracker: AdTracker) -> Bool {
        tracker.ledger.entries.open.count == 0 && tracker.plans.open.count == 0
            && tracker.book.breaks[0].ads[0].details.events.isEmpty
    }

    @Test func anAdThatDocumentsDoNotListIsPacked() {
        let viewer = Self.viewer()
        #expect(Self.isPacked(viewer.tracker))
        #expect(viewer.requests.count == 6)
        #expect(viewer.state(.impression) == .done && viewer.state(.complete) == .done)
        #expect(viewer.reason(.mute) == .userClass)
        #expect(viewer.tracker.statusCounts() == [.done: 6, .skipped: 8])
        #expect(Self.isPacked(viewer.tracker), "reading opens nothing")
    }

    /// What awaits an answer is not packed before it has it.
    @Test func aRequestUnderWayKeepsItsAdOpen() throws {
        var viewer = Self.viewer(nil)
        #expect(!Self.isPacked(viewer.tracker))
        #expect(viewer.state(.impression) == .connecting)
        for claim in viewer.journal.keys.sorted() {
            viewer.run(viewer.tracker.answered(claim, .answer(204), at: viewer.now))
        }
        viewer.metadata([.test("c", 130_000, 1_000)], range: Self.later)
        #expect(viewer.state(.impression) == .done)
        #expect(Self.isPacked(viewer.tracker))
    }

    /// The beacons of a document that lists it again are those that were sent.
    @Test func whatIsListedAgainIsNotSentAgain() {
        var viewer = Self.viewer()
        let events = viewer.tracker.book.breaks[0].ads[0].eventIDs
        viewer.metadata(Self.ads, range: Self.range)
        #expect(viewer.tracker.book.breaks[0].ads[0].eventIDs == events)
        #expect(viewer.tracker.ledger.entries.open.count == events.count)
        #expect(viewer.tracker.book.breaks[0].ads[0].details.events.count == events.count)
        viewer.seek(0)
        viewer.play(0, 60_000)
        #expect(viewer.requests.count == 6)
        // Under other names, too.
        let renamed = [AdBreak.test("b2", 10_000, 30_000, [.full("a", 10_000, 30_000)])].map { adBreak in
            var adBreak = adBreak
            adBreak.ads[0].name = "a2"
            return adBreak
        }
        viewer.metadata([], range: Self.later)
        viewer.metadata(renamed, range: Self.range)
        viewer.seek(0)
        viewer.play(0, 60_000)
        #expect(viewer.requests.count == 6)
    }

    @Test func aViewerWhoGoesBackSeesItWithoutABeacon() {
        var viewer = Self.viewer()
        viewer.seek(5_000)
        viewer.play(5_000, 60_000)
        #expect(viewer.requests.count == 6)
        #expect(viewer.tracker.adOnAir(at: .ms(20_000))?.ad.name.text == "a")
    }

    @Test func aPersonMaySendItAgain() throws {
        var viewer = Self.viewer(.answer(500))
        #expect(Self.isPacked(viewer.tracker))
        viewer.respond = { _ in .answer(204) }
        let event = try #require(viewer.event(.midpoint))
        viewer.run(viewer.tracker.retryAsked(event, url: nil, at: viewer.now))
        #expect(viewer.requests.count == 7)
        #expect(viewer.state(.midpoint) == .done && viewer.state(.start) == .failed)
        #expect(viewer.tracker.ledger[event]?.urls.first?.attempts.count == 2)
    }

    @Test func anExpiredAdIsGone() {
        var viewer = AdViewer(keep: .seconds(60))
        viewer.metadata(Self.ads, range: Self.range)
        viewer.play(0, 60_000)
        viewer.metadata([], range: Self.later)
        #expect(Self.isPacked(viewer.tracker))
        viewer.play(60_000, 200_000)
        viewer.metadata([.test("c", 190_000, 1_000)], range: 180_000...240_000)
        #expect(viewer.tracker.ledger.entries.count == 0 && viewer.tracker.plans.count == 0)
        #expect(viewer.tracker.ledger.stateCounts.isEmpty && viewer.tracker.ledger.rememberedBeacons == 6)
    }
}
