import Ports

/// Merge of a break's ads and their events.
extension BreakBook {
    /// Adds an ad; the caller checks the limit on nodes.
    mutating func addAd(_ new: Ad, named name: NodeName, to adBreak: inout KnownBreak, _ report: inout MergeReport) {
        var known = KnownAd(
            id: nextAdID(), name: name, firstStart: new.start, presence: .present, ad: new, events: [])
        let owner = owner(of: known, in: adBreak)
        known.events = new.events.map { knownEvent($0, of: owner) }
        nodeCount += 1 + known.events.count
        report.note(.added, .ad(known.id), of: adBreak.id, known.subject)
        report.ads.append(MergeReport.AdPlace(breakID: adBreak.id, adID: known.id))
        adBreak.ads.append(known)
    }

    mutating func refreshAds(
        of adBreak: inout KnownBreak, with new: [Ad], range: DataRange?, _ report: inout MergeReport
    ) {
        let pairs = NodeMatch.pairs(known: adBreak.ads.map(\.candidate), new: new.map(\.candidate))
        var isListed = [Bool](repeating: false, count: adBreak.ads.count)
        for match in pairs { if let match { isListed[match] = true } }
        let absent = adBreak.ads.indices.filter { !isListed[$0] }
        var new = new
        if report.isPage { Self.leaveStart(of: absent.map { adBreak.ads[$0] }, &new) }
        for index in absent { Self.markAbsent(&adBreak.ads[index], of: adBreak.id, range: range, &report) }
        let countBefore = adBreak.ads.count
        var indices = SynthesizedIndices(adBreak.ads.lazy.map(\.name))
        for (ad, match) in zip(new, pairs) {
            guard let match else {
                if nodeCount + 1 + ad.events.count <= Self.nodeLimit {
                    addAd(ad, named: indices.name(ad.name, start: ad.start), to: &adBreak, &report)
                } else {
                    report.refusedNodes += 1 + ad.events.count
                }
                continue
            }
            var (known, ad) = (adBreak.ads[match], ad)
            if report.isPage, ad.duration == .zero { ad.duration = known.details.duration }
            guard known.presence != .present || known.ad != ad else { continue }
            refresh(&known, with: ad, in: adBreak, &report)
            adBreak.ads[match] = known
        }
        if adBreak.ads.count != countBefore
            || !zip(adBreak.ads, adBreak.ads.dropFirst()).allSatisfy({ $0.start <= $1.start })
        {
            adBreak.ads = adBreak.ads.sortedStably { $0.start < $1.start }
        }
    }

    /// A page without a break's first ad lists what the break reports at its start all the same. It stays with the ad that it was
    /// given to (PRV-25).
    private static func leaveStart(of absent: [KnownAd], _ new: inout [Ad]) {
        guard let start = new.first?.start, new[0].events.contains(where: \.type.opensBreak),
            absent.contains(where: {
                $0.end <= start + LintContext.tolerance && $0.ad.events.contains(where: \.type.opensBreak)
            })
        else { return }
        new[0].events.removeAll(where: \.type.opensBreak)
    }

    /// An ad missing from a listed break is gone, unless its time has left the window. Without a data range the two
    /// cases look the same, and the references drop the ad (TRK-25: I20).
    private static func markAbsent(
        _ known: inout KnownAd, of id: BreakID, range: DataRange?, _ report: inout MergeReport
    ) {
        let isOfPage = report.isPage && known.details.signaled?.isAlone != true
        let isGone = (range?.contains(known.start) ?? true) && !isOfPage
        let presence: Presence = isGone ? .vanished : .outsideRange
        guard known.presence == .present || (known.presence == .outsideRange && presence == .vanished) else { return }
        known.presence = presence
        report.touched.insert(id)
        report.ads.append(MergeReport.AdPlace(breakID: id, adID: known.id))
        guard presence == .vanished else { return }
        report.note(.vanished, .ad(known.id), of: id, known.subject)
    }

