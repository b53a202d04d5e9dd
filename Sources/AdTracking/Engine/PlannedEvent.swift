package import Ports

/// The facts needed to decide about an event, without those that are only shown. What is small comes last, so that there is no gap
/// between: a session has thousands of these.
package struct PlannedEvent: Hashable, Sendable {
    /// The ad of an event. Its events share one.
    package final class Ad: Hashable, Sendable {
        let breakID: BreakID
        let id: AdID
        let track: AdTrack
        let source: AdBreak.Source
        let start: UnixTime
        /// Stitched end.
        let end: UnixTime
        /// End of the break.
        let breakEnd: UnixTime

        init(_ ad: KnownAd, in adBreak: KnownBreak, end: UnixTime) {
            (breakID, id, track, source) = (adBreak.id, ad.id, adBreak.track, adBreak.source)
            (start, self.end, breakEnd) = (ad.start, end, adBreak.end)
        }

        package static func == (left: Ad, right: Ad) -> Bool {
            left === right
                || left.breakID == right.breakID && left.id == right.id && left.track == right.track
                    && left.source == right.source && left.start == right.start && left.end == right.end
                    && left.breakEnd == right.breakEnd
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    private let ad: Ad
    package let id: EventID
    package let start: UnixTime
    package let end: UnixTime
    package let type: EventType
    /// Whether event, ad and break are all still listed (none is a tombstone).
    package let isListed: Bool
    /// Whether the service reports it: it is never due for us.
    package let isReportedByService: Bool
    /// Whether its address follows from an id in the media, so that it has none before that is read (PRV-46).
    package let awaitsMedia: Bool

    init(_ event: KnownEvent, of ad: Ad, isListed: Bool) {
        (self.ad, id, start, end) = (ad, event.id, event.event.start, event.event.end)
        (type, self.isListed) = (event.event.type, isListed && event.presence != .vanished)
        (isReportedByService, awaitsMedia) = (event.event.isReportedByService, event.event.isVerification)
    }

    package var breakID: BreakID { ad.breakID }
    package var adID: AdID { ad.id }
    package var track: AdTrack { ad.track }
    package var source: AdBreak.Source { ad.source }
    package var adStart: UnixTime { ad.start }
    /// Stitched end of the ad.
    package var adEnd: UnixTime { ad.end }
    /// Up to where metadata shows it: to the end of its ad, or of its break for an event that ends that, which may be longer than its ads.
    package var shownUntil: UnixTime { type.waitsForEnd ? max(ad.end, ad.breakEnd) : ad.end }

    package var isSpan: Bool { end > start }

    /// Whether it is due before `other`: by time; of two ads that meet, the earlier one; within an ad by the order in
    /// which VAST 4.3 section 3.14.1 lists the events, so that `impression` precedes `start`.
    package func isDue(before other: PlannedEvent) -> Bool {
        (start, adStart, type.rank, id) < (other.start, other.adStart, other.type.rank, other.id)
    }
}

extension EventType {
    /// Position among events that are due at the same time.
    fileprivate var rank: Int {
        switch self {
        case .impression: 0
        case .start: 2
        case .firstQuartile: 3
        case .midpoint: 4
        case .thirdQuartile: 5
        case .complete: 6
        default: 1
        }
    }
}

extension PlannedEvent {
    /// Whether the ad extends to the event, as far as metadata shows (TRK-5, finding L40).
    package enum Coverage: Hashable, Sendable {
        case covered
        /// The ad still touches the end of the data range: the next document may extend it.
        case pending
        /// The ad ended before the event.
        case cut
    }

    package func coverage(_ dataRange: DataRange?, _ policy: TrackingPolicy) -> Coverage {
        // What the media carries is shown when it is played, whichever ad it was given to (PRV-47).
        if awaitsMedia || start <= adEnd + policy.adEndSlack { return .covered }
        guard let dataRange else { return start <= shownUntil + policy.adEndSlack ? .covered : .cut }
        return dataRange.isReached(by: adEnd) ? .pending : .cut
    }

    /// End of a span's window: the end of its ad once that is final.
    package func windowEnd(_ dataRange: DataRange?) -> UnixTime {
        if let dataRange, dataRange.isReached(by: adEnd) { return end }
        return min(end, adEnd)
    }

    /// When the event was reached in a played range; nil when it was not.
    ///
    /// The tolerance of one tick applies only to ads of which something was played: playback that stops at the start of
    /// an ad, or begins at its end, has not shown it. `complete` requires media played before it.
    package func reached(
        in range: ClosedRange<UnixTime>, isOpen: Bool, dataRange: DataRange?, _ policy: TrackingPolicy
    ) -> UnixTime? {
        if isSpan {
            let entry = max(start, range.lowerBound)
            let isInside = entry == start || entry < windowEnd(dataRange)
            return isInside && entry <= range.upperBound ? entry : nil
        }
        if type == .complete, range.lowerBound >= start { return nil }
        if range.contains(start) { return start }
        let sawAd = range.lowerBound < adEnd && range.upperBound > adStart
        guard sawAd else { return nil }
        if start < range.lowerBound { return start + policy.tick >= range.lowerBound ? range.lowerBound : nil }
        return !isOpen && start - policy.tick <= range.upperBound ? range.upperBound : nil
    }
}

extension PlannedEvent: PackedRow {
    var common: Ad? { ad }

    func shares(_ common: Ad) -> Bool { ad == common }

    func write(to writer: inout PackedWriter, _ common: Ad) {
        writer.write(start, since: common.start)
        writer.write(end, since: start)
        writer.write(case: type)
        for flag in [isListed, isReportedByService, awaitsMedia] { writer.write(flag) }
    }

    init(_ reader: inout PackedReader, of event: EventID, _ common: Ad) {
        (ad, id, start) = (common, event, reader.time(since: common.start))
        (end, type) = (reader.time(since: start), reader.value())
        (isListed, isReportedByService, awaitsMedia) = (reader.flag(), reader.flag(), reader.flag())
    }
}
