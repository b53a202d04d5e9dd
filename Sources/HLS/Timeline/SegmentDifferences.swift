import Ports

/// What known segments look like in a newer playlist: one finding per rule and reload, however many segments it
/// touches.
struct SegmentDifferences {
    /// How often one rule was met and what to say of the first time.
    private struct Tally {
        var count = 0
        var first = ""

        mutating func note(_ message: @autoclosure () -> String) {
            if count == 0 { first = message() }
            count += 1
        }
    }

    /// Two dates that are both written out may differ by the digits that a packager rounds away.
    private static let explicitDateTolerance: Duration = .milliseconds(1)

    private var resource = Tally()
    private var duration = Tally()
    private var date = Tally()
    private var discontinuity = Tally()

    var isEmpty: Bool { resource.count + duration.count + date.count + discontinuity.count == 0 }

    /// Compares, and takes over what newer playlists know better: duration, date, discontinuity sequence. The place on
    /// the timeline and the resource stay as first seen. Returns whether the date moved.
    mutating func compare(_ known: inout TimelineSegment, with listed: MediaSegment) -> Bool {
        if known.uri != listed.uri, !known.hasSameResource(as: listed.uri) {
            resource.note("segment \(listed.sequence) was \(known.uri) and is now \(listed.uri)")
        }
        if known.duration != listed.duration, listed.duration >= .zero {
            duration.note(
                "segment \(listed.sequence) lasted \(known.duration.inSeconds) s"
                    + " and lasts \(listed.duration.inSeconds) s now"
            )
            known.duration = listed.duration
        }
        if known.discontinuitySequence != listed.discontinuitySequence {
            discontinuity.note(
                "segment \(listed.sequence) had discontinuity sequence \(known.discontinuitySequence)"
                    + " and has \(listed.discontinuitySequence) now")
            known.discontinuitySequence = listed.discontinuitySequence
        }
        return compareDate(&known, with: listed)
    }

    private mutating func compareDate(_ known: inout TimelineSegment, with listed: MediaSegment) -> Bool {
        guard let new = listed.date, known.date != new else { return false }
        let isOwn = listed.dateSource == .explicit
        defer { known.hasOwnDate = known.hasOwnDate || isOwn }
        guard let old = known.date else {
            known.date = new
            return true
        }
        let tolerance = known.hasOwnDate && isOwn ? Self.explicitDateTolerance : Timeline.dateTolerance
        guard (new - old).inMicroseconds.magnitude > tolerance.inMicroseconds.magnitude else { return false }
        date.note("segment \(listed.sequence) was dated \(old.iso8601) and is now dated \(new.iso8601)")
        known.date = new
        return true
    }

    var findings: [Finding] {
        [
            finding("media-sequence-uri-mismatch", .error, resource, section: "rfc8216bis-22 6.2.1"),
            finding("segment-duration-changed", .warning, duration, section: "rfc8216bis-22 6.2.1"),
            finding("pdt-changed", .warning, date, section: "rfc8216bis-22 6.2.1"),
            finding("discontinuity-sequence-mismatch", .error, discontinuity, section: "rfc8216bis-22 6.2.2"),
        ].compactMap { $0 }
    }

    private func finding(_ rule: String, _ severity: Severity, _ tally: Tally, section: String) -> Finding? {
        guard tally.count > 0 else { return nil }
        let others = tally.count > 1 ? " (and \(tally.count - 1) more)" : ""
        return Finding(rule: rule, severity: severity, message: tally.first + others, section: section)
    }
}
