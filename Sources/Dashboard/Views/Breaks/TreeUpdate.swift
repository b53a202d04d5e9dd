import AdTracking
import Ports
import Screen
import Session

extension TreePane {
    /// Makes the rows where they are out of date.
    mutating func fit(_ snapshot: Snapshot) {
        if !model.fits(snapshot) { rebuild(snapshot) }
    }

    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) { fit(snapshot) }

    /// Its rows are made before and after every event, whatever view is open.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {}

    /// Selects a row; moving by hand ends following, or the selection would not stay.
    mutating func select(row: Int, _ turn: inout ViewTurn) {
        guard !model.rows.isEmpty else { return }
        select(model.path(at: min(max(row, 0), model.rows.count - 1)), turn)
        turn.ask(.restartDetail)
    }

    /// Puts the cursor on a node.
    private mutating func select(_ path: NodePath?, _ turn: ViewTurn) {
        keepOffset(turn)
        tree.follows = false
        tree.selection = path
    }

    /// Keeps the visible rows in place when following, which chooses the offset by itself, ends.
    private mutating func keepOffset(_ turn: ViewTurn) {
        tree.offset = viewport(height: turn.rows.height).offset
    }

    /// Turns following the playhead on, off, or over (nil).
    mutating func follow(_ flag: Bool?, _ turn: inout ViewTurn) {
        keepOffset(turn)
        tree.follows = flag ?? !tree.follows
        turn.toast(tree.follows ? "following the playhead" : "not following the playhead", isGood: true)
    }

    mutating func move(_ action: Action, _ turn: inout ViewTurn) {
        let row = model.selectedRow
        let page = max(1, turn.rows.height - 1)
        switch action {
        case .up: select(row: row - 1, &turn)
        case .down: select(row: row + 1, &turn)
        case .first: select(row: 0, &turn)
        case .last: select(row: model.rows.count - 1, &turn)
        case .pageUp: select(row: row - page, &turn)
        case .pageDown: select(row: row + page, &turn)
        case .halfPageUp: select(row: row - max(1, page / 2), &turn)
        case .halfPageDown: select(row: row + max(1, page / 2), &turn)
        case .left: fold(&turn)
        case .right: unfold(&turn)
        case .nextMatch: selectMatch(after: row, step: 1, &turn)
        case .previousMatch: selectMatch(after: row, step: -1, &turn)
        default: break
        }
    }

    private mutating func fold(_ turn: inout ViewTurn) {
        guard let row = model.selected, let path = model.path(at: model.selectedRow) else { return }
        if row.isExpanded {
            setExpanded(path, false)
        } else if let parent = path.parent ?? (model.isEarlier(path) ? .earlier : nil),
            let above = model.row(of: parent)
        {
            select(row: above, &turn)
        }
    }

    private mutating func unfold(_ turn: inout ViewTurn) {
        guard let row = model.selected, row.isFoldable, let path = model.path(at: model.selectedRow) else { return }
        if row.isExpanded { select(row: model.selectedRow + 1, &turn) } else { setExpanded(path, true) }
    }

    /// Following no longer changes a node that the user has folded or unfolded.
    mutating func setExpanded(_ path: NodePath, _ isExpanded: Bool) {
        if isExpanded { tree.expanded.insert(path) } else { tree.expanded.remove(path) }
        tree.openedByFollow.insert(path)
        tree.foldable.remove(path)
    }

    /// A node unfolds or folds, an event shows its detail.
    mutating func open(_ turn: inout ViewTurn) {
        guard let row = model.selected, let path = model.path(at: model.selectedRow) else { return }
        if row.isFoldable { setExpanded(path, !row.isExpanded) } else { turn.ask(.showDetail) }
    }

    private mutating func selectMatch(after row: Int, step: Int, _ turn: inout ViewTurn) {
        let count = model.rows.count
        guard count > 0 else { return }
        for distance in 1...count {
            let candidate = ((row + step * distance) % count + count) % count
            if model.rows[candidate].isMatch { return select(row: candidate, &turn) }
        }
    }

    /// Selects the next break in that direction.
    mutating func selectBreak(step: Int, _ turn: inout ViewTurn) {
        var row = model.selectedRow + step
        while model.rows.indices.contains(row), model.rows[row].depth != 0 { row += step }
        if model.rows.indices.contains(row) { return select(row: row, &turn) }
        turn.toast("no break \(step > 0 ? "after" : "before") this row", isGood: false)
    }

    /// Puts the cursor on the previous or next ad of any break, folded or not.
    mutating func selectAd(step: Int, _ turn: inout ViewTurn) {
        let ads = model.adPaths
        let place = model.adUnderCursor.flatMap { ad in ads.firstIndex(of: ad.path) }
        let next = place.map { $0 + step } ?? 0
        guard ads.indices.contains(next) else {
            return turn.toast("no ad \(step > 0 ? "after" : "before") this one", isGood: false)
        }
        let path = ads[next]
        keepOffset(turn)
        tree.follows = false
        if let parent = path.parent { setExpanded(parent, true) }
        if model.isEarlier(path) { setExpanded(.earlier, true) }
        tree.selection = path
    }

    /// The next failed event below the selection, folded or not; after the last the first.
    var nextFailedEvent: NodePath? { failures.below ?? failures.all.first }

    /// All failed events, folded or not, and the first of them below the selection.
    var failures: (all: [NodePath], below: NodePath?) {
        var (all, below): ([NodePath], NodePath?) = ([], nil)
        let current = model.path(at: model.selectedRow)
        var isPast = current == nil || current == .earlier
        for summary in model.summaries {
            let path = NodePath(breakID: summary.view.id)
            if path == current { isPast = true }
            for ad in summary.view.ads {
                let parent = NodePath(breakID: path.breakID, adID: ad.id)
                if parent == current { isPast = true }
                for event in ad.events {
                    let node = NodePath(breakID: path.breakID, adID: ad.id, eventID: event.id)
                    if event.hasLoss {
                        if isPast, below == nil, node != current { below = node }
                        all.append(node)
                    }
                    if node == current { isPast = true }
                }
                // The row that folds the viewer's actions is the last one of its ad.
                if parent == current?.parent { isPast = true }
            }
        }
        return (all, below)
    }

    /// The events below the selection that can be retried: one whose outcome is unknown, and which may have arrived, only where
    /// it is selected itself.
    var retryableEvents: [NodePath] {
        guard let row = model.selected, row.group == nil else { return [] }
        let view = model.breakView(row)
        var paths: [NodePath] = []
        for ad in view.ads where row.adIndex == nil || ad.id == model.ad(row)?.id {
            for event in ad.events {
                guard event.hasLoss, event.state != .unknown || row.eventIndex != nil else { continue }
                guard row.eventIndex == nil || event.id == model.event(row)?.id else { continue }
                paths.append(NodePath(breakID: view.id, adID: ad.id, eventID: event.id))
            }
        }
        return paths
    }

    /// Unfolds the parents of a node and selects it.
    mutating func reveal(_ path: NodePath, _ turn: inout ViewTurn) {
        var parent = path.parent
        while let node = parent {
            setExpanded(node, true)
            parent = node.parent
        }
        if model.isEarlier(path) { setExpanded(.earlier, true) }
        if let ad = path.adID, let event = path.eventID, model.isFolded(event, ofAd: ad, in: path.breakID) {
            setExpanded(.viewerActions(ofAd: ad, in: path.breakID), true)
        }
        select(path, turn)
        turn.ask(.restartDetail)
    }

    /// Scrolls the rows; the selection moves only where it would scroll off the screen.
    mutating func scroll(_ rows: Int, _ turn: inout ViewTurn) {
        guard !model.rows.isEmpty else { return }
        let viewport = viewport(height: turn.rows.height).scrolled(by: rows)
        let row = min(max(model.selectedRow, viewport.visible.lowerBound), max(viewport.visible.upperBound - 1, 0))
        select(row: row, &turn)
        tree.offset = viewport.offset
    }

    /// A click on the arrow of a row, or a double click, unfolds or folds it.
    mutating func click(_ point: Point, isDouble: Bool, _ turn: inout ViewTurn) -> [DashboardEffect] {
        guard turn.rows.contains(point) else { return [] }
        let index = viewport(height: turn.rows.height).offset + point.y - turn.rows.y
        guard model.rows.indices.contains(index), let path = model.path(at: index) else { return [] }
        let row = model.rows[index]
        let arrow = turn.rows.x + 1 + 2 * row.depth
        select(row: index, &turn)
        if row.isFoldable, point.x == arrow || isDouble {
            setExpanded(path, !row.isExpanded)
        } else if isDouble {
            turn.ask(.focus(.detail))
        }
        return []
    }
}
