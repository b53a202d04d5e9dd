import Screen
import Session

/// The keys of the table as they are bound now, over its rows.
enum SessionTableHelp {
    /// Columns of its lines.
    static let columns = 74
    private static let keyColumns = 16

    /// All lines.
    static func lines(_ context: ViewContext) -> [StyledLine] {
        func keys(_ actions: Action...) -> String {
            actions.flatMap { context.settings.keymap.keys(for: $0).prefix(1) }.map(KeyName.short)
                .joined(separator: " ")
        }
        let rows: [(String, SafeText)] = [
            (keys(.up, .down, .first, .last), "move; also pages and the mouse"),
            (keys(.open), "open the session (Esc or q returns)"),
            (
                SessionTableKey.sort.rawValue + " " + keys(.sort),
                "sort by the next column; a click on a title sorts by it"
            ),
            (SessionTableKey.reverse.rawValue + " " + keys(.reverseSort), "reverse the order"),
            (keys(.filter), "filter by name, URL, state or problem; a leading ! inverts"),
            (keys(.nextFailure), "next session with failures or errors"),
            (keys(.previousSession, .nextSession), "in a session: previous, next session"),
            (keys(.nextPane, .paneTree, .paneLog, .zoom), "switch between table and log, zoom one"),
            (keys(.logLevel, .follow, .wrap, .timestamps), "log: level, follow, wrap, times; / filters it"),
            (keys(.command), "commands: theme, log, filter and others"),
            (keys(.theme), "next theme"), (keys(.redraw), "redraw"), (keys(.suspend), "suspend"),
            (keys(.quit), "quit"),
        ]
        var lines = rows.map { pair in
            var line = StyledLine.of(pair.0, .footerKey)
            line.pad(to: keyColumns)
            line.append(pair.1, .text)
            return line
        }
        lines.append(StyledLine())
        var legend = StyledLine("late ", .textMuted)
        legend.append("greatest delay of a beacon   ", .text)
        legend.append("poll ", .textMuted)
        legend.append("time since the last good answer", .text)
        lines.append(legend)
        lines.append(hour(context.glyphs))
        return lines
    }

    /// The cells of the last hour.
    private static func hour(_ glyphs: Glyphs) -> StyledLine {
        var line = StyledLine("last hour ", .textMuted)
        let words: [(MinuteOutcome, SafeText)] = [
            (.acknowledged, "sent"), (.late, "late"), (.failed, "failed"), (.unknown, "unknown"),
            (.observed, "observed"),
            (.notSent, "not sent"),
        ]
        for (outcome, word) in words {
            guard let sign = HourStrip.sign(of: outcome) else { continue }
            line.append("  ", .text)
            line.append(SafeText(glyphs.cell(sign)), sign.role)
            line.append(" " + word, .text)
        }
        return line
    }
}
