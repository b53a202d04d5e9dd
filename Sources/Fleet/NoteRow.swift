/// What happened to the session of a viewer, for people: a finding, an action, a poll that changed something, a line of the log.
package struct NoteRow: Hashable, Sendable {
    package var viewer: Int
    /// Wall clock of the agent, since 1970.
    package var at: Duration
    package var kind: String
    package var level: String?
    /// The code of a finding.
    package var rule: String?
    /// One line without secrets.
    package var words: String

    package init(viewer: Int, at: Duration, kind: String, level: String? = nil, rule: String? = nil, words: String) {
        self.viewer = viewer
        self.at = at
        self.kind = kind
        self.level = level
        self.rule = rule
        self.words = words
    }
}

/// Notes that the store does not have yet. They are for people, and no beacon depends on them, so they are not kept on disk, are sent once, and the
/// oldest are dropped where there are many.
struct WaitingNotes: Hashable, Sendable {
    static let limit = 2_000

    private var rows = WaitingRows<NoteRow>()

    var count: Int { rows.count }

    mutating func add(_ new: [NoteRow]) {
        for row in new { rows.append(row) }
        rows.removeFirst(max(0, rows.count - Self.limit))
    }

    func prefix(_ count: Int) -> [NoteRow] { rows.prefix(count) }

    /// Removes rows that were the first ones when they were sent; some may have been dropped since.
    mutating func remove(_ sent: [NoteRow]) {
        guard let first = rows.first, let place = sent.firstIndex(of: first) else { return }
        rows.removeFirst(sent.count - place)
    }
}
