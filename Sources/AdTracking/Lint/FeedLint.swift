package import Ports

/// Metadata lint across polls (TRK-23; findings L07 to L10, L12, L14, L35 to L39), and the lint of each document in the
/// light of earlier polls.
package struct FeedLint: Hashable, Sendable {
    /// Number of polls without an advance after which metadata counts as frozen.
    package static let frozenPolls = 3
    /// Difference between the newest date and the local clock that counts as skew; a date in the past is also as old as the time in
    /// which a server must list the next segment.
    package static let skewLimit: Duration = .seconds(10)
    /// Metadata that arrives later than this after its ad was played is late; a shorter delay is one poll.
    package static let lateLimit: Duration = .seconds(1)

    /// Playback state at the time of a poll.
    package struct Surroundings: Hashable, Sendable {
        /// Media date of the playhead.
        package var playhead: UnixTime?
        /// Media date of the playlist's end; nil for recorded media.
        package var liveEdge: UnixTime?
        package var pollInterval: Duration
        /// Target duration of the playlist; zero where it is not known.
        package var targetDuration: Duration
        /// Whether the playlist has segments and none of them has a date, not even by the media before (HLS-12).
        package var lacksDates: Bool

        package init(
            playhead: UnixTime?, liveEdge: UnixTime?, pollInterval: Duration, targetDuration: Duration = .zero,
            lacksDates: Bool = false
        ) {
            self.playhead = playhead
            self.liveEdge = liveEdge
            self.pollInterval = pollInterval
            self.targetDuration = targetDuration
            self.lacksDates = lacksDates
        }
    }

    private let isSecure: Bool
    private let isPublic: Bool
    private var documents = DocumentLintMemory()
    private var rangeEnd: UnixTime?
    private var liveEdge: UnixTime?
    private var pollsStanding = 0
    private var starts = StartMemory()
    private var asking = Asking.never

    /// What came of the requests until now.
    private enum Asking: Hashable, Sendable {
        case never
        /// The first one was sent with the playhead at this media date; nil where it had none.
        case since(UnixTime?)
        case answered
    }

    /// Takes the facts about the session that ``LintContext`` needs.
    package init(isSecure: Bool, isPublic: Bool) {
        self.isSecure = isSecure
        self.isPublic = isPublic
    }

    /// A request for a document is sent with the playhead at that media date. The first one may come long after the viewer joined, because it
    /// waits for the journal: what was played before says nothing about the server (L35).
    package mutating func asked(at playhead: UnixTime?) {
        if asking == .never { asking = .since(playhead) }
    }

    /// Checks a document that was merged with `outcome`.
    package mutating func arrived(
        _ document: DecodedMetadata, _ outcome: AdTracker.Outcome, book: BreakBook, _ around: Surroundings,
        at now: Moment
    ) -> [Finding] {
        let settledUntil = rangeEnd
        var findings = document.findings
        findings += documents.findings(
            in: document, LintContext(isSecure: isSecure, isPublic: isPublic, settledUntil: settledUntil))
        if let range = document.dataRange { findings += rangeFindings(range, around) }
        if around.lacksDates {
            findings.append(
                LintRule.dates.finding(
                    "the playlist has no PROGRAM-DATE-TIME: no event has a place in it, and no beacon is sent"))
        }
        findings += Self.skewFindings(around, at: now)
        for change in outcome.merge.changes {
            guard !outcome.merge.adopted.contains(change), !book.isSignaled(change),
                let finding = finding(change, book, settledUntil: settledUntil)
            else { continue }
            findings.append(finding.at(book.place(of: change)))
        }
        findings += lateFindings(outcome, book, playhead: around.playhead)
        asking = .answered
        return findings
    }

    /// The playlist may end one segment and half of the next one ago: a server has 1.5 target durations to list it
    /// (draft-pantos-hls-rfc8216bis section 6.2.2).
    private static func skewFindings(_ around: Surroundings, at now: Moment) -> [Finding] {
        guard let edge = around.liveEdge else { return [] }
        let ahead: Duration = edge - now.wall
        let age: Duration = now.wall - edge
        let oldest: Duration = skewLimit + around.targetDuration + around.targetDuration / 2
        guard ahead > skewLimit || age > oldest else { return [] }
        return [
            LintRule.clockSkew.finding(
                "the newest segment is dated \(ahead.magnitude.tenthsText) s "
                    + "\(ahead > .zero ? "after" : "before") the local clock")
        ]
    }

    private mutating func rangeFindings(_ range: DataRange, _ around: Surroundings) -> [Finding] {
        var findings: [Finding] = []
        let hasEdgeMoved = around.liveEdge.map { edge in liveEdge.map { edge > $0 } ?? false } ?? false
        if let before = rangeEnd, range.end <= before {
            if range.end < before {
                let back = Self.distance(before - range.end)
                findings.append(LintRule.rangeBackwards.finding("dataRange.end went back by \(back)"))
            }
            pollsStanding += hasEdgeMoved ? 1 : 0
            if pollsStanding >= Self.frozenPolls {
                findings.append(
                    LintRule.frozen.finding(
                        "dataRange.end has not advanced for \(pollsStanding) polls while the playlist has"))
            }
        } else {
            pollsStanding = 0
        }
        if let playhead = around.playhead {
            let tolerance = LintContext.tolerance
            if playhead < range.start - tolerance || playhead > range.end + tolerance {
                let side = playhead < range.start ? range.start - playhead : playhead - range.end
                let place = playhead < range.start ? "before" : "after"
                findings.append(
                    LintRule.playheadOutside.finding(
                        ContentClock.isDate(playhead) && !ContentClock.isDate(range.end)
                            ? "the dataRange ends at \(range.end.milliseconds): its times are no dates of the playlist, nor "
                                + "offsets into it, so that no event has a place"
                            : "the playhead is \(side.tenthsText) s \(place) the dataRange"))
            } else if around.liveEdge != nil, range.end - playhead < around.pollInterval {
                let left = max(.zero, range.end - playhead).tenthsText
                findings.append(
                    LintRule.thinCoverage.finding(
                        "metadata covers \(left) s beyond the playhead, less than one poll interval"))
            }
        }
        rangeEnd = range.end
        liveEdge = around.liveEdge
        return findings
    }

    private mutating func finding(_ change: MergeChange, _ book: BreakBook, settledUntil: UnixTime?) -> Finding? {
        switch (change.node, change.kind) {
        case (_, .moved(let from, let to)):
            switch change.node {
            case .event: return nil
            // Another one is elsewhere.
            case .ad(let id) where book.isSlate(id, of: change.breakID): return nil
            case .ad, .adBreak: break
            }
            return starts.moved(change.breakID, change.node, from: from, to: to).map { step, whole in
                let since = step == whole ? "" : ", \(Self.distance(whole)) since it was first listed"
                return LintRule.movedStart.finding("\(change.subject) moved by \(Self.distance(step))\(since)")
            }
        case (.ad, .expired), (.adBreak, .expired):
            starts.forget(change.breakID, change.node)
            return nil
        case (.event(let ad, let event), .added) where book.waitsForEnd(event, of: ad, change.breakID):
            // The session itself holds it back until the break does not grow any more (PRV-25).
            return nil
        case (.event(let ad, let event), .added) where book.isOfMedia(event, of: ad, change.breakID):
            // Ids come as the media is read, and get their meaning as tags come (PRV-45).
            return nil
        case (.event, .added), (.event, .urlAdded):
            return LintRule.eventsAdded.finding("\(change.subject) was added to an ad that was already known")
        case (.ad, .vanished), (.adBreak, .vanished):
            return LintRule.adVanished.finding("\(change.subject) vanished from the metadata")
        case (.ad, .returned), (.adBreak, .returned):
            return LintRule.adVanished.finding("\(change.subject) came back")
        case (.event, .durationChanged): return nil
        case (let node, .durationChanged(let from, let to)):
            if to < from {
                return LintRule.shrank.finding(
                    "\(change.subject) shrank from \(from.inMilliseconds) to \(to.inMilliseconds) ms")
            }
            guard let settledUntil, let planned = book.plannedEnd(change.breakID, node), planned <= settledUntil
            else { return nil }
            return LintRule.stillGrowing.finding("\(change.subject) still grows after its planned end")
        default: return nil
        }
    }

    /// One finding per ad with events that were found already played when its metadata arrived. Those at the end of a break say nothing
    /// of that: the session itself holds them back (PRV-25).
    private func lateFindings(
        _ outcome: AdTracker.Outcome, _ book: BreakBook, playhead: UnixTime?
    ) -> [Finding] {
        // What was played after the first request is what its answer could have announced in time.
        var longest: Duration?
        if case .since(let asked?) = asking, let playhead { longest = playhead - asked }
        let late = outcome.claimed.filter { claim in
            claim.isLatePath && claim.late > Self.lateLimit && longest.map { claim.late <= $0 } ?? true
                && !book.waitsForEnd(claim.event, of: claim.adID, claim.breakID)
        }
        var ads = AdFinder(book)
        return Dictionary(grouping: late, by: \.adID).sorted { $0.key < $1.key }.compactMap { adID, claims in
            guard let first = claims.first, let most = claims.map(\.late).max() else { return nil }
            let found = ads.find(adID, in: first.breakID)
            let name = found?.ad.subject ?? "an ad"
            return LintRule.lateMetadata.finding("metadata of \(name) arrived \(most.tenthsText) s after it was played")
                .at(found.map { FindingPlace($0.adBreak, $0.ad) })
        }
    }

    /// `120 ms`, and from a second on `6.0 s`, cut as everywhere.
    private static func distance(_ span: Duration) -> String {
        span.magnitude >= .seconds(1) ? span.tenthsText + " s" : "\(span.inMilliseconds) ms"
    }
}

