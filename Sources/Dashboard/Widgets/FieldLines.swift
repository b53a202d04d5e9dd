import Screen

/// Lines of `label  value` for the panes that explain one thing: values wrap under themselves.
struct FieldLines {
    /// Columns of the pane.
    let width: Int
    /// Whether addresses are shown whole; other values always are.
    let wraps: Bool
    /// The glyphs that mark a cut.
    let glyphs: Glyphs
    private(set) var lines: [StyledLine] = []
    /// Columns of the labels.
    private(set) var labelColumns = 10

    /// No lines yet.
    init(width: Int, wraps: Bool, _ glyphs: Glyphs) {
        self.width = width
        self.wraps = wraps
        self.glyphs = glyphs
    }

    private var valueColumns: Int { max(8, width - labelColumns) }

    /// Makes the column of the labels wide enough for these, as far as the values keep two thirds of the pane.
    mutating func makeRoom(for labels: [SafeText]) {
        let columns = labels.map { $0.columns + 2 }.filter { $0 <= width / 3 }
        labelColumns = max(labelColumns, columns.max() ?? 0)
    }

    /// A blank line, unless there is one already.
    mutating func blank() {
        if let last = lines.last, last.columns > 0 { lines.append(StyledLine()) }
    }

    /// A line as it is.
    mutating func add(_ line: StyledLine) {
        lines.append(line)
    }

    /// A heading over what follows.
    mutating func heading(_ text: SafeText) {
        lines.append(StyledLine(text, .paneTitle))
    }

    /// A value that wraps under itself.
    mutating func field(_ label: SafeText, _ value: StyledLine) {
        add(label, value.wrapped(columns: valueColumns))
    }

    /// A value that holds a URL: whole, or cut so that its host and its end stay.
    mutating func address(_ label: SafeText, _ value: StyledLine) {
        add(label, wraps ? value.wrapped(columns: valueColumns) : [value.truncatedMiddle(to: valueColumns, glyphs)])
    }

    private mutating func add(_ label: SafeText, _ rows: [StyledLine]) {
        // A name from outside may be longer than the column; then it has a line of its own.
        let isLong = label.columns >= labelColumns
        if isLong { lines.append(StyledLine(label, .textMuted)) }
        for (index, row) in rows.enumerated() {
            var line = StyledLine()
            if index == 0, !isLong { line.append(label, .textMuted) }
            line.pad(to: labelColumns)
            line.append(row)
            lines.append(line)
        }
    }

    /// A value of run-time text.
    mutating func field(_ label: SafeText, _ value: String, _ role: Role = .text) {
        field(label, .of(value, role))
    }

    /// A value of our own words.
    mutating func field(_ label: SafeText, _ value: SafeText, _ role: Role = .text) {
        field(label, StyledLine(value, role))
    }
}
