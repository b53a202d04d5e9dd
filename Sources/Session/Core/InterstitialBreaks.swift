import AdTracking
import Algorithms
import HLS
import Ports

/// Interstitials as breaks on the clock of their own track, placed in the tracker before they play.
extension MonitorState {
    /// Largest difference between the sum of a list and the duration in its tag (finding L65).
    private static let durationTolerance: Duration = .milliseconds(500)
    /// A viewer does not notice a shorter wait for assets.
    private static let heldTolerance: Duration = .milliseconds(100)
    /// Breaks of the metadata that are looked at for one interstitial; more of them within it are an attack.
    private static let breaksLookedAt = 256

    /// A playlist arrived: interstitials may be new, changed or removed.
    mutating func placeInterstitials(at now: Moment) {
        guard desk.journal.isSettled, tracker != nil else { return }
        playhead.forgetInterstitials(behind: configuration.keep)
        let entries = playhead.interstitials.entries
        guard !entries.isEmpty || !interstitials.records.isEmpty else { return }
        interstitials.keep(Set(entries.map(\.id)))
        var withdrawn: Set<String> = []
        var placed: [AdBreak] = []
        for entry in entries {
            let record = interstitials.records[entry.id]
            if !entry.isListed, entry.play == nil, !entry.isPassed, record?.placed != nil {
                withdrawn.insert(entry.id)
                interstitials[entry.id].placed = nil
            } else if entry.isListed || entry.isPlaying {
                if let adBreak = changedBreak(of: entry, at: now) { placed.append(adBreak) }
            }
        }
        place(placed, at: now)
        guard !withdrawn.isEmpty, let outcome = tracker?.withdrawn(withdrawn, by: .interstitial, at: now) else {
            return
        }
        tookPlaced(outcome, at: now)
    }

    /// Places an interstitial in the tracker if its break changed.
    mutating func placeInterstitial(_ id: String, at now: Moment) {
        guard let entry = playhead.interstitials[id: id], let adBreak = changedBreak(of: entry, at: now) else { return }
        place([adBreak], at: now)
    }

    /// The break of an interstitial if it differs from the one in the tracker.
    private mutating func changedBreak(of entry: TrackedInterstitial, at now: Moment) -> AdBreak? {
        guard let start = clockStart(of: entry) else { return nil }
        let id = entry.id
        let new = InterstitialBreak(entry, list: interstitials[id].list, start: start)
        guard new.adBreak != interstitials[id].placed else { return nil }
        interstitials[id].placed = new.adBreak
        interstitials[id].hasTracking = new.hasTracking
        note(new.findings, of: id, at: now)
        return new.adBreak
    }

    /// All at once: each placing goes through all breaks.
    private mutating func place(_ breaks: [AdBreak], at now: Moment) {
        guard !breaks.isEmpty, let outcome = tracker?.placed(breaks, by: .interstitial, at: now) else { return }
        tookPlaced(outcome, at: now)
        moveToInterstitials(at: now)
    }

    /// Some servers describe interstitials in the metadata by dates, as if they were part of the stream. Breaks within
    /// an interstitial that replaces the stream, and that has no events of its own, are tracked while it plays. An
    /// inserted interstitial does not affect the breaks at its dates.
    mutating func moveToInterstitials(at now: Moment) {
        guard !playhead.interstitials.entries.isEmpty else { return }
        // Ordered by start, as the book is. An end is found by a pass over all ads of a break.
        let breaks = (tracker?.book.breaks ?? []).filter { $0.source == .metadata && $0.track == .primary }
            .map { (id: $0.id, start: $0.start, end: $0.plannedEnd) }
        guard !breaks.isEmpty else { return }
        var tracks: [BreakID: AdTrack] = [:]
        for entry in playhead.interstitials.entries {
            guard entry.isReady, let record = interstitials.records[entry.id], !record.hasTracking,
                let start = record.placed?.start, let end = entry.end, end > .zero,
                (entry.definition.resumeOffset ?? end) >= end - Self.durationTolerance
            else { continue }
            let span = (start - Self.durationTolerance)...(start + end + Self.durationTolerance)
            let first = breaks.partitioningIndex { $0.start >= span.lowerBound }
            for adBreak in breaks[first...].prefix(Self.breaksLookedAt) {
                guard adBreak.start <= span.upperBound else { break }
                if span.contains(adBreak.end) { tracks[adBreak.id] = .interstitial(entry.id) }
            }
        }
        guard !tracks.isEmpty, let outcome = tracker?.moved(tracks, at: now) else { return }
        tookPlaced(outcome, at: now)
    }

