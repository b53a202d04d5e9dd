import Ports

/// The rules between two playlists of one stream (HLS-28), except for those on known segments.
enum SequenceRules {
    /// The findings from the headers of the two playlists.
    static func compare(_ held: MediaPlaylist, _ new: MediaPlaylist) -> [Finding] {
        var findings: [Finding] = []
        if new.mediaSequence < held.mediaSequence {
            findings.append(
                backwards(.mediaSequenceBackwards, "EXT-X-MEDIA-SEQUENCE", held.mediaSequence, new.mediaSequence))
        }
        if new.discontinuitySequence < held.discontinuitySequence {
            findings.append(
                backwards(
                    .discontinuitySequenceBackwards, "EXT-X-DISCONTINUITY-SEQUENCE", held.discontinuitySequence,
                    new.discontinuitySequence))
        }
        if let old = held.targetDuration, let target = new.targetDuration, old != target {
            findings.append(
                Finding(
                    rule: ReloadRule.targetDurationChanged, severity: .error,
                    message: "EXT-X-TARGETDURATION changed from \(old.secondsText) s to \(target.secondsText) s",
                    section: "rfc8216bis-22 6.2.1"))
        }
        if held.hasEndList, !new.hasEndList {
            findings.append(
                Finding(
                    rule: ReloadRule.endListRemoved, severity: .error, message: "EXT-X-ENDLIST was removed",
                    section: "rfc8216bis-22 6.2.1"))
        }
        if let finding = eventSegmentsRemoved(held, new) { findings.append(finding) }
        return findings
    }

    /// The rule `variant-mismatch`: properties that two variants of one stream must share.
    static func compareVariants(_ held: MediaPlaylist, _ new: MediaPlaylist) -> [Finding] {
        var differences: [String] = []
        if held.targetDuration != new.targetDuration { differences.append("EXT-X-TARGETDURATION") }
        if held.serverControl != new.serverControl { differences.append("EXT-X-SERVER-CONTROL") }
        if held.partTarget != new.partTarget { differences.append("EXT-X-PART-INF") }
        guard !differences.isEmpty else { return [] }
        return [
            Finding(
                rule: ReloadRule.variantMismatch, severity: .warning,
                message: "the variants differ in \(differences.joined(separator: ", "))", section: "rfc8216bis-22 6.2.4"
            )
        ]
    }

    /// The rule `timeline-reset`: segment numbering restarted.
    static func reset(to first: Int, after window: TimelineWindow) -> Finding {
        Finding(
            rule: ReloadRule.timelineReset, severity: .warning,
            message:
                "segment numbering restarts at \(first); the timeline continues after segment \(window.lastSequence)")
    }

    /// The rule `window-jump`: segments between the last known and the first listed one are missing.
    static func windowJump(lastKnown: Int?, _ new: MediaPlaylist) -> Finding? {
        guard let lastKnown, let first = new.segments.first?.sequence, first.subtractingSaturating(lastKnown) > 1 else {
            return nil
        }
        return Finding(
            rule: ReloadRule.windowJump, severity: .warning,
            message: "the playlist starts at segment \(first); the last known one is \(lastKnown)")
    }

    /// The rule `media-sequence-stuck`: the list moves, its numbers do not.
    static func stuckNumbers(_ new: MediaPlaylist, lag: Int) -> Finding {
        Finding(
            rule: ReloadRule.mediaSequenceStuck, severity: .error,
            message: "EXT-X-MEDIA-SEQUENCE is \(new.mediaSequence) and does not count the segments that were removed;"
                + " followed by their resources, \(lag) ahead",
            section: "rfc8216bis-22 6.2.2")
    }

    /// The rule `delta-update-incomplete`: the update cannot be merged, and the whole playlist is requested.
    static func deltaIncomplete(_ delta: MediaPlaylist, isTooLarge: Bool = false) -> Finding {
        let message =
            if delta.hasUnreadableSkip {
                "the number of segments that the delta update skips cannot be read"
            } else if isTooLarge {
                "the playlist that the delta update completes is larger than a playlist may be"
            } else {
                "the delta update skips \(delta.skip?.count ?? 0) segments from \(delta.mediaSequence);"
                    + " not all of them are held"
            }
        return Finding(
            rule: ReloadRule.deltaUpdateIncomplete, severity: .warning, message: message,
            section: "rfc8216bis-22 6.3.7")
    }

