import Ports

/// Findings with the number and times of their occurrences: one entry per rule and place, because a playlist repeats
/// its faults with every reload on other lines.
struct FindingsTable {
    /// Maximum number of entries; the entry seen longest ago is dropped first.
    static let capacity = 200

    private struct Key: Hashable {
        var source: FindingSource
        var rule: String
        var path: String?
    }

    private var entries: [Key: FindingView] = [:]
    /// Entries by last occurrence, newest first; nil when they must be sorted again.
    private var sorted: [FindingView]?

    var count: Int { entries.count }

    /// Number of entries by severity.
    var counts: [Severity: Int] {
        entries.values.reduce(into: [:]) { $0[$1.finding.severity, default: 0] += 1 }
    }

    /// The entry seen most often among the most severe ones; nil without warnings and errors.
    var worst: FindingView? {
        let worst = entries.values.max {
            ($0.finding.severity, $0.count, $1.finding.rule, $1.finding.path ?? "")
                < ($1.finding.severity, $1.count, $0.finding.rule, $0.finding.path ?? "")
        }
        return worst.flatMap { $0.finding.severity > .info ? $0 : nil }
    }

    /// Adds findings; returns those seen for the first time.
    /// - Parameter date: the media date at the playhead.
    mutating func note(
        _ findings: [Finding], from source: FindingSource, at moment: Moment, playing date: UnixTime? = nil
    ) -> [Finding] {
        var new: [Finding] = []
        for finding in findings {
            let key = Key(source: source, rule: finding.rule, path: finding.path)
            if entries[key] == nil {
                makeRoom()
                new.append(finding)
            }
            var view =
                entries[key] ?? FindingView(finding: finding, count: 0, first: moment, last: moment, source: source)
            view.note(finding, at: moment, playing: date)
            entries[key] = view
        }
        if !findings.isEmpty { sorted = nil }
        return new
    }

    /// A finding of that rule and place holds no more: its entry, if there still is one, has this one in its place.
    mutating func replace(by finding: Finding, from source: FindingSource) {
        entries[Key(source: source, rule: finding.rule, path: finding.path)]?.finding = finding
        sorted = nil
    }

    mutating func views() -> [FindingView] {
        if let sorted { return sorted }
        let views = entries.values.sorted {
            ($0.last.uptime, $1.finding.rule, $1.finding.path ?? "") > (
                $1.last.uptime, $0.finding.rule, $0.finding.path ?? ""
            )
        }
        sorted = views
        return views
    }

    private mutating func makeRoom() {
        guard entries.count >= Self.capacity else { return }
        let oldest = entries.min {
            ($0.value.last.uptime, $0.key.rule, $0.key.path ?? "") < (
                $1.value.last.uptime, $1.key.rule, $1.key.path ?? ""
            )
        }
        if let oldest { entries[oldest.key] = nil }
    }
}