    private mutating func refresh(
        _ known: inout KnownAd, with new: Ad, in adBreak: KnownBreak, _ report: inout MergeReport
    ) {
        let id = adBreak.id
        let node = MergeChange.Node.ad(known.id)
        if known.presence == .vanished { report.note(.returned, node, of: id, known.subject) }
        if known.presence != .present {
            known.presence = .present
            report.touched.insert(id)
        }
        let isPlaced = new.listedStart.map { $0 == known.ad.listedStart } ?? false
        let shift: Duration = new.start - known.start
        if shift != .zero {
            report.note(
                .start(from: known.start, to: new.start, byPlaylist: isPlaced), node, of: id, known.subject)
        }
        if known.ad.duration != new.duration {
            report.note(.durationChanged(from: known.ad.duration, to: new.duration), node, of: id, known.subject)
        }
        if known.ad.details != new.details { report.note(.detailsChanged, node, of: id, known.subject) }
        let hadEvents = known.ad.events
        known.ad = new
        if hadEvents == new.events {
            // The same texts, which the events have already: those of each document would be kept beside them.
            known.ad.events = hadEvents
        } else {
            refreshEvents(of: &known, placedBy: isPlaced ? shift : nil, in: adBreak, &report)
        }
        report.ads.append(MergeReport.AdPlace(breakID: id, adID: known.id))
    }

    /// Takes what date ranges list for an ad that the newest document does not: it stays unlisted.
    mutating func describe(_ known: inout KnownAd, as new: Ad, in adBreak: KnownBreak, _ report: inout MergeReport) {
        known.ad = new
        refreshEvents(of: &known, placedBy: nil, in: adBreak, &report)
        report.touched.insert(adBreak.id)
        report.ads.append(MergeReport.AdPlace(breakID: adBreak.id, adID: known.id))
    }

    /// - Parameter shift: how far the playlists moved the ad, and its events with it; nil if its document has dates.
    private mutating func refreshEvents(
        of ad: inout KnownAd, placedBy shift: Duration?, in adBreak: KnownBreak, _ report: inout MergeReport
    ) {
        var listed = ad.ad.events
        let pairs = EventMatch.pairs(known: ad.events.map(\.event), new: listed)
        var rest = ad.events.map(Optional.some)
        var events: [KnownEvent] = []
        for (index, match) in pairs.enumerated() {
            let new = listed[index]
            guard let match, var known = rest[match] else {
                guard nodeCount < Self.nodeLimit else {
                    report.refusedNodes += 1
                    continue
                }
                let event = knownEvent(new, of: owner(of: ad, in: adBreak))
                nodeCount += 1
                report.note(.added, .event(ad.id, event.id), of: adBreak.id, event.subject(in: ad))
                events.append(event)
                continue
            }
            rest[match] = nil
            refresh(&known, with: new, of: ad, placedBy: shift, in: adBreak.id, &report)
            // Both have the same texts then.
            listed[index] = known.event
            events.append(known)
        }
        for var known in rest.lazy.compactMap({ $0 }) {
            // Date ranges are no pages: what they list no more was withdrawn.
            if report.isPage, !known.event.isSignaled {
                if known.presence == .present { known.presence = .outsideRange }
            } else if known.presence != .vanished {
                known.presence = .vanished
                report.note(.vanished, .event(ad.id, known.id), of: adBreak.id, known.subject(in: ad))
            }
            events.insert(known, at: Self.place(of: known, among: events))
        }
        ad.ad.events = listed
        ad.events = events
    }

    /// Where an event that the document does not list is among those that it lists: by time, else in the order in which they arrived, and last
    /// without a time (PRV-10).
    private static func place(of known: KnownEvent, among events: [KnownEvent]) -> Int {
        guard known.event.eventClass == .time else { return events.endIndex }
        let later = events.firstIndex { event in
            event.event.eventClass == .time && (event.event.start, event.id) > (known.event.start, known.id)
        }
        return later ?? events.lastIndex { $0.event.eventClass == .time }.map { $0 + 1 } ?? events.startIndex
    }

