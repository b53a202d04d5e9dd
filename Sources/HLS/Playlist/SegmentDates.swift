import Ports

extension [MediaSegment] {
    /// Places the segments end to end.
    mutating func placeStarts() {
        var start = Duration.zero
        for index in indices {
            self[index].start = start
            start += self[index].duration
        }
    }

    /// Dates the segments before the first dated one: the date of the next segment minus the own duration (HLS-12).
    mutating func dateBackwards(from firstDated: Int) {
        guard let date = self[firstDated].date else { return }
        dateBackwards(0..<firstDated, from: date, at: self[firstDated].start)
    }

    /// Dates all segments by the date of the one that follows the last, which starts at `end`.
    mutating func dateBackwards(fromEnd date: UnixTime, at end: Duration) {
        dateBackwards(indices, from: date, at: end)
    }

    private mutating func dateBackwards(_ range: Range<Int>, from date: UnixTime, at start: Duration) {
        for index in range {
            self[index].date = date - (start - self[index].start)
            self[index].dateSource = .backward
        }
    }

    /// Dates the segments without a date of their own: the date of the previous segment plus its duration, also across
    /// a discontinuity. Each run counts from its explicit date, so that rounding errors do not add up.
    mutating func dateForwards(from index: Int) {
        guard index >= 0, index < count, var anchor = self[index].date else { return }
        var anchorStart = self[index].start
        for index in index..<count {
            if self[index].dateSource == .explicit, let date = self[index].date {
                anchor = date
                anchorStart = self[index].start
            } else {
                self[index].date = anchor + (self[index].start - anchorStart)
                self[index].dateSource = .forward
            }
        }
    }
}

/// Checks EXT-X-PROGRAM-DATE-TIME against the EXTINF sums (findings `pdt-…`; HLS-12).
struct DateRules {
    /// Index of the first segment with a date of its own; the number of segments when there is none.
    let firstDated: Int
    /// Microseconds; a larger difference is a drift or a jump.
    private static let tolerance: UInt64 = 100_000
    /// Microseconds; the draft allows shorter overlaps (section 6.2.1).
    private static let longestOverlap: Int64 = 1_000_000

    /// Adds a finding for each date that does not continue the previous one.
    func run(_ segments: [MediaSegment], marks: [SegmentMarks], findings: inout PlaylistFindings) {
        // Fields are read in place: a copy of each segment would cost more than the check.
        for index in segments.indices {
            if segments[index].dateSource != .explicit {
                guard segments[index].isDiscontinuity else { continue }
                findings.add(
                    .pdtMissingAtDiscontinuity, line: segments[index].line,
                    "discontinuity without EXT-X-PROGRAM-DATE-TIME")
            } else if index > firstDated, let date = segments[index].date, let before = segments[index - 1].date {
                check(
                    date, before: before, length: segments[index - 1].duration,
                    isDiscontinuity: segments[index].isDiscontinuity, line: Int(marks[index].dateLine),
                    findings: &findings)
            }
        }
    }

    private func check(
        _ date: UnixTime, before: UnixTime, length: Duration, isDiscontinuity: Bool, line: Int,
        findings: inout PlaylistFindings
    ) {
        let distance = date.microseconds.subtractingSaturating((before + length).microseconds)
        let isOff = distance.magnitude > Self.tolerance
        if isDiscontinuity, isOff {
            findings.add(.pdtJump, line: line, "the date jumps by \(Self.text(distance)) s")
        }
        if date < before {
            findings.add(.pdtBackwards, line: line, "the date is before that of the previous segment")
        } else if isDiscontinuity {
            return
        } else if distance <= -Self.longestOverlap {
            findings.add(
                .pdtOverlap, line: line, "the date is \(Self.text(distance)) s off the EXTINF sum: segments overlap")
        } else if isOff {
            findings.add(.pdtDrift, line: line, "the date is \(Self.text(distance)) s off the EXTINF sum")
        }
    }

    /// Seconds with three digits and a sign.
    private static func text(_ microseconds: Int64) -> String {
        let milliseconds = microseconds.addingSaturating(500).flooringDivision(by: 1_000)
        let digits = String(milliseconds.magnitude % 1_000)
        let fraction = String(repeating: "0", count: 3 - digits.count) + digits
        return "\(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude / 1_000).\(fraction)"
    }
}
