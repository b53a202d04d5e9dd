package import Ports

/// What deciding about an event takes, apart from what is shown of it.
package struct PlannedEvent: Hashable, Sendable {
    package var id: EventID
    package var breakID: BreakID
    package var adID: AdID
    package var source: AdBreak.Source
    package var track: AdTrack
    package var type: EventType
    package var start: UnixTime
    package var end: UnixTime
    package var adStart: UnixTime
    /// Stitched end of the ad.
    package var adEnd: UnixTime
    /// Neither the event nor its ad nor its break is a tombstone.
    package var isListed: Bool

    package var isSpan: Bool { end > start }
}

extension PlannedEvent {
    /// Whether the ad reaches the event, as far as metadata tells (TRK-5, finding L40).
    package enum Coverage: Hashable, Sendable {
        case covered
        /// The ad still touches the end of the data range: the next document may cover it.
        case pending
        /// The ad ended before.
        case cut
    }

    package func coverage(_ dataRange: DataRange?, _ policy: TrackingPolicy) -> Coverage {
        if start <= adEnd + policy.adEndSlack { return .covered }
        guard let dataRange, adEnd >= dataRange.end else { return .cut }
        return .pending
    }

    /// Where the window of a span closes: with its ad, once that is known to have ended.
    package func windowEnd(_ dataRange: DataRange?) -> UnixTime {
        if let dataRange, adEnd >= dataRange.end { return end }
        return min(end, adEnd)
    }

    /// When the event was reached in a played range, nil when it was not.
    ///
    /// The tick reaches only into ads of which a moment was played: playing up to an ad or from its end on is not
    /// seeing it. `complete` needs media before it.
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
