import Ports
import Session

/// The events of a session as lines of JSON, `adtop-events/1` (docs/events.md).
struct EventLine {
    /// The members that all lines of a session begin with.
    private let session: [(String, JSONValue)]
    private let isRedacted: Bool

    init(session: SessionKey, isRedacted: Bool) {
        self.isRedacted = isRedacted
        var hash = StableHash()
        hash.add(session.text)
        self.session = [
            ("session", .string(isRedacted ? Redaction.sessionKey(session.text) : session.text)),
            ("sessionHash", .string(String(hash.value, radix: 16))),
        ]
    }

    func opened(_ opening: JournalOpening, at: UnixTime) -> String {
        line(
            "opened", at: at,
            [
                ("known", .integer(Int64(opening.entries.count))),
                ("unknown", .integer(Int64(opening.entries.count { $0.outcome == nil }))),
                ("notice", .optional(opening.notice.map(text))),
            ])
    }

    func failed(_ problem: JournalProblem, at: UnixTime) -> String {
        line("journalFailed", at: at, [("message", .string(text(problem.message)))])
    }

    func claim(_ claim: JournalClaim) -> String {
        line(
            "claim", at: claim.at,
            [("claim", .integer(Int64(claim.number)))] + fields(claim.beacon) + [
                ("round", .integer(Int64(claim.round))), ("attempt", .integer(Int64(claim.attempt))),
                ("lateMs", .optional(claim.late?.inMilliseconds)),
            ])
    }

    func outcome(_ outcome: JournalOutcome) -> String {
        line(
            "outcome", at: outcome.at,
            [
                ("claim", .integer(Int64(outcome.claim))), ("state", .string(outcome.state)),
                ("status", .optional(outcome.status.map(Int64.init))),
            ] + (outcome.late.map { [("lateMs", .integer($0.inMilliseconds))] } ?? []))
    }

    func note(_ note: JournalNote) -> String {
        switch note.content {
        case .session(let session): line("session", at: note.at, fields(session))
        case .poll(let poll): line("poll", at: note.at, fields(poll))
        case .adBreak(let adBreak):
            line(
                "break", at: note.at,
                [
                    ("break", name(adBreak.name)), ("startMs", .integer(adBreak.start.milliseconds)),
                    ("durationMs", .integer(adBreak.duration.inMilliseconds)), ("source", .string(adBreak.source)),
                    ("vanished", .bool(adBreak.hasVanished)),
                ])
        case .ad(let ad):
            line(
                "ad", at: note.at,
                [
                    ("break", name(ad.breakName)), ("ad", name(ad.name)), ("startMs", .integer(ad.start.milliseconds)),
                    ("durationMs", .integer(ad.duration.inMilliseconds)), ("vanished", .bool(ad.hasVanished)),
                    ("events", .integer(Int64(ad.events.count))),
                ])
        case .unsent(let unsent):
            line(
                unsent.state, at: note.at,
                fields(unsent.beacon) + [
                    ("reason", .optional(unsent.reason)), ("lateMs", .optional(unsent.late?.inMilliseconds)),
                ])
        case .finding(let finding, let source):
            line(
                "finding", at: note.at,
                [
                    ("rule", .string(finding.rule)), ("severity", .string(finding.severity.rawValue)),
                    ("source", .string("\(source)")), ("message", .string(text(finding.message))),
                    ("path", .optional(finding.path.map(text))), ("line", .optional(finding.line.map(Int64.init))),
                ])
        case .action(let words): line("action", at: note.at, [("action", .string(text(words)))])
        case .log(let level, let message):
            line("log", at: note.at, [("level", .string(level.rawValue)), ("message", .string(text(message)))])
        }
    }

    /// A line that reports the number of dropped lines.
    static func dropped(_ count: Int) -> String {
        (["kind": "dropped", "lines": .integer(Int64(count))] as JSONValue).text()
    }

    // MARK: Pieces

    private func fields(_ beacon: JournalBeacon) -> [(String, JSONValue)] {
        [
            ("break", breakName(beacon)), ("ad", name(beacon.adName)), ("event", .string(beacon.type)),
            ("dueMs", .integer(beacon.start.milliseconds)), ("url", .string(url(beacon.url))),
        ]
    }

    private func fields(_ session: JournalNote.Session) -> [(String, JSONValue)] {
        [
            ("name", .string(session.name)), ("mediaUrl", .string(url(session.mediaURL))),
            ("manifestUrl", .optional(session.manifestURL.map(url))),
            ("metadataUrl", .optional(session.metadataURL.map(url))), ("provider", .string(session.provider)),
            ("mode", .string(session.mode)), ("serviceMode", .optional(session.serviceMode)),
        ]
    }

    private func fields(_ poll: JournalNote.Poll) -> [(String, JSONValue)] {
        [
            ("feed", .string(poll.feed.rawValue)), ("status", .optional(poll.status.map(Int64.init))),
            ("bytes", .integer(Int64(poll.bytes))), ("tookMs", .integer(poll.took.inMilliseconds)),
            ("changes", .optional(poll.changes)), ("problem", .optional(poll.problem.map(text))),
        ]
    }

    private func line(_ kind: String, at: UnixTime, _ fields: [(String, JSONValue)]) -> String {
        var object = JSONObject()
        object.append("atMs", .integer(at.milliseconds))
        object.append("kind", .string(kind))
        for (name, value) in session + fields { object.append(name, value) }
        return JSONValue.object(object).text()
    }

    /// The name from metadata; a synthesized name is written as it is.
    private func name(_ text: String) -> JSONValue { .string(plain(text)) }

    private func plain(_ text: String) -> String {
        text.utf8.first == UInt8(ascii: "=") ? String(text.dropFirst()) : text
    }

    private func breakName(_ beacon: JournalBeacon) -> JSONValue {
        let name = plain(beacon.breakName)
        return .string(isRedacted ? PingGroup.redacted(name) : name)
    }

    private func url(_ url: String) -> String { isRedacted ? Redaction.url(url) : url }
    private func text(_ text: String) -> String { isRedacted ? Redaction.text(text) : text }
}
