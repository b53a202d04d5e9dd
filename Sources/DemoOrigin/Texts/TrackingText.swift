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
    /// How the page differs from the plan.
    let version: MetadataVersion

    /// The ads known at the live edge that end after a position; an ad is known whole when it begins.
    func document(edgeMs: Int, endingAfter fromMs: Int, token: String) -> JSONText {
        // A session has no ads from before its first segment.
        let startMs = max(zeroMs, edgeMs - stream.scenario.metadata.windowMs)
        let avails = stream.breaks(from: startMs, through: edgeMs).compactMap { adBreak -> JSONText? in
            guard adBreak.startMs >= zeroMs else { return nil }
            let shiftMs = version.shiftMs(ofBreak: adBreak.number)
            let known = adBreak.ads.filter { $0.startMs < edgeMs && $0.startMs + shiftMs < edgeMs }
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
        let startMs = adBreak.startMs + version.shiftMs(ofBreak: adBreak.number)
        return .object(
            [.init("availId", .string(version.id(adBreak.id)))] + times(startMs, knownMs) + [
                .init("adMarkerDuration", .string("PT\(SecondsText.text(milliseconds: adBreak.durationMs))S")),
                .init("availProgramDateTime", .string(UTCDateText.text(epochMs: startMs))),
                .init("ads", .array(ads.map(ad))), .init("adBreakTrackingEvents", .array([])),
                .init("nonLinearAdsList", .array([])),
            ])
    }

    private func ad(_ ad: PlannedAd) -> JSONText {
        let startMs = ad.startMs + version.shiftMs(ofBreak: ad.breakNumber)
        let events = ad.events.map { event($0, of: ad) } + [landingPage(of: ad, at: startMs)]
        return .object(
            [.init("adId", .string(version.id(ad.displayId))), .init("creativeId", .string(ad.name))]
                + times(startMs, ad.durationMs) + [
                    .init("adProgramDateTime", .string(UTCDateText.text(epochMs: startMs))),
                    .init("trackingEvents", .array(events)),
                    .init("companionAds", .array([])), .init("mediaFiles", .null),
                ])
    }

    private func event(_ event: PlannedEvent, of ad: PlannedAd) -> JSONText {
        let urls = (1...event.urlCount).map { JSONText.string(url(ad, event.name, $0)) }
        let startMs = event.startMs + version.shiftMs(ofBreak: ad.breakNumber)
        return .object(
            [.init("eventType", .string(event.name))] + times(startMs, event.durationMs) + [
                .init("beaconUrls", .array(urls))
            ])
    }

    /// It leads to the collector, so that a viewer who requests it is seen.
    private func landingPage(of ad: PlannedAd, at startMs: Int) -> JSONText {
        .object(
            [.init("eventType", .string("clickThrough"))] + times(startMs, ad.durationMs) + [
                .init("beaconUrls", .array([.string(url(ad, "clickThrough", 1))]))
            ])
    }

    private func url(_ ad: PlannedAd, _ event: String, _ index: Int) -> String {
        let target = BeaconLink(session: session, ad: ad, event: event, urlIndex: index)
            .target(scenario: stream.scenario.name)
        return origin + target + version.query(of: target)
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
