import Screen

/// What stays in the shell after the dashboard, below what became of the beacons: the commands that show more of it.
struct ClosingAdvice {
    /// Nil where the run kept none.
    var journal: JournalSettings?
    /// The files of `--record`.
    var recordings: [String] = []
    /// The one of them that is named.
    var shown = 0
    /// Whether `--record` of this run names a folder.
    var recordsMany = false
    /// Whether a beacon was due, so that a report has a row.
    var hasBeacons: Bool

    /// One line for each command.
    var lines: [String] {
        let hint = hasBeacons ? journal.map(Self.report) ?? withoutJournal : nil
        return [hint, replay].compactMap { $0 }
    }

    private static func report(_ journal: JournalSettings) -> String {
        let file = journal.place.path.map { " \(TerminalSequence.shellQuoted($0))" } ?? ""
        return "adtop report\(file) --html --output report.html   (every beacon with its tries)"
    }

    private var replay: String? {
        guard recordings.indices.contains(shown) else { return nil }
        let others = recordings.count - 1
        let note = others == 0 ? ", at any moment" : "; \(others) more recordings there"
        return "adtop replay \(TerminalSequence.shellQuoted(recordings[shown]))   (the same screens\(note))"
    }

    private var withoutJournal: String {
        let record = recordings.isEmpty ? ", --record \(recordsMany ? "FOLDER" : "FILE") a replay" : ""
        return "no journal was kept; --journal FILE keeps one for adtop report" + record
    }
}
