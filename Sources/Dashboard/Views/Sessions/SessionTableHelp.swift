import Screen
import Session

/// The keys of the table as they are bound now, over its rows.
enum SessionTableHelp {
    /// All lines, of the strips those of the columns that are shown.
    static func rows(_ context: ViewContext, _ columns: Set<SessionColumn>) -> [HintRow] {
        var help = TableHelp(context)
        help.addMoving()
        help.add(.open, does: "open the session (Esc or q returns)")
        help.addSorting()
        help.add(.filter, does: "filter by name, URL, state or problem; a leading ! inverts")
        help.add(.nextFailure, does: "next session with failures or errors")
        help.add(.previousSession, .nextSession, does: "in a session: previous, next session")
        help.add(.nextPane, .paneTree, .paneLog, .zoom, does: "switch between table and log, zoom one")
        help.addScreen()
        help.add(words: [("late", "greatest delay of a beacon"), ("poll", "time since the last good answer")])
        if columns.contains(.minute) {
            help.add(words: [("last minute", "beacons sent, each cell five seconds, one scale for all rows")])
        }
        help.add(hour(context.glyphs))
        return help.rows
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
