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

        var depth: Int { adIndex == nil ? 0 : eventIndex == nil ? 1 : 2 }
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
    private(set) var adCount = 0
    private(set) var eventCount = 0
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
        }
        for index in TreeModel.order(snapshot.breaks, summaries, state) {
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
            path = wanted.parent
        }
        return nil
    }

    /// The ids of a row, nil outside.
    package func path(at row: Int) -> NodePath? {
        guard rows.indices.contains(row) else { return nil }
        let view = breakView(rows[row])
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

    /// The row that is selected, nil while there are none.
    var selected: Row? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    private func matches(_ row: Row, _ path: NodePath) -> Bool {
        row.depth == path.depth && breakView(row).id == path.breakID && ad(row)?.id == path.adID
            && event(row)?.id == path.eventID
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
        case .failures: sort { summaries[$0].tally.failed > summaries[$1].tally.failed }
        case .duration: sort { breaks[$0].duration > breaks[$1].duration }
        case .name: sort { breaks[$0].name < breaks[$1].name }
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
        for (eventIndex, event) in ad.events.enumerated() {
            let isMatch = !filter.isEmpty && summary.eventMatches[adIndex][eventIndex]
            guard showsAll || isMatch != filter.isInverted else { continue }
            rows.append(
                Row(
                    breakIndex: index, adIndex: adIndex, eventIndex: eventIndex, isMatch: filter.canHighlight && isMatch
                ))
            eventNameColumns = min(max(eventNameColumns, event.event.utf8.count), TreeModel.nameColumns / 2)
        }
    }
}
