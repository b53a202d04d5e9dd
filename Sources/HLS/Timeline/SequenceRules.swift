import Ports

/// The rules between two playlists of one stream (hls-timeline 6.2, "Across reloads"), apart from those on known
/// segments.
enum SequenceRules {
    /// Everything that the heads of the two playlists and their date ranges show.
    static func compare(_ held: MediaPlaylist, _ new: MediaPlaylist) -> [Finding] {
        var findings: [Finding] = []
        if new.mediaSequence < held.mediaSequence {
            findings.append(
                backwards("media-sequence-backwards", "EXT-X-MEDIA-SEQUENCE", held.mediaSequence, new.mediaSequence))
        }
        if new.discontinuitySequence < held.discontinuitySequence {
            findings.append(
                backwards(
                    "discontinuity-sequence-backwards", "EXT-X-DISCONTINUITY-SEQUENCE", held.discontinuitySequence,
                    new.discontinuitySequence))
        }
        if let old = held.targetDuration, let target = new.targetDuration, old != target {
            findings.append(
                Finding(
                    rule: "target-duration-changed", severity: .error,
                    message: "EXT-X-TARGETDURATION was \(old.inSeconds) s and is \(target.inSeconds) s now",
                    section: "rfc8216bis-22 6.2.1"))
        }
        if held.hasEndList, !new.hasEndList {
            findings.append(
                Finding(
                    rule: "endlist-removed", severity: .error, message: "EXT-X-ENDLIST is no longer there",
                    section: "rfc8216bis-22 6.2.1"))
        }
        if let finding = eventSegmentsRemoved(held, new) { findings.append(finding) }
        if let finding = dateRangeChanged(held, new) { findings.append(finding) }
        return findings
    }

    /// The rule `variant-mismatch`: what two variants of one stream must have in common.
    static func compareVariants(_ held: MediaPlaylist, _ new: MediaPlaylist) -> [Finding] {
        var differences: [String] = []
        if held.targetDuration != new.targetDuration { differences.append("EXT-X-TARGETDURATION") }
        if held.serverControl != new.serverControl { differences.append("EXT-X-SERVER-CONTROL") }
        if held.partTarget != new.partTarget { differences.append("EXT-X-PART-INF") }
        guard !differences.isEmpty else { return [] }
        return [
            Finding(
                rule: "variant-mismatch", severity: .warning,
                message: "the variants differ in \(differences.joined(separator: ", "))", section: "rfc8216bis-22 6.2.4"
            )
        ]
    }

    /// The rule `timeline-reset`: segments are numbered anew.
    static func reset(to first: Int, after window: TimelineWindow) -> Finding {
        Finding(
            rule: "timeline-reset", severity: .warning,
            message: "numbers begin anew at \(first); the stream goes on after segment \(window.lastSequence)")
    }

    /// The rule `window-jump`: numbers are missing between what is known and what is listed.
    static func windowJump(lastKnown: Int?, _ new: MediaPlaylist) -> Finding? {
        guard let lastKnown, let first = new.segments.first?.sequence, first.subtractingSaturating(lastKnown) > 1 else {
            return nil
        }
        return Finding(
            rule: "window-jump", severity: .warning,
            message: "the playlist starts at segment \(first), the last known one is \(lastKnown)")
    }

    static func deltaIncomplete(_ delta: MediaPlaylist) -> Finding {
        Finding(
            rule: "delta-update-incomplete", severity: .warning,
            message:
                "the delta update skips \(delta.skip?.count ?? 0) segments from \(delta.mediaSequence) on;"
                + " not all of them are held",
            section: "rfc8216bis-22 6.3.7")
    }

    /// Of a playlist that is an earlier state of the held one: the README's rule when the number fell, else our own.
    static func oldCopy(_ new: MediaPlaylist, held: MediaPlaylist) -> Finding {
        if new.mediaSequence < held.mediaSequence {
            return backwards("media-sequence-backwards", "EXT-X-MEDIA-SEQUENCE", held.mediaSequence, new.mediaSequence)
        }
        let last = new.segments.last?.sequence ?? new.mediaSequence
        return Finding(
            rule: "old-copy", severity: .warning,
            message: "the playlist ends with segment \(last) again: an old copy, ignored",
            section: "rfc8216bis-22 6.2.1")
    }

