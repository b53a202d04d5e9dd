package import Ports

extension AdTracker {
    /// Merges a document and claims events in ranges that were played before it arrived (TRK-11).
    package mutating func metadataArrived(_ document: DecodedMetadata, at now: Moment) -> Outcome {
        redating.take(document, after: signaled.document, slack: settings.policy.seamSlack, at: now)
        if let range = document.dataRange { dataRange = range }
        settledUntil = document.settledUntil
        let followed = followDates(of: document.breaks, by: .metadata)
        signaled.take(document.sharingTexts(with: signaled.document))
        let outcome = composed(after: followed, at: now)
        if !outcome.merge.changesEvents { ledger.noteUnchanged() }
        return outcome
    }

    /// Places breaks of a source that has no documents: VMAP, interstitials or date ranges. Placing a break again under the same
    /// name updates it. They are removed by ``withdrawn(_:by:at:)``, or when they lie ``Settings/keep`` behind the playhead. Metadata
    /// documents change only those of date ranges, which become a part of the breaks that the metadata describes (TRK-29).
    package mutating func placed(_ breaks: [AdBreak], by source: AdBreak.Source, at now: Moment) -> Outcome {
        let breaks = breaks.map { adBreak in
            var adBreak = adBreak
            adBreak.source = source
            return adBreak
        }
        // Playback counts even before the events of the break are known.
        for adBreak in breaks where tracks[adBreak.track] == nil { tracks[adBreak.track] = TrackPlay() }
        if source == .signaling {
            // Where metadata dates the ads, date ranges follow it.
            let followed = signaled.document == nil ? followDates(of: breaks, by: source) : nil
            signaled.place(breaks)
            return composed(after: followed, at: now)
        }
        return merged(book.place(breaks, by: source, playhead: position, keep: settings.keep), at: now)
    }

    /// Moves breaks that metadata describes, but that lie in an interstitial, to the clock of the interstitial.
    package mutating func moved(_ tracks: [BreakID: AdTrack], at now: Moment) -> Outcome {
        merged(book.move(tracks), at: now)
    }

    /// Withdraws placed breaks by name: none of their events is due any more.
    package mutating func withdrawn(_ names: Set<String>, by source: AdBreak.Source, at now: Moment) -> Outcome {
        guard source == .signaling else { return merged(book.withdraw(names, by: source), at: now) }
        signaled.withdraw(names)
        return composed(at: now)
    }

    /// The date ranges of these breaks are over and nothing is kept of them any more.
    package mutating func forgotSignaled(_ names: Set<String>) { signaled.forget(names) }

    /// Merges the newest document with what the date ranges add, and places the breaks that only they describe.
    /// - Parameter followed: what changed already because the ads follow other dates of their media.
    private mutating func composed(
        after followed: (shift: Duration, report: MergeReport)? = nil, at now: Moment
    ) -> Outcome {
        let (composition, isNew) = signaled.composed(beside: book, ledger.busters)
        if isNew { compositions += 1 }
        var report = followed?.report ?? MergeReport()
        if let document = composition.document {
            if isNew, composition.addsAnything { book.adopt(from: document, &report) }
            report.add(book.merge(document, playhead: position, keep: settings.keep))
            if isNew { report.add(book.describe(composition.unlisted)) }
        }
        let (new, former) = signaled.placing(composition.own)
        if !former.isEmpty { report.add(book.withdraw(former, by: .signaling)) }
        if !new.isEmpty {
            report.add(book.place(new, by: .signaling, playhead: position, keep: settings.keep))
        }
        return merged(
            report, range: composition.document?.dataRange, redatedBy: followed?.shift ?? .zero, at: now)
    }

    /// - Parameter range: that of the document; nil where it has none, or where no document arrived.
    /// - Parameter shift: how far all that is known was moved before.
    private mutating func merged(
        _ report: MergeReport, range: DataRange? = nil, redatedBy shift: Duration = .zero, at now: Moment
    ) -> Outcome {
        var outcome = Outcome()
        var report = report
        ledger.remove(report.removedEvents)
        let former = formerStarts(of: report.ads).mapValues { $0 + shift }
        let changed = replan(&report, range: range)
        outcome.merge = report
        outcome.touched = report.touched
        if report.changesEvents {
            noteLate(report.ads, formerly: former)
            claimPlayed(changed, at: now, &outcome)
        }
        outcome.effects = ledger.takeEffects(at: now)
        packLeft()
        clean(isThinner: !report.removedEvents.isEmpty)
        return outcome
    }

