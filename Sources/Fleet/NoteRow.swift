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
