import Algorithms
package import HLS
package import Ports

/// Lays the seconds of a provider's clock on the dates of the stream (PRV-20, PRV-21).
package struct ListedPlacement: Sendable {
    /// Which ad a date range is about.
    package struct AdKey: Hashable, Sendable {
        package var creative: String
        package var ad: String

        package init(creative: String, ad: String) {
            self.creative = creative
            self.ad = ad
        }
    }

    /// A listed second may be cut off just before the segment that it means.
    private static let snap: Duration = .milliseconds(10)

    /// Position 0 is the first segment of the first playlist; nil without a playlist.
    package var timeline: Timeline?
    /// The date of second 0; nil where no answer and no manifest has it.
    package var zero: UnixTime?
    /// Dates of single ads from date ranges.
    package var adDates: [AdKey: UnixTime]

    package init(timeline: Timeline? = nil, zero: UnixTime? = nil, adDates: [AdKey: UnixTime] = [:]) {
        self.timeline = timeline
        self.zero = zero
        self.adDates = adDates
    }

    /// The breaks with the dates that are known; the dates of ads follow their break where nothing else is known.
    package func placed(_ breaks: [ListedBreak]) -> [ListedBreak] {
        var breaks = breaks.map(placed)
        let dated = breaks.compactMap { adBreak in adBreak.date.map { (start: adBreak.start, date: $0) } }
        guard !dated.isEmpty, dated.count < breaks.count else { return breaks.map(Self.withDatedAds) }
        for index in breaks.indices where breaks[index].date == nil {
            let start = breaks[index].start
            let nearest = dated.min { $0.start.distance(to: start) < $1.start.distance(to: start) }
            breaks[index].date = nearest.map { $0.date + start.minus($0.start).asSeconds }
        }
        return breaks.map(Self.withDatedAds)
    }

    private func placed(_ adBreak: ListedBreak) -> ListedBreak {
        var adBreak = adBreak
        for index in adBreak.ads.indices where adBreak.ads[index].date == nil {
            guard let creative = adBreak.ads[index].creative, let id = adBreak.ads[index].id else { continue }
            adBreak.ads[index].date = adDates[AdKey(creative: creative, ad: id)]
        }
        let byAd = adBreak.ads.lazy.compactMap { ad in
            ad.date.map { $0 - ad.start.minus(adBreak.start).asSeconds }
        }.first
        adBreak.date =
            adBreak.date ?? byAd ?? date(at: adBreak.start) ?? zero.map { $0 + adBreak.start.asSeconds }
        return adBreak
    }

    private static func withDatedAds(_ adBreak: ListedBreak) -> ListedBreak {
        var adBreak = adBreak
        guard let date = adBreak.date else { return adBreak }
        for index in adBreak.ads.indices where adBreak.ads[index].date == nil {
            adBreak.ads[index].date = date + adBreak.ads[index].start.minus(adBreak.start).asSeconds
        }
        return adBreak
    }

    private func date(at seconds: ExactDecimal) -> UnixTime? { date(at: StreamTime.zero + seconds.asSeconds) }

    /// The date of a position in the playlists; before and behind them it is extrapolated.
    func date(at position: StreamTime) -> UnixTime? {
        guard let timeline else { return nil }
        let segments = timeline.segments
        let next = segments.partitioningIndex { $0.start > position + Self.snap }
        guard let segment = next > 0 ? segments[next - 1] : segments.first, let date = segment.date else { return nil }
        // Only a position within the first 10 ms before a segment is moved into it.
        let isBefore = position < segment.start && segment.start <= position + Self.snap
        return isBefore ? date : segment.date(at: position)
    }
}
