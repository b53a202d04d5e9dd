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
        let shown = keys(frame)
        let columns = width >= twoColumns ? 2 : 1
        let cell = width / columns
        let rows = (shown.count + columns - 1) / columns
        var lines = [HintRow(StyledLine(title(context.focus), .paneTitle))]
        for row in 0..<rows {
            var line = HintRow()
            for column in 0..<columns {
                let place = column * rows + row
                guard shown.indices.contains(place) else { continue }
                line.pad(to: column * cell)
                line.append(entry(shown[place], context, width: cell - 2), press(shown[place], context))
            }
            lines.append(line)
        }
        for command in context.settings.commands {
            var line = StyledLine(SafeText(outside: KeyName.short(command.key), columns: keyColumns - 1), .footerKey)
            line.pad(to: keyColumns)
            line.append(SafeText(outside: command.summary, columns: 200), .text)
            lines.append(HintRow(line.truncatedTail(to: width - 2, context.glyphs)))
        }
        lines.append(HintRow())
        let key = context.key(.help)
        let end = "a click presses a key"
        let next = key.isEmpty ? end : "\(key) again: all keys and commands   / filters them   \(end)"
        lines += StyledLine.of(next, .textMuted).wrapped(columns: width).map { HintRow($0) }
        return lines + [HintRow(), HintRow(StyledLine("symbols", .paneTitle))]
    }

    /// What a click on an entry does. The key that goes back would close the help first.
    private static func press(_ key: HelpKey, _ context: ViewContext) -> HintPress? {
        guard key.action != .back else { return nil }
        return key.action.map(HintPress.action) ?? key.key(context).map(HintPress.key)
    }

    private static func entry(_ key: HelpKey, _ context: ViewContext, width: Int) -> StyledLine {
        var line = StyledLine(SafeText(outside: key.keys(context), columns: keyColumns - 1), .footerKey)
        line.pad(to: keyColumns)
        line.append(key.summary, .text)
        return line.truncatedTail(to: width, context.glyphs)
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
        case .log: own = [.follow, .logLevel, .wrap, .timestamps, .left, .right, .zoom].map { HelpKey($0) }
        case frame.main.pane: own = frame.main.helpKeys
        case .session: own = [.zoom, .wrap].map { HelpKey($0) }
        default: own = [HelpKey(.zoom)]
        }
        let common: [Action] = [.filter, .nextMatch, .nextPane, .paneFindings, .freeze, .command, .back]
        let ofReplay = context.snapshot.replay == nil ? [] : HelpKey.ofReplay
        let all =
            ofReplay + own + common.filter { action in !own.contains { $0.takes(action, context) } }.map { HelpKey($0) }
        return all.filter { key in
            !key.keys(context).isEmpty && (key.action.map(context.hasEffect) ?? true)
        }
    }
}
