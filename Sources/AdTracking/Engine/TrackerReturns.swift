package import HLS
package import Ports

/// Dates that the viewer sees twice (TRK-30).
extension AdTracker {
    /// Looks for steps back of the stream's dates at the viewer's place or ahead of it, and for what is listed now behind those that were
    /// passed. What is in media behind them is not due before, even if its date is shown. What was shown before them is claimed, if metadata
    /// listed it before the playlist showed which of the two it is.
    package mutating func noteDateReturns(of timeline: Timeline, from place: StreamTime, at now: Moment) -> Outcome? {
        let slack = settings.policy.seamSlack
        let decided = tracks[.primary]?.clock.noteReturns(in: timeline, from: place, slack: slack) ?? []
        guard !decided.isEmpty else { return nil }
        let breaks = book.breaks.filter { adBreak in
            adBreak.track == .primary && adBreak.ads.contains { SeamClock.has($0.start, in: decided) }
        }
        let events = breaks.flatMap(\.ads).flatMap(\.eventIDs).compactMap { plans[$0] }
        var outcome = Outcome()
        claimPlayed(
            events.filter { $0.isListed && $0.type.eventClass == .time && !$0.isReportedByService }, at: now, &outcome)
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// The starts of ads as they were before a merge; empty while no date comes twice.
    func formerStarts(of ads: [MergeReport.AdPlace]) -> [AdID: UnixTime] {
        guard tracks[.primary]?.clock.hasReturns == true else { return [:] }
        var starts: [AdID: UnixTime] = [:]
        for (_, ad) in known(ads) { starts[ad.id] = ad.eventIDs.lazy.compactMap { plans[$0]?.adStart }.first }
        return starts
    }

    /// Ads that a merge listed at dates which were shown, or moved there, wait while the playlist may list media with these dates again. A
    /// break at the viewer's place is on air.
    mutating func noteLate(_ ads: [MergeReport.AdPlace], formerly: [AdID: UnixTime]) {
        guard let track = tracks[.primary], track.clock.hasReturns, let position = track.position else { return }
        func wasShown(_ date: UnixTime) -> Bool {
            track.played.range(near: date, within: settings.policy.tick) != nil
        }
        for (adBreak, ad) in known(ads) where position < adBreak.start || position >= adBreak.end {
            guard ad.presence != .vanished, wasShown(ad.start), !(formerly[ad.id].map(wasShown) ?? false) else {
                continue
            }
            tracks[.primary]?.clock.noteLate(ad.start)
        }
    }

    /// The ads of the stream at these places, with their breaks.
    private func known(_ places: [MergeReport.AdPlace]) -> [(adBreak: KnownBreak, ad: KnownAd)] {
        let wanted = Dictionary(grouping: places, by: \.breakID).mapValues { Set($0.map(\.adID)) }
        var known: [(adBreak: KnownBreak, ad: KnownAd)] = []
        for adBreak in book.breaks where adBreak.track == .primary {
            guard let ads = wanted[adBreak.id] else { continue }
            for ad in adBreak.ads where ads.contains(ad.id) { known.append((adBreak, ad)) }
        }
        return known
    }
}