extension Set<AdID> {
    /// Whether a change is about one of these ads.
    fileprivate func contains(_ change: MergeChange) -> Bool {
        switch change.node {
        case .adBreak: false
        case .ad(let id), .event(let id, _): contains(id)
        }
    }
}

extension BreakBook {
    /// Whether a change is about what only date ranges list (TRK-29).
    fileprivate func isSignaled(_ change: MergeChange) -> Bool {
        guard let adBreak = self[change.breakID] else { return false }
        if adBreak.source == .signaling { return true }
        func isAlone(_ id: AdID) -> Bool { adBreak.ads.first { $0.id == id }?.details.signaled?.isAlone ?? false }
        switch change.node {
        case .adBreak: return false
        case .ad(let id): return isAlone(id)
        case .event(let ad, let event):
            return isAlone(ad) || find(event, of: ad, change.breakID)?.isSignaled == true
        }
    }

    fileprivate func isSlate(_ ad: AdID, of adBreak: BreakID) -> Bool {
        self[adBreak]?.ads.first { $0.id == ad }?.details.isSlate ?? false
    }

    fileprivate func waitsForEnd(_ event: EventID, of ad: AdID, _ adBreak: BreakID) -> Bool {
        find(event, of: ad, adBreak)?.type.waitsForEnd ?? false
    }

    fileprivate func isOfMedia(_ event: EventID, of ad: AdID, _ adBreak: BreakID) -> Bool {
        find(event, of: ad, adBreak)?.isVerification ?? false
    }

    private func find(_ event: EventID, of ad: AdID, _ adBreak: BreakID) -> TrackingEvent? {
        self[adBreak]?.ads.first { $0.id == ad }?.events.first { $0.id == event }?.event
    }

    /// The planned end of a break or an ad, from its events alone: the part that is still growing is left out.
    fileprivate func plannedEnd(_ id: BreakID, _ node: MergeChange.Node) -> UnixTime? {
        guard let adBreak = self[id] else { return nil }
        let ads: [KnownAd]
        switch node {
        case .adBreak: ads = adBreak.ads
        case .ad(let adID), .event(let adID, _): ads = adBreak.ads.filter { $0.id == adID }
        }
        return ads.lazy.flatMap(\.events).filter { $0.event.eventClass == .time }.map(\.event.start).max()
    }
}
