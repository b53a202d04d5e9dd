import AdTracking
import HLS
import Ports

/// Keeps ``BreakJoin`` up to date, and its differences among the findings.
struct JoinPart {
    private(set) var result = BreakJoin()
    /// The markers it rests on, by number.
    private(set) var markers: [Int: TrackedBreak] = [:]
    private var known: [BreakJoin.Known] = []
    private var tracked: [TrackedBreak] = []
    private var marked: [BreakJoin.Marker] = []
    private var said: Set<BreakJoin.Difference> = []

    /// Returns the differences that are new.
    mutating func update(_ known: [BreakJoin.Known], _ tracked: [TrackedBreak]) -> [BreakJoin.Difference] {
        guard known != self.known || tracked != self.tracked else { return [] }
        if tracked != self.tracked {
            self.tracked = tracked
            markers = Dictionary(uniqueKeysWithValues: tracked.map { ($0.number, $0) })
            marked = tracked.compactMap(BreakJoin.Marker.init)
        }
        self.known = known
        result = BreakJoin(known, marked)
        let new = result.differences.filter { !said.contains($0) }
        said = Set(result.differences)
        return new
    }
}

extension MonitorState {
    /// Playlist or breaks changed: which tell of the same?
    mutating func joinBreaks(at now: Moment) {
        let known = (tracker?.book.breaks ?? []).filter { $0.presence != .vanished }.map { adBreak in
            BreakJoin.Known(adBreak, dataRange: tracker?.dataRange(of: adBreak.source))
        }
        let new = join.update(known, playlist.follower.breaks.breaks)
        views.markersChanged()
        guard !new.isEmpty else { return }
        let names = Dictionary(known.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let findings = new.map { difference in
            let name = names[difference.breakID] ?? ""
            return Finding(
                rule: "marker-\(difference.rule)", severity: difference.severity,
                message: "break '\(name)': \(difference.message)", path: "break \(name)", section: "hls-timeline 4.2")
        }
        noteFindings(findings, from: .playlist, at: now)
    }
}

extension BreakJoin.Known {
    fileprivate init(_ adBreak: KnownBreak, dataRange: DataRange?) {
        let end = max(adBreak.plannedEnd, adBreak.end)
        // What touches the end of the data range still grows; assets that are not known have no length yet.
        let isWhole = dataRange.map { end < $0.end } ?? true
        self.init(
            id: adBreak.id, name: adBreak.name.text, source: adBreak.source, start: adBreak.start, end: end,
            isSettled: isWhole && end > adBreak.start)
    }
}

extension BreakJoin.Marker {
    /// Nil for a marker without a date: there is nothing to compare it with.
    fileprivate init?(_ tracked: TrackedBreak) {
        guard let start = tracked.start else { return nil }
        var ids = tracked.eventIDs
        if let id = tracked.markerID { ids.insert(id) }
        self.init(number: tracked.number, kind: tracked.source, ids: ids, start: start, end: tracked.expectedEnd)
    }
}

extension TrackedBreak {
    /// The SCTE-35 events that its messages open or close, in decimal digits.
    var eventIDs: Set<String> {
        Set(
            scte35.compactMap { bytes -> String? in
                // An undecodable message is a finding of the parser already.
                switch (try? SpliceInfo(bytes))?.breakSignal {
                case .start(_, let id), .end(let id): id
                case nil: nil
                }
            })
    }
}
