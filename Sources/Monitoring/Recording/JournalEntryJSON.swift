import Ports

/// Journal entries as JSON.
enum JournalEntryJSON {
    static func value(of entry: JournalEntry) -> JSONValue {
        let beacon = entry.beacon
        return [
            "session": .string(beacon.session), "break": .string(beacon.breakName), "ad": .string(beacon.adName),
            "adStartUs": .integer(beacon.adStart.microseconds), "type": .string(beacon.type),
            "startUs": .integer(beacon.start.microseconds), "url": .string(beacon.url),
            "round": .integer(Int64(entry.round)), "attempt": .integer(Int64(entry.attempt)),
            "outcome": .optional(entry.outcome),
        ]
    }

    static func entry(from fields: Fields) throws(RecordingFormat.Problem) -> JournalEntry {
        let beacon = JournalBeacon(
            session: try fields.string("session"), breakName: try fields.string("break"),
            adName: try fields.string("ad"),
            adStart: UnixTime(microseconds: try fields.integer("adStartUs")), type: try fields.string("type"),
            start: UnixTime(microseconds: try fields.integer("startUs")), url: try fields.string("url"))
        return JournalEntry(
            beacon: beacon, round: try fields.int("round"), attempt: try fields.int("attempt"),
            outcome: fields.has("outcome") ? try fields.string("outcome") : nil)
    }
}