    /// A playlist of a stitched stream arrived: its ranges with ad creative signaling (TRK-29) may be new, changed or removed.
    mutating func placeSignaledBreaks(at now: Moment) {
        guard desk.journal.isSettled, tracker != nil, !configuration.replaysEarlier else { return }
        let timeline = playlist.follower.timeline
        guard let media = timeline.playlist, !media.dateRanges.isEmpty || !playlist.signaled.isEmpty else { return }
        // Packagers drop a tag with the segment it starts in, some a little earlier: what has begun to play stays.
        var change = playlist.signaled.take(
            media.dateRanges, withdrawingFrom: [timeline.window?.startDate, playheadDate].compactMap { $0 }.max(),
            horizon: playheadDate.map { $0 - configuration.keep },
            needsEvents: session.addresses?.metadataURL != nil)
        // The session is open, so it is known who reports, whether or not its metadata has arrived.
        if let provider = metadata.provider { change.placed = provider.withReporter(change.placed) }
        desk.noteFindings(change.findings, from: .playlist, at: now)
        tracker?.forgotSignaled(change.forgotten)
        if !change.placed.isEmpty, let outcome = tracker?.placed(change.placed, by: .signaling, at: now) {
            noteGrowth(outcome.merge, poll: nil, at: now)
            tookPlaced(outcome, at: now)
        }
        if !change.withdrawn.isEmpty,
            let outcome = tracker?.withdrawn(change.withdrawn, by: .signaling, at: now)
        {
            tookPlaced(outcome, at: now)
        }
        noteSignaledDifferences(at: now)
    }

    /// Reports where metadata and date ranges differ about an ad, and what both list.
    mutating func noteSignaledDifferences(at now: Moment) {
        guard !playlist.signaled.isEmpty, let tracker else { return }
        desk.noteFindings(signaledDifferences.findings(in: tracker), from: .playlist, at: now)
    }

    /// Breaks were placed, moved or withdrawn outside of metadata.
    mutating func tookPlaced(_ outcome: AdTracker.Outcome, at now: Moment) {
        if let tracker { air.plan(tracker.book, tracker.dataRange) }
        take(outcome, at: now)
        views.metadataChanged()
        joinBreaks(at: now)
    }

    /// Matches markers and breaks again after the playlist or the breaks changed.
    mutating func joinBreaks(at now: Moment) {
        let edge = listedEdge
        let known = tracker.map { join.known($0, edge: edge) } ?? []
        if let date = playheadDate { playlist.follower.forgetBreaks(endedBefore: date - configuration.keep) }
        if hasOnlyTags, playhead.state != .idle {
            decisions.noteSteps(
                at: playlist.follower.breaks.breaks, ahead: playhead.position, on: playlist.follower.timeline)
        }
        if join.match(known, markedBreaks, &desk, at: now) { views.markersChanged() }
        if let tracker { join.judgeStitching(in: tracker, on: playlist.follower.timeline, &desk, at: now) }
    }

    /// Date of the end of the playlist; nil without dates, and of one that is complete.
    var listedEdge: UnixTime? {
        let timeline = playlist.follower.timeline
        return timeline.hasEnded ? nil : timeline.window?.endDate
    }

    /// START-DATE never changes; an interstitial without one, such as a pre-roll, gets the date of its position.
    private func clockStart(of entry: TrackedInterstitial) -> UnixTime? {
        if let start = interstitials.clockStart(of: entry.id) ?? entry.definition.start { return start }
        return entry.position.flatMap { playlist.follower.timeline.date(at: $0) }
    }

    /// An interstitial starts or ends: events that were not reached are not reported.
    mutating func interstitialLeft(_ id: String, at now: Moment) {
        if let outcome = tracker?.left([.interstitial(id)], at: now) { take(outcome, at: now) }
    }

    /// After a jump, interstitials behind the viewer that were not played are skipped.
    mutating func leavePassedInterstitials(at now: Moment) {
        let passed = playhead.interstitials.entries.filter { $0.isPassed && $0.play == nil }
        if let outcome = tracker?.left(passed.map { .interstitial($0.id) }, at: now) { take(outcome, at: now) }
    }

    /// The tracks that no longer play.
    var overTracks: Set<AdTrack> {
        Set(playhead.interstitials.entries.lazy.filter(\.isPassed).map { .interstitial($0.id) })
    }

