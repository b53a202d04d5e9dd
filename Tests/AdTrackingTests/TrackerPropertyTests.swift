import Ports
import Testing

@testable import AdTracking

/// Properties that hold for any stream, any division of time and any order of documents. The name of a failure contains
/// the seed.
@Suite struct TrackerPropertyTests {
    /// A random run of breaks between 0 and 300 s with points, spans and user events.
    static func breaks(_ random: inout SplitMix64) -> [AdBreak] {
        var breaks: [AdBreak] = []
        var time = Int64.random(in: 0..<20_000, using: &random)
        while time < 300_000 {
            var ads: [Ad] = []
            let start = time
            for index in 0..<Int.random(in: 1...4, using: &random) {
                let length = Int64.random(in: 1_000...30_000, using: &random)
                ads.append(.full("a\(start)-\(index)", time, length))
                time += length
            }
            breaks.append(.test(Bool.random(using: &random) ? "b\(start)" : nil, start, time - start, ads))
            time += Int64.random(in: 0..<40_000, using: &random)
        }
        return breaks
    }

    @Test(arguments: Array(UInt64(1)...30))
    func cuttingTimeChangesNothing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let breaks = Self.breaks(&random)
        let from = Int64.random(in: 0..<100_000, using: &random)
        let through = from + Int64.random(in: 1...200_000, using: &random)
        var whole = AdViewer()
        whole.metadata(breaks)
        whole.play(from, through)

        var cut = AdViewer()
        cut.metadata(breaks)
        var places = (0..<Int.random(in: 1...300, using: &random)).map { _ in
            Int64.random(in: from...through, using: &random)
        }
        places = [from] + places.sorted() + [through]
        for (a, b) in zip(places, places.dropFirst()) { cut.play(a, b) }

