/// The tracking data of a session in the form of AWS Elemental MediaTailor, from its documentation: avails with ads and events
/// in seconds of the session, in two spellings, with dates of avails and ads.
struct TrackingText {
    let stream: LiveStream
    /// The session in the beacon URLs.
    let session: String
    /// Scheme and authority of the beacon URLs.
    let origin: String
    /// Second 0, epoch ms.
    let zeroMs: Int

    /// The ads known at the live edge that end after a position; an ad is known whole when it begins.
    func document(edgeMs: Int, endingAfter fromMs: Int, token: String) -> JSONText {
        // A session has no ads from before its first segment.
        let startMs = max(zeroMs, edgeMs - stream.scenario.metadata.windowMs)
        let avails = stream.breaks(from: startMs, through: edgeMs).compactMap { adBreak -> JSONText? in
            guard adBreak.startMs >= zeroMs else { return nil }
            let known = adBreak.ads.filter { $0.startMs < edgeMs }
            let listed = known.filter { $0.startMs + $0.durationMs > fromMs }
            return listed.isEmpty ? nil : avail(adBreak, listed, knownMs: known.reduce(0) { $0 + $1.durationMs })
        }
        return .object([
            .init("avails", .array(avails)), .init("nonLinearAvails", .array([])), .init("nextToken", .string(token)),
            .init("dashAvailabilityStartTime", .null), .init("hlsAnchorMediaSequenceNumber", .null),
        ])
    }

    /// - Parameter knownMs: length of the ads that are known.
    private func avail(_ adBreak: PlannedBreak, _ ads: [PlannedAd], knownMs: Int) -> JSONText {
        let times = times(adBreak.startMs, knownMs)
        return .object(
            [.init("availId", .string(adBreak.id))] + times + [
                .init("adMarkerDuration", .string("PT\(SecondsText.text(milliseconds: adBreak.durationMs))S")),
                .init("availProgramDateTime", .string(UTCDateText.text(epochMs: adBreak.startMs))),
                .init("ads", .array(ads.map(ad))), .init("adBreakTrackingEvents", .array([])),
                .init("nonLinearAdsList", .array([])),
            ])
    }

    private func ad(_ ad: PlannedAd) -> JSONText {
        .object(
            [.init("adId", .string(ad.displayId)), .init("creativeId", .string(ad.name))]
                + times(ad.startMs, ad.durationMs) + [
                    .init("adProgramDateTime", .string(UTCDateText.text(epochMs: ad.startMs))),
                    .init("trackingEvents", .array(ad.events.map { event($0, of: ad) } + [landingPage(of: ad)])),
                    .init("companionAds", .array([])), .init("mediaFiles", .null),
                ])
    }

    private func event(_ event: PlannedEvent, of ad: PlannedAd) -> JSONText {
        let urls = (1...event.urlCount).map { JSONText.string(url(ad, event.name, $0)) }
        return .object(
            [.init("eventType", .string(event.name))] + times(event.startMs, event.durationMs) + [
                .init("beaconUrls", .array(urls))
            ])
    }

    /// It leads to the collector, so that a viewer who requests it is seen.
    private func landingPage(of ad: PlannedAd) -> JSONText {
        .object(
            [.init("eventType", .string("clickThrough"))] + times(ad.startMs, ad.durationMs) + [
                .init("beaconUrls", .array([.string(url(ad, "clickThrough", 1))]))
            ])
    }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int) -> String {
        origin
            + BeaconLink(session: session, ad: ad, event: event, urlIndex: index).target(scenario: stream.scenario.name)
    }

    /// Start and length in both spellings.
    private func times(_ startMs: Int, _ lengthMs: Int) -> [JSONText.Member] {
        let start = SecondsText.text(milliseconds: startMs - zeroMs)
        let length = SecondsText.text(milliseconds: lengthMs)
        return [
            .init("startTime", .string("PT\(start)S")), .init("startTimeInSeconds", .number(start)),
            .init("duration", .string("PT\(length)S")), .init("durationInSeconds", .number(length)),
        ]
    }
}
