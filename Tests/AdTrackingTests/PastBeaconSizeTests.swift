import Ports
import Testing

@testable import AdTracking

/// A session keeps past beacons for two hours: what thousands of them hold is held once, and in few bytes.
@Suite struct PastBeaconSizeTests {
    private static let breakID = BreakID(1)

    /// Places of the texts of all URLs of an ad: as the document describes it, and as its events have it.
    private static func places(_ ad: KnownAd) -> (described: [Int], kept: [Int]) {
        (ad.ad.events.map { place($0.urls) }, ad.events.map { place($0.event.urls) })
    }

    private static func place(_ urls: [String]) -> Int {
        urls.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }

    /// Each document of an ad that grows is another text.
    private static func ad(lasting length: Int64, impression: Int64) -> Ad {
        let texts = ["impression", "start"].map { "https://t.example/" + String(repeating: $0, count: 4) }
        return .test(
            "a", 10_000, length,
            [
                .test(.impression, 10_000, impression, url: texts[0]), .test(.start, 10_000, url: texts[1]),
            ])
    }

    /// An ad that grows, alone and together with its impression.
    @Test(arguments: [[30_000, 30_000, 30_000], [5_000, 9_000, 13_000]] as [[Int64]])
    func anAdThatGrowsKeepsItsURLsOnce(_ impressions: [Int64]) throws {
        var viewer = AdViewer()
        for (length, impression) in zip([5_000, 9_000, 13_000] as [Int64], impressions) {
            let ad = Self.ad(lasting: length, impression: impression)
            viewer.metadata([.test("b", 10_000, length, [ad])], range: 0...(10_000 + length))
        }
        let ad = try #require(viewer.tracker.book[Self.breakID]?.ads.first)
        #expect(ad.ad.duration == .milliseconds(13_000))
        #expect(ad.ad.events == ad.events.map(\.event))
        let places = Self.places(ad)
        #expect(Set(places.kept).count == 2)
        #expect(places.described == places.kept)
    }

    /// Nothing is kept twice of an ad that documents list for minutes: the newest one has the texts of the first.
    @Test func documentsShareTheTextsOfWhatTheyList() throws {
        var viewer = AdViewer()
        for end in [40_000, 50_000, 60_000] as [Int64] {
            viewer.metadata([.test("b", 10_000, 30_000, [Self.ad(lasting: 30_000, impression: 0)])], range: 0...end)
        }
        let ad = try #require(viewer.tracker.book[Self.breakID]?.ads.first)
        let listed = try #require(viewer.tracker.signaled.document?.breaks.first?.ads.first)
        #expect(viewer.tracker.signaled.document?.dataRange?.end == .ms(60_000))
        #expect(listed.events.map { Self.place($0.urls) } == Self.places(ad).kept)
    }

    /// The events of an ad share what they have in common.
    @Test func anEventTakesLittleRoom() {
        #expect(MemoryLayout<PlannedEvent>.stride <= 40)
        #expect(MemoryLayout<EventPlacement>.stride <= 24)
        #expect(MemoryLayout<URLDelivery>.stride <= 40)
        #expect(MemoryLayout<Insertion>.stride <= 80)
    }

    /// Each document brings a break whose events have two URLs each.
    @Test func insertionsHaveLittleRoomForMore() {
        var viewer = AdViewer()
        var widest = 0.0
        for number in 0..<200 as Range<Int64> {
            let start = 10_000 + number * 40_000
            let events = [EventType.impression, .start, .midpoint, .complete].map { type in
                TrackingEvent(
                    type: type, start: .ms(start), urls: (1...2).map { "https://t.example/\(number)/\(type)/\($0)" })
            }
            viewer.metadata([.test("b\(number)", start, 30_000, [.test("a\(number)", start, 30_000, events)])])
            let insertions = viewer.tracker.ledger.insertions
            guard number > 60 else { continue }
            widest = max(widest, Double(insertions.all.capacity) / Double(insertions.count))
        }
        #expect(viewer.tracker.ledger.insertions.count == 200 * 8)
        #expect(widest < 1.35)
    }
}
