package import Monitoring
package import Ports
package import Screen

/// Draws the table of sessions: the same sessions, state and moment give the same cells. Only visible rows are
/// built.
package enum SessionTableRenderer {
    /// The input of the parts of the picture.
    struct Context {
        let view: SessionsView
        let state: SessionTableState
        let model: SessionTableModel
        let now: Moment
        let layout: SessionTableLayout
        var glyphs: Glyphs { state.glyphs }

        func key(_ action: Action) -> String {
            state.settings.keymap.keys(for: action).first.map(KeyName.short) ?? ""
        }

        /// As it may be shown: whole on the user's own screen, its secrets masked in exports.
        func url(_ text: String) -> String { state.settings.redactsURLs ? Redaction.url(text) : text }
        func prose(_ text: String) -> String { state.settings.redactsURLs ? Redaction.text(text) : text }
    }

    /// The whole screen at `state.size`; `widths` names the scalars that this host's libc measures otherwise.
    package static func frame(
        _ view: SessionsView, _ state: SessionTableState, now: Moment, widths: CharacterWidth = .standard
    ) -> Frame {
        var grid = Grid(size: state.size, widths: widths)
        let layout = SessionTableLayout(state)
        let context = Context(view: view, state: state, model: state.model, now: now, layout: layout)
        var cursor: Point?
        guard layout.sizeClass > .tiny else {
            SessionTableHeader.tiny(context, in: layout.header, on: &grid)
            SessionTableRows.draw(context, on: &grid)
            return Frame(grid: grid, cursor: nil)
        }
        SessionTableHeader.draw(context, on: &grid)
        if !layout.pane.isEmpty { pane(context, on: &grid) }
        SessionTableDetail.draw(context, in: layout.detail, on: &grid)
        if !layout.log.isEmpty { LogPane(context).draw(in: layout.log, on: &grid) }
        if let entry = state.entry {
            cursor = TextEntryRow.draw(entry, state.glyphs, in: layout.footer, on: &grid)
        } else {
            footer(context, on: &grid)
        }
        if state.isHelpOpen { SessionTableHelp.draw(context, on: &grid) }
        ToastStack.draw(state.toasts, now: now, state.glyphs, on: &grid)
        return Frame(grid: grid, cursor: cursor)
    }

    private static func pane(_ context: Context, on grid: inout Grid) {
        let (state, layout) = (context.state, context.layout)
        var title = StyledLine("[1] Sessions", .paneTitle)
        title = ListPane.filtered(title, by: state.filter)
        let shown = plural(context.model.rows.count, "session")
        let order: SafeText = state.isReversed ? ", reversed" : ""
        let sorted = StyledLine("by " + sortName(state.sort) + order, .paneCount)
        var long = sorted
        long.add("   \(shown)", .paneCount)
        let frame = PaneFrame(title: title, status: [long, sorted], isFocused: state.focus == .sessions)
        frame.draw(in: layout.pane, isBoxed: layout.isBoxed, context.glyphs, on: &grid)
        SessionTableRows.draw(context, on: &grid)
        frame.position(state.viewport, in: layout.pane, isBoxed: layout.isBoxed, on: &grid)
    }

    private static func sortName(_ column: SessionColumn) -> SafeText {
        column == .number ? "list" : SafeText(outside: column.rawValue)
    }

    private static func footer(_ context: Context, on grid: inout Grid) {
        let area = context.layout.footer.inset(columns: 1, rows: 0)
        let hints: [(keys: String, label: SafeText)] = [
            (context.key(.open), "open"), (SessionTableKey.sort.rawValue, "sort"),
            (SessionTableKey.reverse.rawValue, "reverse"), (context.key(.filter), "filter"),
            (context.key(.help), "help"), (context.key(.quit), "quit"), (context.key(.nextPane), "pane"),
            (context.key(.nextFailure), "next problem"),
            (context.key(.theme), "theme"),
        ]
        var line = StyledLine()
        for hint in hints where !hint.keys.isEmpty {
            var part = StyledLine.of(hint.keys, .footerKey)
            part.space()
            part.append(hint.label, .footerLabel)
            guard line.columns + part.columns + 2 <= area.width else { continue }
            if line.columns > 0 { line.space(2) }
            line.append(part)
        }
        grid.put(line, at: area.origin, maxColumns: area.width)
    }
}
