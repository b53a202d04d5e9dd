package import HLS
package import Ports

/// Ad creative signaling in date ranges or MPD events as an answer that lists breaks (PRV-39, PRV-40).
///
/// A session reads date ranges with ``SignaledRanges``, which knows what was played. This is for what only looks at documents:
/// `metadata parse`, and the conformance vectors.
package struct SignaledListing: Hashable, Sendable {
    /// The schemes of MPD events with signaling, and the classes of date ranges.
    package static let schemes = SignaledRanges.classes

    private enum Envelope: Hashable {
        case base64(String)
        case json(String)
    }

    private struct Range: Hashable {
        var id: String
        /// Seconds; since 1970 on dates.
        var start: ExactDecimal
        var isDated: Bool
        var isSignaled = false
        /// DURATION, the time up to END-DATE, and PLANNED-DURATION.
        var stated, ended, planned: ExactDecimal?
        var envelope: Envelope?

        var length: ExactDecimal? { stated ?? ended ?? planned }
    }

    private var ranges: [Range] = []
    /// Ids of ranges with signaling whose START-DATE is missing or cannot be read.
    private var unplaced: [String] = []

    package init() {}

    // MARK: Input

    /// Adds the date ranges of a playlist; tags with a known id add what they have.
    package mutating func add(_ listed: [DateRange]) {
        for tag in listed {
            let index = ranges.firstIndex { $0.id == tag.id }
            let date = tag.start.map { ExactDecimal(seconds: .microseconds($0.microseconds)) }
            guard let start = date ?? index.map({ ranges[$0].start }) else {
                noteUnplaced(tag)
                continue
            }
            guard ranges.count < SignaledRanges.limit else { continue }
            var range = index.map { ranges[$0] } ?? Range(id: tag.id, start: start, isDated: true)
            range.start = start
            range.isSignaled = range.isSignaled || tag.rangeClass.map(Self.schemes.contains) ?? false
            range.stated = tag.statedDuration.map { ExactDecimal(seconds: $0) } ?? range.stated
            range.planned = tag.plannedDuration.map { ExactDecimal(seconds: $0) } ?? range.planned
            if let end = tag.endDate {
                let length = ExactDecimal(seconds: .microseconds(end.microseconds)).minus(start)
                range.ended = length.isNegative ? range.ended : length
            }
            if case .string(let text)? = tag[extension: CreativeSignal.member] { range.envelope = .base64(text) }
            if let index { ranges[index] = range } else { ranges.append(range) }
        }
    }

    private mutating func noteUnplaced(_ tag: DateRange) {
        guard tag.rangeClass.map(Self.schemes.contains) ?? false, unplaced.count < DecodedMetadata.findingsKept,
            !unplaced.contains(tag.id)
        else { return }
        unplaced.append(tag.id)
    }

    /// Adds an event of an MPD.
    /// - Parameters:
    ///   - start: when the event starts.
    ///   - body: the envelope as JSON text.
    package mutating func add(
        eventID id: String, scheme: String, start: MediaMoment, length: ExactDecimal?, body: String
    ) {
        guard Self.schemes.contains(scheme), ranges.count < SignaledRanges.limit else { return }
        var range = Range(id: id, start: start.seconds, isDated: start.isDated)
        (range.isSignaled, range.stated, range.envelope) = (true, length, .json(body))
        ranges.append(range)
    }

    // MARK: Result

    /// The breaks of all that was added.
    package var answer: ListedAnswer {
        var reader = SignaledBreaks()
        let known = ranges.filter { $0.isSignaled }.sortedStably { $0.start < $1.start }
        for range in known {
            guard let envelope = range.envelope else { continue }
            let container = SignaledBreaks.Container(
                id: range.id, start: range.start, length: range.length, isDated: range.isDated)
            switch envelope {
            case .base64(let text): reader.add(CreativeSignal.read(attribute: text), in: container)
            case .json(let text): reader.add(CreativeSignal.read(json: text), in: container)
            }
        }
        var answer = reader.finished()
        for id in unplaced where !ranges.contains(where: { $0.id == id }) {
            answer.report(.withoutTime, "the range has no usable START-DATE: it is ignored", at: id)
        }
        return answer
    }
}
