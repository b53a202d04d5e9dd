import Screen

/// The keys of the tables of a fleet as they are bound now, over their rows.
enum FleetHelp {
    /// All lines.
    static func rows(_ context: ViewContext) -> [HintRow] {
        var help = TableHelp(context)
        help.addMoving()
        help.add(.open, does: "a viewer: its breaks (Esc returns); an agent: its viewers")
        help.addSorting()
        help.add(.filter, does: "filter by name, agent, state, label, problem; ! inverts")
        help.add(.nextFailure, does: "next row with a problem")
        help.add(.nextPane, .paneTree, .paneDetail, .paneLog, .zoom, does: "viewers, agents and log; zoom one")
        help.addScreen()
        help.add(words: [("claims", "wait for a grant, 99 of 100"), ("queue", "claims that wait for the store")])
        help.add(words: [("sums", "since the present agent took the viewer: a takeover restarts at 0")])
        help.add(words: [("seen", "age of the row: agents write it every 30 s, or when it changes")])
        help.add(words: [("late", "greatest delay of a beacon"), ("poll", "age of the feed at that time")])
        return help.rows
    }
}
