import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A packager that stops for a while, and streams without dates.
@Suite struct PackagerStallTests {
    /// The list of each variant stands still from 100 s and then grows again in real time, as far behind as it stood still.
    private static func stalling(for pause: Int64) -> FakeOrigin {
        var origin = FakeOrigin()
        let stream = origin
        origin.override = { request, now, _ in
            guard ["high.m3u8", "low.m3u8"].contains(where: request.url.path.hasSuffix) else { return nil }
            let media = (now.wall - FakeOrigin.start).inMilliseconds
            let behind = min(max(0, media - 100_000), pause)
            let then = Moment(wall: now.wall - .milliseconds(behind), uptime: now.uptime)
            return FakeOrigin.text(stream.playlist(at: then), type: "application/vnd.apple.mpegurl", of: request)
        }
        return origin
    }

    /// The viewer stalls once and resumes once, instead of at every reload.
    @Test(arguments: [Int64(14_000), 20_000, 21_500, 33_300]) func aStallIsOneStall(pause: Int64) throws {
        var session = try MonitorHarness(Self.stalling(for: pause))
        session.start()
        session.run(untilEdge: 300_000)
        #expect(session.log.count { $0.contains("playhead stalled") } == 1, "\(session.log)")
        #expect(session.log.count { $0.contains("resumed after a stall") } == 1)
        #expect(session.snapshot().playhead.state == .playing)
    }

    @Test func metadataWithoutDatesIsAFinding() throws {
        var origin = MainPathTests.twoBreaks
        origin.hasDates = false
        var session = try MonitorHarness.ran(origin)
        let finding = try #require(session.snapshot().findings.first { $0.finding.rule == "L46" })
        #expect(finding.finding.message.contains("no PROGRAM-DATE-TIME"))
        #expect(finding.finding.severity == .error)
    }

    @Test func datesAreNoFinding() throws {
        var session = try MonitorHarness.ran()
        #expect(!session.snapshot().findings.contains { $0.finding.rule == "L46" })
    }

    /// A step inside an ad is reported, one outside of ads is not.
    @Test(arguments: [(Int64(84_000), true), (120_000, false)]) func aStepInsideAnAdIsAFinding(at: Int64, isFound: Bool)
        throws
    {
        var origin = MainPathTests.twoBreaks
        origin.dateStep = (at, 8_000)
        var session = try MonitorHarness.ran(origin, until: 130_000)
        let finding = session.snapshot().findings.first { $0.finding.rule == "L46" }
        #expect((finding != nil) == isFound)
        if isFound {
            #expect(
                finding?.finding.message
                    == "PROGRAM-DATE-TIME steps by 8000 ms inside ad a1 while its media continues")
        }
    }
}
