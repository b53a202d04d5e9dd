import Screen
import Session

/// The current key bindings and the commands, generated from their tables.
enum HelpPane {
    private static let keyColumns = 14

    /// Over the panes, as large as it needs to be.
    static func overlay(_ frame: FrameContext, on grid: inout Grid) {
        let rect = rect(frame)
        grid.fill(rect)
        draw(frame, in: rect, on: &grid)
    }

    /// The overlay's cells: header and footer stay visible where there are rows for it.
    static func rect(_ frame: FrameContext) -> Rect {
        let size = frame.context.size
        let area = Rect(size).inset(columns: 0, rows: size.rows > 6 ? 1 : 0)
        let widest = frame.helpOfView.map { $0.columns + 4 } ?? widest
        let width = min(area.width, widest)
        return area.centered(columns: width, rows: min(area.height, lines(frame, width: width - 4).count + 2))
    }

    private static let widest = 100

    /// Whether it has more lines than it shows at once.
    static func isLonger(_ frame: FrameContext) -> Bool {
        let rect = rect(frame)
        return lines(frame, width: rect.width - 4).count > rect.height - 2
    }

    /// Draws the help in a box that fills `rect`.
    static func draw(_ frame: FrameContext, in rect: Rect, on grid: inout Grid) {
        let context = frame.context
        let close = context.key(.back)
        let status = close.isEmpty ? StyledLine() : StyledLine.of("\(close) closes", .paneCount)
        let box = PaneFrame(
            title: ScrollLines.title(title(frame), pane: .help, context), status: [status], isFocused: true)
        box.draw(in: rect, isBoxed: true, context.glyphs, on: &grid)
        let content = rect.inset(columns: 1, rows: 1)
        let all = lines(frame, width: content.width - 2)
        ScrollLines.draw(all, pane: .help, context, in: content, on: &grid)
        let viewport = Viewport(count: all.count, height: content.height, offset: context.scrolls.offsets[.help] ?? 0)
        box.position(viewport, in: rect, isBoxed: true, on: &grid)
    }

    private static func title(_ frame: FrameContext) -> SafeText {
        guard case .rule = frame.state.help else { return "Help" }
        return "Rule"
    }

    /// What a click on a key does: as pressing it without the help. Nil beside keys.
    static func press(at point: Point, _ frame: FrameContext) -> HintPress? {
        let content = rect(frame).inset(columns: 1, rows: 1)
        let area = content.splitLeft(1).rest
        guard area.contains(point) else { return nil }
        let rows = rows(frame, width: content.width - 2)
        let shown = Viewport(
            count: rows.count, height: area.height, offset: frame.context.scrolls.offsets[.help] ?? 0
        ).visible
        let line = point.y - area.y
        guard shown.contains(shown.lowerBound + line) else { return nil }
        return rows[shown.lowerBound + line].press(at: point, in: area.row(line))
    }

    /// All lines at that width.
    static func lines(_ frame: FrameContext, width: Int) -> [StyledLine] { rows(frame, width: width).map(\.line) }

    /// The same with the keys in them that can be clicked: those of the pane, or of a view with keys of its own.
    private static func rows(_ frame: FrameContext, width: Int) -> [HintRow] {
        if case .rule(let entry) = frame.state.help {
            return RulePage.lines(entry, width: width, frame.context.glyphs).map { HintRow($0) }
        }
        if let own = frame.helpOfView { return own.rows }
        if frame.state.help == .keys {
            return PaneHelp.rows(frame, width: width) + signs(frame.context, width: width).map { HintRow($0) }
        }
        return all(frame.context, width: width).map { HintRow($0) }
    }

