/// A beacon a correct viewer sends.
package struct PlannedBeacon: Sendable, Equatable {
    /// Path and query at the collector.
    package let target: String
    /// Event name.
    package let event: String
    /// Id of the break.
    package let breakId: String
    /// Id of the ad, as in the URL.
    package let adId: String
    /// 1-based index of the URL within its event.
    package let urlIndex: Int
    /// When it is due, epoch ms of media time.
    package let atMs: Int
}

extension LiveStream {
    /// The beacons a viewer who plays without a break from `fromMs` through `toMs` (epoch ms of media time) must send,
    /// each exactly once, by time.
    ///
    /// A viewer who `joins` at `fromMs` also reports what lies exactly there and the spans that last there; without
    /// that the interval is open at its start, so that the plans of adjoining intervals add up to the plan of the
    /// whole (ssai-tracking 1.16 rule 3). Ads the metadata never lists with URLs are not due. The metadata of a late
    /// ad arrives after `atMs`; the beacon is due none the less (1.9).
    package func plan(session: String, fromMs: Int, toMs: Int, joins: Bool) -> [PlannedBeacon] {
        var beacons: [PlannedBeacon] = []
        for adBreak in breaks(from: fromMs, through: toMs) {
            for ad in adBreak.ads where !ad.creative.oddities.contains(.noTrackingEvents) {
                for event in ad.events where event.isAutomatic {
                    guard let atMs = event.dueMs(fromMs: fromMs, toMs: toMs, joins: joins) else { continue }
                    for index in 1...event.urlCount {
                        let link = BeaconLink(session: session, ad: ad, event: event.name, urlIndex: index)
                        beacons.append(
                            PlannedBeacon(
                                target: link.target(scenario: scenario.name), event: event.name, breakId: adBreak.id,
                                adId: ad.id, urlIndex: index, atMs: atMs))
                    }
                }
            }
        }
        // Stable: beacons due at the same moment keep metadata order.
        return beacons.enumerated().sorted { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }.map(
            \.element)
    }
}

extension PlannedEvent {
    /// When the event is due for a viewer who plays from `fromMs` through `toMs`; nil when it is not.
    func dueMs(fromMs: Int, toMs: Int, joins: Bool) -> Int? {
        if startMs > fromMs { return startMs <= toMs ? startMs : nil }
        guard joins, fromMs <= toMs else { return nil }
        if startMs == fromMs { return startMs }
        return startMs + durationMs > fromMs ? fromMs : nil
    }
}
