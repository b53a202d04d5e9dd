import AdTracking
import Ports
import Session

extension TreePane {
    /// A break or ad that following has opened folds this long after its end (TERM-34).
    package static let foldDelay: Duration = .seconds(2)
    /// Beyond this many remembered nodes those of removed breaks are forgotten.
    private static let rememberedNodes = 2_000

    /// Follows the playhead after an event, and makes the rows where they or the user's choices, which were `before`,
    /// have changed.
    mutating func settle(changedFrom before: TreeState, _ turn: inout ViewTurn) {
        let shown = turn.scene.shown
        if !turn.isHeld { followPlayhead(turn.scene) }
        if !model.fits(shown) || tree != before { rebuild(shown) }
        if tree.follows, !turn.isHeld { selectPlayhead(&turn) }
        tree.lastRow = model.selectedRow
    }

    /// While following, what is on air opens by itself and folds by itself after its end; what the user has folded or
    /// unfolded is not changed.
    private mutating func followPlayhead(_ scene: Scene) {
        guard tree.follows else { return }
        for view in scene.shown.breaks where view.isOnAir {
            open(NodePath(breakID: view.id))
            for ad in view.ads where ad.isOnAir { open(NodePath(breakID: view.id, adID: ad.id)) }
        }
        guard let date = scene.date, !tree.foldable.isEmpty else { return }
        for view in scene.shown.breaks where tree.foldable.contains(where: { $0.breakID == view.id }) {
            let path = NodePath(breakID: view.id)
            let end = max(view.plannedEnd, view.start + view.duration)
            if !view.isOnAir, date >= end + TreePane.foldDelay { fold(path) }
            for ad in view.ads {
                if !ad.isOnAir, date >= ad.start + ad.duration + TreePane.foldDelay {
                    fold(NodePath(breakID: view.id, adID: ad.id))
                }
            }
        }
        forget(scene.shown)
    }

    /// Selects the node at the playhead: the newest timed event of the ad on air, else the break on air, else the next break.
    private mutating func selectPlayhead(_ turn: inout ViewTurn) {
        guard let path = playheadPath(turn.scene),
            path != tree.selection || model.row(of: path) != model.selectedRow
        else { return }
        tree.selection = path
        turn.ask(.restartDetail)
        rebuild(turn.scene.shown)
    }

    private func playheadPath(_ scene: Scene) -> NodePath? {
        let breaks = scene.shown.breaks
        guard let current = breaks.first(where: \.isOnAir) else {
            let next = breaks.first { view in scene.date.map { view.start > $0 } ?? false }
            return (next ?? breaks.last).map { NodePath(breakID: $0.id) }
        }
        guard let ad = current.ads.first(where: \.isOnAir) else { return NodePath(breakID: current.id) }
        var newest: (start: UnixTime, id: String)?
        for event in ad.events
        where !event.isUserTriggered && event.reason != .clickClass && event.reason != .verificationClass {
            guard let date = scene.date, event.start <= date else { continue }
            if event.start >= newest?.start ?? event.start { newest = (event.start, event.id) }
        }
        let path = NodePath(breakID: current.id, adID: ad.id, eventID: newest?.id)
        // A node that the user has folded stays folded; its parent is selected instead.
        return tree.expanded.contains(NodePath(breakID: current.id, adID: ad.id)) ? path : path.parent ?? path
    }

    private mutating func open(_ path: NodePath) {
        guard tree.openedByFollow.insert(path).inserted else { return }
        tree.expanded.insert(path)
        tree.foldable.insert(path)
    }

    private mutating func fold(_ path: NodePath) {
        guard tree.foldable.remove(path) != nil else { return }
        tree.expanded.remove(path)
    }

    private mutating func forget(_ snapshot: Snapshot) {
        guard tree.openedByFollow.count > TreePane.rememberedNodes else { return }
        let known = Set(snapshot.breaks.map(\.id))
        tree.openedByFollow = tree.openedByFollow.filter { known.contains($0.breakID) }
        tree.foldable = tree.foldable.filter { known.contains($0.breakID) }
        tree.expanded = tree.expanded.filter { known.contains($0.breakID) }
    }
}
