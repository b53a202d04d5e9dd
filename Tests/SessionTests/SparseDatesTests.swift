import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Live streams in which most lists have no PROGRAM-DATE-TIME: dates count on from the last one (HLS-12).
@Suite struct SparseDatesTests {
    private static func check(
        _ origin: FakeOrigin, joinAt: Int64 = 60_000, until edge: Int64,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        var session = try MonitorHarness(origin, joinAt: joinAt)
        session.start()
        session.run(untilEdge: edge)
        #expect(session.urls.sorted() == origin.plan, sourceLocation: location)
        #expect(session.snapshot().events.allSatisfy { $0.state == .done }, sourceLocation: location)
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L46" }, sourceLocation: location)
        // The viewer is always as far behind the live edge, and so are the beacons.
        var lags: [Int64] = []
        for ad in origin.breaks.flatMap(\.ads) {
            for event in ad.events {
                let receipt = try #require(session.receipts.first { $0.url == event.urls.first })
                lags.append((receipt.at.wall - FakeOrigin.start).inMilliseconds - ad.start - event.offset)
            }
        }
        let spread = try #require(lags.max()) - (try #require(lags.min()))
        #expect(spread <= 10, "\(lags)", sourceLocation: location)
    }

    /// The window has 8 segments, and each 30th one has a date: at 120 s, where the viewer joins, and at 240 s, inside the last ad.
    @Test func aDateOnEachThirtiethSegmentIsEnough() throws {
        var origin = FakeOrigin(breaks: [
            .init(
                id: "b1",
                ads: [.init("a1", start: 160_000, duration: 10_000), .init("a2", start: 170_000, duration: 15_000)]),
            .init(id: "b2", ads: [.init("a3", start: 230_000, duration: 20_000)]),
        ])
        origin.isDated = { $0.isMultiple(of: 30) }
        try Self.check(origin, joinAt: 130_000, until: 300_000)
    }

    @Test func datesThatEndInTheFirstAdLoseNothing() throws {
        var origin = MainPathTests.twoBreaks
        origin.isDated = { $0 < 21 }
        try Self.check(origin, until: 200_000)
    }

    /// Markers that no date places are one finding, whatever the number of reloads.
    @Test(arguments: [true, false]) func markersWithoutDatesAreAFinding(hasDates: Bool) throws {
        var origin = FakeOrigin(hasDates: hasDates)
        origin.tags = ["#EXT-X-CUE-OUT:20"]
        var session = try MonitorHarness(origin, joinAt: 60_000)
        session.start()
        session.run(untilEdge: 90_000)
        let snapshot = session.snapshot()
        let counts = snapshot.findings.filter { $0.finding.rule == "markers-without-dates" }.map(\.count)
        #expect(counts == (hasDates ? [] : [1]))
        #expect(snapshot.marksUndatedBreaks != hasDates)
        #expect(snapshot.breaks.isEmpty != hasDates)
    }

    /// Segments in the middle of the pod are in no list that has a date.
    @Test func aPodWithoutDatesThatIsLongerThanTheWindow() throws {
        var origin = FakeOrigin(
            breaks: [
                .init(
                    id: "b1",
                    ads: [.init("a1", start: 80_000, duration: 24_000), .init("a2", start: 104_000, duration: 24_000)])
            ], segmentsInWindow: 5)
        origin.isDated = { !(20..<32).contains($0) }
        try Self.check(origin, until: 200_000)
    }
}