    private func refresh(
        _ known: inout KnownEvent, with new: TrackingEvent, of ad: KnownAd, placedBy shift: Duration?, in id: BreakID,
        _ report: inout MergeReport
    ) {
        let old = known.event
        let node = MergeChange.Node.event(ad.id, known.id)
        if known.presence == .vanished { report.note(.returned, node, of: id, known.subject(in: ad)) }
        known.presence = .present
        guard old != new else { return }
        known.event = new
        if old.urls == new.urls { known.event.urls = old.urls }
        if old.start != new.start {
            let isPlaced = new.start - old.start == shift
            report.note(
                .start(from: old.start, to: new.start, byPlaylist: isPlaced), node, of: id, known.subject(in: ad))
        }
        if old.duration != new.duration {
            report.note(.durationChanged(from: old.duration, to: new.duration), node, of: id, known.subject(in: ad))
        }
        guard old.urls != new.urls else { return }
        let match = URLMatch(old: old.urls, new: new.urls)
        for index in match.added { report.note(.urlAdded(new.urls[index]), node, of: id, known.subject(in: ad)) }
        for index in match.removed { report.note(.urlRemoved(old.urls[index]), node, of: id, known.subject(in: ad)) }
        for (before, after) in match.replaced {
            report.note(.urlReplaced(from: old.urls[before], to: new.urls[after]), node, of: id, known.subject(in: ad))
        }
    }

    private func owner(of ad: KnownAd, in adBreak: KnownBreak) -> EventKey.Owner {
        EventKey.Owner(session: session, breakName: adBreak.name, adName: ad.name, adStart: ad.firstStart)
    }

    private mutating func knownEvent(_ event: TrackingEvent, of owner: EventKey.Owner) -> KnownEvent {
        KnownEvent(
            id: nextEventID(), key: EventKey(of: owner, type: event.identityName, start: event.start),
            presence: .present, event: event)
    }
}

/// Matches the events of a refreshed ad to the known ones: by name and start, those that the same source lists first; else by
/// name and a common URL; else to the next event of the same name whose start moved no further than the tolerance.
private enum EventMatch {
    private struct Place: Hashable {
        var name: String
        var start: UnixTime?
        var url: String?
        var isSignaled: Bool?
    }

    static func pairs(known: [TrackingEvent], new: [TrackingEvent]) -> [Int?] {
        var pairs = [Int?](repeating: nil, count: new.count)
        var isTaken = [Bool](repeating: false, count: known.count)
        match({ [Place(name: $0.rawName, start: $0.start, isSignaled: $0.isSignaled)] }, { _, _ in true })
        match({ [Place(name: $0.rawName, start: $0.start)] }, { _, _ in true })
        match({ event in event.urls.map { Place(name: event.rawName, url: $0) } }, { _, _ in true })
        match({ [Place(name: $0.rawName)] }) {
            max($0.start - $1.start, $1.start - $0.start) <= NodeMatch.moveTolerance
        }
        return pairs

        func match(_ places: (TrackingEvent) -> [Place], _ isSame: (TrackingEvent, TrackingEvent) -> Bool) {
            guard pairs.contains(nil) else { return }
            var rest: [Place: [Int]] = [:]
            for index in known.indices.reversed() where !isTaken[index] {
                for place in places(known[index]) { rest[place, default: []].append(index) }
            }
            for index in new.indices where pairs[index] == nil {
                for place in places(new[index]) where pairs[index] == nil {
                    while let last = rest[place]?.last, isTaken[last] { rest[place]?.removeLast() }
                    guard let last = rest[place]?.last, isSame(known[last], new[index]) else { continue }
                    pairs[index] = last
                    isTaken[last] = true
                }
            }
        }
    }
}

extension Ad {
    fileprivate var candidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name, start: start) { Set(events.lazy.flatMap(\.urls)) }
    }

    /// The fields that affect no decision.
    fileprivate var details: Ad {
        var details = self
        details.name = nil
        details.start = UnixTime(microseconds: 0)
        details.duration = .zero
        details.events = []
        return details
    }
}

extension KnownAd {
    fileprivate var candidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name.given, start: start) { Set(ad.events.lazy.flatMap(\.urls)) }
    }
}

extension KnownEvent {
    fileprivate func subject(in ad: KnownAd) -> String { "\(event.rawName) of \(ad.subject)" }
}
