package import Ports

/// Known media has other dates (TRK-33).
extension AdTracker {
    /// The newest playlist dates media that was listed before, and that the viewer has reached, later than the one before, by `shift`. Ads
    /// stay with their media until metadata gives them new dates.
    package mutating func redated(by shift: Duration) {
        let slack = settings.policy.seamSlack
        guard shift.magnitude > slack, let track = tracks[.primary] else { return }
        var pending = redating.pending ?? Redating.Pending(track)
        pending.redate(by: shift)
        redating.pending = pending.shift.magnitude > slack ? pending : nil
    }

    /// Whether a document has new dates for all its breaks, and the playlist may follow: they keep their place in the media until the next one.
    package func mayPrecedePlaylist(_ document: DecodedMetadata, at now: Moment) -> Bool {
        let shift = redating.shift(
            from: signaled.document, to: document, slack: settings.policy.seamSlack, at: now)
        return redating.pending == nil && position != nil && shift != nil
    }

    /// Metadata or date ranges list these breaks now. If they follow the new dates of the media, all that is known gets these dates.
    /// - Returns: what that changed; nil where they do not follow them.
    mutating func followDates(
        of breaks: [AdBreak], by source: AdBreak.Source
    ) -> (shift: Duration, report: MergeReport)? {
        guard let pending = redating.pending, follow(pending.shift, breaks, source) else { return nil }
        takeDates(of: pending)
        var report = MergeReport()
        ledger.redate(book.redate(by: pending.shift, &report), by: pending.shift)
        return (pending.shift, report)
    }

    /// Whether breaks that are known start with the new dates of their media. Where none of them is listed, they do if nothing that is known
    /// is on air or yet to come.
    private func follow(_ shift: Duration, _ breaks: [AdBreak], _ source: AdBreak.Source) -> Bool {
        let slack = settings.policy.seamSlack
        let known = book.breaks.filter { $0.source == source && $0.track == .primary && $0.presence == .present }
        let starts = known.map(\.start)
        func count(_ shift: Duration) -> Int {
            breaks.count { adBreak in starts.contains { ($0 + shift - adBreak.start).magnitude <= slack } }
        }
        let (moved, kept) = (count(shift), count(.zero))
        guard moved + kept == 0 else { return moved > kept }
        return !known.contains { adBreak in position.map { adBreak.plannedEnd > $0 } ?? true }
    }

    /// What was played of the stream has the dates of the newest playlist from now on.
    private mutating func takeDates(of pending: Redating.Pending) {
        redating.pending = nil
        guard let former = tracks[.primary] else { return }
        var track = pending.track
        track.index = former.index
        track.isAtEnd = former.isAtEnd
        track.clock.ahead = former.clock.ahead
        tracks[.primary] = track
    }
}