    /// Why the assets of interstitials could not be loaded, by their tracks.
    var failedTracks: [AdTrack: String] {
        playhead.interstitials.entries.reduce(into: [:]) { failed, entry in
            if case .failed(let reason) = entry.assets { failed[.interstitial(entry.id)] = reason }
        }
    }

    // MARK: Findings

    /// Compares an asset list with its tag.
    mutating func lintAssets(of id: String, at now: Moment) {
        guard let entry = playhead.interstitials[id: id], let list = interstitials[id].list else { return }
        note(list.findings, of: id, at: now)
        if let total = entry.total, let announced = entry.definition.expectedDuration {
            let expected = min(total, entry.definition.playoutLimit ?? total)
            let difference = expected - announced
            if difference.magnitude > Self.durationTolerance {
                let assets =
                    list.assets.isEmpty ? "it has no assets" : "its assets last \(Wording.seconds(expected))"
                noteInterstitialFinding(
                    .assetListLength, "\(assets), its tag announces \(Wording.seconds(announced))", of: id,
                    section: "HLS-19", at: now)
            }
        }
        guard let url = entry.definition.assetList, !DataURI.isOne(url),
            QueryItems(URIReference(url).query.map(String.init))["_HLS_interstitial_id"] == nil
        else { return }
        note(
            [
                Finding(
                    rule: SessionRule.interstitialWithoutID, severity: .info,
                    message: "X-ASSET-LIST has no _HLS_interstitial_id", section: "rfc8216bis-22 D.5")
            ], of: id, at: now)
    }

    /// Reports why an interstitial does not play.
    mutating func lintFailure(of id: String, at now: Moment) {
        guard let entry = playhead.interstitials[id: id], case .failed(let reason) = entry.assets else { return }
        let finding = Finding(
            rule: SessionRule.interstitialFailed, severity: .error,
            message: "its assets could not be loaded: \(reason)",
            section: "HLS-21")
        note([finding], of: id, at: now)
    }

    /// Reports the assets of a list that arrived that are left out because too many of them state no length (HLS-19).
    mutating func lintLeftOut(of id: String, at now: Moment) {
        let count = playhead.interstitials[id: id]?.knownAssets.count { $0.isMissing } ?? 0
        guard count > 0 else { return }
        let limit = InterstitialTrack.measuredAssets
        let finding = Finding(
            rule: SessionRule.interstitialFailed, severity: .warning,
            message:
                "\(count.counted("asset")) without DURATION left out: the playlists of \(limit) at most are requested",
            path: "ASSETS", section: "HLS-19")
        note([finding], of: id, at: now)
    }

    /// Whether playback is held because the assets of an interstitial are missing.
    func isAwaited(_ id: String) -> Bool {
        playhead.interstitials[id: id].map { $0.isPlaying && !$0.isReady } ?? false
    }

    /// Reports how long the viewer was held for assets. Who starts with a preroll, or joins inside an interstitial, always waits.
    mutating func lintDelay(of id: String, at now: Moment) {
        guard let entry = playhead.interstitials[id: id], entry.isReady, !entry.isPreroll, let play = entry.play,
            play.joinedOffset == .zero
        else { return }
        let held = now.uptime - play.out.uptime
        guard held > Self.heldTolerance else { return }
        let asked = interstitials[id].requests.first.map {
            ", \(Wording.seconds(now.uptime - $0.at.uptime)) after they were asked for"
        }
        noteInterstitialFinding(
            .interstitialLate, "its assets arrived \(Wording.seconds(held)) after its start\(asked ?? "")", of: id,
            section: "HLS-21", at: now)
    }

    mutating func noteInterstitialFinding(
        _ rule: SessionRule, _ message: String, of id: String, section: String, at now: Moment
    ) {
        let finding = Finding(rule: rule, severity: .warning, message: message, section: section)
        note([finding], of: id, at: now)
    }

    /// Adds findings of one interstitial, to its view and to the table.
    private mutating func note(_ findings: [Finding], of id: String, at now: Moment) {
        let known = Set(interstitials[id].findings)
        let new = findings.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        interstitials[id].findings += new
        let placed = new.map { finding in
            var finding = finding
            finding.message = "interstitial '\(id)': \(finding.message)"
            // What is about a part of the list is at its path, one entry for each.
            if finding.path == nil {
                finding.place = interstitials.clockStart(of: id).map { FindingPlace(adBreak: id, start: $0) }
            }
            finding.path = finding.path.map { "\(id).\($0)" } ?? id
            return finding
        }
        desk.noteFindings(placed, from: .playlist, at: now)
    }
}
