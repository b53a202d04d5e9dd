import Testing

@testable import AdTracking

/// Which values count as cache busters (TRK-16).
@Suite struct CacheBustersTests {
    private static func url(_ value: String) -> String { "https://t.example/b?zx=\(value)&e=start" }

    @Test(arguments: [
        ("1234567", "7654321"), ("7f3a91c2", "8b21d4e5"), ("exp1h9c5bec775", "exp1hdc2df9183"),
        ("r1700000000", "r1700000004"), ("2026-11-29T12:00:00Z", "2026-11-29T12:00:04Z"),
        ("2026-11-29T12%3A00%3A00Z", "2026-11-29T12%3a00%3a04Z"), ("q8+zK3/d5Q==", "Zm9vYmE3cjE="),
        ("q8%2BzK3%2Fd5Q%3D%3D", "Zm9vYmE3cjE%3D"),
    ]) func aGeneratedValueThatChangesIsOneAtOnce(_ old: String, _ new: String) {
        var busters = CacheBusters()
        let isKnown = busters.learn(from: Self.url(old), to: Self.url(new))
        #expect(isKnown)
        #expect(busters.differences(Self.url(old), Self.url(new)) == 0)
    }

    /// A word with a few digits is the name of something: it takes two changes.
    @Test(arguments: [
        ("espresso-6736", "sneakers-6736"), ("summer2026", "winter2026"), ("1234", "4321"), ("12:30", "12:45"),
        ("https://a.example/b1c2d3e4", "https://a.example/b5c6d7e8"),
        ("https%3A%2F%2Fa.example%2Fb1c2d3e4", "https%3A%2F%2Fa.example%2Fb5c6d7e8"),
    ])
    func aNameIsNoneAtOnce(_ old: String, _ new: String) {
        var busters = CacheBusters()
        let isKnown = busters.learn(from: Self.url(old), to: Self.url(new))
        #expect(!isKnown && busters.differences(Self.url(old), Self.url(new)) == nil)
        let isKnownLater = busters.learn(from: Self.url(new), to: Self.url(old))
        #expect(isKnownLater)
    }

    /// A name such as `r` or `t` means a random number or a time only where the value is nothing else.
    @Test func marksMakeNoLikelyNameOne() {
        let busters = CacheBusters()
        func url(_ value: String) -> String { "https://t.example/b?r=\(value)&e=start" }
        #expect(busters.differences(url("1234567"), url("7654321")) == 0)
        #expect(busters.differences(url("/spots/10/20/305"), url("/spots/10/20/306")) == 1)
    }

    /// What other beacons have as before did not change: the URL is damaged, or another one.
    @Test func aValueThatIsConstantElsewhereIsNone() {
        var busters = CacheBusters()
        let constants = Set(busters.places(of: Self.url("7f3a91c2")))
        let isKnown = busters.learn(from: Self.url("7f3a91c2"), to: Self.url("8b21d4e5"), constants: constants)
        #expect(!isKnown)
        #expect(busters.differences(Self.url("7f3a91c2"), Self.url("8b21d4e5"), constants: constants) == nil)
        #expect(busters.differences(Self.url("7f3a91c2"), Self.url("8b21d4e5")) == 1)
    }

    /// An event asks for two beacons that differ in a number; a known cache buster changes all URLs with each poll.
    private static func document(_ poll: Int, damaged: String? = nil) -> [AdBreak] {
        let events = [(EventType.start, Int64(20_000)), (.midpoint, 25_000), (.complete, 30_000)].map { type, start in
            var event = TrackingEvent.test(type, start)
            event.urls = ["1", "2"].map { number in
                let number = type == .start && number == "1" ? damaged ?? number : number
                return "https://t.example/b?e=\(type.rawValue)&k=\(number)&cb=\(7_000_000 + poll)"
            }
            return event
        }
        return [.test("b", 20_000, 10_000, [.test("a", 20_000, 10_000, events)])]
    }

    /// A server that renews its cache busters does so in every URL; damage changes one.
    @Test func damageTeachesNothingWhereAllURLsChange() {
        var viewer = AdViewer()
        for poll in 0..<10 {
            viewer.metadata(Self.document(poll, damaged: poll % 2 == 1 ? "\(poll)" : nil), range: 0...60_000)
            viewer.play(Int64(poll) * 4_000, Int64(poll + 1) * 4_000)
        }
        let sent = viewer.requests.map { $0.replacing(/&cb=.*/, with: "") }
        for name in ["midpoint", "complete"] {
            for number in [1, 2] {
                #expect(sent.filter { $0.hasSuffix("e=\(name)&k=\(number)") }.count == 1, "\(name) \(number): \(sent)")
            }
        }
    }

    /// An event may ask for one beacon with two slots, where the value in which they differ became known as a cache buster. One of them that
    /// is replaced does not take the beacon from the other, and none stays claimed without a request.
    @Test func aReplacedSlotLeavesTheBeaconToTheOther() {
        var viewer = AdViewer()
        for poll in 0..<12 {
            var breaks = Self.document(poll)
            for index in breaks[0].ads[0].events.indices {
                breaks[0].ads[0].events[index].urls = breaks[0].ads[0].events[index].urls.enumerated().map { place, _ in
                    "https://t.example/b?e=\(index)&k=\(poll * 2 + place)&cb=\(7_000_000 + poll)"
                }
            }
            viewer.metadata(breaks, range: 0...60_000)
            viewer.play(Int64(poll) * 4_000, Int64(poll + 1) * 4_000)
        }
        let states = viewer.tracker.ledger.entries.values.flatMap { $0.delivery.urls.map(\.state) }
        #expect(!states.isEmpty && !states.contains(.claimed), "\(states)")
        let sent = viewer.requests.map { $0.replacing(/&k=.*/, with: "") }
        #expect(Set(sent).count == 3 && sent.count <= 6, "\(sent)")
    }

    private static func urls(_ token: String) -> [String] {
        [EventType.start, .firstQuartile, .midpoint, .thirdQuartile, .complete].map { type in
            "https://t.example/b?a=\(token)&e=\(type.rawValue)"
        }
    }

    private static func adBreak(_ name: String, _ token: String, at start: Int64, _ length: Int64) -> AdBreak {
        let types: [EventType] = [.start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
        let events = zip(types, urls(token)).enumerated().map { quarter, event in
            TrackingEvent.test(event.0, start + length * Int64(quarter) / 4, url: event.1)
        }
        return .test(name, start, length, [.test(name, start, length, events)])
    }

    /// Where a break is listed no more when the one that follows it is listed first, as after a late poll, the two ads are two, although
    /// they seem to overlap by what is rounded.
    @Test(
        arguments: [0, 1, 40, 100] as [Int64],
        [(15_015, 15_015), (10_000, 30_000), (30_000, 10_000)] as [(Int64, Int64)])
    func theAdThatFollowsIsAnotherOne(overlap: Int64, lengths: (Int64, Int64)) {
        var viewer = AdViewer()
        let end = 20_000 + lengths.0
        viewer.metadata([Self.adBreak("b1", "7f3a91c2", at: 20_000, lengths.0)])
        viewer.play(0, end)
        viewer.metadata([Self.adBreak("b2", "8b21d4e5", at: end - overlap, lengths.1)])
        viewer.play(end, end + 60_000)
        #expect(viewer.requests.sorted() == (Self.urls("7f3a91c2") + Self.urls("8b21d4e5")).sorted())
    }
}
