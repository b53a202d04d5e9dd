import CNcurses
import Screen

/// Turns runs of cells into ncurses cells. What is decided once per style (attributes, colour pair) is kept per style.
struct CellPainter {
    private(set) var palette: Palette
    private let colors: ColorNumbers
    private let isUTF8: Bool
    private var pairs = ColorPairs(capacity: 0)
    private var templates: [cchar_t?] = []
    private var row: [cchar_t] = []

    /// A painter for a terminal with those colours; `reset` gives it its pairs.
    init(colors: ColorNumbers, isUTF8: Bool, palette: Palette) {
        self.colors = colors
        self.isUTF8 = isUTF8
        self.palette = palette
        row.reserveCapacity(Size.limit)
    }

    /// Starts over with a palette and `pairs` colour pairs; what is on the screen must be painted again.
    mutating func reset(palette: Palette, pairs: Int) {
        self.palette = palette
        self.pairs = ColorPairs(capacity: pairs)
        templates = Array(repeating: nil, count: Role.allCases.count * Mark.allCases.count)
    }

    /// Writes the cells of a run into ncurses' picture of the screen; cells outside it are clipped.
    mutating func paint(_ run: CellRun, of grid: Grid) {
        let cells = grid.row(run.row)
        let first = cells.startIndex + run.columns.lowerBound, end = cells.startIndex + run.columns.upperBound
        guard first < end, end <= cells.endIndex else { return }
        row.removeAll(keepingCapacity: true)
        for cell in cells[first..<end] where !cell.isContinuation { append(cell, of: grid) }
        curses_put(Int32(clamping: run.row), Int32(clamping: run.columns.lowerBound), row, Int32(clamping: row.count))
    }

    private mutating func append(_ cell: Cell, of grid: Grid) {
        var painted = template(for: cell)
        let columns: Int32 = cell.isWide ? 2 : 1
        if let scalar = cell.glyph.scalar {
            let shown = shown(scalar, columns: columns)
            curses_cell_character(&painted, shown ?? substitute)
            row.append(painted)
            if shown == nil, cell.isWide { row.append(blank(like: painted)) }
        } else if let cluster = grid.cluster(of: cell) {
            appendCluster(cluster, columns, painted)
        } else {
            row.append(blank(like: painted))
        }
    }

    private mutating func appendCluster(_ cluster: Cluster, _ columns: Int32, _ template: cchar_t) {
        var painted = template
        guard let base = shown(cluster.base, columns: columns) else {
            curses_cell_character(&painted, substitute)
            row.append(painted)
            if columns == 2 { row.append(blank(like: painted)) }
            return
        }
        var attributes: attr_t = 0
        var pair: Int16 = 0
        curses_cell_style(&painted, &attributes, &pair)
        let text = [base] + cluster.scalars.dropFirst().map { wchar_t(bitPattern: $0.value) } + [0]
        // A mark that libc does not know ends the cluster early, inside setcchar (TERM-19); the base is still shown.
        if curses_cell(&painted, text, attributes, pair) != OK { curses_cell_character(&painted, base) }
        row.append(painted)
    }

    /// The character to write, nil when it would not take that many columns here: the cursor must not drift.
    private func shown(_ scalar: Unicode.Scalar, columns: Int32) -> wchar_t? {
        if scalar.value < 0x7F { return wchar_t(bitPattern: scalar.value) }
        guard isUTF8, curses_width(wchar_t(bitPattern: scalar.value)) == columns else { return nil }
        return wchar_t(bitPattern: scalar.value)
    }

    private var substitute: wchar_t { isUTF8 ? 0xFFFD : 0x3F }

    private func blank(like cell: cchar_t) -> cchar_t {
        var blank = cell
        curses_cell_character(&blank, 0x20)
        return blank
    }

    private mutating func template(for cell: Cell) -> cchar_t {
        let index = Int(cell.mark.rawValue) * Role.allCases.count + Int(cell.role.rawValue)
        guard index < templates.count else { return cchar_t() }
        if let template = templates[index] { return template }
        let style = palette.style(of: cell)
        let pair = pairs.pair(
            foreground: colors.number(of: style.foreground), background: colors.number(of: style.background)
        ) { pair, foreground, background in
            curses_init_pair(Int32(pair), Int32(foreground), Int32(background)) == OK
        }
        var template = cchar_t()
        _ = curses_cell(&template, [0x20, 0], CellPainter.attributes(style.attributes), Int16(clamping: pair))
        templates[index] = template
        return template
    }

    private static func attributes(_ attributes: Attributes) -> attr_t {
        var value: attr_t = 0
        if attributes.contains(.bold) { value |= curses_bold }
        if attributes.contains(.dim) { value |= curses_dim }
        if attributes.contains(.italic) { value |= curses_italic }
        if attributes.contains(.underline) { value |= curses_underline }
        if attributes.contains(.reverse) { value |= curses_reverse }
        return value
    }
}
