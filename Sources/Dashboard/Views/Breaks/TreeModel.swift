import Ports
import Screen
package import Session

/// The rows of the tree for one snapshot and one `TreeState`, with the totals of its breaks.
///
/// Built once per snapshot or change, not per frame; breaks that did not change keep their sums.
package struct TreeModel: Sendable {
    /// One visible or scrolled-away row.
    package struct Row: Sendable, Equatable {
        /// Index into the snapshot's breaks.
        var breakIndex: Int
        var adIndex: Int?
        var eventIndex: Int?
        var isExpanded = false
        /// Whether its own texts match the filter.
        var isMatch = false
        /// What the row folds, where it is no node itself.
        var group: Group?

        var depth: Int { adIndex == nil ? 0 : eventIndex == nil && group == nil ? 1 : 2 }
        /// Whether the row has an arrow.
        var isFoldable: Bool { depth < 2 || group != nil }
    }

    /// Rows that fold others of one kind into one.
    package enum Group: Sendable, Equatable {
        /// A number of breaks before the join.
        case earlier(Int)
        /// The events of an ad that playback does not send.
        case viewerActions
    }

    /// Names of ads are shown up to this width in the tree.
    static let nameColumns = 40

    /// All rows, also those scrolled away.
    package private(set) var rows: [Row] = []
    /// Parallel to the snapshot's breaks.
    private(set) var summaries: [BreakSummary] = []
    /// The snapshot's moment; rows of another snapshot are rebuilt before they are drawn.
    private(set) var stamp: Moment?
    private(set) var selectedRow = 0
    /// How many rules found errors or warnings in a break, by its index.
    private(set) var marks: [Int: (errors: Int, warnings: Int)] = [:]
    /// The most severe finding about a break, by its index.
    var worstFindings: [Int: Severity] { marks.mapValues { $0.errors > 0 ? .error : .warning } }
    /// The breaks before the join that one row folds.
    private(set) var earlier: Range<Int> = 0..<0
    private(set) var adCount = 0
    private(set) var eventCount = 0
    /// Columns of the longest label of a break.
    private(set) var labelColumns = 0
    /// Columns of the longest visible ad name and event name.
    private(set) var adNameColumns = 13
    private(set) var eventNameColumns = 13

    /// No rows.
    package init() {}

    /// The rows of `snapshot` as `state` wants them; `previous` lends the sums of breaks that did not change.
    package init(_ snapshot: Snapshot, _ state: TreeState, previous: TreeModel = TreeModel()) {
        stamp = snapshot.at
        let filter = TextFilter(state.filter)
        summaries = TreeModel.summaries(of: snapshot.breaks, filter: filter, previous: previous.summaries)
        for summary in summaries {
            adCount += summary.view.ads.count
            eventCount += summary.eventCount
            labelColumns = max(labelColumns, min(summary.view.label.utf8.count, BreakRow.labelLimit))
        }
        marks = TreeModel.marks(snapshot)
        earlier = TreeModel.earlier(summaries, state, firstPlayed: snapshot.playedRanges.first?.lowerBound)
        let showsEarlier = state.expanded.contains(.earlier)
        for (place, index) in TreeModel.order(snapshot.breaks, summaries, state).enumerated() {
            if earlier.contains(index) {
                if place == 0 || index == (state.isReversed ? earlier.upperBound - 1 : earlier.lowerBound) {
                    rows.append(Row(breakIndex: index, isExpanded: showsEarlier, group: .earlier(earlier.count)))
                }
                if !showsEarlier { continue }
            }
            addBreak(index, snapshot.breaks[index], summaries[index], state)
        }
        selectedRow = row(of: state.selection) ?? min(max(state.lastRow, 0), max(rows.count - 1, 0))
    }

    /// Whether the rows are those of `snapshot`.
    func fits(_ snapshot: Snapshot) -> Bool {
        stamp == snapshot.at && summaries.count == snapshot.breaks.count
    }

    /// The row of a node, or of the nearest of its parents that has one.
    func row(of path: NodePath?) -> Int? {
        var path = path
        while let wanted = path {
            if let found = rows.firstIndex(where: { matches($0, wanted) }) { return found }
            path = wanted.parent ?? (isEarlier(wanted) ? .earlier : nil)
        }
        return nil
    }

    /// Whether a node belongs to a break before the join that is folded with others.
    func isEarlier(_ path: NodePath) -> Bool {
        path != .earlier && summaries[earlier].contains { $0.view.id == path.breakID }
    }

    /// The ids of a row, nil outside.
    package func path(at row: Int) -> NodePath? {
        guard rows.indices.contains(row) else { return nil }
        let view = breakView(rows[row])
        if case .earlier = rows[row].group { return .earlier }
        if rows[row].group == .viewerActions, let ad = ad(rows[row]) {
            return .viewerActions(ofAd: ad.id, in: view.id)
        }
        guard let ad = ad(rows[row]) else { return NodePath(breakID: view.id) }
        return NodePath(breakID: view.id, adID: ad.id, eventID: event(rows[row])?.id)
    }

    /// The break a row belongs to. Rows are only ever made from the views kept beside them.
    func breakView(_ row: Row) -> BreakView { summaries[row.breakIndex].view }

    /// The ad a row belongs to, nil for a break's row.
    func ad(_ row: Row) -> AdView? {
        row.adIndex.map { summaries[row.breakIndex].view.ads[$0] }
    }

    /// The event of a row, nil for the others.
    func event(_ row: Row) -> EventView? {
        guard let adIndex = row.adIndex, let eventIndex = row.eventIndex else { return nil }
        return summaries[row.breakIndex].view.ads[adIndex].events[eventIndex]
    }

    /// Whether an event is in the row that folds what playback does not send.
    func isFolded(_ event: String, ofAd ad: String, in breakID: String) -> Bool {
        let view = summaries.first { $0.view.id == breakID }?.view.ads.first { $0.id == ad }
        return view?.events.first { $0.id == event }?.isCounted == false
    }

    /// The row that is selected, nil while there are none.
    var selected: Row? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    private func matches(_ row: Row, _ path: NodePath) -> Bool {
        if case .earlier = row.group { return path == .earlier }
        return row.depth == path.depth && breakView(row).id == path.breakID && ad(row)?.id == path.adID
            && event(row)?.id == path.eventID && (row.group == .viewerActions) == path.isViewerActions
    }

    private static func marks(_ snapshot: Snapshot) -> [Int: (errors: Int, warnings: Int)] {
        let wrong = snapshot.findings.filter { $0.finding.severity > .info && !$0.places.isEmpty }
        guard !wrong.isEmpty else { return [:] }
        let finder = PlaceFinder(snapshot.breaks)
        var marks: [Int: (errors: Int, warnings: Int)] = [:]
        for view in wrong {
            for index in Set(view.places.compactMap { finder.index(of: $0.place) }) {
                if view.finding.severity == .error {
                    marks[index, default: (0, 0)].errors += 1
                } else {
                    marks[index, default: (0, 0)].warnings += 1
                }
            }
        }
        return marks
    }

    /// The breaks at the beginning that ended before anything was played: in order of time and without a filter they are
    /// one row, if there are several.
    private static func earlier(
        _ summaries: [BreakSummary], _ state: TreeState, firstPlayed: UnixTime?
    ) -> Range<Int> {
        guard state.sort == .time, state.filter.isEmpty, let firstPlayed else { return 0..<0 }
        let count = summaries.prefix { summary in
            summary.tally.total > 0
                ? summary.tally.beforeJoin == summary.tally.total
                : !summary.view.isOnAir && summary.view.start + summary.view.duration <= firstPlayed
        }.count
        return count > 1 ? 0..<count : 0..<0
    }

    private static func summaries(
        of breaks: [BreakView], filter: TextFilter, previous: [BreakSummary]
    ) -> [BreakSummary] {
        var known: [String: Int]?
        return breaks.enumerated().map { index, view in
            // Usually the same breaks have the same indexes; a dictionary is built only when they moved.
            if previous.indices.contains(index), previous[index].view.id == view.id {
                if previous[index].filter == filter, previous[index].view == view { return previous[index] }
            } else if !previous.isEmpty {
                if known == nil {
                    known = Dictionary(previous.indices.map { (previous[$0].view.id, $0) }, uniquingKeysWith: { $1 })
                }
                if let place = known?[view.id], previous[place].filter == filter, previous[place].view == view {
                    return previous[place]
                }
            }
            return BreakSummary(view, filter: filter)
        }
    }

    private static func order(_ breaks: [BreakView], _ summaries: [BreakSummary], _ state: TreeState) -> [Int] {
        var order = Array(breaks.indices)
        func sort(_ isBefore: (Int, Int) -> Bool) {
            // Equal breaks stay in time order.
            order.sort { isBefore($0, $1) || (!isBefore($1, $0) && $0 < $1) }
        }
        switch state.sort {
        case .time: break
        case .state: sort { summaries[$0].tally.sign.urgency > summaries[$1].tally.sign.urgency }
        case .failures:
            // Those of unknown outcome have a count of their own in the row, and weigh less.
            let failures = summaries.map { ($0.tally.lost.failed, $0.tally.lost.unknown) }
            sort { failures[$0] > failures[$1] }
        case .duration:
            let lengths = breaks.map(\.announcedDuration)
            sort { lengths[$0] > lengths[$1] }
        case .name: sort { NaturalOrder.precedes(breaks[$0].name, breaks[$1].name) }
        }
        return state.isReversed ? order.reversed() : order
    }

    private mutating func addBreak(_ index: Int, _ view: BreakView, _ summary: BreakSummary, _ state: TreeState) {
        let filter = summary.filter
        if !filter.isEmpty {
            guard filter.isInverted ? !summary.isMatch : summary.isMatch || summary.hasMatchBelow else { return }
        }
        let reveals = filter.canHighlight && summary.hasMatchBelow
        let isExpanded = reveals || state.expanded.contains(NodePath(breakID: view.id))
        rows.append(Row(breakIndex: index, isExpanded: isExpanded, isMatch: filter.canHighlight && summary.isMatch))
        guard isExpanded else { return }
        for (adIndex, ad) in view.ads.enumerated() {
            addAd(adIndex, ad, of: index, view, summary, state)
        }
    }

    private mutating func addAd(
        _ adIndex: Int, _ ad: AdView, of index: Int, _ view: BreakView, _ summary: BreakSummary, _ state: TreeState
    ) {
        let filter = summary.filter
        let matchesItself = !filter.isEmpty && summary.adMatches[adIndex]
        let matchesBelow = !filter.isEmpty && summary.eventMatches[adIndex].contains(true)
        if !filter.isEmpty {
            // Below a break that matches itself nothing is filtered out.
            guard filter.isInverted ? !matchesItself : matchesItself || matchesBelow || summary.isMatch else { return }
        }
        let isExpanded =
            (filter.canHighlight && matchesBelow)
            || state.expanded.contains(NodePath(breakID: view.id, adID: ad.id))
        rows.append(
            Row(
                breakIndex: index, adIndex: adIndex, isExpanded: isExpanded,
                isMatch: filter.canHighlight && matchesItself))
        adNameColumns = min(max(adNameColumns, ad.name.utf8.count), TreeModel.nameColumns)
        guard isExpanded else { return }
        let showsAll = filter.isEmpty || (!filter.isInverted && (matchesItself || summary.isMatch) && !matchesBelow)
        var folded: [Int] = []
        for (eventIndex, event) in ad.events.enumerated() {
            let isMatch = !filter.isEmpty && summary.eventMatches[adIndex][eventIndex]
            guard showsAll || isMatch != filter.isInverted else { continue }
            guard !filter.isEmpty || event.isCounted else {
                folded.append(eventIndex)
                continue
            }
            addEvent(eventIndex, event, adIndex, of: index, isMatch: filter.canHighlight && isMatch)
        }
        guard !folded.isEmpty else { return }
        let isOpen = state.expanded.contains(.viewerActions(ofAd: ad.id, in: view.id))
        rows.append(Row(breakIndex: index, adIndex: adIndex, isExpanded: isOpen, group: .viewerActions))
        guard isOpen else { return }
        for place in folded { addEvent(place, ad.events[place], adIndex, of: index, isMatch: false) }
    }

    private mutating func addEvent(
        _ eventIndex: Int, _ event: EventView, _ adIndex: Int, of index: Int, isMatch: Bool
    ) {
        rows.append(Row(breakIndex: index, adIndex: adIndex, eventIndex: eventIndex, isMatch: isMatch))
        eventNameColumns = min(max(eventNameColumns, event.event.utf8.count), TreeModel.nameColumns / 2)
    }
}
