import Screen

/// The rectangles of the table's screen; drawing and the mouse both use them.
struct SessionTableLayout {
    /// Rows of the selected session's detail, with the rule above them.
    private static let detailRows = 4

    let sizeClass: SizeClass
    private(set) var header = Rect.zero
    private(set) var totals = Rect.zero
    /// The table with its border or rule.
    private(set) var pane = Rect.zero
    private(set) var heading = Rect.zero
    private(set) var rows = Rect.zero
    private(set) var detail = Rect.zero
    /// The log with its border or rule.
    private(set) var log = Rect.zero
    private(set) var footer = Rect.zero
    let isBoxed: Bool

    init(_ state: SessionTableState) {
        sizeClass = SizeClass(state.size)
        isBoxed = sizeClass >= .large
        var rest = Rect(state.size)
        guard sizeClass > .tiny else {
            (header, rest) = rest.splitTop(1)
            rows = rest.splitTop(1).top
            return
        }
        (header, rest) = rest.splitTop(1)
        (rest, footer) = rest.splitBottom(1)
        if sizeClass > .small { (totals, rest) = rest.splitTop(1) }
        if state.focus == .log, sizeClass == .small || state.isZoomed {
            log = rest
            return
        }
        if sizeClass > .small, !state.isZoomed {
            (rest, log) = rest.splitBottom(Layout.logRows(state.size))
            (rest, detail) = rest.splitBottom(Self.detailRows + (isBoxed ? 1 : 0))
        }
        pane = rest
        let inner = isBoxed ? rest.inset(columns: 1, rows: 1) : rest.splitTop(1).rest
        (heading, rows) = inner.splitTop(1)
    }

    /// Rows of the log that hold its lines.
    var logHeight: Int { max(0, log.height - (isBoxed ? 2 : 1)) }

    /// Cells of a row, without the cursor's.
    var rowWidth: Int { max(0, rows.width - 1) }
}