    /// A playlist that is an earlier state of the held one. The README's rule applies when the number fell, else our
    /// own.
    static func oldCopy(_ new: MediaPlaylist, held: MediaPlaylist) -> Finding {
        if new.mediaSequence < held.mediaSequence {
            return backwards(.mediaSequenceBackwards, "EXT-X-MEDIA-SEQUENCE", held.mediaSequence, new.mediaSequence)
        }
        let last = new.segments.last?.sequence ?? new.mediaSequence
        return Finding(
            rule: ReloadRule.oldCopy, severity: .warning,
            message: "the playlist ends with segment \(last) again; old copy ignored",
            section: "rfc8216bis-22 6.2.1")
    }

    /// The rule `daterange-changed`: `attribute` of the range `id` has another value, and so have some of `count - 1` more.
    static func dateRangeChanged(_ id: String, _ attribute: String, count: Int) -> Finding {
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        return Finding(
            rule: ReloadRule.dateRangeChanged, severity: .error,
            message: "date range \(id) changed its \(attribute)\(others)", section: "rfc8216bis-22 4.4.5.1")
    }

    static func dateRangeRemovedEarly(_ range: DateRange, count: Int) -> Finding {
        let others = count > 1 ? " (and \(count - 1) more)" : ""
        return Finding(
            rule: ReloadRule.dateRangeRemovedEarly, severity: .warning,
            message: "date range \(range.id) was removed while its dates are still listed\(others)",
            section: "rfc8216bis-22 6.2.1")
    }

    /// Whether anything other than segments differs: date ranges, markers, the header.
    static func differ(_ held: MediaPlaylist, _ new: MediaPlaylist) -> Bool {
        held.targetDuration != new.targetDuration || held.hasEndList != new.hasEndList
            || held.discontinuitySequence != new.discontinuitySequence || held.serverControl != new.serverControl
            || held.cuePoints.count != new.cuePoints.count || held.trailingParts.count != new.trailingParts.count
            || held.dateRanges.count != new.dateRanges.count
            || zip(held.dateRanges, new.dateRanges).contains { !$0.isEqual(to: $1) }
            || zip(held.cuePoints, new.cuePoints).contains { !$0.isEqual(to: $1) }
    }

    private static func backwards(_ rule: ReloadRule, _ tag: String, _ old: Int, _ new: Int) -> Finding {
        Finding(
            rule: rule, severity: .error, message: "\(tag) fell from \(old) to \(new)", section: "rfc8216bis-22 6.2.1")
    }

    private static func eventSegmentsRemoved(_ held: MediaPlaylist, _ new: MediaPlaylist) -> Finding? {
        guard held.playlistType == .event, let oldLast = held.segments.last, let newLast = new.segments.last,
            new.mediaSequence > held.mediaSequence || newLast.sequence < oldLast.sequence
        else { return nil }
        return Finding(
            rule: ReloadRule.eventSegmentsRemoved, severity: .error,
            message: "the segments of an EVENT playlist changed from \(held.mediaSequence)…\(oldLast.sequence)"
                + " to \(new.mediaSequence)…\(newLast.sequence)",
            section: "rfc8216bis-22 4.4.3.5")
    }
}

extension DateRange {
    /// Whether both are equal apart from their line.
    fileprivate func isEqual(to other: DateRange) -> Bool {
        var moved = other
        moved.line = line
        return self == moved
    }
}

extension CuePoint {
    /// Whether both are the same marker with the same length and message.
    fileprivate func isEqual(to other: CuePoint) -> Bool {
        sequence == other.sequence && kind == other.kind && tag == other.tag && duration == other.duration
            && scte35 == other.scte35
    }
}
