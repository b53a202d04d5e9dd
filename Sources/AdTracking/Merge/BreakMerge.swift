import Algorithms
package import Ports

/// The result of merging one document.
package struct MergeReport: Hashable, Sendable {
    /// Maximum number of changes kept for the log; further changes of one document are only counted.
    package static let changesKept = 500

    package internal(set) var changes: [MergeChange] = []
    package internal(set) var changesDropped = 0
    package internal(set) var touched: Set<BreakID> = []
    /// Ads that are new, refreshed, gone or back, with their breaks: their events must be planned again.
    package internal(set) var ads: [AdPlace] = []
    /// Events of breaks and ads that were removed after retention.
    package internal(set) var removedEvents: [EventID] = []
    /// Number of breaks, ads and events dropped because ``BreakBook/nodeLimit`` was reached.
    package internal(set) var refusedNodes = 0
    /// Ads that only date ranges described, and that metadata lists now.
    var adopted: Set<AdID> = []

    /// Whether the document lists only what is not finished: what it lacks is over, not gone.
    var isPage = false

    package init() {}

    /// Whether the document changed anything.
    package var changesAnything: Bool { !touched.isEmpty || changesEvents }

    /// Whether events were added, removed or must be planned again.
    var changesEvents: Bool { !ads.isEmpty || !removedEvents.isEmpty }

    /// The place of an ad; valid until the next merge.
    package struct AdPlace: Hashable, Sendable {
        package var breakID: BreakID
        package var adID: AdID
    }

    /// Adds what was changed after it.
    mutating func add(_ later: MergeReport) {
        let kept = min(later.changes.count, max(0, Self.changesKept - changes.count))
        changes += later.changes.prefix(kept)
        changesDropped += later.changesDropped + later.changes.count - kept
        touched.formUnion(later.touched)
        ads += later.ads
        removedEvents += later.removedEvents
        refusedNodes += later.refusedNodes
        adopted.formUnion(later.adopted)
        isPage = isPage || later.isPage
    }

    mutating func note(
        _ kind: MergeChange.Kind, _ node: MergeChange.Node, of id: BreakID, _ subject: @autoclosure () -> String
    ) {
        touched.insert(id)
        guard changes.count < Self.changesKept else {
            changesDropped += 1
            return
        }
        changes.append(MergeChange(breakID: id, node: node, kind: kind, subject: subject()))
    }
}

extension BreakBook {
    /// Merges a document (TRK-5, TRK-17 to TRK-19). Known nodes are refreshed. Absent ones stay as tombstones until
    /// they lie more than `keep` behind `playhead`.
    ///
    /// Merging the same document again changes nothing. Placed breaks are not affected by their absence from the
    /// document.
    package mutating func merge(_ document: DecodedMetadata, playhead: UnixTime?, keep: Duration) -> MergeReport {
        var report = MergeReport()
        report.isPage = document.keepsUnlisted
        guard document != newest else {
            if let playhead { expire(before: playhead - keep, &report) }
            return report
        }
        let matches = matches(document)
        makeRoom(for: document, listed: Set(matches.compacted()), &report)
        let indices = matches.map { $0.flatMap { index(of: $0) } }
        var isListed = [Bool](repeating: false, count: breaks.count)
        for index in indices.compacted() { isListed[index] = true }
        let added = take(document.breaks, as: indices, range: document.dataRange, &report)
        for index in breaks.indices where breaks[index].source == .metadata && !isListed[index] {
            Self.markAbsent(&breaks[index], range: document.dataRange, &report)
        }
        if let playhead { expire(before: playhead - keep, &report) }
        sort(adding: added)
        newest = report.refusedNodes == 0 ? document : nil
        return report
    }

    /// For each break of a document the known break that it describes; nil for a new one.
    func matches(_ document: DecodedMetadata) -> [BreakID?] {
        let own = breaks.filter { $0.source == .metadata }
        return NodeMatch.pairs(known: own.map(\.candidate), new: document.breaks.map(\.candidate))
            .map { $0.map { own[$0].id } }
    }

    /// Refreshes the known breaks at the indices `matches`; nil stands for a new break.
    /// - Returns: the new breaks.
    mutating func take(
        _ new: [AdBreak], as matches: [Int?], range: DataRange?, _ report: inout MergeReport
    ) -> [KnownBreak] {
        var added: [KnownBreak] = []
        var indices = SynthesizedIndices(breaks.lazy.map(\.name))
        for (new, match) in zip(new, matches) {
            if let match {
                var known = breaks[match]
                refresh(&known, with: new, range: range, &report)
                breaks[match] = known
            } else if let adBreak = add(new, named: indices.name(new.name, start: new.start), &report) {
                added.append(adBreak)
            }
        }
        return added
    }

    /// Sorts the breaks by start again.
    mutating func sort(adding added: [KnownBreak]) {
        guard !added.isEmpty || !zip(breaks, breaks.dropFirst()).allSatisfy({ $0.start <= $1.start }) else { return }
        breaks = (breaks + added).sortedStably { $0.start < $1.start }
        findPlaces()
    }

