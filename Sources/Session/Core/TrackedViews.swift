import AdTracking
import HLS
import Ports

extension BreakEvidenceView {
    init?(_ marker: TrackedBreak) {
        guard let start = marker.start else { return nil }
        self.init(
            source: AdBreak.Source.marker.rawValue, kind: marker.source.word, name: marker.markerID ?? "", start: start,
            duration: marker.expectedEnd.map { max(.zero, $0 - start) }, eventIDs: marker.eventIDs.sorted())
    }

    /// The breaks of date ranges that describe these ads.
    fileprivate static func signaled(_ ads: [SignaledAd]) -> [BreakEvidenceView] {
        Dictionary(grouping: ads, by: \.breakName).compactMap { name, ads -> BreakEvidenceView? in
            guard let start = ads.map(\.start).min(), let end = ads.map(\.end).max() else { return nil }
            let isKnown = ads.allSatisfy { $0.duration > .zero }
            return BreakEvidenceView(
                source: AdBreak.Source.signaling.rawValue, name: name, start: start,
                duration: isKnown ? end - start : nil)
        }
        .sorted { ($0.start, $0.name) < ($1.start, $1.name) }
    }
}

// Views are made by functions: an initialiser owns its parameters, so each view would copy the tracker.
extension BreakView {
    static func view(
        of adBreak: KnownBreak, _ tracker: AdTracker, _ context: BreakViews.Context
    ) -> BreakView {
        let onAir = context.air.current
        let ads = adBreak.ads.enumerated().map { index, ad in
            AdView.view(
                of: ad, label: "A\(index + 1)", tracker, isPaused: context.isPaused, isOnAir: onAir.adID == ad.id,
                creative: context.creatives[ad.id])
        }
        var view = BreakView(
            id: ViewID.text(adBreak.id), name: adBreak.name.text, label: context.air.label(of: adBreak.id),
            start: adBreak.start, duration: adBreak.duration, plannedEnd: max(adBreak.plannedEnd, adBreak.end),
            source: adBreak.source.rawValue, isOnAir: onAir.breakID == adBreak.id, hasEnded: false,
            hasVanished: adBreak.presence == .vanished, ads: ads)
        view.growth = context.growth.growth(of: adBreak.id)
        let signaled = BreakEvidenceView.signaled(adBreak.presentAds.compactMap(\.details.signaled))
        guard !signaled.isEmpty else { return view }
        let own = BreakEvidenceView(source: view.source, name: view.name, start: view.start, duration: view.duration)
        view.evidence = [own] + signaled
        view.source += "+\(AdBreak.Source.signaling.rawValue)"
        return view
    }

    init(_ marker: TrackedBreak, start: UnixTime, end: UnixTime) {
        self.init(
            id: "m\(marker.number)", name: marker.markerID ?? "", label: "M\(marker.number + 1)", start: start,
            duration: end - start, plannedEnd: end, source: AdBreak.Source.marker.rawValue, isOnAir: false,
            hasEnded: false,
            hasVanished: false, ads: [])
    }
}

extension AdView {
    fileprivate static func view(
        of ad: KnownAd, label: String, _ tracker: AdTracker, isPaused: Bool, isOnAir: Bool, creative: CreativeView?
    ) -> AdView {
        AdView(
            id: ViewID.text(ad.id), name: ad.name.text, label: label, start: ad.start, duration: ad.details.duration,
            isOnAir: isOnAir, hasVanished: ad.presence == .vanished, clickThrough: ad.details.clickThrough,
            events: ad.events.map { EventView.view(of: $0, tracker, isPaused: isPaused) },
            extras: AdExtras.lines(of: ad.ad),
            creative: creative ?? CreativeView(ad.ad))
    }
}

extension EventView {
    fileprivate static func view(of known: KnownEvent, _ tracker: AdTracker, isPaused: Bool) -> EventView {
        let status = tracker.status(of: known.id, isPaused: isPaused)
        let urls =
            tracker.ledger[known.id]?.urls.enumerated().map { URLView($1, of: known.id, index: $0) }
            ?? known.event.urls.enumerated().map { URLView(unregistered: $1, of: known.id, index: $0) }
        return EventView(
            id: ViewID.text(known.id), event: known.event.rawName, start: known.event.start,
            duration: known.event.duration, state: status?.state ?? .idle, reason: status?.reason,
            isUserTriggered: known.event.eventClass == .user, urls: urls,
            isBeforeJoin: status?.isBeforeJoin ?? false, isWithdrawn: status?.isWithdrawn ?? false)
    }
}

extension URLView {
    fileprivate init(_ delivery: URLDelivery, of event: EventID, index: Int) {
        self.init(delivery, id: ViewID.text(event, url: index))
        guard let uptime = delivery.retryAt, let last = delivery.attempts.last else { return }
        retryAt = last.at.advanced(by: uptime - last.at.uptime)
    }

    fileprivate init(unregistered url: String, of event: EventID, index: Int) {
        self.init(id: ViewID.text(event, url: index), url: url, state: .planned, attempts: [])
    }
}
