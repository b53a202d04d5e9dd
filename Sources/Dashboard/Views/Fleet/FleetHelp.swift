import Screen

/// The keys of the tables of a fleet as they are bound now, over their rows.
enum FleetHelp {
    /// All lines.
    static func lines(_ context: ViewContext) -> [StyledLine] {
        var help = TableHelp(context)
        help.addMoving()
        help.add(help.keys(.open), "a viewer: its breaks (Esc returns); an agent: its viewers")
        help.addSorting()
        help.add(help.keys(.filter), "filter by name, agent, state, label, problem; ! inverts")
        help.add(help.keys(.nextFailure), "next row with a problem")
        help.add(help.keys(.nextPane, .paneTree, .paneDetail, .paneLog, .zoom), "viewers, agents and log; zoom one")
        help.addScreen()
        help.add(words: [("claims", "wait for a grant, 99 of 100"), ("queue", "claims that wait for the store")])
        help.add(words: [("sums", "since the present agent took the viewer: a takeover restarts at 0")])
        help.add(words: [("seen", "age of the row: agents write it every 30 s, or when it changes")])
        help.add(words: [("late", "greatest delay of a beacon"), ("poll", "age of the feed at that time")])
        return help.lines
    }
}