    static func dateRangeRemovedEarly(_ range: DateRange, count: Int) -> Finding {
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        return Finding(
            rule: "daterange-removed-early", severity: .warning,
            message: "date range \(range.id) is gone while its dates are still listed\(others)",
            section: "rfc8216bis-22 6.2.1")
    }

    /// Whether anything differs that segments do not show: date ranges, markers, the head.
    static func differ(_ held: MediaPlaylist, _ new: MediaPlaylist) -> Bool {
        held.targetDuration != new.targetDuration || held.hasEndList != new.hasEndList
            || held.discontinuitySequence != new.discontinuitySequence || held.serverControl != new.serverControl
            || held.cuePoints.count != new.cuePoints.count || held.trailingParts.count != new.trailingParts.count
            || held.dateRanges.count != new.dateRanges.count
            || zip(held.dateRanges, new.dateRanges).contains { !$0.isEqual(to: $1) }
    }

    private static func backwards(_ rule: String, _ tag: String, _ old: Int, _ new: Int) -> Finding {
        Finding(
            rule: rule, severity: .error, message: "\(tag) fell from \(old) to \(new)", section: "rfc8216bis-22 6.2.1")
    }

    private static func eventSegmentsRemoved(_ held: MediaPlaylist, _ new: MediaPlaylist) -> Finding? {
        guard held.playlistType == .event, let oldLast = held.segments.last, let newLast = new.segments.last,
            new.mediaSequence > held.mediaSequence || newLast.sequence < oldLast.sequence
        else { return nil }
        return Finding(
            rule: "event-segments-removed", severity: .error,
            message: "an EVENT playlist listed \(held.mediaSequence)…\(oldLast.sequence) and lists"
                + " \(new.mediaSequence)…\(newLast.sequence) now",
            section: "rfc8216bis-22 4.4.3.5")
    }

    private static func dateRangeChanged(_ held: MediaPlaylist, _ new: MediaPlaylist) -> Finding? {
        guard !held.dateRanges.isEmpty, !new.dateRanges.isEmpty else { return nil }
        let known = Dictionary(held.dateRanges.lazy.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for range in new.dateRanges {
            guard let attribute = known[range.id]?.attributeChanged(in: range) else { continue }
            return Finding(
                rule: "daterange-changed", severity: .error,
                message: "date range \(range.id) has another \(attribute) now",
                section: "rfc8216bis-22 4.4.5.1")
        }
        return nil
    }
}

extension DateRange {
    /// Equal apart from where in the text it stands.
    fileprivate func isEqual(to other: DateRange) -> Bool {
        var moved = other
        moved.line = line
        return self == moved
    }

    /// The first attribute that both have with different values; later tags may add attributes, not change them.
    fileprivate func attributeChanged(in new: DateRange) -> String? {
        func differs<Value: Equatable>(_ old: Value?, _ new: Value?) -> Bool { old != nil && new != nil && old != new }
        if differs(rangeClass, new.rangeClass) { return "CLASS" }
        if differs(start, new.start) { return "START-DATE" }
        if differs(endDate, new.endDate) { return "END-DATE" }
        if differs(statedDuration, new.statedDuration) { return "DURATION" }
        if differs(plannedDuration, new.plannedDuration) { return "PLANNED-DURATION" }
        if differs(scte35Command, new.scte35Command) { return "SCTE35-CMD" }
        if differs(scte35Out, new.scte35Out) { return "SCTE35-OUT" }
        if differs(scte35In, new.scte35In) { return "SCTE35-IN" }
        if !cue.isEmpty, !new.cue.isEmpty, cue != new.cue { return "CUE" }
        return extensions.first { old in new[extension: old.name].map { !old.value.means($0) } ?? false }?.name
    }
}
