import Fleet
import Ports
import Session

extension NoteRow {
    /// What the store keeps of a note of a session. Polls that changed nothing, and lines of the log that are no warnings, are too many: a fleet
    /// of 30,000 viewers polls 7,500 times a second. What was listed, and what was due and not sent, has tables of its own.
    init?(_ note: JournalNote, of viewer: Int) {
        let at = Duration.microseconds(note.at.microseconds)
        switch note.content {
        case .finding(let finding, _):
            self.init(
                viewer: viewer, at: at, kind: "finding", level: finding.severity.rawValue, rule: finding.rule,
                words: Self.line(finding.message))
        case .action(let words): self.init(viewer: viewer, at: at, kind: "action", words: Self.line(words))
        case .log(let level, let message) where level >= .warning:
            self.init(viewer: viewer, at: at, kind: "log", level: level.rawValue, words: Self.line(message))
        case .poll(let poll):
            guard let what = poll.problem ?? poll.changes else { return nil }
            let status = poll.status.map { " \($0)" } ?? ""
            self.init(
                viewer: viewer, at: at, kind: "poll", level: poll.problem == nil ? nil : LogLevel.warning.rawValue,
                words: Self.line("\(poll.feed.rawValue)\(status): \(what)"))
        case .session, .adBreak, .ad, .unsent, .log: return nil
        }
    }

    /// Longest words, as the store keeps them.
    private static let longest = 2_000

    /// Texts of servers may have line breaks, and URLs of sessions.
    private static func line(_ words: String) -> String {
        let line = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        // Cut afterwards: a part of a token may not look like one.
        return String(Redaction.text(line).prefix(longest))
    }
}
