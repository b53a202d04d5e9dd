extension LiveStream {
    /// The beacons of an interstitial (TRK-30, HLS-21).
    ///
    /// The primary stream holds its position while an interstitial plays, so the whole pod belongs to its start: it is
    /// due when the start is in the interval, even if the pod ends after the interval. `atMs` is the presentation date:
    /// the start plus the time played. A viewer who joins between start and resumption begins inside the pod and does
    /// not report earlier events. A preroll starts where the viewer joins.
    ///
    /// Not due: events at or beyond the playout limit, pods without signaling, and lists that fail or are empty.
    func interstitialBeacons(
        _ adBreak: PlannedBreak, session: String, interval: PlanInterval
    ) -> [PlannedBeacon] {
        let shape = adBreak.pod.interstitial
        guard shape.asset == .list, !isRefused(.assetList, pod: adBreak.podNumber) else { return [] }
        let playedMs = min(adBreak.durationMs, shape.playoutLimitMs ?? .max)
        let startMs = adBreak.number == 0 ? interval.fromMs : adBreak.startMs
        let skippedMs: Int
        if interval.contains(startMs) {
            skippedMs = 0
        } else if interval.joins, startMs < interval.fromMs,
            interval.fromMs < startMs + min(playedMs, shape.resumeOffsetMs ?? playedMs)
        {
            skippedMs = interval.fromMs - startMs
        } else {
            return []
        }
        return podEvents(adBreak, session: session).filter { event in
            event.offsetMs >= skippedMs && (event.offsetMs < playedMs || playedMs == adBreak.durationMs)
        }.map { beacon($0.link, atMs: startMs + $0.offsetMs) }
    }

    /// An event of a pod at its offset from the pod's start.
    struct PodEvent {
        /// Offset from the start of the pod in ms.
        var offsetMs: Int
        /// The URL of the event.
        var link: BeaconLink
    }

    /// The events of the ads and of the pod that playback reports without an action of the viewer.
    private func podEvents(_ adBreak: PlannedBreak, session: String) -> [PodEvent] {
        var events: [PodEvent] = []
        if adBreak.pod.interstitial.hasPodTracking {
            events.append(podEvent("podStart", of: adBreak, session: session, offsetMs: 0))
        }
        for ad in adBreak.ads {
            for event in ad.events where event.isAutomatic {
                for index in 1...event.urlCount {
                    events.append(
                        PodEvent(
                            offsetMs: event.startMs - adBreak.startMs,
                            link: BeaconLink(session: session, ad: ad, event: event.name, urlIndex: index)))
                }
            }
        }
        if adBreak.pod.interstitial.hasPodTracking {
            events.append(podEvent("podEnd", of: adBreak, session: session, offsetMs: adBreak.durationMs))
        }
        return events
    }

    private func podEvent(_ name: String, of adBreak: PlannedBreak, session: String, offsetMs: Int) -> PodEvent {
        PodEvent(offsetMs: offsetMs, link: BeaconLink(session: session, podOf: adBreak.id, event: name))
    }
}