    /// All keys that have an effect here, with the names of their actions, and all commands; with a filter only what matches.
    private static func all(_ context: ViewContext, width: Int) -> [StyledLine] {
        let filter = TextFilter(context.scrolls.searches[.help] ?? "")
        var lines = filter.isEmpty ? howToBind.wrapped(columns: width) : []
        func add(_ title: String, _ entries: [Line], at column: Int) {
            let shown = entries.filter {
                filter.isEmpty || filter.passes(anyOf: [$0.typed, $0.summary.string, $0.name])
            }
            guard !shown.isEmpty else { return }
            if !lines.isEmpty { lines.append(StyledLine()) }
            lines += StyledLine.of(title, .paneTitle).wrapped(columns: width)
            for entry in shown { lines += entryLines(entry, at: column, width: width) }
        }
        for group in ActionGroup.allCases {
            let entries = Action.table.filter { $0.group == group && context.hasEffect($0.action) }.map { entry in
                let keys = context.settings.keymap.keys(for: entry.action).map(KeyName.short).joined(separator: " ")
                return Line(typed: keys.isEmpty ? "-" : keys, summary: entry.summary, name: entry.action.rawValue)
            }
            add(title(group), entries, at: keyColumns)
        }
        add("cache view", CacheKey.allCases.map { Line(typed: $0.rawValue, summary: $0.summary) }, at: keyColumns)
        add(
            "your commands (section commands: of the config file)",
            context.settings.commands.map {
                Line(typed: KeyName.short($0.key), summary: SafeText(outside: $0.summary, columns: 200))
            }, at: keyColumns)
        let commands = CommandSpec.offered(isRecording: context.snapshot.replay != nil).map { spec in
            Line(typed: ":" + spec.name + (spec.usage.isEmpty ? "" : " " + spec.usage), summary: spec.summary)
        }
        add("command line", commands, at: commandColumns)
        guard filter.isEmpty else {
            return lines.isEmpty ? ListPane.nothing(matches: context.scrolls.searches[.help] ?? "") : lines
        }
        lines += [StyledLine(), StyledLine("symbols", .paneTitle)]
        return lines + signs(context, width: width)
    }

    private static let howToBind = StyledLine(
        "To bind other keys, add the [name] to keys: of adtop/config.yaml or --config FILE, as in  freeze: [z]",
        .textMuted)

    /// A key or command.
    private struct Line {
        var typed: String
        var summary: SafeText
        /// The action's name in the config; empty for commands.
        var name = ""
    }

    private static let commandColumns = 40

    private static func title(_ group: ActionGroup) -> String {
        switch group {
        case .move: "move"
        case .panes: "panes"
        case .find: "find"
        case .view: "view"
        case .beacons: "beacons (sent only while the header shows FIRE)"
        case .auction: "auction (in its view)"
        case .share: "copy and export"
        case .program: "program"
        }
    }

    /// A key or command and its effect, in as many lines as needed.
    private static func entryLines(_ entry: Line, at column: Int, width: Int) -> [StyledLine] {
        var text = StyledLine(entry.summary, .text)
        if !entry.name.isEmpty { text.add("  [\(entry.name)]", .textMuted) }
        // Where there is little room the text starts further left: a word should fit beside the key.
        let start = min(column + 1, max(1, width / 3))
        var lines = StyledLine(SafeText(outside: entry.typed), .footerKey).wrapped(columns: width)
        for (index, row) in text.wrapped(columns: width - start).enumerated() {
            let isBeside = index == 0 && (lines.last?.columns ?? 0) < start
            var line = isBeside ? lines.removeLast() : StyledLine()
            line.pad(to: start)
            line.append(row)
            lines.append(line)
        }
        return lines
    }

    private static func signs(_ context: ViewContext, width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        var finding = StyledLine(SafeText(context.glyphs.warning), .logWarn)
        finding.space()
        finding.append("finding", .logWarn)
        var badges = StateSign.allCases.map { context.badge($0) } + [finding]
        if context.focus == .log {
            badges.append(StyledLine(LogPane.pinned(context.glyphs) + " newest problem, from further up", .paneTitle))
        }
        for badge in badges {
            if var line = lines.last, line.columns + 2 + badge.columns <= width {
                line.space(2)
                line.append(badge)
                lines[lines.count - 1] = line
            } else {
                lines.append(badge)
            }
        }
        return lines
    }
}

extension FrameContext {
    /// The help of the open view, if it has keys of its own and help is not about a rule.
    fileprivate var helpOfView: (rows: [HintRow], columns: Int)? {
        if case .rule = state.help { nil } else { main.help(context) }
    }
}
