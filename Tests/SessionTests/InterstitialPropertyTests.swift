import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// Properties of interstitials for any division of time, any actions and any answers. Failure messages contain the
/// seeds.
@Suite struct InterstitialPropertyTests {
    /// One that replaces, one that inserts, one behind it at the same date, and a stitched break.
    private static let interstitials = [
        FakeInterstitial(id: "p", start: 75_000, assets: [7_000, 5_500]),
        FakeInterstitial(id: "q", start: 100_000, assets: [6_000], attributes: ",X-RESUME-OFFSET=0"),
        FakeInterstitial(
            id: "r", start: 100_000, assets: [4_000, 3_000], attributes: ",X-RESUME-OFFSET=2,X-SNAP=\"IN\""),
    ]
    private static let breaks = [FakeOrigin.Break(id: "b", ads: [.init("a", start: 104_000, duration: 10_000)])]
    private static var plan: [String] {
        (interstitials.flatMap(\.plan) + FakeOrigin(breaks: breaks).plan).sorted()
    }

    /// a→c equals a→b→c: each beacon is sent at the same instant, however often the session wakes.
    @Test(arguments: 0..<12 as Range<UInt64>) func tickSplittingChangesNothing(seed: UInt64) throws {
        var plain = try MonitorHarness(.playing(Self.interstitials, breaks: Self.breaks))
        plain.start()
        plain.run(untilEdge: 200_000)
        #expect(plain.urls.sorted() == Self.plan)
        var split = try MonitorHarness(.playing(Self.interstitials, breaks: Self.breaks))
        split.start()
        var random = SplitMix64(seed: seed)
        while split.now.wall < FakeOrigin.start + .seconds(200) {
            split.run(for: .milliseconds(Int64(random.next() % 1_700)))
            split.submit(.woke)
        }
        split.run(untilEdge: 200_000)
        #expect(split.urls.sorted() == Self.plan, "seed \(seed)")
    }

    /// Late alarms delay beacons and lose none.
    @Test(arguments: 0..<8 as Range<UInt64>) func lateAlarmsLoseNothing(seed: UInt64) throws {
        var session = try MonitorHarness(.playing(Self.interstitials, breaks: Self.breaks))
        session.start()
        var random = SplitMix64(seed: seed)
        while session.now.wall < FakeOrigin.start + .seconds(200) {
            session.run(for: .milliseconds(Int64(random.next() % 6_000)))
            session.now = session.now.advanced(by: .milliseconds(Int64(random.next() % 1_500)))
            session.submit(.woke)
        }
        #expect(session.urls.sorted() == Self.plan, "seed \(seed)")
    }

    /// No timed beacon is sent twice, whatever the actions and network failures.
    @Test(arguments: 0..<40 as Range<UInt64>) func noBeaconIsSentTwice(seed: UInt64) throws {
        let origin = FakeOrigin.playing(Self.interstitials, breaks: Self.breaks) { request, now, count in
            guard !request.url.path.hasSuffix("/b") else { return nil }
            var random = SplitMix64(seed: seed ^ UInt64(bitPattern: now.uptime.inMicroseconds) ^ UInt64(count))
            switch random.next() % 12 {
            case 0: return FakeOrigin.failure(.timeout, "no answer", delay: .seconds(5))
            case 1: return FakeOrigin.status(503, request)
            case 2: return FakeOrigin.text("<html>", type: "text/html", of: request)
            default: return nil
            }
        }
        var session = try MonitorHarness(origin) { $0.seed = seed }
        session.start()
        var random = SplitMix64(seed: seed)
        session.disturb(&random, for: .seconds(200), pauses: 2_500)
        let timed = session.urls.filter { !$0.hasSuffix("e=mute") }
        #expect(Set(timed).count == timed.count, "seed \(seed)")
        #expect(Set(timed).isSubset(of: Self.plan), "seed \(seed)")
    }

    /// A replayed recording shows the same as the live session.
    @Test(arguments: 0..<4 as Range<UInt64>) func replayEqualsLive(seed: UInt64) throws {
        var session = try MonitorHarness(.playing(Self.interstitials, breaks: Self.breaks)) { $0.seed = seed }
        session.start()
        var random = SplitMix64(seed: seed)
        let seen = session.disturb(&random, for: .seconds(140), pauses: 4_000, noting: PropertyTests.text)
        var replay = Replay(try session.recorded(.none))
        for (position, expected) in seen {
            replay.move(to: position)
            #expect(PropertyTests.text(replay.snapshot()) == expected, "seed \(seed), input \(position)")
        }
    }
}
