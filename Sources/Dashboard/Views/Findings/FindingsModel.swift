package import Ports
import Screen
import Session

/// The identity of a row of the findings view, which is stable while findings arrive.
package enum FindingItem: Hashable, Sendable {
    /// A rule with all its findings.
    case rule(String)
    /// One break, ad or event.
    case place(String, FindingPlace)
    /// A finding about a path of a document, or about no place.
    case path(String, String?)

    /// Code of the rule.
    var rule: String {
        switch self {
        case .rule(let rule), .place(let rule, _), .path(let rule, _): rule
        }
    }
}

/// The rows of the findings view: a rule each, with its places below where it is unfolded.
package struct FindingsModel: ListRows {
    private var stamp: Moment?
    private var filter = ""
    private var expanded: Set<String> = []
    /// The rules that pass the filter.
    private(set) var groups: [FindingGroup] = []
    /// Number of all rules.
    private(set) var total = 0
    /// What all of them are called.
    private(set) var words: [FilterWord] = []
    /// All rows, also those scrolled away.
    private(set) var rows: [FindingItem] = []
    /// Where the places of findings are among the breaks.
    private(set) var finder = PlaceFinder([])
    package private(set) var selectedRow = 0

    package init() {}

    /// The rows of a snapshot as `state` wants them, with the places of those rules.
    init(_ snapshot: Snapshot, _ state: ListState<FindingsModel>, expanded: Set<String>) {
        stamp = snapshot.at
        filter = state.filter
        self.expanded = expanded
        finder = PlaceFinder(snapshot.breaks)
        let all = FindingGroup.all(of: snapshot.findings)
        total = all.count
        words = all.map { FilterWord(text: $0.rule, summary: SafeText(outside: $0.title)) }
        let filter = TextFilter(state.filter)
        groups = all.filter { group in
            let messages = group.entries.map(\.finding.message) + group.entries.flatMap(\.places).map(\.message)
            return filter.passes(anyOf: [group.rule, group.title] + messages)
        }
        for group in groups {
            rows.append(.rule(group.rule))
            if expanded.contains(group.rule) { rows += FindingsModel.places(of: group) }
        }
        select(state.selection.flatMap { item in rows.firstIndex(of: item) } ?? state.lastRow)
    }

    private static func places(of group: FindingGroup) -> [FindingItem] {
        var seen: Set<FindingItem> = []
        let all = group.entries.flatMap { entry -> [FindingItem] in
            guard !entry.places.isEmpty else { return [.path(group.rule, entry.finding.path)] }
            return entry.places.map { .place(group.rule, $0.place) }
        }
        return all.filter { seen.insert($0).inserted }
    }

    /// Whether the rows are those of that snapshot under that filter.
    func fits(_ snapshot: Snapshot, filter: String, expanded: Set<String>) -> Bool {
        stamp == snapshot.at && self.filter == filter && self.expanded == expanded
    }

    package var count: Int { rows.count }

    package mutating func select(_ row: Int) {
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    package func item(at row: Int) -> FindingItem? { rows.indices.contains(row) ? rows[row] : nil }

    /// The row under the cursor, nil while there are none.
    var selected: FindingItem? { item(at: selectedRow) }

    /// The rule of a row.
    func group(of item: FindingItem) -> FindingGroup? { groups.first { $0.rule == item.rule } }

    /// Whether the places of a rule are shown.
    func isExpanded(_ rule: String) -> Bool { expanded.contains(rule) }

    /// What was found at a row: message, how often and when last.
    func occurrence(_ item: FindingItem) -> (message: String, count: Int, last: Moment)? {
        guard let group = group(of: item) else { return nil }
        switch item {
        case .rule: return group.newest.map { ($0.finding.message, group.count, group.last) }
        case .place(_, let place):
            let found = group.entries.lazy.flatMap(\.places).first { $0.place == place }
            return found.map { ($0.message, $0.count, $0.last) }
        case .path(_, let path):
            let found = group.entries.first { $0.finding.path == path && $0.places.isEmpty }
            return found.map { ($0.finding.message, $0.count, $0.last) }
        }
    }

    /// Where a row is: `B4/A2 midpoint`, the path in the document, or the line of the playlist; empty for neither.
    func place(_ item: FindingItem) -> String {
        guard let group = group(of: item) else { return "" }
        switch item {
        case .rule: return FindingsModel.summary(of: group, finder)
        case .place(_, let place): return finder.label(of: place)
        case .path(_, let path):
            if let path { return path }
            return group.entries.lazy.compactMap(\.finding.line).first.map { "line \($0)" } ?? ""
        }
    }

    /// `B4/A2`, or the first and the last of several.
    private static func summary(of group: FindingGroup, _ finder: PlaceFinder) -> String {
        // A place whose break is not known any more is searched among all breaks, so each only once.
        let places = group.entries.flatMap(\.places).map { found in
            (index: finder.index(of: found.place) ?? -1, last: found.last.uptime, place: found.place)
        }.sorted { ($0.index, $0.last) < ($1.index, $1.last) }
        guard let first = places.first, let last = places.last else {
            let paths = group.entries.compactMap(\.finding.path)
            return paths.count > 1 ? "\(paths.count.grouped) places" : paths.first ?? ""
        }
        let ends = [first, last].map { finder.label(of: $0.place) }
        guard places.count > 1, ends[0] != ends[1] else { return ends[0] }
        return places.count == 2 ? "\(ends[0]), \(ends[1])" : "\(ends[0]) \u{2026} \(ends[1])"
    }
}