    /// Claims events that were played before it was known that they are there.
    mutating func claimPlayed(_ events: [PlannedEvent], at now: Moment, _ outcome: inout Outcome) {
        recordPlayedSeams()
        for (plan, range) in playedBefore(events).sorted(by: { $0.plan.isDue(before: $1.plan) }) {
            consider(plan.id, in: range, isLatePath: true, at: now, &outcome)
        }
    }

    /// Counts what was played of pods across steps of the dates before their metadata arrived.
    private mutating func recordPlayedSeams() {
        let ads = adsForSeams
        for part in tracks[.primary]?.clock.adsChanged(ads) ?? [] {
            tracks[.primary]?.recordPlayed(part.range, shiftedBy: part.shift)
        }
    }

    /// Packs the ads that documents do not list any more, that the viewer has passed, and of which no request is under way. Nothing that
    /// happens later is decided by what is packed, unless they are listed again, the viewer goes back or a person asks.
    private mutating func packLeft() {
        let places = Dictionary(grouping: leaving, by: \.breakID)
        leaving = []
        for (id, places) in places {
            guard let adBreak = book[id] else { continue }
            let position = tracks[adBreak.track]?.position
            let ads = Set(places.map(\.adID))
            for (index, ad) in adBreak.ads.enumerated() where ads.contains(ad.id) && !ad.isListed(in: adBreak) {
                let events = ad.eventIDs
                guard let position, ad.plannedEnd < position, ledger.pack(events) else {
                    leaving.insert(MergeReport.AdPlace(breakID: id, adID: ad.id))
                    continue
                }
                plans.pack(events)
                book.packAd(at: index, of: id)
            }
        }
    }

    /// - Parameter isThinner: whether breaks were removed, so that a track may have none left.
    private mutating func clean(isThinner: Bool) {
        for track in Array(tracks.keys) { tracks[track]?.clean(keep: settings.keep) }
        redating.pending?.clean(keep: settings.keep)
        if let position { ledger.forget(before: position - settings.keep) }
        guard isThinner, tracks.count > 1 else { return }
        let known = Set(book.breaks.lazy.map(\.track))
        tracks = tracks.filter { $0.key == .primary || known.contains($0.key) }
    }

    /// Updates plans, index and ledger for the ads that a merge changed.
    /// - Returns: plans of the events triggered by playback alone.
    private mutating func replan(_ report: inout MergeReport, range: DataRange?) -> [PlannedEvent] {
        guard report.changesEvents else { return [] }
        var changed: [AdTrack: [EventID]] = [:]
        removePlans(report.removedEvents, &changed)
        reservePlans()
        ledger.begin(isPage: report.isPage)
        let automatic = plan(report.ads, range: range, &changed)
        ledger.identify()
        let renamed = book.removeRenamed(report) { ledger.isRenamed($0) }
        ledger.remove(renamed)
        removePlans(renamed, &changed)
        report.removedEvents += renamed
        for (track, events) in changed {
            let listed = automatic.lazy.filter { $0.isListed && $0.track == track }
            tracks[track, default: TrackPlay()].index.update(events, with: listed.map { ($0.id, $0.start, $0.end) })
        }
        return automatic
    }

    /// Only events have plans: reserving for breaks and ads too would grow the tables with every poll.
    private mutating func reservePlans() {
        let events = book.breaks.reduce(0) { $0 + $1.ads.reduce(0) { $0 + $1.eventCount } }
        guard events > plans.count else { return }
        ledger.reserve(events - plans.count)
        plans.reserve(events - plans.count)
    }

