package import HLS
package import Ports

/// Compares the ads of a break with the discontinuities of the stitched playlist (L43, L44).
///
/// A playlist without any discontinuity in the break is not judged: its ads may have been conditioned to need none. Nor
/// is the end of a break before whole segments are listed beyond it (`isListed`).
package enum StitchLint {
    /// A discontinuity further away than this from every start and end of an ad belongs to none of them.
    package static let reach: Duration = .seconds(2)

    /// Whether whole segments are listed beyond the end of the break, or none will be, so that all of it can be judged. The
    /// discontinuity at its end belongs to the segment that follows; a viewer of a low-latency playlist is there seconds before that
    /// is more than parts.
    package static func isListed(_ adBreak: KnownBreak, in timeline: Timeline) -> Bool {
        guard !timeline.hasEnded, let end = playedAds(of: adBreak).last.flatMap({ timeline.position(of: $0.end) })
        else {
            return true
        }
        return lists(beyond: end, timeline)
    }

    private static func lists(beyond end: StreamTime, _ timeline: Timeline) -> Bool {
        timeline.segments.last.map { end + reach < $0.end } ?? false
    }

    /// Its ads that occupy media: others are shown over it (PRV-24).
    private static func playedAds(of adBreak: KnownBreak) -> [KnownAd] {
        adBreak.ads.filter {
            $0.presence != .vanished && $0.details.isLinear && $0.details.notPlayed == nil
                && $0.details.duration > .zero
        }
    }

    /// The findings for a break of the stream that was played; none while it may still grow or where its media is not
    /// known any more.
    package static func findings(_ adBreak: KnownBreak, in timeline: Timeline, dataRange: DataRange?) -> [Finding] {
        let ads = playedAds(of: adBreak)
        guard adBreak.track == .primary, adBreak.presence != .vanished, let first = ads.first, let last = ads.last,
            !(dataRange?.isReached(by: adBreak.plannedEnd) ?? false),
            let start = timeline.position(of: first.start), let end = timeline.position(of: last.end),
            let kept = timeline.segments.first?.start, let edge = timeline.window?.end, kept <= start, end <= edge
        else { return [] }
        let seams = timeline.segments.filter(\.isDiscontinuity).map(\.start)
        let inside = seams.filter { start - reach <= $0 && $0 <= end + reach }
        guard !inside.isEmpty else { return [] }
        let places = ads.compactMap { ad in timeline.position(of: ad.start).map { (ad: ad, start: $0) } }
        let edges = places.map(\.start) + [end]
        let judged = lists(beyond: end, timeline) ? edges[...] : edges.dropLast()
        return boundaries(edges, judged, inside, of: adBreak) + lengths(places, inside, of: adBreak)
    }

    private static func boundaries(
        _ edges: [StreamTime], _ judged: ArraySlice<StreamTime>, _ seams: [StreamTime], of adBreak: KnownBreak
    ) -> [Finding] {
        let stray = seams.count { seam in !edges.contains { ($0 - seam).magnitude <= reach } }
        let bare = judged.count { edge in !seams.contains { ($0 - edge).magnitude <= reach } }
        guard stray + bare > 0 else { return [] }
        let counts = [
            bare > 0 ? "\(bare) of \(judged.count) starts and ends of ads have no discontinuity" : nil,
            stray > 0 ? "\(stray) of \(seams.count) discontinuities lie inside an ad" : nil,
        ]
        let text = counts.compactMap { $0 }.joined(separator: ", ")
        return [LintRule.adBoundaries.finding("\(adBreak.subject): \(text)").at(FindingPlace(adBreak))]
    }

    /// Ads that begin and end with a discontinuity, with another length than metadata gives.
    private static func lengths(
        _ places: [(ad: KnownAd, start: StreamTime)], _ seams: [StreamTime], of adBreak: KnownBreak
    ) -> [Finding] {
        places.compactMap { ad, start in
            // A short element before the ad begins within reach, too.
            guard let begin = seams.min(by: { ($0 - start).magnitude < ($1 - start).magnitude }),
                (begin - start).magnitude <= reach,
                let end = seams.first(where: { $0 > begin })
            else { return nil }
            let difference = (end - begin) - ad.details.duration
            guard difference.magnitude > LintContext.tolerance, difference.magnitude <= reach else { return nil }
            return LintRule.adLength.finding(
                "\(ad.subject): \((end - begin).inMilliseconds) ms of media,"
                    + " \(ad.details.duration.inMilliseconds) ms in the metadata"
            ).at(FindingPlace(adBreak, ad))
        }
    }
}
