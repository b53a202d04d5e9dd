import Ports

/// Differences of known segments in a newer playlist: one finding per rule and reload, regardless of the number of
/// segments.
struct SegmentDifferences {
    /// Number of violations of one rule, and the message of the first.
    private struct Tally {
        var count = 0
        var first = ""

        mutating func note(_ message: @autoclosure () -> String) {
            if count == 0 { first = message() }
            count += 1
        }
    }

    /// Largest difference between two explicit dates that is not a finding: packagers round digits away.
    private static let explicitDateTolerance: Duration = .milliseconds(1)

    private var resource = Tally()
    private var duration = Tally()
    private var date = Tally()
    private var discontinuity = Tally()

    var isEmpty: Bool { resource.count + duration.count + date.count + discontinuity.count == 0 }

    /// Compares a known segment with a listed one and takes duration, date and discontinuity sequence from the newer
    /// playlist. Position and resource stay as first listed. Returns whether the date moved.
    mutating func compare(_ known: inout TimelineSegment, with listed: MediaSegment) -> Bool {
        if known.uri != listed.uri, !known.hasSameResource(as: listed) {
            resource.note("segment \(listed.sequence) changed from \(known.uri) to \(listed.uri)")
        } else if let old = known.byteRange, let new = listed.byteRange, old != new {
            resource.note(
                "segment \(listed.sequence) changed from bytes \(old.offset)+\(old.length)"
                    + " to \(new.offset)+\(new.length)")
        }
        known.byteRange = listed.byteRange
        if known.duration != listed.duration, listed.duration >= .zero {
            duration.note(Self.change(of: listed.sequence, from: known.duration, to: listed.duration))
            known.duration = listed.duration
        }
        if known.discontinuitySequence != listed.discontinuitySequence {
            discontinuity.note(
                "segment \(listed.sequence) changed from discontinuity sequence \(known.discontinuitySequence)"
                    + " to \(listed.discontinuitySequence)")
            known.discontinuitySequence = listed.discontinuitySequence
        }
        return compareDate(&known, with: listed)
    }

    /// Lengths to the millisecond, or with all their digits where they would be the same.
    private static func change(of sequence: Int, from old: Duration, to new: Duration) -> String {
        let rounded = [old, new].map { Duration.milliseconds($0.roundedMilliseconds) }
        let shown = rounded[0] == rounded[1] ? [old, new] : rounded
        return "segment \(sequence) changed from \(shown[0].secondsText) s to \(shown[1].secondsText) s"
    }

    private mutating func compareDate(_ known: inout TimelineSegment, with listed: MediaSegment) -> Bool {
        guard let new = listed.date, known.date != new, known.accepts(listed.dateSource) else { return false }
        guard let old = known.date, let source = known.dateSource else {
            (known.date, known.dateSource) = (new, listed.dateSource)
            return true
        }
        let isOwn = listed.dateSource == .explicit
        let tolerance = source == .explicit && isOwn ? Self.explicitDateTolerance : Timeline.dateTolerance
        let isChange = (new - old).magnitude > tolerance
        // A date of its own counts before a derived one, which may be off by the rounding of EXTINF.
        guard isChange || isOwn && source != .explicit else { return false }
        if isChange {
            date.note("segment \(listed.sequence) changed its date from \(old.iso8601) to \(new.iso8601)")
        }
        (known.date, known.dateSource) = (new, listed.dateSource)
        return true
    }

    var findings: [Finding] {
        [
            finding(.mediaSequenceURIMismatch, .error, resource, section: "rfc8216bis-22 6.2.1"),
            finding(.segmentDurationChanged, .warning, duration, section: "rfc8216bis-22 6.2.1"),
            finding(.pdtChanged, .warning, date, section: "rfc8216bis-22 6.2.1"),
            finding(.discontinuitySequenceMismatch, .error, discontinuity, section: "rfc8216bis-22 6.2.2"),
        ].compactMap { $0 }
    }

    private func finding(_ rule: ReloadRule, _ severity: Severity, _ tally: Tally, section: String) -> Finding? {
        guard tally.count > 0 else { return nil }
        let others = tally.count > 1 ? " (and \(tally.count - 1) more)" : ""
        return Finding(rule: rule, severity: severity, message: tally.first + others, section: section)
    }
}
