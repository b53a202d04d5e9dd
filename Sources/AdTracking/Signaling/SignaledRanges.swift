package import HLS
package import Ports

/// The date ranges that carry ad creative signaling in a stitched stream (TRK-29), and the breaks they make.
///
/// A break keeps its name and its ads while the playlist drops the ranges behind its window.
package struct SignaledRanges: Sendable {
    /// The classes of such ranges; some packagers print the organisation without its T.
    package static let classes: Set<String> = Set(
        ["svta", "sva"].flatMap { organisation in
            ["ad-creative-signaling", "ad-id-signaling"].map { "urn:\(organisation):advertising-wg:\($0)" }
        })
    /// Maximum number of ranges known at once; further ones are not read. Two hours of ads have a few hundred.
    package static let limit = 1_000
    /// Maximum number of ads and events known at once, and of bytes of their envelopes.
    package static let nodeLimit = 20_000
    package static let textLimit = 4 << 20
    /// Ranges at most this far apart are one break.
    static let seam: Duration = .milliseconds(100)
    /// Maximum number of findings per envelope, and of ranges without a date that are reported of one playlist.
    private static let findingsKept = 50

    /// What a playlist changes.
    package struct Change: Hashable, Sendable {
        /// Breaks that are new or differ from before, by start.
        package var placed: [AdBreak] = []
        /// Names of breaks whose ranges the playlist removed before they were played.
        package var withdrawn: Set<String> = []
        /// Names of breaks that are over and of which nothing is kept any more.
        package var forgotten: Set<String> = []
        package var findings: [Finding] = []

        package init() {}
    }

    private var ranges: [String: SignaledRange] = [:]
    /// The ids under which ranges are known whose ids come again, by the id in the playlist.
    private var reused: [String: String] = [:]
    /// The breaks as last placed.
    private var placed: [String: AdBreak] = [:]
    private var nodeCount = 0
    private var textBytes = 0
    /// Ids of the ranges that the playlist being taken does not list, by start; nil until room is needed.
    private var evictable: [String]?
    private var hasNotedExcess = false
    /// Whether a break was ever made of such ranges, also if none is known any more.
    package private(set) var hasMadeBreaks = false

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    /// Takes the date ranges of the newest playlist.
    /// - Parameters:
    ///   - date: a range that starts at this date or later, and is no longer listed, is withdrawn.
    ///   - horizon: ranges that ended before it, and are no longer listed, are forgotten.
    ///   - needsEvents: whether a break without any event is not made, because metadata describes it.
    package mutating func take(
        _ listed: [DateRange], withdrawingFrom date: UnixTime?, horizon: UnixTime?, needsEvents: Bool
    ) -> Change {
        var change = Change()
        if listed.isEmpty, ranges.isEmpty { return change }
        let listed = listed.map { known($0) }
        let ids = Set(listed.lazy.map(\.id))
        for id in ranges.keys { ranges[id]?.isListed = ids.contains(id) }
        for range in listed { take(range, &change) }
        evictable = nil
        for (id, range) in ranges where !range.isListed {
            if let horizon, range.end ?? range.start < horizon { forget(id) }
            // It stays withdrawn when that date has passed.
            if let date, range.start >= date { ranges[id]?.isWithdrawn = true }
        }
        group(from: date)
        let made = breaks().filter { !needsEvents || $0.hasTracking }
        hasMadeBreaks = hasMadeBreaks || !made.isEmpty
        change.placed = made.filter { placed[$0.name ?? ""] != $0 }
        let names = Set(made.compactMap(\.name))
        change.withdrawn = Set(
            placed.values.lazy.filter { horizon == nil || $0.end >= horizon ?? $0.end }.compactMap(\.name)
                .filter { !names.contains($0) })
        change.forgotten = Set(placed.keys).subtracting(names).subtracting(change.withdrawn)
        placed = Dictionary(made.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        return change
    }

    // MARK: Reading

    /// The range under the id by which it is known: an id that comes again when its range has left the playlist and is over is that of
    /// another one.
    private mutating func known(_ range: DateRange) -> DateRange {
        guard let start = range.start, let first = ranges[range.id], first.start != start else { return range }
        var id = reused[range.id]
        let newest = id.flatMap { ranges[$0] } ?? first
        if newest.start != start, !newest.isListed, newest.end.map({ $0 < start }) ?? false {
            id = "\(range.id)@\(start.milliseconds)"
            reused[range.id] = id
        }
        guard let id else { return range }
        var range = range
        range.id = id
        return range
    }

    private mutating func take(_ range: DateRange, _ change: inout Change) {
        let isSignaled = range.rangeClass.map(Self.classes.contains) ?? false
        // An update may omit CLASS and what does not change (rfc8216bis-22 section 4.4.5.1).
        guard isSignaled || range.rangeClass == nil && ranges[range.id] != nil else { return }
        guard let start = range.start ?? ranges[range.id]?.start else {
            return noteUnplaced(range.id, &change)
        }
        var new = ranges[range.id] ?? SignaledRange(id: range.id, start: start)
        var text = new.text
        if case .string(let value) = range[extension: CreativeSignal.member] {
            text = value
        } else if !new.isRead {
            let isMissing = range[extension: CreativeSignal.member] == nil
            change.findings.append(Self.finding(range.id, isMissing ? "is missing" : "is not a quoted string"))
        }
        let length = range.duration ?? range.plannedDuration ?? (range.rangeClass == nil ? new.length : nil)
        let isSame = new.isRead && new.start == start && new.length == length && new.text == text
        (new.start, new.length, new.isListed, new.isWithdrawn) = (start, length, true, false)
        guard isSame || read(text, into: &new, &change) else { return }
        ranges[range.id] = new
    }

    /// - Returns: false where there is no room for the range.
    private mutating func read(_ text: String, into range: inout SignaledRange, _ change: inout Change) -> Bool {
        forget(range.id)
        range.clear()
        let bytes = text.utf8.count
        guard hasRoom(for: 0, bytes: bytes) else {
            noteExcess(&change)
            return false
        }
        (range.text, textBytes) = (text, textBytes + bytes)
        guard !text.isEmpty else { return true }
        change.findings += range.read().prefix(Self.findingsKept)
        if !hasRoom(for: range.nodeCount, bytes: 0) {
            range.parts = []
            noteExcess(&change)
        }
        nodeCount += range.nodeCount
        return true
    }

    /// A range without a START-DATE that can be read: nobody knows when its ads play.
    private func noteUnplaced(_ id: String, _ change: inout Change) {
        guard change.findings.count < Self.findingsKept else { return }
        change.findings.append(
            ProviderRule.withoutTime.finding(
                "date range '\(id)': it has no usable START-DATE, so its ads have no place", path: id))
    }

    private mutating func noteExcess(_ change: inout Change) {
        guard !hasNotedExcess else { return }
        hasNotedExcess = true
        change.findings.append(
            Finding(
                rule: SignalingRule.tooMany, severity: .warning,
                message:
                    "date ranges carry ad creative signaling with more than \(Self.limit) ranges, \(Self.nodeLimit) "
                    + "ads and events, or \(Self.textLimit >> 20) MiB; the rest is not read", section: "SVTA 2053-1"))
    }

    /// Room for one more range, once those that are no longer listed have made it.
    private mutating func hasRoom(for nodes: Int, bytes: Int) -> Bool {
        func fits() -> Bool {
            ranges.count < Self.limit && nodeCount + nodes <= Self.nodeLimit && textBytes + bytes <= Self.textLimit
        }
        if fits() { return true }
        // Those far in the future first: what was played belongs to breaks that are still shown.
        var old =
            evictable
            ?? ranges.values.filter { !$0.isListed }.sorted { ($0.start, $0.id) < ($1.start, $1.id) }.map(\.id)
        while !fits(), let id = old.popLast() { forget(id) }
        evictable = old
        return fits()
    }

    private mutating func forget(_ id: String) {
        guard let range = ranges.removeValue(forKey: id) else { return }
        if reused.count > Self.limit { reused = [:] }
        nodeCount -= range.nodeCount
        textBytes -= range.text.utf8.count
    }

    // MARK: Breaks

    /// Assigns ranges to breaks: a slot that starts where the one before ends continues its break (TRK-29). What has begun to play keeps its
    /// break; before that, the end of the range before it may become known or change.
    private mutating func group(from date: UnixTime?) {
        var before: SignaledRange?
        for range in ranges.values.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) where !range.isPod {
            var range = range
            if range.group == nil || date.map({ range.start > $0 }) ?? false {
                let continued = before?.end.map { range.start <= $0 + Self.seam } ?? false
                range.group = range.avail ?? (continued ? before?.group : nil) ?? range.id
                ranges[range.id] = range
            }
            if range.avail == nil { before = range }
        }
    }

    /// The breaks of all ranges, by start.
    private func breaks() -> [AdBreak] {
        var breaks: [String: AdBreak] = [:]
        var open: Set<String> = []
        let known = ranges.values.filter { !$0.isWithdrawn }
        for range in known.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) {
            for part in range.parts {
                let name = part.name ?? range.group ?? range.id
                var adBreak =
                    breaks[name] ?? AdBreak(name: name, start: part.start, duration: .zero, source: .signaling)
                let start = min(adBreak.start, part.start)
                if part.end == nil { open.insert(name) }
                adBreak.duration = max(adBreak.end, part.end ?? part.start) - start
                adBreak.start = start
                adBreak.ads += part.ads
                breaks[name] = adBreak
            }
        }
        for name in open { breaks[name]?.duration = .zero }
        return breaks.values.map { adBreak in
            var adBreak = adBreak
            adBreak.ads = adBreak.ads.enumerated()
                .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
            return adBreak
        }
        .sorted { ($0.start, $0.name ?? "") < ($1.start, $1.name ?? "") }
    }

    // MARK: Findings

    private static func finding(_ id: String, _ problem: String) -> Finding {
        Finding(
            rule: SignalingRule.undecodable, severity: .error,
            message: "date range '\(id)': \(CreativeSignal.member) \(problem)", path: id, section: "SVTA 2053-2")
    }
}

extension AdBreak {
    fileprivate var hasTracking: Bool { ads.contains { !$0.events.isEmpty } }
}
