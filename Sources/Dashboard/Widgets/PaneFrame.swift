import Ports
import Screen

/// Border or rule of a pane with its title: heavy when focused, so that focus never depends on colour (TERM-29).
struct PaneFrame {
    /// `[1] Breaks`, with the name of what is open in it.
    var title: StyledLine
    /// The text at the right end, from its fullest form to its shortest.
    var status: [StyledLine] = []
    /// Whether keys act on the pane.
    var isFocused: Bool

    /// Draws the frame; the title is cut for the status only when there is no room for both.
    func draw(in rect: Rect, isBoxed: Bool, _ glyphs: Glyphs, on grid: inout Grid) {
        let border = isFocused ? glyphs.heavy : glyphs.light
        let role = isFocused ? Role.paneFocus : .paneBorder
        if isBoxed {
            grid.frame(rect, border, role: role)
        } else {
            grid.fill(rect.row(0), with: border.horizontal, role: role)
        }
        let room = rect.row(0).inset(columns: 1, rows: 0)
        guard room.width > 2 else { return }
        var name = StyledLine(" ")
        if isFocused, !glyphs.focusMark.isEmpty { name = StyledLine(glyphs.focusMark + " ", .paneFocus) }
        name.append(title)
        name = name.truncatedTail(to: room.width - 1, glyphs)
        name.append(" ")
        grid.put(name, at: room.origin, maxColumns: room.width)
        for form in status where form.columns > 0 && name.columns + form.columns + 3 <= room.width {
            let start = room.maxX - form.columns - 2
            grid.put(" ", at: Point(x: start, y: room.y))
            grid.put(form, at: Point(x: start + 1, y: room.y))
            grid.put(" ", at: Point(x: start + 1 + form.columns, y: room.y))
            break
        }
    }

    /// Shows on the lower border which part of a text is visible, unless all of it is.
    func position(_ viewport: Viewport, in rect: Rect, isBoxed: Bool, on grid: inout Grid) {
        guard rect.height > 2, viewport.count > viewport.height, !viewport.visible.isEmpty else { return }
        let visible = viewport.visible
        let (first, last) = ((visible.lowerBound + 1).grouped, visible.upperBound.grouped)
        let text = SafeText(outside: " \(first)-\(last)/\(viewport.count.grouped) ")
        guard isBoxed else { return positionInRule(text, in: rect, on: &grid) }
        guard text.columns + 4 <= rect.width else { return }
        let start = rect.maxX - 2 - text.columns
        grid.put(text, at: Point(x: start, y: rect.maxY - 1), role: .paneCount)
    }

    /// A pane without a lower border shows it in its rule, between title and status.
    private func positionInRule(_ text: SafeText, in rect: Rect, on grid: inout Grid) {
        let start = rect.x + 1 + title.columns + 3
        let end = status.map(\.columns).max() ?? 0
        guard start + text.columns + end + 4 <= rect.maxX else { return }
        grid.put(text, at: Point(x: start, y: rect.y), role: .paneCount)
    }
}
