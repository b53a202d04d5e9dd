import AdTracking
import Fleet
import Ports
import TestSupport
import Testing

@testable import Monitoring
@testable import Session

/// The row of a viewer in the table of a fleet.
@Suite struct ViewerHealthTests {
    /// All sums of a row have one base, so that what was lost is never more than what was sent.
    @Test func whatWasLostBeforeTheTakeoverIsNotCounted() {
        let now = Moment(wall: FakeOrigin.start, uptime: .seconds(10))
        let feed = FeedHealth(
            state: .good, status: 200, took: .milliseconds(38), bytes: 2_100, lastGoodAt: now, consecutiveFailures: 0)
        var health = SessionHealth(
            at: now, name: "one", mediaURL: "https://cdn.example.net/live.m3u8", phase: .running, mode: .fire,
            kind: .live, playhead: .playing, latency: .seconds(6), isOnAir: false, breaks: 1, ads: 1, playlist: feed,
            metadata: feed, events: [:], counters: Counters(), deliveries: DeliveryTally(), findings: [:])
        (health.counters.beaconsFailed, health.counters.earlierFailed) = (1, 4)
        (health.counters.beaconsUnknown, health.counters.earlierUnknown) = (2, 3)
        #expect(health.beacons.failed == 5 && health.beacons.unknown == 5)
        let row = ViewerHealth(health, of: 7, at: now)
        #expect(row.failed == 1 && row.unknown == 2)
    }
}
