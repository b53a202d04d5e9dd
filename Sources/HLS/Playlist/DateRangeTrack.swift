import Algorithms
import Ports

/// Merges the EXT-X-DATERANGE tags of a playlist by ID, in order of first appearance (rfc8216bis-22 section 4.4.5.1).
struct DateRangeTrack {
    /// The ranges in the order of first appearance.
    private(set) var ranges: [DateRange] = []
    private var indices: [String: Int] = [:]
    /// IDs of ranges whose START-DATE is present but unreadable, which has its own finding.
    private var unreadableStarts: Set<String> = []
    /// IDs of ranges whose first tag has no START-DATE, which it needs even if a later tag has one.
    private var startlessFirsts: Set<String> = []

    /// Reads one tag; a range without an ID is dropped.
    mutating func read(_ value: ByteView, context: inout ParseContext) {
        guard let list = context.attributes(of: value),
            let reading = DateRangeReader.read(list, context: &context)
        else { return }
        let range = reading.range
        if reading.hasUnreadableStart { unreadableStarts.insert(range.id) }
        if let index = indices[range.id] {
            for name in ranges[index].merge(range) {
                context.report(.dateRangeAttributeConflict, "\(name) of '\(range.id)' differs from an earlier tag")
            }
            return
        }
        guard ranges.count < PlaylistLimits.dateRanges else {
            context.report(.limitReached, "more than \(PlaylistLimits.dateRanges) date ranges; the rest is not read")
            return
        }
        indices[range.id] = ranges.count
        if range.start == nil { startlessFirsts.insert(range.id) }
        ranges.append(range)
    }

    /// Resolves ends that depend on other ranges and checks the rules about whole ranges. A delta update may list only
    /// the later tags of a range, without its start.
    mutating func finish(isDelta: Bool, hasDates: Bool, findings: inout PlaylistFindings) {
        ranges.resolveEnds()
        for range in ranges {
            if startlessFirsts.contains(range.id), !isDelta, !unreadableStarts.contains(range.id) {
                let place = range.start == nil ? "" : " in its first tag"
                findings.add(.dateRangeMissingStart, line: range.line, "'\(range.id)' has no START-DATE\(place)")
            }
            check(range, findings: &findings)
        }
        if let first = ranges.first, !hasDates, !isDelta {
            findings.add(
                .dateRangeWithoutPDT, line: first.line, "date ranges in a playlist without EXT-X-PROGRAM-DATE-TIME")
        }
    }

    private func check(_ range: DateRange, findings: inout PlaylistFindings) {
        if let start = range.start, let end = range.endDate {
            if end < start {
                findings.add(.dateRangeEndBeforeStart, line: range.line, "'\(range.id)' ends before it starts")
            } else if let duration = range.statedDuration,
                (end - (start + duration)).inMicroseconds.magnitude > Self.endTolerance
            {
                findings.add(
                    .dateRangeDurationEndMismatch, line: range.line,
                    "END-DATE of '\(range.id)' is not START-DATE plus DURATION")
            }
        }
        if range.endsOnNext {
            if range.rangeClass == nil {
                findings.add(.dateRangeEndOnNextNoClass, line: range.line, "END-ON-NEXT of '\(range.id)' without CLASS")
            }
            if range.statedDuration != nil || range.endDate != nil {
                findings.add(
                    .dateRangeEndOnNextWithDuration, line: range.line,
                    "END-ON-NEXT of '\(range.id)' with DURATION or END-DATE")
            }
        }
        if range.cue.contains(.pre), range.cue.contains(.post) {
            findings.add(.dateRangeCuePreAndPost, line: range.line, "CUE of '\(range.id)' has both PRE and POST")
        }
    }

    /// Tolerance for dates rounded to milliseconds, in microseconds.
    private static let endTolerance: UInt64 = 1_000
}

extension DateRange {
    /// Adds the attributes of another tag with the same ID; on conflict this value is kept.
    /// - Returns: the names of the conflicting attributes.
    mutating func merge(_ other: DateRange) -> [String] {
        var conflicts: [String] = []
        func take<Value: Equatable>(_ name: String, _ mine: inout Value?, _ theirs: Value?) {
            guard let theirs else { return }
            if let present = mine {
                if present != theirs { conflicts.append(name) }
            } else {
                mine = theirs
            }
        }
        if hasBreakStart, other.endsAnotherBreak, let start, let end = other.start, end > start + Timeline.dateTolerance
        {
            returnDate = returnDate ?? end
        }
        take("CLASS", &rangeClass, other.rangeClass)
        take("START-DATE", &start, other.start)
        take("END-DATE", &endDate, other.endDate)
        take("DURATION", &statedDuration, other.statedDuration)
        take("PLANNED-DURATION", &plannedDuration, other.plannedDuration)
        take("SCTE35-CMD", &scte35Command, other.scte35Command)
        take("SCTE35-OUT", &scte35Out, other.scte35Out)
        take("SCTE35-IN", &scte35In, other.scte35In)
        if cue.isEmpty {
            cue = other.cue
        } else if !other.cue.isEmpty, cue != other.cue {
            conflicts.append("CUE")
        }
        endsOnNext = endsOnNext || other.endsOnNext
        hasBreakStart = hasBreakStart || other.hasBreakStart
        hasBreakEnd = hasBreakEnd || other.hasBreakEnd
        messageLength = messageLength ?? other.messageLength
        startsAdvertisement = startsAdvertisement ?? other.startsAdvertisement
        endsAdvertisement = endsAdvertisement ?? other.endsAdvertisement
        for attribute in other.extensions {
            if let present = self[extension: attribute.name] {
                if !present.means(attribute.value) { conflicts.append(attribute.name) }
            } else if extensions.count < PlaylistLimits.extensionAttributes {
                extensions.append(attribute)
            }
        }
        return conflicts
    }
}

extension [DateRange] {
    /// Sets `end` of all ranges: END-DATE, else start plus DURATION, else where its SCTE35-IN is, else the start of the following range of
    /// the class.
    mutating func resolveEnds() {
        var starts: [String: [UnixTime]] = [:]
        for range in self {
            guard let rangeClass = range.rangeClass, let start = range.start else { continue }
            starts[rangeClass, default: []].append(start)
        }
        starts = starts.mapValues { $0.sorted() }
        for index in indices {
            let range = self[index]
            if let endDate = range.endDate {
                self[index].end = endDate
            } else if let start = range.start, let duration = range.statedDuration {
                self[index].end = start + duration
            } else if let date = range.returnDate {
                self[index].end = date
            } else if range.endsOnNext, let start = range.start, let rangeClass = range.rangeClass {
                self[index].end = starts[rangeClass]?.first(after: start)
            } else {
                self[index].end = nil
            }
        }
    }
}

extension [UnixTime] {
    /// The earliest element later than `time`; the elements are sorted.
    fileprivate func first(after time: UnixTime) -> UnixTime? {
        let index = partitioningIndex { $0 > time }
        return index < count ? self[index] : nil
    }
}
