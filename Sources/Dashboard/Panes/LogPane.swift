import Monitoring
import Ports
import Screen

/// The session's log: the tail, or wherever the reader has scrolled.
enum LogPane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isFocused = context.state.focus == .log
        let isBoxed = context.layout.isBoxed
        let frame = PaneFrame(title: StyledLine("[3] Log", .paneTitle), status: status(context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        lines(context, in: content.splitLeft(1).rest, on: &grid)
    }

    private static func lines(_ context: ViewContext, in area: Rect, on grid: inout Grid) {
        guard !area.isEmpty else { return }
        let state = context.state.log
        let window = LogWindow(context.snapshot.log, state)
        var rows: [StyledLine] = []
        for entry in window.entries(area.height) {
            let row = line(entry, state, context)
            rows += state.wraps ? row.wrapped(columns: area.width) : [scrolled(row, state.column)]
        }
        if rows.isEmpty {
            rows = [
                StyledLine(context.snapshot.log.count == 0 ? "nothing logged so far" : "no line passes", .textMuted)
            ]
        }
        for (index, row) in rows.suffix(area.height).enumerated() {
            grid.put(
                row.truncatedTail(to: area.width, context.glyphs), at: Point(x: area.x, y: area.y + index),
                maxColumns: area.width)
        }
        if !state.filter.isEmpty { grid.markMatches(of: TextFilter(state.filter), in: area) }
    }

    private static func line(_ entry: LogEntry, _ state: LogState, _ context: ViewContext) -> StyledLine {
        var line = StyledLine()
        if state.showsTime { line.add(TimeText.tenths(entry.at.wall) + " ", .logTime) }
        line.append(entry.level.letter, entry.level.role)
        line.space()
        // A wrapped message may take all the rows there are, an unwrapped one scrolls: both need more than a field.
        line.append(
            SafeText(outside: context.prose(entry.message), columns: messageColumns),
            entry.level == .info ? .text : entry.level.role)
        return line
    }

    private static let messageColumns = 4_096

    private static func scrolled(_ line: StyledLine, _ columns: Int) -> StyledLine {
        columns <= 0 ? line : line.suffix(columns: max(0, line.columns - columns))
    }

    private static func status(_ context: ViewContext) -> [StyledLine] {
        let state = context.state.log
        let isHuge = context.layout.sizeClass == .huge
        let gap: SafeText = isHuge ? "   " : "  "
        let tail: SafeText = state.follows ? "TAIL" : "SCROLLED"
        let level = state.level.letter + (state.level == .error ? "" : "+")
        var filter = SafeText.empty
        if !state.filter.isEmpty { filter = gap + "/" + SafeText(outside: state.filter, columns: 24) }
        var forms: [StyledLine] = []
        if context.layout.isBoxed {
            let count = SafeText(outside: plural(context.snapshot.log.count, "line"))
            forms.append(StyledLine(tail + gap + "level " + level + gap + count + filter, .paneTitle))
            forms.append(StyledLine(tail + gap + "level " + level + filter, .paneTitle))
        }
        return forms + [StyledLine(tail + "  " + level + filter, .paneTitle), StyledLine(tail, .paneTitle)]
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
