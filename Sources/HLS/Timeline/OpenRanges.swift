import Algorithms
import Ports

/// The breaks of date ranges that another range may end, and which of them one ends: that of the event in its message, else the one that
/// began last (HLS-25). The end of an ad does not end its break.
struct OpenRanges {
    /// Most open breaks that are compared with one range; more of them are an attack.
    private static let reach = 64

    private let breaks: [TrackedBreak]
    private let longestSegment: Duration
    /// Where breaks of all kinds begin, ascending.
    private let starts: [UnixTime]
    /// Indices of those that have not begun yet, the latest first.
    private var ahead: [Int]
    /// Indices of the others, the latest last.
    private var begun: [Int] = []

    /// - Parameter longestSegment: how far an end of cue tags, which are at the start of a segment, may be from that of the range.
    init(_ breaks: [TrackedBreak], longestSegment: Duration) {
        (self.breaks, self.longestSegment) = (breaks, longestSegment)
        starts = breaks.compactMap(\.start).sorted()
        ahead = breaks.indices.filter { index in
            breaks[index].source == .dateRange && (breaks[index].isOpen || breaks[index].endsWithCue)
                && breaks[index].start != nil
        }
        ahead.sort { (breaks[$0].start?.microseconds ?? 0, $0) > (breaks[$1].start?.microseconds ?? 0, $1) }
    }

    /// - Returns: the index of the break that ends, which is open no more. Ranges come in the order of their dates.
    mutating func ended(by range: DateRange, at end: UnixTime) -> Int? {
        begin(before: end)
        let candidates = begun.indices.suffix(Self.reach).filter { position in
            let open = breaks[begun[position]]
            guard let start = open.start, end - start <= BreakTrack.openLimit else { return false }
            return !range.isAdvertisement || open.isAdvertisement
        }
        guard let last = candidates.last else { return nil }
        let isSure = candidates.count == 1 && !breaks[begun[last]].endsWithCue
        let events = isSure ? [] : BreakSignal.ids(in: range.scte35In, ending: true)
        let named = candidates.last { position in
            !events.isEmpty
                && breaks[begun[position]].scte35.contains { message in
                    !events.isDisjoint(with: BreakSignal.ids(in: message, ending: false))
                }
        }
        let ended = named ?? candidates.last { mayCorrect(breaks[begun[$0]], at: end) }
        return ended.map { begun.remove(at: $0) }
    }

    /// - Returns: the index of the open break with an ID, if it began before a date.
    mutating func ended(byOwn id: String, at end: UnixTime) -> Int? {
        begin(before: end)
        let own = begun.indices.suffix(Self.reach).last { position in
            let open = breaks[begun[position]]
            guard open.markerID == id, let start = open.start else { return false }
            return end > start + Timeline.dateTolerance && end - start <= BreakTrack.openLimit
        }
        return own.map { begun.remove(at: $0) }
    }

    private mutating func begin(before end: UnixTime) {
        while let next = ahead.last, let start = breaks[next].start, start < end { begun.append(ahead.removeLast()) }
    }

    /// Whether a range that does not name the event of a break may be its end where cue tags gave it another one: a marker of an end may be
    /// a segment away from it, and one that was only computed is over at the latest where the next break begins.
    private func mayCorrect(_ open: TrackedBreak, at end: UnixTime) -> Bool {
        guard open.endsWithCue, let known = open.end else { return true }
        if open.closedBy == .in { return (end - known).magnitude <= longestSegment }
        let next = starts.partitioningIndex { $0 >= known }
        return next == starts.count || starts[next] >= end
    }
}

extension BreakSignal {
    /// The events that a message begins, or ends.
    fileprivate static func ids(in message: [UInt8]?, ending: Bool) -> Set<String> {
        // The parser reports messages that cannot be read.
        let signals = message.flatMap { try? SpliceInfo($0) }?.breakSignals ?? []
        return Set(signals.lazy.filter { $0.isEnd == ending }.map(\.id))
    }
}
