import Screen
import Session

/// The keys that act on the focused pane, most important first, in two columns where there is room: help that fits one
/// screen.
enum PaneHelp {
    private static let keyColumns = 9
    /// The least width of two columns.
    private static let twoColumns = 72

    /// Its lines; the last names how to see all.
    static func lines(_ context: ViewContext, width: Int) -> [StyledLine] {
        let actions = actions(of: context.focus).filter { !context.settings.keymap.keys(for: $0).isEmpty }
        let canAct = context.snapshot.session.canArm
        let shown = actions.filter { canAct || $0.group != .beacons }
        let columns = width >= twoColumns ? 2 : 1
        let cell = width / columns
        let rows = (shown.count + columns - 1) / columns
        var lines = [StyledLine(title(context.focus), .paneTitle)]
        for row in 0..<rows {
            var line = StyledLine()
            for column in 0..<columns {
                let place = column * rows + row
                guard shown.indices.contains(place) else { continue }
                line.pad(to: column * cell)
                line.append(entry(shown[place], context, width: cell - 2))
            }
            lines.append(line)
        }
        for command in context.settings.commands {
            var line = StyledLine(SafeText(outside: KeyName.short(command.key), columns: keyColumns - 1), .footerKey)
            line.pad(to: keyColumns)
            line.append(SafeText(outside: command.summary, columns: 200), .text)
            lines.append(line.truncatedTail(to: width - 2, context.glyphs))
        }
        lines.append(StyledLine())
        let key = context.key(.help)
        if !key.isEmpty { lines.append(.of("\(key) again: all keys and commands   / filters them", .textMuted)) }
        return lines + [StyledLine(), StyledLine("symbols", .paneTitle)]
    }

    private static func entry(_ action: Action, _ context: ViewContext, width: Int) -> StyledLine {
        let keys = context.settings.keymap.keys(for: action).prefix(2).map(KeyName.short).joined(separator: " ")
        var line = StyledLine(SafeText(outside: keys, columns: keyColumns - 1), .footerKey)
        line.pad(to: keyColumns)
        // The first clause; all of it is in the help of all keys.
        let clause = action.summary.string.split(separator: ";").first.map(String.init) ?? ""
        line.add(clause, .text)
        return line.truncatedTail(to: width, context.glyphs)
    }

    private static func title(_ pane: Pane) -> SafeText {
        "keys of the " + SafeText(outside: pane.name) + (pane.isMain ? " view" : " pane")
    }

    private static func actions(of pane: Pane) -> [Action] {
        let first: [Action]
        switch pane {
        case .tree:
            first = [
                .open, .left, .right, .nextFailure, .nextBreak, .previousBreak, .follow, .sort, .reverseSort, .mute,
                .pause, .retry, .copyURL, .copyCurl, .copyReport,
            ]
        case .detail: first = [.wrap, .copyURL, .copyCurl, .copyReport, .retry, .zoom]
        case .log: first = [.follow, .logLevel, .wrap, .timestamps, .left, .right, .zoom]
        case .playlist: first = [.open, .nextFailure, .nextBreak, .previousBreak, .follow, .copyURL]
        case .creative: first = [.left, .right, .nextBreak, .previousBreak, .copyURL, .copyCurl]
        case .auction: first = [.auctionRun, .priceUp, .priceDown, .auctionKeys, .auctionNotices, .wrap, .copyURL]
        case .formats: first = [.formatShow, .formatVisibility, .formatClose, .formatReload, .open]
        case .findings: first = [.open, .left, .right, .copyURL, .copyReport]
        default: first = [.zoom, .wrap]
        }
        return first + [
            .filter, .nextMatch, .nextPane, .paneFindings, .freeze, .command, .back,
        ]
    }
}
