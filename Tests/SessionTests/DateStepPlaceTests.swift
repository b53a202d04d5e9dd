import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// PROGRAM-DATE-TIME steps where a break, an ad or the content behind them begins: each event comes with its media (TRK-30).
@Suite struct DateStepPlaceTests {
    /// Media of the ads: the first break at 80 to 104 s, the second at 140 to 160 s.
    private static let ads: [(adBreak: String, id: String, start: Int64, duration: Int64)] = [
        ("b1", "a1", 80_000, 8_000), ("b1", "a2", 88_000, 16_000), ("b2", "a3", 140_000, 20_000),
    ]
    private static let events: [(name: String, quarter: Int64)] = [
        ("impression", 0), ("start", 0), ("firstQuartile", 1), ("midpoint", 2), ("thirdQuartile", 3), ("complete", 4),
    ]

    /// How metadata dates the pod at the step.
    enum Metadata: CaseIterable {
        /// Each ad by its segments.
        case segments
        /// All ads as the first one.
        case pod
    }

    /// - Parameter end: media time from which on the dates are right again.
    private static func run(at: Int64, by: Int64, until end: Int64? = nil, _ metadata: Metadata) throws
        -> MonitorHarness
    {
        var origin = FakeOrigin()
        origin.dateStep = (at, by)
        origin.dateStepEnd = end
        func shift(_ media: Int64) -> Int64 { media >= at && media < (end ?? .max) ? by : 0 }
        for id in ["b1", "b2"] {
            let ads = Self.ads.filter { $0.adBreak == id }
            let first = ads.first?.start ?? 0
            // A pod that is dated as a whole has the clock from before the step in it.
            let whole = at <= first + 24_000 && first < 140_000 ? 0 : shift(first)
            origin.breaks.append(
                .init(
                    id: id,
                    ads: ads.map { ad in
                        let step = metadata == .segments ? shift(ad.start) : whole
                        return .init(ad.id, start: ad.start + step, duration: ad.duration)
                    }))
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(2))
        let joined = session.snapshot().playhead
        let latency = try #require(joined.latency)
        session.run(untilEdge: 200_000)
        for receipt in session.receipts {
            let media = try #require(Self.mediaTime(of: receipt.url))
            let late = receipt.at.wall - (FakeOrigin.start + .milliseconds(media) + latency)
            #expect(late.magnitude <= .milliseconds(250), "\(receipt.url): \(late)")
        }
        return session
    }

    /// The media time at which a beacon is due.
    private static func mediaTime(of url: String) -> Int64? {
        for ad in ads {
            for event in events where url == FakeOrigin.beacon(ad.id, event.name) {
                return ad.start + ad.duration * event.quarter / 4
            }
        }
        return nil
    }

    private static func plan(_ adBreak: String? = nil) -> [String] {
        ads.filter { adBreak == nil || $0.adBreak == adBreak }.flatMap { ad in
            events.map { FakeOrigin.beacon(ad.id, $0.name) }
        }.sorted()
    }

    /// The step is at the break, at the second ad, or at the content behind the break.
    @Test(arguments: [Int64(80_000), 88_000, 104_000], [Int64(-3_000), -1_000, 1_000, 2_000])
    func eachEventComesWithItsMedia(at: Int64, by: Int64) throws {
        for metadata in Metadata.allCases {
            let session = try Self.run(at: at, by: by, metadata)
            #expect(session.urls.sorted() == Self.plan(), "\(metadata)")
            for label in ["B1", "B2"] {
                #expect(session.log.count { $0.contains("break \(label) started") } == 1, "\(metadata) \(label)")
            }
        }
    }

    /// The step is in the content before the break, whose dates were shown before it. The playlist lists the media of the break by then.
    @Test(arguments: [Int64(-5_000), -6_000]) func aStepShortlyBeforeTheBreak(by: Int64) throws {
        let session = try Self.run(at: 76_000, by: by, .segments)
        #expect(session.urls.sorted() == Self.plan())
    }

