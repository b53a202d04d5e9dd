/// In which order the tree shows its breaks.
package enum SortKey: String, Sendable, CaseIterable {
    /// Start date.
    case time
    /// Worst state first.
    case state
    /// Most failed events first.
    case failures
    case duration
    case name

    /// The next one; after the last the first.
    package var next: SortKey {
        let all = SortKey.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// Selection, folding, filter and order of the tree of breaks, ads and events.
package struct TreeState: Sendable, Equatable {
    /// Nil selects the first row.
    package var selection: NodePath?
    /// Row of the selection when it was last visible, for when it vanishes.
    package var lastRow = 0
    /// First visible row as the user left it; drawing moves it so that the selection is visible.
    package var offset = 0
    /// Nodes whose children are shown.
    package var expanded: Set<NodePath> = []
    /// Nodes that following has unfolded once: it does not unfold them again after the user folded them.
    package var openedByFollow: Set<NodePath> = []
    /// The nodes among them that following may fold again.
    package var foldable: Set<NodePath> = []
    /// Whether the selection follows the playhead.
    package var follows = true
    /// The text typed after `/`.
    package var filter = ""
    /// The key by which breaks are ordered.
    package var sort = SortKey.time
    /// Whether the order is reversed.
    package var isReversed = false

    /// A tree that follows the playhead, unfiltered, in time order.
    package init() {}
}
