import Screen
import Session

/// The keys that act on the focused pane, most important first, in two columns where there is room: help that fits one
/// screen.
enum PaneHelp {
    private static let keyColumns = 9
    /// The least width of two columns.
    private static let twoColumns = 72

    /// Its lines; the last names how to see all. A click on a key is as pressing it.
    static func rows(_ frame: FrameContext, width: Int) -> [HintRow] {
        let context = frame.context
        var lines = [HintRow(StyledLine(title(context.focus), .paneTitle))]
        lines += table(keys(frame), context, width: width)
        for command in context.settings.commands {
            var line = StyledLine(keyName(KeyName.short(command.key), context), .footerKey)
            line.pad(to: keyColumns)
            line.append(SafeText(outside: command.summary, columns: 200), .text)
            lines.append(HintRow(line.truncatedTail(to: width - 2, context.glyphs)))
        }
        lines.append(HintRow())
        lines += ways(context, width: width)
        return lines + [HintRow(), HintRow(StyledLine("symbols", .paneTitle))]
    }

    /// How to see all keys, in as many rows as needed. Each way can be clicked by itself; it is no key of the pane, and the help stays.
    private static func ways(_ context: ViewContext, width: Int) -> [HintRow] {
        var parts: [(text: String, press: HintPress?)] = []
        for (action, words) in [(Action.help, " again: all keys and commands"), (.filter, " filters them")] {
            let key = context.key(action)
            if !key.isEmpty { parts.append((key + words, .ofHelp(action))) }
        }
        var rows = [HintRow()]
        for part in parts + [("a click presses a key", nil)] {
            let line = StyledLine.of(part.text, .textMuted)
            let gap = rows[rows.count - 1].columns > 0 ? 3 : 0
            if gap > 0, rows[rows.count - 1].columns + gap + line.columns > width {
                rows.append(HintRow())
            } else {
                rows[rows.count - 1].append(StyledLine.of(String(repeating: " ", count: gap), .textMuted))
            }
            rows[rows.count - 1].append(line, part.press)
        }
        return rows
    }

    /// What a click on an entry does. The key that goes back would close the help first.
    private static func press(_ key: HelpKey, _ context: ViewContext) -> HintPress? {
        guard key.action != .back else { return nil }
        return key.action.map(HintPress.action) ?? key.key(context).map(HintPress.key)
    }

    /// The keys one below the other, in columns of about the same height. The first line of each can be clicked.
    private static func table(_ keys: [HelpKey], _ context: ViewContext, width: Int) -> [HintRow] {
        let columns = width >= twoColumns ? 2 : 1
        let cell = width / columns
        let entries = keys.map { key in
            entry(key, context, width: cell - 2).enumerated().map { number, line in
                var row = HintRow()
                row.append(line, number == 0 ? press(key, context) : nil)
                return row
            }
        }
        let height = (entries.map(\.count).reduce(0, +) + columns - 1) / columns
        var table: [[HintRow]] = [[]]
        for entry in entries {
            if table[table.count - 1].count >= height, table.count < columns { table.append([]) }
            table[table.count - 1] += entry
        }
        return (0..<(table.map(\.count).max() ?? 0)).map { row in
            var line = HintRow()
            for (column, cells) in table.enumerated() where cells.indices.contains(row) {
                line.pad(to: column * cell)
                line.append(cells[row])
            }
            return line
        }
    }

    /// A key in the column of the keys.
    private static func keyName(_ key: String, _ context: ViewContext) -> SafeText {
        SafeText(outside: key).truncatedTail(to: keyColumns - 1, context.glyphs)
    }

    /// The key, and beside it what it does, in as many lines as needed.
    private static func entry(_ key: HelpKey, _ context: ViewContext, width: Int) -> [StyledLine] {
        let keys = StyledLine(keyName(key.keys(context), context), .footerKey)
        let text = StyledLine(key.summary, .text).wrapped(columns: max(2, width - keyColumns))
        return text.enumerated().map { number, row in
            var line = number == 0 ? keys : StyledLine()
            line.pad(to: keyColumns)
            line.append(row)
            return line
        }
    }

    private static func title(_ pane: Pane) -> SafeText {
        "keys of the " + SafeText(outside: pane.name) + (pane.isMain ? " view" : " pane")
    }

    /// The keys that act on the focused pane, each once. The detail leaves those that it does not use to its view.
    static func keys(_ frame: FrameContext) -> [HelpKey] {
        let context = frame.context
        let own: [HelpKey]
        switch context.focus {
        case .detail:
            let left = frame.main.helpKeys.filter { key in
                !key.isOfRows && !DetailPane.ownActions.contains { key.takes($0, context) }
            }
            own = [HelpKey(.wrap), HelpKey(.zoom)] + left
        case .log:
            own = [
                HelpKey(.follow, "follow the newest line"), HelpKey(.logLevel, "lowest level shown"), HelpKey(.wrap),
                HelpKey(.timestamps, "show or hide times"), HelpKey(.logBreak, "lines of the selected break"),
                HelpKey(.left, "scroll left"),
                HelpKey(.right, "scroll right"), HelpKey(.zoom),
            ]
        case frame.main.pane: own = frame.main.helpKeys
        case .session: own = [.zoom, .wrap].map { HelpKey($0) }
        default: own = [HelpKey(.zoom)]
        }
        let common = [
            HelpKey(.filter, "filter or search the pane"), HelpKey(.nextMatch), HelpKey(.nextPane),
            HelpKey(.paneFindings, "findings by rule"), HelpKey(.freeze), HelpKey(.command), HelpKey(.back),
        ]
        // A click on the one key is enough with the mouse: after the last session the first follows.
        let hasOthers = context.settings.sessions.count > 1 && context.snapshot.replay == nil
        let sessions = hasOthers ? [HelpKey(.nextSession, ofPrevious: context.key(.previousSession))] : []
        let ofReplay = context.snapshot.replay == nil ? [] : HelpKey.ofReplay
        let all =
            ofReplay + own
            + (common + sessions).filter { key in
                !own.contains { own in key.action.map { own.takes($0, context) } == true }
            }
        return all.filter { key in
            !key.keys(context).isEmpty && (key.action.map(context.hasEffect) ?? true)
        }
    }
}