    /// Plans the events of ads, and hands them to the ledger.
    /// - Parameter changed: events whose plans are new, or are another track's now, are added.
    /// - Returns: plans of the events triggered by playback alone.
    private mutating func plan(
        _ ads: [MergeReport.AdPlace], range: DataRange?, _ changed: inout [AdTrack: [EventID]]
    ) -> [PlannedEvent] {
        var automatic: [PlannedEvent] = []
        let adsByBreak = Dictionary(grouping: Set(ads), by: \.breakID)
        for adBreak in book.breaks {
            guard let places = adsByBreak[adBreak.id] else { continue }
            let adIDs = Set(places.map(\.adID))
            var planned: [EventID] = []
            for ad in adBreak.ads where adIDs.contains(ad.id) {
                if !ad.isListed(in: adBreak) {
                    leaving.insert(MergeReport.AdPlace(breakID: adBreak.id, adID: ad.id))
                }
                let isListed = adBreak.presence != .vanished && ad.presence != .vanished
                let shared = SharedPlan(ad, in: adBreak)
                for event in ad.events {
                    let plan = PlannedEvent(event, of: shared.ad(of: event), isListed: isListed)
                    if let old = plans.updateValue(plan, forKey: event.id), old.track != plan.track {
                        changed[old.track, default: []].append(event.id)
                    }
                    planned.append(event.id)
                    identify(event, of: ad, in: adBreak, shared.placement, range: range)
                    if plan.type.eventClass == .time, !plan.isReportedByService { automatic.append(plan) }
                }
            }
            if !planned.isEmpty { changed[adBreak.track, default: []] += planned }
        }
        return automatic
    }

    private mutating func removePlans(_ events: [EventID], _ changed: inout [AdTrack: [EventID]]) {
        for event in events {
            guard let plan = plans.removeValue(forKey: event) else { continue }
            changed[plan.track, default: []].append(event)
        }
    }

    /// Hands an event to the ledger as the newest document has it.
    private mutating func identify(
        _ event: KnownEvent, of ad: KnownAd, in adBreak: KnownBreak, _ place: EventPlacement.Ad, range: DataRange?
    ) {
        let isPresent = ad.isListed(in: adBreak) && event.presence == .present
        if !isPresent {
            let presences = [adBreak.presence, ad.presence, event.presence]
            // A document lists what is in its range for a part: where that begins in a break, the break is listed, maybe under
            // another name. Without a range it is unknown whether the document covers the event.
            let isInRange =
                adBreak.presence == .present
                ? range?.overlaps(from: ad.start, to: ad.plannedEnd)
                : range?.overlaps(from: adBreak.start, to: adBreak.plannedEnd)
            let isCovered =
                presences.contains(.vanished) || isInRange == true || dataRange(of: adBreak.source) == nil
                || redating.hasDocumentMoved && adBreak.source == .metadata
            // Before its entry is refreshed: only what was listed until now has just left.
            ledger.absent(event.id, mayHaveMoved: isCovered)
        }
        guard event.presence != .vanished else { return }
        ledger.register(
            event.id, key: event.key, type: event.event.type, urls: event.event.urls, macros: event.event.macros,
            shared: settings.reportsAnyway ? [] : event.event.sharedURLs,
            at: EventPlacement(start: event.event.start, of: place, isPresent: isPresent))
    }

    /// Those that were played before their metadata arrived, each with the range, and that may still be sent.
    private func playedBefore(_ plans: [PlannedEvent]) -> [(plan: PlannedEvent, range: ClosedRange<UnixTime>)] {
        let tracks = tracks.filter { $0.value.position != nil }
        guard !tracks.isEmpty else { return [] }
        return plans.compactMap { plan in
            let window = plan.isSpan ? plan.start..<plan.end : plan.start..<(plan.start + .microseconds(1))
            guard let track = tracks[plan.track], let position = track.position,
                let range = track.played.range(meeting: window)
                    ?? track.played.range(near: plan.start, within: settings.policy.tick),
                track.shown.distance(from: plan.start, to: position) <= settings.latestLate
            else { return nil }
            return (plan, range)
        }
    }
}

/// What the events of an ad have in common, once for all of them.
private struct SharedPlan {
    let placement: EventPlacement.Ad
    private let listed: PlannedEvent.Ad
    /// Nil where a date range gives no other length.
    private let signaled: PlannedEvent.Ad?

    init(_ ad: KnownAd, in adBreak: KnownBreak) {
        placement = EventPlacement.Ad(
            ad.id, length: ad.details.duration, breakStart: adBreak.start, breakLength: adBreak.duration,
            track: adBreak.track)
        listed = PlannedEvent.Ad(ad, in: adBreak, end: ad.end)
        let end = ad.details.signaled.map { max(ad.end, $0.end) } ?? ad.end
        signaled = end == ad.end ? nil : PlannedEvent.Ad(ad, in: adBreak, end: end)
    }

    /// What only a date range lists is due by the length that it gives.
    func ad(of event: KnownEvent) -> PlannedEvent.Ad { event.event.isSignaled ? signaled ?? listed : listed }
}
