import Ports
import Screen
import Session

/// A log: its tail, or the place to which the reader has scrolled. A dashboard shows the log of its session, the table
/// that of all sessions.
struct LogPane {
    /// The log that is shown.
    let log: LogView
    /// Level, filter and the reader's place.
    let state: LogState
    /// Whether keys act on the pane.
    let isFocused: Bool
    /// The size class of the whole screen.
    let sizeClass: SizeClass
    /// The glyphs to draw with.
    let glyphs: Glyphs
    /// Whether secrets in messages are masked.
    let redacts: Bool
    /// Columns of the longest session name before a line; 0 in a session's own log.
    var nameColumns = 0

    private static let messageColumns = 4_096
    /// The largest share of a row for names, as a divisor.
    private static let nameShare = 5
    private var isBoxed: Bool { sizeClass >= .large }

    /// Draws the pane.
    func draw(in rect: Rect, on grid: inout Grid) {
        let frame = PaneFrame(title: title, status: status, isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        lines(in: content, on: &grid)
    }

    /// The lines; the column before them has the mark of the first one where that is out of its place.
    private func lines(in content: Rect, on grid: inout Grid) {
        let (margin, area) = content.splitLeft(1)
        guard !area.isEmpty else { return }
        let visible = rows(in: area)
        var shown = visible.rows
        if shown.isEmpty {
            shown = [StyledLine(absence, .textMuted)]
        }
        if visible.isPinned {
            grid.put(Self.pinned(glyphs), at: margin.origin, role: .paneTitle, maxColumns: margin.width)
        }
        for (index, row) in shown.enumerated() {
            grid.put(
                row.truncatedTail(to: area.width, glyphs), at: Point(x: area.x, y: area.y + index),
                maxColumns: area.width)
        }
        if !state.filter.isEmpty { grid.markMatches(of: TextFilter(state.filter), in: area) }
    }

    /// Before the newest problem while it is kept in the first line: its place is further up.
    static func pinned(_ glyphs: Glyphs) -> SafeText { glyphs.isASCII ? "^" : "▲" }

    private var title: StyledLine {
        var title = StyledLine("[3] Log", .paneTitle)
        if let adBreak = state.adBreak { title.add(" of \(adBreak.label)", .paneTitle) }
        return title
    }

    private var absence: SafeText {
        if log.count == 0 { return "nothing logged yet" }
        guard let adBreak = state.adBreak, state.filter.isEmpty else { return "no line matches" }
        return SafeText(outside: "no line is about \(adBreak.label); Esc shows all breaks")
    }

    /// The rows that are visible, and whether the first of them are a problem that is out of its place.
    private func rows(in area: Rect) -> (rows: [StyledLine], isPinned: Bool) {
        let window = LogWindow(log, state)
        guard !state.wraps else { return wrappedRows(window, in: area) }
        let lines = window.linesWithProblem(area.height)
        return (lines.flatMap { rows(of: $0, in: area) }, lines.first?.isPinned == true)
    }

    /// Wrapped lines have more rows than there are. The last row is that of the line at the reader's place, and where there are too few
    /// above, rows of the lines below fill up.
    private func wrappedRows(_ window: LogWindow, in area: Rect) -> (rows: [StyledLine], isPinned: Bool) {
        let bottom = log[window.bottom]?.number ?? 0
        var (rows, end, newestProblem): ([StyledLine], Int?, Int?) = ([], nil, nil)
        for line in window.lines(area.height) {
            if line.entry.level > .info { newestProblem = rows.count }
            rows += self.rows(of: line, in: area)
            if end == nil, line.entry.number >= bottom { end = rows.count }
        }
        let last = min(max(end ?? rows.count, area.height), rows.count)
        let shown = Array(rows[..<last].suffix(area.height))
        let isOutOfSight = newestProblem.map { $0 < last - shown.count } ?? true
        guard isOutOfSight, let problem = window.problem, area.height > 1 else { return (shown, false) }
        let head = self.rows(of: LogWindow.Line(entry: problem), in: area).prefix(max(1, area.height / 2))
        return (Array(head) + shown.suffix(area.height - head.count), true)
    }

    private func rows(of line: LogWindow.Line, in area: Rect) -> [StyledLine] {
        let row = self.line(line, nameColumns: min(nameColumns, area.width / Self.nameShare))
        return state.wraps ? row.wrapped(columns: area.width) : [scrolled(row)]
    }

    /// How many rows an entry has in a pane with that content.
    func rowCount(of entry: LogEntry, in content: Rect) -> Int {
        state.wraps ? max(1, rows(of: LogWindow.Line(entry: entry), in: content.splitLeft(1).rest).count) : 1
    }

    private func line(_ shown: LogWindow.Line, nameColumns: Int) -> StyledLine {
        let entry = shown.entry
        var line = StyledLine()
        if state.showsTime { line.add(TimeText.tenths(entry.at.wall) + " ", .logTime) }
        line.append(entry.level.letter, entry.level.role)
        line.space()
        if nameColumns > 0 {
            let name = StyledLine(SafeText(outside: entry.session ?? "", columns: Self.messageColumns), .textMuted)
            let start = line.columns
            line.append(name.truncatedTail(to: nameColumns, glyphs))
            line.pad(to: start + nameColumns + 1)
        }
        let message = redacts ? Redaction.text(entry.message) : entry.message
        // A wrapped message may fill all rows, an unwrapped one scrolls: both need more than a field.
        line.append(
            SafeText(outside: message, columns: Self.messageColumns), entry.level == .info ? .text : entry.level.role)
        if let host = entry.host, !host.isEmpty {
            line.append("  " + SafeText(outside: host, columns: 64), .textURLHost)
        }
        if shown.count > 1 { line.add("  \(glyphs.isASCII ? "x" : "×")\(shown.count.grouped)", .paneCount) }
        return line
    }

    private func scrolled(_ line: StyledLine) -> StyledLine {
        state.column <= 0 ? line : line.suffix(columns: max(0, line.columns - state.column))
    }

    private var status: [StyledLine] {
        let gap: SafeText = sizeClass == .huge ? "   " : "  "
        let tail: SafeText = state.follows ? "TAIL" : "SCROLLED"
        let level = state.level.letter + (state.level == .error ? "" : "+")
        var filter = SafeText.empty
        let hidden = LogSource.allCases.filter { !state.sources.contains($0) }
        if !hidden.isEmpty {
            let shown = LogSource.allCases.filter(state.sources.contains)
            let names = shown.count <= hidden.count ? shown.map(\.rawValue) : hidden.map { "no \($0.rawValue)" }
            filter = gap + SafeText(outside: names.joined(separator: " "))
        }
        if !state.filter.isEmpty { filter = filter + gap + "/" + SafeText(outside: state.filter, columns: 24) }
        var forms: [StyledLine] = []
        if isBoxed {
            // The number counts all lines, so it is shown only where all of them are.
            let isWhole = hidden.isEmpty && state.filter.isEmpty && state.adBreak == nil && state.level == .debug
            let count = isWhole ? gap + SafeText(outside: log.count.counted("line")) : .empty
            forms.append(StyledLine(tail + gap + "level " + level + count + filter, .paneTitle))
            forms.append(StyledLine(tail + gap + "level " + level + filter, .paneTitle))
        }
        return forms + [StyledLine(tail + "  " + level + filter, .paneTitle), StyledLine(tail, .paneTitle)]
    }
}

extension LogPane {
    /// The log of the session that is shown, or of all sessions below their table.
    init(_ frame: FrameContext) {
        let (context, state) = (frame.context, frame.state)
        self.init(
            log: state.shownLog(context.snapshot), state: state.log, isFocused: context.focus == .log,
            sizeClass: context.sizeClass, glyphs: context.glyphs, redacts: context.settings.redactsURLs,
            nameColumns: state.showsTable ? state.views.sessions.model.longest.name : 0)
    }
}

extension LogLevel {
    /// One letter, as in the log's lines.
    var letter: SafeText {
        switch self {
        case .debug: "D"
        case .info: "I"
        case .warning: "W"
        case .error: "E"
        }
    }

    /// The role of a line of this level.
    var role: Role {
        switch self {
        case .debug: .logDebug
        case .info: .logInfo
        case .warning: .logWarn
        case .error: .logError
        }
    }

    /// The next higher one, after the highest the lowest.
    var next: LogLevel {
        let all = LogLevel.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
