import AdTracking
import Ports

/// Journal entries in recordings.
extension JournalEntry: RecordedObject {
    static var blank: JournalEntry {
        let never = UnixTime(microseconds: 0)
        return JournalEntry(
            beacon: JournalBeacon(
                session: "", breakName: "", adName: "", adStart: never, type: "", start: never, url: ""),
            round: 0, attempt: 0, outcome: nil)
    }

    mutating func code(_ members: inout MemberCoder) {
        members.code("session", &beacon.session)
        members.code("break", &beacon.breakName)
        members.code("ad", &beacon.adName)
        members.code("adStartUs", &beacon.adStart)
        members.code("type", &beacon.type)
        members.code("startUs", &beacon.start)
        members.code("url", &beacon.url)
        members.code("round", &round)
        members.code("attempt", &attempt)
        members.code("outcome", &outcome)
    }
}

/// In microseconds, as pairs.
extension DateStretches: RecordedValue {
    var recorded: JSONValue { json }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> DateStretches {
        guard let stretches = DateStretches(fields.json(name)) else {
            throw RecordingFormat.Problem("has a '\(name)' that is no list of stretches")
        }
        return stretches
    }
}

/// What a session finds in its journal.
extension JournalOpening: RecordedObject {
    static var blank: JournalOpening { JournalOpening() }

    mutating func code(_ members: inout MemberCoder) {
        members.code("notice", &notice)
        members.code("entries", &entries)
        members.codeIfPresent("damagedFile", &damagedFile)
        members.codeIfPresent("completeFromUs", &completeFrom)
        // Earlier recordings have one date, up to which everything was reached.
        var newest: UnixTime?
        members.codeIfPresent("sendsAfterUs", &newest)
        if let newest { reached.add(through: newest) }
        var stretches = reached.isEmpty ? nil : Optional(reached)
        members.codeIfPresent("reachedUs", &stretches)
        if let stretches { reached = stretches }
        var goesOn: Bool? = isTakenOver ? true : nil
        members.codeIfPresent("isTakenOver", &goesOn)
        isTakenOver = goesOn ?? false
    }
}