        #expect(whole.requests == cut.requests, "seed \(seed)")
        #expect(Set(whole.requests).count == whole.requests.count, "seed \(seed)")
        #expect(whole.requests.sorted() == Self.expected(breaks, from, through).sorted(), "seed \(seed)")
    }

    /// The beacons of a viewer who joins at `from` and plays on, derived directly from the description.
    static func expected(_ breaks: [AdBreak], _ from: Int64, _ through: Int64) -> [String] {
        let tick = TrackingPolicy().tick.inMilliseconds
        return breaks.flatMap(\.ads).flatMap { ad in
            ad.events.filter { event in
                guard event.eventClass == .time else { return false }
                let start = event.start.milliseconds
                if event.isSpan { return start <= through && (start >= from || event.end.milliseconds > from) }
                if event.type == .complete { return from < start && start <= through }
                // Up to one tick before the entry, in an ad that continues.
                return start <= through && (start >= from || (start + tick >= from && ad.end.milliseconds > from))
            }.flatMap(\.urls)
        }
    }

    /// Whether metadata is known before a viewer joins, or comes while the first moments play, the same is reported: also what is
    /// due at the very place of the join (TRK-11).
    @Test(arguments: Array(UInt64(1)...60))
    func metadataAtTheJoinIsThatBeforeIt(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let breaks = Self.breaks(&random)
        let moments = breaks.flatMap(\.ads).flatMap(\.events).map(\.start.milliseconds)
        let tick = TrackingPolicy().tick.inMilliseconds
        for distance in [0, 1, -1, tick, -tick, tick + 1, -tick - 1] {
            let from = (moments.randomElement(using: &random) ?? 0) + distance
            let through = from + Int64.random(in: 1...60_000, using: &random)
            let expected = Self.expected(breaks, from, through).sorted()
            // Before the join, at it, after its first instant, and one frame and one second later.
            for played in [nil, 0, 1, tick, 1_000] as [Int64?] {
                var viewer = AdViewer()
                if played == nil { viewer.metadata(breaks) }
                viewer.seek(from)
                if played == 0 { viewer.metadata(breaks) }
                let first = min(through, from + (played ?? 0))
                viewer.play(from, first)
                if let played, played > 0 { viewer.metadata(breaks) }
                viewer.play(first, through)
                #expect(viewer.requests.sorted() == expected, "seed \(seed), \(distance) ms, after \(played ?? -1) ms")
            }
        }
    }

    @Test(arguments: Array(UInt64(1)...20))
    func mergingTwiceIsMergingOnce(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var book = BreakBook(session: "s")
        for _ in 0..<5 {
            let document = DecodedMetadata.test(Self.breaks(&random), range: 0...300_000)
            _ = book.merge(document, playhead: .ms(100_000), keep: .seconds(60))
            let once = book.breaks
            // Compared whole, and known to be the one before.
            for newest in [nil, document] {
                book.newest = newest
                let report = book.merge(document, playhead: .ms(100_000), keep: .seconds(60))
                #expect(book.breaks == once, "seed \(seed)")
                #expect(report == MergeReport(), "seed \(seed)")
            }
        }
    }

    /// Documents arrive late, out of order, with missing nodes, slightly moved starts and shortened durations; the
    /// viewer seeks and plays. No beacon is requested twice, and at the end every event that was played has been sent.
    @Test(arguments: Array(UInt64(1)...40))
    func eachBeaconOnceWhateverMetadataDoes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let breaks = Self.breaks(&random).map { adBreak in
            var adBreak = adBreak
            adBreak.name = "b\(adBreak.start.milliseconds)"
            return adBreak
        }
        var viewer = AdViewer()
        var position = Int64(0)
        for _ in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: viewer.metadata(Self.mutated(breaks, &random), range: 0...300_000)
            case 1: viewer.metadata([])
            case 2:
                position = Int64.random(in: 0..<300_000, using: &random)
                viewer.seek(position)
            default:
                let next = position + Int64.random(in: 0..<9_000, using: &random)
                viewer.play(position, next)
                position = next
            }
        }
        viewer.metadata(breaks, range: 0...400_000)
        #expect(Set(viewer.requests).count == viewer.requests.count, "seed \(seed)")
        for event in breaks.flatMap(\.ads).flatMap(\.events) where event.eventClass == .time && !event.isSpan {
            guard viewer.tracker.played.contains(event.start), event.type != .complete else { continue }
            #expect(viewer.requests.contains(event.urls[0]), "seed \(seed), \(event.urls[0])")
        }
    }

    static func mutated(_ breaks: [AdBreak], _ random: inout SplitMix64) -> [AdBreak] {
        breaks.compactMap { original in
            guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
            var adBreak = original
            let shift = Duration.milliseconds(Int64.random(in: -3_000...3_000, using: &random))
            let moves = Int.random(in: 0..<4, using: &random) == 0
            if moves { adBreak.start += shift }
            adBreak.ads = adBreak.ads.compactMap { ad in
                guard Int.random(in: 0..<6, using: &random) > 0 else { return nil }
                var ad = ad
                if moves {
                    ad.start += shift
                    for index in ad.events.indices { ad.events[index].start += shift }
                }
                if Int.random(in: 0..<4, using: &random) == 0 { ad.duration = ad.duration / 2 }
                ad.events.shuffle(using: &random)
                return ad
            }
            return adBreak
        }
    }

    /// Documents of the past send no beacon again, however often they arrive.
    @Test(arguments: Array(UInt64(1)...10))
    func oldMetadataRevivesNothing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let breaks = Self.breaks(&random)
        var viewer = AdViewer()
        viewer.metadata(breaks)
        viewer.play(0, 400_000)
        let sent = viewer.requests
        viewer.play(400_000, 9_000_000)
        viewer.metadata([], range: 8_900_000...9_010_000)
        #expect(viewer.tracker.book.breaks.isEmpty, "seed \(seed)")
        for _ in 0..<3 {
            viewer.metadata(breaks)
            viewer.seek(0)
            viewer.play(0, 400_000)
            viewer.play(400_000, 9_000_000)
            viewer.metadata([], range: 8_900_000...9_010_000)
        }
        #expect(viewer.requests == sent, "seed \(seed)")
    }
}
