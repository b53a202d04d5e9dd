import AdTracking
import Algorithms
import HLS
import Ports

/// Matches markers of the playlist with known breaks and lists their contradictions (HLS-24).
struct BreakJoin: Equatable {
    /// Starts, and lengths, that differ by at most this are equal.
    static let tolerance: Duration = .milliseconds(500)
    /// With a start further away than this, the same SCTE-35 event id belongs to another event.
    static let idReach: Duration = .seconds(60)
    /// Breaks that are compared with one marker, before its start and after it; more of them are an attack.
    static let neighboursLookedAt = 256

    /// A break known from metadata, VAST or an interstitial.
    struct Known: Equatable {
        var id: BreakID
        var name: String
        var source: AdBreak.Source
        var start: UnixTime
        var end: UnixTime
        /// Whether its end is final, as far as its source shows.
        var isSettled = true
        /// Whether the newest document lists it.
        var isListed = true
        /// Whether it is listed, or was played: others may be earlier names, or plans, of the same break.
        var counts = true
    }

    /// A break known from markers.
    struct Marker: Equatable {
        var number: Int
        var kind: AdBreakMarker.Source
        /// Ids of the marker and of its SCTE-35 messages.
        var ids: Set<String> = []
        var start: UnixTime
        /// Nil when neither an end nor a length was announced.
        var end: UnixTime?
        /// Whether its beginning was not listed any more.
        var isJoinedMid = false

        /// End of the range in which breaks may match; an unknown end counts as right after the start.
        var reach: UnixTime { max(end ?? start, start + .seconds(1)) }
    }

    struct Difference: Hashable {
        var breakID: BreakID
        /// One of the `marker-…` rules.
        var rule: SessionRule
        var severity: Severity
        /// Message as one sentence.
        var message: String
    }

    /// Numbers of the markers of each known break.
    private(set) var markers: [BreakID: [Int]] = [:]
    /// Numbers of markers that match no known break, grouped by break.
    private(set) var alone: [[Int]] = []
    private(set) var differences: [Difference] = []
    /// The sentences of ``differences`` by break.
    private(set) var messages: [BreakID: [String]] = [:]

    /// See ``init(_:_:joinedAt:)``.
    private(set) var joins: [UnixTime] = []

    init() {}

    /// - Parameter joins: where session and viewer joined. Of a break there only the rest may be known.
    init(_ known: [Known], _ all: [Marker], joinedAt joins: [UnixTime] = []) {
        self.joins = joins
        let known = Self.near(all, known)
        let index = StartIndex(known)
        var lonely: [Marker] = []
        for marker in all {
            let known = index.near(marker)
            let best = known.compactMap { candidate in Match(marker, candidate).map { (candidate, $0) } }
                .max { $0.1 < $1.1 }
            guard let (found, _) = best else {
                lonely.append(marker)
                continue
            }
            markers[found.id, default: []].append(marker.number)
            compare(marker, with: found, among: known)
        }
        countKinds(known, all)
        groupAlone(lonely)
    }

    /// The breaks that a marker may match: breaks are kept for hours, markers only while the playlist lists them.
    private static func near(_ markers: [Marker], _ known: [Known]) -> [Known] {
        guard let first = markers.map(\.start).min(), let last = markers.map(\.reach).max() else { return [] }
        return known.filter { $0.start <= last + idReach && first - idReach <= max($0.start, $0.end) }
    }

    /// Breaks by start, to check only those a marker may match.
    private struct StartIndex {
        private let known: [Known]
        private let longest: Duration

        init(_ known: [Known]) {
            let isSorted = zip(known, known.dropFirst()).allSatisfy { $0.start <= $1.start }
            self.known = isSorted ? known : known.sorted { $0.start < $1.start }
            longest = known.lazy.map { $0.end - $0.start }.max() ?? .zero
        }

        func near(_ marker: Marker) -> ArraySlice<Known> {
            let first = marker.start - max(longest, BreakJoin.idReach)
            let last = max(marker.reach, marker.start + BreakJoin.idReach)
            let middle = known.partitioningIndex { $0.start >= marker.start }
            let lower = max(known.partitioningIndex { $0.start >= first }, middle - BreakJoin.neighboursLookedAt)
            let upper = min(known.partitioningIndex { $0.start > last }, middle + BreakJoin.neighboursLookedAt)
            return known[lower..<max(lower, upper)]
        }
    }

    // MARK: Differences

    private mutating func compare(_ marker: Marker, with known: Known, among all: ArraySlice<Known>) {
        let source = known.source.word
        let step = marker.start - known.start
        let isInPart = self.isInPart(known, of: marker)
        if step.magnitude > Self.tolerance, !isInPart {
            let side = step > .zero ? "later" : "earlier"
            note(
                known, .markerStart, .warning,
                "the marker starts \(Wording.seconds(step.magnitude)) \(side) than the \(source)")
        }
        let inside = Self.distinct(all.filter { $0.source == known.source && $0.counts && $0.isMostly(in: marker) })
        if inside > 1 { note(known, .markerCount, .warning, "the marker spans \(inside) breaks of the \(source)") }
        guard known.isSettled, !isInPart else { return }
        let length = known.end - known.start
        guard let end = marker.end else {
            return note(
                known, .markerOpenEnded, .info,
                "the marker announces no end, the \(source) ends after \(Wording.seconds(length))")
        }
        let marked = end - marker.start
        guard inside <= 1, (marked - length).magnitude > Self.tolerance else { return }
        note(
            known, .markerDuration, .warning,
            "the marker lasts \(Wording.seconds(marked)), the \(source) \(Wording.seconds(length))")
    }

