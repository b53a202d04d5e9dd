import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The dates of the playlist step inside a pod, while the media continues (TRK-30).
@Suite struct DateStepTests {
    private static func run(at: Int64, by: Int64, late: Int64 = 0) throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.dateStep = (at, by)
        if late > 0 { origin.listNothing(until: late) }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        return session
    }

    /// The first pod lies at 80 to 105 s; the steps lie in its first ad, at the seam of both and in the second.
    @Test(arguments: [Int64(84_000), 88_000, 92_000, 100_000], [Int64(5_000), 8_000, 21_000, -5_000, -9_000])
    func aStepInAPodLosesNoBeacon(at: Int64, by: Int64) throws {
        var session = try Self.run(at: at, by: by)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(session.snapshot().events.allSatisfy { $0.state == .done })
    }

    /// Each beacon of the pod goes out when its media is shown: as far from the first one as in the plan.
    @Test(arguments: [Int64(8_000), -8_000]) func eventsKeepTheirDistance(by: Int64) throws {
        let session = try Self.run(at: 84_000, by: by)
        let ads = MainPathTests.twoBreaks.breaks[0].ads
        let first = try #require(session.receipts.first { $0.url.contains("ad=a1&e=impression") }).at.uptime
        for ad in ads {
            for event in ad.events {
                let receipt = try #require(session.receipts.first { $0.url == event.urls.first })
                let planned = Duration.milliseconds(ad.start + event.offset - ads[0].start)
                let distance = receipt.at.uptime - first - planned
                #expect(distance >= .milliseconds(-5) && distance <= .milliseconds(5), "\(receipt.url): \(distance)")
            }
        }
    }

    @Test(arguments: [Int64(8_000), -8_000]) func metadataAfterTheStepIsNotTooLate(by: Int64) throws {
        let session = try Self.run(at: 84_000, by: by, late: 118_000)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
    }

    /// A step between breaks skips what it passes over: that was never in the stream.
    @Test func aStepOverABreakReportsNothingOfIt() throws {
        var session = try Self.run(at: 72_000, by: 40_000)
        #expect(!session.urls.contains { $0.contains("ad=a1") })
        #expect(session.snapshot().event("start", ad: "a1")?.state == .skipped)
    }
}
