import AdTracking
import HLS
import Ports

/// Keeps ``BreakJoin`` up to date and reports its differences as findings.
struct JoinPart {
    private(set) var result = BreakJoin()
    /// The markers of the join, by number.
    private(set) var markers: [Int: TrackedBreak] = [:]
    private var known: [BreakJoin.Known] = []
    private var tracked: [TrackedBreak] = []
    private var marked: [BreakJoin.Marker] = []
    private var reported: Set<BreakJoin.Difference> = []
    /// Whether markers without dates were reported.
    private var saidUndated = false
    /// Numbers of markers, and breaks, without a counterpart that were reported.
    private var saidAlone: Set<Int> = []
    /// The breaks of the last update with their ends: finding an end requires a pass over all events of a break.
    private var ended: [(adBreak: KnownBreak, planned: UnixTime, stitched: UnixTime)] = []

    /// End of the playlist when the newest document arrived: an answer that fails shows nothing of what came since.
    private var listedUntil: UnixTime?
    /// Breaks that left the metadata while no document arrived: how long they became was not seen.
    private var cutOff: Set<BreakID> = []
    /// End of the first playlist of the session: a service may list only what it inserts from there on.
    private var firstEdge: UnixTime?
    /// Where session and viewer joined: of a break there the beginning may not be known.
    private var joins: [UnixTime] = []

    /// Breaks of the metadata that were played and whose end the playlist does not list yet.
    private var unjudged: [BreakID] = []
    /// Most of them; the oldest are then judged no more.
    private static let unjudgedLimit = 16

    /// What lists the ads of a break one after another while the break is on the air.
    private static let growing: Set<AdBreak.Source> = [.metadata, .signaling]

    /// Where a document does not tell what it covers: time after the end of a break in which its next ad may still be listed.
    private static let growthTime: Duration = .seconds(15)

    /// The comparable facts of the breaks of `tracker`; those that did not change are not computed again.
    /// - Parameter edge: end of the playlist; nil of one that is complete.
    mutating func known(_ tracker: AdTracker, edge: UnixTime?) -> [BreakJoin.Known] {
        let breaks = tracker.book.breaks
        var known: [BreakJoin.Known] = []
        known.reserveCapacity(breaks.count)
        for (index, adBreak) in breaks.enumerated() {
            if !ended.indices.contains(index) {
                ended.append((adBreak, max(adBreak.plannedEnd, adBreak.end), adBreak.stitchedEnd))
            } else if ended[index].adBreak != adBreak {
                ended[index] = (adBreak, max(adBreak.plannedEnd, adBreak.end), adBreak.stitchedEnd)
            }
            guard adBreak.presence != .vanished else { continue }
            let isListed = adBreak.presence == .present || adBreak.source != .metadata
            let isWhole = self.isWhole(
                adBreak, until: ended[index].planned, in: tracker.dataRange(of: adBreak.source), edge)
            // What is whole grows no more: an ad that was cut short ends before its last events.
            let end = isWhole ? ended[index].stitched : ended[index].planned
            var entry = BreakJoin.Known(adBreak, end: end, isWhole: isWhole)
            entry.isListed = isListed
            entry.counts = isListed || tracker.played.range(meeting: adBreak.start..<max(adBreak.start, end)) != nil
            known.append(entry)
        }
        ended.removeLast(ended.count - breaks.count)
        firstEdge = firstEdge ?? edge
        joins = [firstEdge, tracker.firstPlayed].compactMap(\.self)
        return known
    }

    /// Whether all ads of a break are listed that ends at `end` as far as is known.
    private func isWhole(_ adBreak: KnownBreak, until end: UnixTime, in range: DataRange?, _ edge: UnixTime?) -> Bool {
        guard Self.growing.contains(adBreak.source) else { return true }
        guard !cutOff.contains(adBreak.id) else { return false }
        if let range { return end < range.end }
        guard let edge else { return true }
        guard adBreak.source == .metadata else { return end < edge - Self.growthTime }
        return listedUntil.map { end < min($0, edge) - Self.growthTime } ?? false
    }

