import Screen

/// Selection, place and filter of a list whose rows have ids that stay the same when the list is rebuilt.
package struct ListState<Item: Hashable & Sendable>: Sendable, Equatable {
    /// Nil selects the first row.
    package var selection: Item?
    /// Row of the selection when it was last visible, for when it vanishes.
    package var lastRow = 0
    /// First visible row as the user left it.
    package var offset = 0
    /// Whether the selection follows the playhead.
    package var follows = true
    /// The text typed after `/`.
    package var filter = ""

    /// A list that follows the playhead, unfiltered.
    package init() {}

    /// Which rows are visible: while following those around the selection, else where the user left the list; always
    /// with the selection.
    func viewport(count: Int, height: Int, selected: Int) -> Viewport {
        let offset = follows ? selected - height / 2 : offset
        return Viewport(count: count, height: height, offset: offset).showing(selected)
    }
}