    private mutating func add(_ new: AdBreak, named name: NodeName, _ report: inout MergeReport) -> KnownBreak? {
        guard nodeCount + new.nodeCount <= Self.nodeLimit else {
            report.refusedNodes += new.nodeCount
            return nil
        }
        nodeCount += 1
        var adBreak = KnownBreak(
            id: nextBreakID(), name: name, start: new.start, duration: new.duration, source: new.source,
            track: new.track, presence: .present, extras: new.extras, listedStart: new.listedStart, ads: [])
        report.note(.added, .adBreak, of: adBreak.id, adBreak.subject)
        var indices = SynthesizedIndices([])
        for ad in new.ads { addAd(ad, named: indices.name(ad.name, start: ad.start), to: &adBreak, &report) }
        return adBreak
    }

    private mutating func refresh(
        _ known: inout KnownBreak, with new: AdBreak, range: DataRange?, _ report: inout MergeReport
    ) {
        if known.presence == .vanished { report.note(.returned, .adBreak, of: known.id, known.subject) }
        if known.presence != .present {
            known.presence = .present
            report.touched.insert(known.id)
            report.ads += known.ads.map { MergeReport.AdPlace(breakID: known.id, adID: $0.id) }
            // Each document is compared with them from now on.
            for index in known.ads.indices { known.ads[index].unpack() }
        }
        if known.start != new.start {
            let isPlaced = new.listedStart.map { $0 == known.listedStart } ?? false
            report.note(
                .start(from: known.start, to: new.start, byPlaylist: isPlaced), .adBreak, of: known.id, known.subject)
            known.start = new.start
        }
        known.listedStart = new.listedStart
        // What is left of a break on a page may have no length: the known one stays (PRV-9).
        let duration = report.isPage && new.duration == .zero ? known.duration : new.duration
        if known.duration != duration {
            report.note(.durationChanged(from: known.duration, to: duration), .adBreak, of: known.id, known.subject)
            known.duration = duration
        }
        if known.extras != new.extras {
            known.extras = new.extras
            report.note(.detailsChanged, .adBreak, of: known.id, known.subject)
        }
        refreshAds(of: &known, with: new.ads, range: range, &report)
    }

    /// Marks an absent break. Its absence means that it is gone only if the document's data range covers it.
    private static func markAbsent(_ known: inout KnownBreak, range: DataRange?, _ report: inout MergeReport) {
        let presence: Presence = range?.contains(known.start) == true && !report.isPage ? .vanished : .outsideRange
        guard known.presence != presence else { return }
        // A tombstone remains one when its time leaves the window.
        guard !(known.presence == .vanished && presence == .outsideRange) else { return }
        known.presence = presence
        report.touched.insert(known.id)
        report.ads += known.ads.map { MergeReport.AdPlace(breakID: known.id, adID: $0.id) }
        guard presence == .vanished else { return }
        report.note(.vanished, .adBreak, of: known.id, known.subject)
    }

    /// Removes breaks and ads that ended before `limit` and are no longer listed. Placed breaks are removed at that
    /// time too, because documents never list them.
    mutating func expire(before limit: UnixTime, _ report: inout MergeReport) {
        var leaving = 0
        breaks.removeAll { known in
            guard known.presence != .present || known.source != .metadata, known.end < limit else { return false }
            report.note(.expired, .adBreak, of: known.id, known.subject)
            report.removedEvents += known.ads.flatMap(\.eventIDs)
            leaving += known.ads.reduce(1) { $0 + $1.nodeCount }
            return true
        }
        if leaving > 0 { findPlaces() }
        for index in breaks.indices where breaks[index].ads.contains(where: { $0.isOver(by: limit) }) {
            let id = breaks[index].id
            breaks[index].ads.removeAll { ad in
                guard ad.isOver(by: limit) else { return false }
                report.note(.expired, .ad(ad.id), of: id, ad.subject)
                report.removedEvents += ad.eventIDs
                leaving += ad.nodeCount
                return true
            }
        }
        nodeCount -= leaving
    }
}

/// Synthesizes names for nodes without an id (TRK-19).
struct SynthesizedIndices {
    private var next: [UnixTime: Int] = [:]

    /// - Parameter taken: names of the siblings that already exist.
    init(_ taken: some Sequence<NodeName>) {
        for name in taken {
            if case .synthesized(let start, let index) = name { next[start] = max(next[start] ?? 0, index + 1) }
        }
    }

    mutating func name(_ given: String?, start: UnixTime) -> NodeName {
        if let given { return .given(given) }
        let index = next[start] ?? 0
        next[start] = index + 1
        return .synthesized(start: start, index: index)
    }
}

extension AdBreak {
    /// Number of nodes: the break, its ads and their events.
    var nodeCount: Int { ads.reduce(1) { $0 + 1 + $1.events.count } }

    fileprivate var candidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name, start: start) { Set(ads.lazy.flatMap(\.events).flatMap(\.urls)) }
    }
}

extension KnownBreak {
    fileprivate var candidate: NodeMatch.Candidate {
        NodeMatch.Candidate(name: name.given, start: start) { Set(ads.lazy.flatMap(\.events).flatMap(\.event.urls)) }
    }

    /// Label in messages; unredacted text from outside.
    package var subject: String { "break \(name.text)" }
}

extension KnownAd {
    /// Number of nodes: the ad and its events.
    var nodeCount: Int { 1 + eventCount }

    fileprivate func isOver(by limit: UnixTime) -> Bool { presence != .present && end < limit }

    /// Label in messages; unredacted text from outside.
    package var subject: String { "ad \(name.text)" }
}