    /// A document was merged, or the newest one is still the one that is known.
    /// - Parameter edge: as in ``known(_:edge:)``.
    mutating func documentArrived(in tracker: AdTracker, edge: UnixTime?) {
        guard let edge else { return }
        defer { listedUntil = max(listedUntil ?? edge, edge) }
        guard let before = listedUntil, edge - before > Self.growthTime else { return }
        for adBreak in tracker.book.breaks where adBreak.source == .metadata {
            if adBreak.presence == .outsideRange, before - Self.growthTime <= adBreak.plannedEnd {
                cutOff.insert(adBreak.id)
            }
        }
        cutOff = cutOff.filter { tracker.book[$0].map { $0.presence != .present } ?? false }
    }

    /// The starts of marked breaks that no known break matches, once each: those that were played, and that `range`
    /// covers, so that a document would have them.
    mutating func alone(playedUntil date: UnixTime, in range: DataRange) -> [UnixTime] {
        var starts: [UnixTime] = []
        for group in result.alone {
            let marked = group.compactMap { markers[$0] }
            guard let number = group.min(), !saidAlone.contains(number), let start = marked.compactMap(\.start).min(),
                let end = marked.compactMap(\.expectedEnd).max(), end < date, range.start <= start, end < range.end
            else { continue }
            saidAlone.insert(number)
            starts.append(start)
        }
        saidAlone.formIntersection(markers.keys)
        return starts
    }

    /// Returns the differences that are new; nil when nothing changed.
    mutating func update(_ known: [BreakJoin.Known], _ tracked: [TrackedBreak]) -> [BreakJoin.Difference]? {
        guard known != self.known || tracked != self.tracked || joins != result.joins else { return nil }
        if tracked != self.tracked {
            self.tracked = tracked
            markers = Dictionary(uniqueKeysWithValues: tracked.map { ($0.number, $0) })
            marked = tracked.compactMap(BreakJoin.Marker.init)
        }
        self.known = known
        result = BreakJoin(known, marked, joinedAt: joins)
        let new = result.differences.filter { !reported.contains($0) }
        reported = Set(result.differences)
        return new
    }
}

/// What the join finds out, as findings.
extension JoinPart {
    /// Matches markers and breaks again after the playlist or the breaks changed. Returns whether the result changed.
    mutating func match(
        _ known: [BreakJoin.Known], _ tracked: [TrackedBreak], _ desk: inout Desk, at now: Moment
    ) -> Bool {
        guard let new = update(known, tracked) else { return false }
        noteUndated(&desk, at: now)
        guard !new.isEmpty else { return true }
        let breaks = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let findings = new.map { difference in
            let known = breaks[difference.breakID]
            let name = known?.name ?? ""
            return Finding(
                rule: difference.rule, severity: difference.severity,
                message: "break '\(name)': \(difference.message)", path: "break \(name)", section: "HLS-24"
            ).at(known.map { FindingPlace(adBreak: $0.name, start: $0.start) })
        }
        desk.noteFindings(findings, from: .playlist, at: now)
        return true
    }

    /// Reports once that breaks are marked which no date places: they are in no list of breaks.
    private mutating func noteUndated(_ desk: inout Desk, at now: Moment) {
        guard !saidUndated, tracked.contains(where: { $0.start == nil && $0.startStream != nil }) else { return }
        saidUndated = true
        let finding = Finding(
            rule: SessionRule.markersWithoutDates, severity: .warning,
            message: "the playlist marks breaks and has no dates: they are not in the list of breaks",
            section: "HLS-23")
        desk.noteFindings([finding], from: .playlist, at: now)
    }

    /// Reports breaks that the playlist marks and metadata does not list (L41).
    mutating func noteUnmatched(
        playedUntil date: UnixTime, in range: DataRange, _ desk: inout Desk, at now: Moment
    ) {
        let findings = alone(playedUntil: date, in: range).map {
            LintRule.unmatchedBreak.finding("the playlist marks a break at \($0.iso8601), the metadata has none")
        }
        desk.noteFindings(findings, from: .metadata, at: now)
    }

    /// Reports what the playlist shows of a break of the metadata that was played (L41, L43, L44).
    mutating func noteStitching(
        of id: BreakID, in tracker: AdTracker, on timeline: Timeline, _ desk: inout Desk, at now: Moment
    ) {
        guard let adBreak = tracker.book[id], adBreak.source == .metadata, adBreak.presence != .vanished else { return }
        if !unjudged.contains(id) { unjudged.append(id) }
        if unjudged.count > Self.unjudgedLimit { unjudged.removeFirst() }
        judgeStitching(in: tracker, on: timeline, &desk, at: now)
        // A stream that marks no break at all is not expected to mark this one.
        guard adBreak.track == .primary, result.markers[id] == nil, !result.markers.isEmpty,
            !isMarked(besides: adBreak, in: tracker)
        else { return }
        let finding = LintRule.unmatchedBreak.finding("the playlist marks breaks, and none where \(adBreak.subject) is")
            .at(tracker.place(of: id))
        desk.noteFindings([finding], from: .playlist, at: now)
    }

