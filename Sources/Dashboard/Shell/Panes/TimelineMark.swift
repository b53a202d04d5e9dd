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
    /// The narrowest block that may have a mark in one of its columns.
    private static let markedBlock = 2

    /// The columns of marks: that of the time, or the nearest one before it that has no name, sign or playhead and is not all of a
    /// block. Of several in one column the first is shown.
    func columns(of marks: [TimelineMark], beside places: [Place]) -> [Int: TimelineMark] {
        guard !marks.isEmpty else { return [:] }
        var isFree = [Bool](repeating: true, count: row.width)
        func take(_ columns: Range<Int>) {
            for column in columns.clamped(to: isFree.indices) { isFree[column] = false }
        }
        take(scale.playheadColumn..<scale.playheadColumn + 1)
        for place in places {
            for taken in [place.label, place.sign].compactMap(\.self) { take(taken) }
            if place.block.count < Self.markedBlock { take(place.block) }
        }
        var shown: [Int: TimelineMark] = [:]
        for mark in marks {
            let column = scale.column(of: mark.date)
            guard isFree.indices.contains(column),
                let free = (max(0, column - Self.reach)...column).last(where: { isFree[$0] }), shown[free] == nil
            else { continue }
            shown[free] = mark
        }
        return shown
    }
}
