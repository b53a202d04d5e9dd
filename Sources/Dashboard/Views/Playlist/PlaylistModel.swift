import Algorithms
import HLS
import Ports
package import Session

/// The rows of the playlist pane for one text and one filter: built when the playlist changes, never per frame, because
/// a window of hours has thousands of segments.
package struct PlaylistModel: ListRows {
    /// One row by its place in the playlist's arrays.
    enum Row: Hashable, Sendable {
        case head
        case finding(Int)
        case segment(Int)
        /// Index of the segment, nil for those after the last one, and index of the part.
        case part(Int?, Int)
        case cue(Int)
        case dateRange(Int)
        case hint(Int)
        case report(Int)
    }

    /// The versions that the rows were built from: equal stamps have equal rows.
    struct Stamp: Equatable, Sendable {
        private let number: Int?
        private let readAt: Moment?
        private let findings: Int
        private let filter: String

        init(_ snapshot: Snapshot, filter: String) {
            number = snapshot.playlistDetail?.text.number
            readAt = snapshot.playlistDetail?.text.readAt
            findings = snapshot.findings.reduce(0) { $0.addingSaturating($1.source == .playlist ? $1.count : 0) }
            self.filter = filter
        }
    }

    private var stamp: Stamp?
    /// The playlist and its text, nil until one was read.
    private(set) var detail: PlaylistDetail?
    /// All rows, also those scrolled away.
    private(set) var rows: [Row] = []
    private(set) var findings: [RuleFindings] = []
    /// Findings of the newest text by the index of the segment that their line belongs to.
    private(set) var flags: [Int: [Finding]] = [:]
    /// Row of each segment, parallel to the playlist's segments; nil where the filter hides it.
    private var segmentRows: [Int32] = []
    private(set) var lines = TextLines()
    /// The breaks that the playlist describes.
    private(set) var breaks: [AdBreakMarker] = []
    /// Columns of the widest media sequence number.
    private(set) var sequenceColumns = 4
    /// The row under the cursor.
    package private(set) var selectedRow = 0

    /// No rows.
    package init() {}

    /// The rows for `snapshot` as `state` wants them.
    package init(_ snapshot: Snapshot, _ state: ListState<PlaylistModel>) {
        stamp = Stamp(snapshot, filter: state.filter)
        detail = snapshot.playlistDetail
        findings = PlaylistFindings.byRule(detail, session: snapshot.findings)
        if let playlist {
            lines = TextLines(detail?.text.bytes ?? [])
            sequenceColumns = max(4, "\(playlist.segments.last?.sequence ?? 0)".utf8.count)
            breaks = playlist.followedBreaks
            flags = findingsBySegment(playlist)
            segmentRows = [Int32](repeating: -1, count: playlist.segments.count)
            addRows(playlist, filter: TextFilter(state.filter))
        }
        selectedRow = state.selection.flatMap(row) ?? min(max(state.lastRow, 0), max(rows.count - 1, 0))
    }

    /// The playlist that is shown.
    var playlist: MediaPlaylist? { detail?.playlist }

    /// Whether the rows are those of `snapshot` under that filter.
    func fits(_ snapshot: Snapshot, filter: String) -> Bool { stamp == Stamp(snapshot, filter: filter) }

    package var count: Int { rows.count }

    /// Moves the cursor, clamped to the rows.
    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    /// The row under the cursor, nil while there are none.
    var selected: Row? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    /// The identity of a row, which is stable over reloads.
    package func item(at index: Int) -> PlaylistItem? {
        guard rows.indices.contains(index), let playlist else { return nil }
        switch rows[index] {
        case .head: return .head
        case .finding(let place): return .finding(rule: findings[place].finding.rule)
        case .segment(let place): return .segment(playlist.segments[place].sequence)
        case .part(let place, let part):
            let parts = place.map { playlist.segments[$0].parts } ?? playlist.trailingParts
            return .part(parts[part].sequence, index: parts[part].index)
        case .cue(let place):
            let cue = playlist.cuePoints[place]
            let first = playlist.cuePoints[..<place].lastIndex { $0.sequence != cue.sequence }.map { $0 + 1 } ?? 0
            return .cue(cue.sequence, ordinal: place - first)
        case .dateRange(let place): return .dateRange(playlist.dateRanges[place].id)
        case .hint(let place): return .hint(playlist.preloadHints[place].kind)
        case .report(let place): return .report(playlist.renditionReports[place].uri)
        }
    }

    /// The row of an item, nil when it was removed or is filtered out.
    package func row(of item: PlaylistItem) -> Int? {
        guard case .segment(let sequence) = item else { return rows.indices.first { self.item(at: $0) == item } }
        return segmentRow(sequence: sequence)
    }

    /// The row that the playhead is in: a segment's, or in low-latency mode a part's after the last segment.
    func row(at position: StreamTime?) -> Int? {
        guard let position, let timeline = detail?.timeline, let playlist else { return nil }
        if let segment = timeline.segment(at: position) { return segmentRow(sequence: segment.sequence) }
        guard let last = timeline.listed.last, position >= last.end else { return nil }
        var end = last.end
        for (index, part) in playlist.trailingParts.enumerated() {
            end = end + max(.zero, part.duration)
            if position < end { return rows.lastIndex(of: .part(nil, index)) }
        }
        // A playhead that has played everything is at the end.
        return rows.lastIndex { if case .part(nil, _) = $0 { true } else { false } }
            ?? segmentRow(sequence: last.sequence)
    }

    private func segmentRow(sequence: Int) -> Int? {
        guard let first = playlist?.segments.first?.sequence else { return nil }
        let place = sequence.subtractingSaturating(first)
        guard segmentRows.indices.contains(place), segmentRows[place] >= 0 else { return nil }
        return Int(segmentRows[place])
    }

    /// A finding belongs to the segment at or after its line; findings on tags of the whole playlist belong to none.
    private func findingsBySegment(_ playlist: MediaPlaylist) -> [Int: [Finding]] {
        guard let text = detail?.text, let first = playlist.segments.first?.sequence else { return [:] }
        let start = min(max(text.firstSequence.subtractingSaturating(first), 0), playlist.segments.count)
        let listed = playlist.segments[start...]
        let firstLine = listed.first.map { lines.tagsStart(before: $0.line) } ?? 0
        var flags: [Int: [Finding]] = [:]
        for finding in text.findings {
            guard let line = finding.line, line >= firstLine else { continue }
            let place = listed.partitioningIndex { $0.line >= line }
            if listed.indices.contains(place) { flags[place, default: []].append(finding) }
        }
        return flags
    }
}

