import AdTracking
import Monitoring
import Ports
import Screen

extension DashboardState {
    /// Moves in the pane with the focus.
    mutating func move(_ action: Action, _ scene: Scene) {
        if let view = focus.view {
            view.move(&self, action)
        } else if focus == .log {
            moveInLog(action, scene)
        } else {
            scroll(focus, action, scene)
        }
    }

    /// Selects a row; moving by hand ends following, or the selection would not stay.
    mutating func select(row: Int) {
        guard !model.rows.isEmpty else { return }
        keepOffset()
        tree.follows = false
        tree.selection = model.path(at: min(max(row, 0), model.rows.count - 1))
        offsets[.detail] = nil
    }

    /// Keeps the visible rows in place when following, which chooses the offset by itself, ends.
    mutating func keepOffset() {
        tree.offset = TreePane.viewport(model, tree, height: contentHeight(of: .tree)).offset
    }

    /// Rows of a pane's content, 0 when it is not visible.
    func contentHeight(of pane: Pane) -> Int { Layout(self).content(of: pane).height }

    mutating func moveInTree(_ action: Action) {
        let row = model.selectedRow
        let page = max(1, contentHeight(of: .tree) - 1)
        switch action {
        case .up: select(row: row - 1)
        case .down: select(row: row + 1)
        case .first: select(row: 0)
        case .last: select(row: model.rows.count - 1)
        case .pageUp: select(row: row - page)
        case .pageDown: select(row: row + page)
        case .halfPageUp: select(row: row - max(1, page / 2))
        case .halfPageDown: select(row: row + max(1, page / 2))
        case .left: fold()
        case .right: unfold()
        case .nextMatch: selectMatch(after: row, step: 1)
        case .previousMatch: selectMatch(after: row, step: -1)
        default: break
        }
    }

    private mutating func fold() {
        guard let row = model.selected, let path = model.path(at: model.selectedRow) else { return }
        if row.isExpanded {
            setExpanded(path, false)
        } else if let parent = path.parent, let above = model.row(of: parent) {
            select(row: above)
        }
    }

    private mutating func unfold() {
        guard let row = model.selected, row.depth < 2, let path = model.path(at: model.selectedRow) else { return }
        if row.isExpanded { select(row: model.selectedRow + 1) } else { setExpanded(path, true) }
    }

    /// Following no longer changes a node that the user has folded or unfolded.
    mutating func setExpanded(_ path: NodePath, _ isExpanded: Bool) {
        if isExpanded { tree.expanded.insert(path) } else { tree.expanded.remove(path) }
        tree.openedByFollow.insert(path)
        tree.foldable.remove(path)
    }

    /// Enter: a row of a view opens; another pane fills the screen.
    mutating func open() {
        if let view = focus.view { view.open(&self) } else { isZoomed.toggle() }
    }

    /// A node unfolds or folds, an event shows its detail.
    mutating func openNode() {
        guard let row = model.selected, let path = model.path(at: model.selectedRow) else { return }
        if row.depth == 2 { showDetail() } else { setExpanded(path, !row.isExpanded) }
    }

    /// Focuses the detail, and zooms it where its place has only a few rows.
    mutating func showDetail() {
        focusPane(.detail)
        if SizeClass(size) == .medium { isZoomed = true }
    }

    /// Forgets the rows and the selection; the order stays.
    mutating func resetTree() {
        let sort = (tree.sort, tree.isReversed)
        tree = TreeState()
        (tree.sort, tree.isReversed) = sort
        model = TreeModel()
    }

    private mutating func selectMatch(after row: Int, step: Int) {
        let count = model.rows.count
        guard count > 0 else { return }
        for distance in 1...count {
            let candidate = ((row + step * distance) % count + count) % count
            if model.rows[candidate].isMatch { return select(row: candidate) }
        }
    }

    /// Selects the next break in that direction.
    mutating func selectBreak(_ step: Int) {
        var row = model.selectedRow + step
        while model.rows.indices.contains(row), model.rows[row].depth != 0 { row += step }
        if model.rows.indices.contains(row) { select(row: row) }
    }

    /// The next failed event below the selection, folded or not; after the last the first.
    mutating func selectFailedEvent(_ scene: Scene) {
        var failures: [NodePath] = []
        var next: Int?
        let current = model.path(at: model.selectedRow)
        var isPast = current == nil
        for summary in model.summaries {
            let path = NodePath(breakID: summary.view.id)
            if path == current { isPast = true }
            for ad in summary.view.ads {
                if NodePath(breakID: path.breakID, adID: ad.id) == current { isPast = true }
                for event in ad.events {
                    let node = NodePath(breakID: path.breakID, adID: ad.id, eventID: event.id)
                    if event.state == .failed || event.state == .partial || event.state == .unknown {
                        if isPast, next == nil, node != current { next = failures.count }
                        failures.append(node)
                    }
                    if node == current { isPast = true }
                }
            }
        }
        guard !failures.isEmpty else {
            toast("nothing has failed", isGood: true, now: scene.now)
            return
        }
        reveal(failures[next ?? 0], scene)
    }

    /// Unfolds the parents of a node and selects it.
    private mutating func reveal(_ path: NodePath, _ scene: Scene) {
        var parent = path.parent
        while let node = parent {
            setExpanded(node, true)
            parent = node.parent
        }
        focusPane(.tree)
        keepOffset()
        tree.follows = false
        tree.selection = path
        offsets[.detail] = nil
    }
}
