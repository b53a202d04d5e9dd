import Ports
import Screen
import Session

/// A finding about no break: its place on the timeline is what was played when it was seen last.
struct TimelineMark: Equatable {
    /// The code of its rule, and the path in the document it is about.
    var rule: String
    var path: String?
    var severity: Severity
    /// Media date.
    var date: UnixTime

    /// The errors and warnings of a snapshot that no break is marked for, the most severe first, and of these the newest.
    static func all(of snapshot: Snapshot) -> [TimelineMark] {
        let marks = snapshot.findings.compactMap { view -> TimelineMark? in
            guard view.finding.severity > .info, view.places.isEmpty, let date = view.date else { return nil }
            return TimelineMark(
                rule: view.finding.rule, path: view.finding.path, severity: view.finding.severity, date: date)
        }
        return marks.sorted { ($0.severity, $0.date, $1.rule) > ($1.severity, $1.date, $0.rule) }
    }
}

extension TimelineTrack {
    /// How far before its time a mark may be where a name is in its column.
    private static let reach = 12

    /// The columns of marks: that of the time, or the nearest one before it that has no name, sign or playhead and is not the last one
    /// that is left of a block. Of several in one column the first is shown.
    func columns(of marks: [TimelineMark], beside places: [Place]) -> [Int: TimelineMark] {
        guard !marks.isEmpty else { return [:] }
        var isFree = [Bool](repeating: true, count: row.width)
        func take(_ columns: Range<Int>) {
            for column in columns.clamped(to: isFree.indices) { isFree[column] = false }
        }
        take(scale.playheadColumn..<scale.playheadColumn + 1)
        for place in places {
            for taken in [place.label, place.sign].compactMap(\.self) { take(taken) }
        }
        // The block that each column shows, and how many columns show it.
        var owners = [Int?](repeating: nil, count: row.width)
        for (index, place) in places.enumerated() {
            for column in place.block.clamped(to: owners.indices) where isFree[column] { owners[column] = index }
        }
        var left = owners.compactMap(\.self).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        var shown: [Int: TimelineMark] = [:]
        for mark in marks {
            let column = scale.column(of: mark.date)
            guard isFree.indices.contains(column) else { continue }
            let nearest = (max(0, column - Self.reach)...column).last { column in
                isFree[column] && (shown[column] != nil || owners[column].map { left[$0, default: 0] > 1 } ?? true)
            }
            guard let free = nearest, shown[free] == nil else { continue }
            shown[free] = mark
            if let owner = owners[free] { left[owner, default: 0] -= 1 }
        }
        return shown
    }
}