    /// Whether another break at the same place has a marker: signaling lists the same one, or metadata does under another name.
    private func isMarked(besides adBreak: KnownBreak, in tracker: AdTracker) -> Bool {
        result.markers.keys.contains { id in
            guard id != adBreak.id, let other = tracker.book[id], other.track == adBreak.track else { return false }
            let overlap = min(adBreak.plannedEnd, other.plannedEnd) - max(adBreak.start, other.start)
            let shorter = min(adBreak.plannedEnd - adBreak.start, other.plannedEnd - other.start)
            return overlap >= .zero && overlap * 2 >= shorter
        }
    }

    /// Compares breaks that were played with the discontinuities of the playlist, each once what follows it is listed (L43, L44).
    mutating func judgeStitching(in tracker: AdTracker, on timeline: Timeline, _ desk: inout Desk, at now: Moment) {
        guard !unjudged.isEmpty else { return }
        var waiting: [BreakID] = []
        for id in unjudged {
            guard let adBreak = tracker.book[id] else { continue }
            guard StitchLint.isListed(adBreak, in: timeline) else {
                waiting.append(id)
                continue
            }
            let findings = StitchLint.findings(adBreak, in: timeline, dataRange: tracker.dataRange)
            desk.noteFindings(findings, from: .playlist, at: now)
        }
        unjudged = waiting
    }
}

extension KnownBreak {
    /// The end of what is in the stream: of ads without a length that of their last events.
    fileprivate var stitchedEnd: UnixTime {
        presentAds.reduce(end) { max($0, $1.details.duration > .zero ? $1.end : $1.plannedEnd) }
    }
}

extension BreakJoin.Known {
    /// - Parameter isWhole: whether all of its ads are listed; a break at the end of what a document covers still grows.
    fileprivate init(_ adBreak: KnownBreak, end: UnixTime, isWhole: Bool) {
        // Unknown assets have no length yet.
        self.init(
            id: adBreak.id, name: adBreak.name.text, source: adBreak.source, start: adBreak.start, end: end,
            isSettled: isWhole && end > adBreak.start)
    }
}

extension BreakJoin.Marker {
    /// Nil for a marker without a date, which cannot be compared.
    fileprivate init?(_ tracked: TrackedBreak) {
        guard let start = tracked.start else { return nil }
        self.init(
            number: tracked.number, kind: tracked.source, ids: tracked.ids, start: start,
            end: tracked.expectedLength.map { start + $0 }, isJoinedMid: tracked.isJoinedMid)
    }
}

extension TrackedBreak {
    /// Ids of the marker and of its SCTE-35 messages.
    fileprivate var ids: Set<String> { eventIDs.union([markerID].compactMap(\.self)) }

    /// Whether two markers describe one break (HLS-24): by their starts, else by overlap, else by an id in two kinds of markers. Positions
    /// decide where both have one, because dates may step back between two breaks.
    func isSameBreak(as other: TrackedBreak) -> Bool {
        guard let start, let otherStart = other.start else { return false }
        let positions = startStream.flatMap { mine in other.startStream.map { (mine, $0) } }
        let step = positions.map { $1 - $0 } ?? otherStart - start
        if step.magnitude <= BreakJoin.tolerance { return true }
        let lengths = [self, other].map { $0.expectedLength ?? .seconds(1) }
        let overlap = min(lengths[0], step + lengths[1]) - max(.zero, step)
        if overlap > BreakJoin.tolerance { return true }
        return source != other.source && step.magnitude <= BreakJoin.idReach && !ids.isDisjoint(with: other.ids)
    }

    /// The SCTE-35 event ids that its messages open or close, in decimal digits.
    var eventIDs: Set<String> {
        Set(
            scte35.compactMap { message in
                // The parser reports undecodable messages.
                let ids = (try? SpliceInfo(message))?.breakSignals.map(\.id) ?? []
                // A message may end one break and begin the next.
                return ids.first { $0 == markerID } ?? ids.first
            })
    }
}