    /// The break is so far behind a step that the playlist did not list it when the step was played; all of its dates, or a part of them,
    /// were shown before the step. Metadata lists it before the viewer reaches it, or even before the playlist lists its media.
    @Test(
        arguments: [(Int64(-28_000), Int64(100_000), Int64(10_000)), (-40_000, 104_000, 6_000)], [Int64(8_500), -4_000])
    func aBreakFarBehindTheStepWaitsForItsMedia(_ step: (by: Int64, media: Int64, rest: Int64), listed: Int64) throws {
        let (by, media, rest) = step
        var origin = FakeOrigin()
        origin.dateStep = (80_000, by)
        origin.discontinuities = [media]
        origin.breaks = [
            .init(
                id: "b1",
                ads: [
                    .init("a1", start: media + by, duration: 6_000),
                    .init("a2", start: media + by + 6_000, duration: rest),
                ])
        ]
        // The viewer is 12 s behind the edge.
        origin.listNothing(until: media + listed)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(2))
        let latency = try #require(session.snapshot().playhead.latency)
        session.run(untilEdge: 200_000)
        #expect(session.urls.sorted() == origin.plan)
        for event in origin.breaks[0].ads.flatMap({ ad in ad.events.map { (ad.start + $0.offset, $0) } }) {
            let receipt = try #require(session.receipts.first { $0.url == event.1.urls.first })
            let late = receipt.at.wall - (FakeOrigin.start + .milliseconds(event.0 - by) + latency)
            #expect(late >= .milliseconds(-250), "\(receipt.url): \(late)")
        }
    }

    /// The playlist tells only when it lists these dates again that the break was before the step: then it is late, and nothing of it is lost.
    @Test func lateMetadataOfABreakBeforeTheStepIsSent() throws {
        var origin = FakeOrigin()
        origin.dateStep = (80_000, -28_000)
        origin.breaks = [.init(id: "b1", ads: [.init("a1", start: 72_000, duration: 6_000)])]
        origin.listNothing(until: 94_000)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 103_500)
        #expect(session.urls.isEmpty)
        #expect(session.snapshot().event("start", ad: "a1")?.reason == .notReached)
        session.run(untilEdge: 110_000)
        #expect(session.urls.sorted() == origin.plan)
        session.run(untilEdge: 160_000)
        #expect(session.urls.count == origin.plan.count)
    }

    /// The encoder's clock is a day behind from the step on: the date of the break would come again in a day.
    @Test func lateMetadataDoesNotWaitForADay() throws {
        var origin = FakeOrigin()
        origin.dateStep = (80_000, -86_400_000)
        origin.breaks = [.init(id: "b1", ads: [.init("a1", start: 72_000, duration: 6_000)])]
        origin.listNothing(until: 94_000)
        let session = try MonitorHarness.ran(origin, until: 102_000)
        #expect(session.urls.sorted() == origin.plan)
    }

    /// The viewer seeks over the step: the dates behind it come a second time all the same.
    @Test(arguments: [Int64(96_000), 101_500]) func aSeekOverTheStepIsNoPlay(listed: Int64) throws {
        var origin = FakeOrigin()
        origin.dateStep = (80_000, -28_000)
        origin.discontinuities = [100_000]
        origin.breaks = [.init(id: "b1", ads: [.init("a1", start: 72_000, duration: 6_000)])]
        origin.listNothing(until: listed)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 91_500)
        session.submit(.playerCommanded(.seek(.by(.seconds(5)))))
        session.run(for: .milliseconds(100))
        let place = try #require(session.snapshot().playhead.date)
        #expect(place < FakeOrigin.start + .milliseconds(60_000), "behind the step")
        // The media of the break is due 100 s after the start of the stream, and the viewer 7 s behind the edge.
        session.run(untilEdge: 106_000)
        #expect(session.urls.isEmpty, "\(session.urls)")
        session.run(untilEdge: 160_000)
        #expect(session.urls.sorted() == origin.plan)
    }

    /// While dates are shown for the first time, what begins when they come again is not reached.
    @Test func whatBeginsBehindTheStepIsNotReached() throws {
        var origin = FakeOrigin()
        origin.dateStep = (80_000, -3_000)
        origin.breaks = [.init(id: "b1", ads: [.init("a1", start: 77_000, duration: 8_000)])]
        var session = try MonitorHarness(origin)
        session.start()
        // The viewer is 12 s behind the edge, at most 4 s of which are in no segment yet.
        session.run(untilEdge: 91_000)
        let snapshot = session.snapshot()
        let event = try #require(snapshot.event("start", ad: "a1"))
        #expect(event.state == .idle && event.reason == .notReached)
        #expect(session.urls.isEmpty)
    }

    /// The clock of the encoder is a day behind in a part of the pod, or from there on.
    @Test(arguments: [Int64(80_000), 84_000, 88_000, 92_000], [true, false])
    func aDayBackInAPodLosesNothingOfIt(at: Int64, comesBack: Bool) throws {
        let session = try Self.run(at: at, by: -86_400_000, until: comesBack ? 104_000 : nil, .pod)
        #expect(session.urls.sorted() == Self.plan())
    }

    @Test(arguments: [Int64(80_000), 88_000], [true, false])
    func adsThatAreDatedADayBackAreDueWithTheirMedia(at: Int64, comesBack: Bool) throws {
        let session = try Self.run(at: at, by: -86_400_000, until: comesBack ? 104_000 : nil, .segments)
        #expect(session.urls.sorted() == Self.plan())
    }

    /// What was shown while the clock was a day behind is found when metadata comes, even if the clock is right again.
    @Test(arguments: [Int64(110_000), 130_000]) func metadataMayComeBehindADayBack(late: Int64) throws {
        var origin = FakeOrigin()
        (origin.dateStep, origin.dateStepEnd) = ((84_000, -86_400_000), 104_000)
        let ads = Self.ads.filter { $0.adBreak == "b1" }
        origin.breaks = [.init(id: "b1", ads: ads.map { .init($0.id, start: $0.start, duration: $0.duration) })]
        origin.listNothing(until: late)
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 200_000)
        #expect(session.urls.sorted() == Self.plan("b1"))
    }
}
