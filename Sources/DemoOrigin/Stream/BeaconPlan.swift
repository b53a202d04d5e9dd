/// A beacon that a correct viewer sends.
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
    /// The beacons, by time, that a viewer must send exactly once when playing without interruption from `fromMs`
    /// through `toMs` (epoch ms, program dates).
    ///
    /// A viewer who `joins` at `fromMs` also reports the events exactly there and the spans that include it. Otherwise
    /// the interval is open at its start, so that the plans of adjoining intervals add up to the plan of the whole
    /// (TRK-12). Ads that the metadata never lists with URLs are not due. The metadata of a late ad arrives after
    /// `atMs`; its beacon is still due (TRK-11). Ads of a decision that the scenario rejects are not due.
    ///
    /// Interstitials: see ``interstitialBeacons(_:session:interval:)``.
    package func plan(session: String, fromMs: Int, toMs: Int, joins: Bool) -> [PlannedBeacon] {
        let interval = PlanInterval(fromMs: fromMs, toMs: toMs, joins: joins)
        let isInterstitial = scenario.breaks?.delivery == .interstitials
        var beacons: [PlannedBeacon] = []
        if joins, let preroll { beacons += interstitialBeacons(preroll, session: session, interval: interval) }
        for adBreak in breaks(from: fromMs, through: toMs) {
            beacons +=
                isInterstitial
                ? interstitialBeacons(adBreak, session: session, interval: interval)
                : stitchedBeacons(adBreak, session: session, interval: interval)
        }
        // Stable: beacons due at the same moment keep metadata order.
        return beacons.enumerated().sorted { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }.map(
            \.element)
    }

    /// The beacons of a break whose ads are on the stream's timeline, from metadata or from an ad server.
    private func stitchedBeacons(
        _ adBreak: PlannedBreak, session: String, interval: PlanInterval
    ) -> [PlannedBeacon] {
        guard scenario.vastTag == nil || !isRefused(.vast, pod: adBreak.podNumber) else { return [] }
        var beacons: [PlannedBeacon] = []
        for ad in adBreak.ads where !ad.creative.oddities.contains(.noTrackingEvents) {
            for event in ad.events where event.isAutomatic && scenario.session.isReportedByViewer(event.name) {
                guard let atMs = interval.dueMs(event, isSpan: event.durationMs > 0 && scenario.vastTag == nil) else {
                    continue
                }
                for link in links(for: event, of: ad, in: adBreak, session: session) {
                    beacons.append(beacon(link, atMs: atMs))
                }
            }
        }
        return beacons
    }

    /// The URLs of an event: those of the ad, then one of each wrapper around it, innermost first.
    private func links(
        for event: PlannedEvent, of ad: PlannedAd, in adBreak: PlannedBreak, session: String
    ) -> [BeaconLink] {
        let count = scenario.session.dialect.verifiesMedia ? 1 : event.urlCount
        let own = (1...count).map { BeaconLink(session: session, ad: ad, event: event.name, urlIndex: $0) }
        guard scenario.vastTag != nil, adBreak.pod.wrappers > 0, BeaconLink.wrapperEvents.contains(event.name) else {
            return own
        }
        return own
            + (1...adBreak.pod.wrappers).map {
                BeaconLink(session: session, breakId: adBreak.id, wrapper: $0, event: event.name)
            }
    }

    /// A planned beacon for `link`.
    func beacon(_ link: BeaconLink, atMs: Int) -> PlannedBeacon {
        PlannedBeacon(
            target: scenario.session.dialect.verifiesMedia
                ? MediaID(link).target(scenario: scenario.name) : link.target(scenario: scenario.name),
            event: link.event, breakId: link.breakId, adId: link.adId,
            urlIndex: link.urlIndex, atMs: atMs)
    }

    /// Whether the scenario never answers a request for the ads of pod `pod` with ads.
    func isRefused(_ endpoint: DecisionEndpoint, pod: Int) -> Bool {
        guard let rule = scenario.decisionRule(endpoint, pod: pod) else { return false }
        return rule.times == nil && rule.answer.isRefusal
    }
}

extension Scenario {
    /// The first rule that matches requests of `endpoint` for the ads of `pod`.
    func decisionRule(_ endpoint: DecisionEndpoint, pod: Int?) -> DecisionRule? {
        decisions.first { ($0.endpoint ?? endpoint) == endpoint && ($0.pod == nil || $0.pod == pod) }
    }
}

/// The interval of a plan.
struct PlanInterval: Equatable {
    /// Start of playback, program date in epoch ms.
    var fromMs: Int
    /// End of playback, program date in epoch ms.
    var toMs: Int
    /// Whether the viewer joins at the start, rather than having played before it.
    var joins: Bool

    /// Whether the viewer passes `timeMs`.
    func contains(_ timeMs: Int) -> Bool {
        (joins ? timeMs >= fromMs : timeMs > fromMs) && timeMs <= toMs
    }

    /// The due time of the event; nil when it is not due. A span is also due for a viewer who joins during it.
    func dueMs(_ event: PlannedEvent, isSpan: Bool) -> Int? {
        if contains(event.startMs) { return event.startMs }
        guard joins, isSpan, fromMs <= toMs else { return nil }
        return event.startMs < fromMs && event.startMs + event.durationMs > fromMs ? fromMs : nil
    }
}