extension PlaylistModel {
    private mutating func addRows(_ playlist: MediaPlaylist, filter: TextFilter) {
        add(.head, filter.isEmpty || filter.isInverted)
        for (index, rule) in findings.enumerated() {
            add(.finding(index), filter.passes(anyOf: [rule.finding.rule, rule.finding.message]))
        }
        let ranges = rangesByPlace(playlist)
        var nextRange = ranges.startIndex
        var nextCue = 0
        func addRanges(upTo place: Int, _ model: inout Self) {
            while nextRange < ranges.endIndex, ranges[nextRange].place <= place {
                let index = ranges[nextRange].index
                model.add(.dateRange(index), filter.passes(anyOf: PlaylistModel.words(playlist.dateRanges[index])))
                nextRange += 1
            }
        }
        addRanges(upTo: -1, &self)
        for (index, segment) in playlist.segments.enumerated() {
            while nextCue < playlist.cuePoints.count, playlist.cuePoints[nextCue].sequence <= segment.sequence {
                add(.cue(nextCue), filter.passes(anyOf: PlaylistModel.words(playlist.cuePoints[nextCue])))
                nextCue += 1
            }
            addRanges(upTo: index, &self)
            let isShown = filter.isEmpty || filter.passes(anyOf: PlaylistModel.words(segment, flags[index] ?? []))
            if isShown { segmentRows[index] = Int32(clamping: rows.count) }
            add(.segment(index), isShown)
            for (part, value) in segment.parts.enumerated() { add(.part(index, part), filter.passes(value.uri)) }
        }
        for cue in nextCue..<max(nextCue, playlist.cuePoints.count) {
            add(.cue(cue), filter.passes(anyOf: PlaylistModel.words(playlist.cuePoints[cue])))
        }
        for (part, value) in playlist.trailingParts.enumerated() { add(.part(nil, part), filter.passes(value.uri)) }
        for (index, hint) in playlist.preloadHints.enumerated() { add(.hint(index), filter.passes(hint.uri)) }
        addRanges(upTo: .max, &self)
        for (index, report) in playlist.renditionReports.enumerated() { add(.report(index), filter.passes(report.uri)) }
    }

    /// Markers and particulars that are in the playlist, and the rules of its findings.
    var filterWords: [FilterWord] {
        guard let playlist else { return [] }
        let particulars = playlist.segments.flatMap { segment in
            (segment.isDiscontinuity ? ["discontinuity"] : []) + (segment.isGap ? ["gap"] : [])
        }
        let tags = playlist.cuePoints.map(\.tag) + playlist.dateRanges.map { _ in "EXT-X-DATERANGE" }
        return FilterWord.joined(
            FilterWord.counted(findings.map(\.finding.rule), "finding"), FilterWord.counted(tags, "marker"),
            FilterWord.counted(playlist.dateRanges.compactMap(\.rangeClass), "range"),
            FilterWord.counted(particulars, "segment"))
    }

    private mutating func add(_ row: Row, _ isShown: Bool) {
        if isShown { rows.append(row) }
    }

    /// Date ranges with the index of the segment they begin in: -1 before the window or without a place, the number of
    /// segments after it.
    private func rangesByPlace(_ playlist: MediaPlaylist) -> [(place: Int, index: Int)] {
        guard let timeline = detail?.timeline, let window = timeline.window, let last = timeline.listed.last else {
            return playlist.dateRanges.indices.map { (-1, $0) }
        }
        return playlist.dateRanges.enumerated().map { index, range in
            guard let position = range.start.flatMap(timeline.position), position >= window.start else {
                return (-1, index)
            }
            guard position < last.end, let segment = timeline.segment(at: position) else {
                return (playlist.segments.count, index)
            }
            return (segment.sequence.subtractingSaturating(window.firstSequence), index)
        }.sorted { ($0.place, $0.index) < ($1.place, $1.index) }
    }

    private static func words(_ segment: MediaSegment, _ findings: [Finding]) -> [String] {
        var words = [segment.uri, "\(segment.sequence)"]
        if segment.isDiscontinuity { words.append("discontinuity") }
        if segment.isGap { words.append("gap") }
        if let title = segment.title { words.append(title) }
        return words + findings.map(\.rule)
    }

    private static func words(_ cue: CuePoint) -> [String] { [cue.tag, cue.id ?? ""] }

    private static func words(_ range: DateRange) -> [String] {
        ["EXT-X-DATERANGE", range.id, range.rangeClass ?? ""] + (range.isAdBreak ? ["SCTE35"] : [])
    }
}