    /// Whether the beginning of the break, or of the marker, may not have been seen: the session began, or the viewer joined, in between.
    private func isInPart(_ known: Known, of marker: Marker) -> Bool {
        guard !marker.isJoinedMid else { return true }
        guard marker.start + Self.tolerance < known.start else { return false }
        return joins.contains { marker.start < $0 && $0 < known.end }
    }

    /// The number of breaks, without those that are listed no more and lie where another one is: its ids may change with each answer.
    private static func distinct(_ breaks: [Known]) -> Int {
        let listed = breaks.filter(\.isListed)
        var counted = listed
        for former in breaks where !former.isListed && !counted.contains(where: former.overlaps) {
            counted.append(former)
        }
        return counted.count
    }

    /// A break needs only one marker of a kind.
    private mutating func countKinds(_ known: [Known], _ all: [Marker]) {
        let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0.kind) })
        for known in known {
            for kind in [AdBreakMarker.Source.cue, .dateRange] {
                let count = (markers[known.id] ?? []).count { kinds[$0] == kind }
                guard count > 1 else { continue }
                note(
                    known, .markerCount, .warning,
                    "\(count) \(kind.word) markers describe one break of the \(known.source.word)")
            }
        }
    }

    private mutating func note(_ known: Known, _ rule: SessionRule, _ severity: Severity, _ message: String) {
        let difference = Difference(breakID: known.id, rule: rule, severity: severity, message: message)
        // A break has a handful of markers, and so a handful of differences, unless markers repeat: then they are equal.
        guard !(messages[known.id] ?? []).contains(message) else { return }
        differences.append(difference)
        messages[known.id, default: []].append(message)
    }

    // MARK: Markers alone

    /// A cue tag and a date range of one message describe the same break.
    private mutating func groupAlone(_ lonely: [Marker]) {
        var groups: [[Int]] = []
        var seen = SeenMarkers()
        for marker in lonely {
            let index = seen.group(of: marker) ?? groups.count
            if index == groups.count { groups.append([]) }
            groups[index].append(marker.number)
            seen.add(marker, to: index)
        }
        alone = groups
    }

    /// Markers by start and by id, to find the first group with one that describes the same break.
    private struct SeenMarkers {
        private struct Place {
            var start: UnixTime
            var group: Int
        }

        private var byTime: [Int64: [Place]] = [:]
        private var byID: [String: [Place]] = [:]

        private static func slot(_ time: UnixTime) -> Int64 {
            time.microseconds / BreakJoin.tolerance.inMicroseconds
        }

        func group(of marker: Marker) -> Int? {
            let slot = Self.slot(marker.start)
            let near = (slot - 1...slot + 1).lazy.flatMap { byTime[$0] ?? [] }.filter {
                ($0.start - marker.start).magnitude <= BreakJoin.tolerance
            }
            let related = marker.ids.lazy.flatMap { byID[$0] ?? [] }.filter {
                ($0.start - marker.start).magnitude <= BreakJoin.idReach
            }
            return [near.map(\.group).min(), related.map(\.group).min()].compactMap(\.self).min()
        }

        mutating func add(_ marker: Marker, to group: Int) {
            let place = Place(start: marker.start, group: group)
            byTime[Self.slot(marker.start), default: []].append(place)
            for id in marker.ids { byID[id, default: []].append(place) }
        }
    }

    /// Strength of the match between a marker and a break: by id, else by start, else by overlap.
    private struct Match: Comparable {
        var rank: Int
        var isListed: Bool
        var overlap: Duration
        var distance: Duration

        init?(_ marker: Marker, _ known: Known) {
            isListed = known.isListed
            distance = (marker.start - known.start).magnitude
            overlap = min(marker.reach, known.end) - max(marker.start, known.start)
            if marker.ids.contains(known.name), distance <= BreakJoin.idReach {
                rank = 3
            } else if distance <= BreakJoin.tolerance {
                rank = 2
            } else if overlap > BreakJoin.tolerance {
                rank = 1
            } else {
                return nil
            }
        }

        static func < (left: Self, right: Self) -> Bool {
            (left.rank, left.isListed ? 1 : 0, left.overlap, right.distance)
                < (right.rank, right.isListed ? 1 : 0, right.overlap, left.distance)
        }
    }
}

extension BreakJoin.Known {
    /// Whether both are on the air at one time.
    func overlaps(_ other: Self) -> Bool { min(end, other.end) - max(start, other.start) > BreakJoin.tolerance }

    fileprivate func isMostly(in marker: BreakJoin.Marker) -> Bool {
        let overlap = min(marker.reach, end) - max(marker.start, start)
        return overlap > .zero && overlap * 2 > end - start
    }
}

extension AdBreak.Source {
    /// The word in sentences.
    var word: String {
        switch self {
        case .metadata: "metadata"
        case .marker: "marker"
        case .interstitial: "interstitial"
        case .signaling: "signaling"
        case .vast: "VAST"
        }
    }
}

extension AdBreakMarker.Source {
    /// The word in sentences and JSON.
    var word: String {
        switch self {
        case .cue: "cue"
        case .dateRange: "date range"
        }
    }
}
