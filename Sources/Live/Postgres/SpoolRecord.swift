import CZlib
import Fleet
import Ports

/// A row of a spool's file: its length and its CRC-32 as four bytes each, big-endian, then JSON.
enum SpoolRecord {
    private static let headLength = 8

    static func bytes(of rows: SpooledRows) -> [UInt8] {
        let all = rows.outcomes.map { json($0) } + rows.unsent.map { json($0) } + rows.notes.map { json($0) }
        return all.flatMap(record)
    }

    /// The rows up to the first damaged one, and the bytes that they take.
    static func rows(of bytes: [UInt8]) -> (SpooledRows, length: Int) {
        var rows = SpooledRows()
        var place = 0
        while bytes.count - place >= headLength {
            let length = number(bytes[place..<place + 4])
            let start = place + headLength
            guard bytes.count - start >= length else { break }
            let text = Array(bytes[start..<start + length])
            guard number(bytes[place + 4..<start]) == checksum(text), let json = try? JSONReader.read(text) else {
                break
            }
            // A row that this version does not know is left out.
            if let outcome = outcome(json) {
                rows.outcomes.append(outcome)
            } else if let row = unsent(json) {
                rows.unsent.append(row)
            } else if let row = note(json) {
                rows.notes.append(row)
            }
            place = start + length
        }
        return (rows, place)
    }

    private static func record(_ json: JSONValue) -> [UInt8] {
        let text = Array(json.text().utf8)
        return bytes(of: UInt32(clamping: text.count)) + bytes(of: UInt32(clamping: checksum(text))) + text
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        Int(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32(clamping: $0.count)) })
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Rows as JSON: what the store needs of them.
extension SpoolRecord {
    private static func json(_ claim: StoredClaim) -> JSONValue {
        let request = claim.request
        return [
            "kind": "outcome", "viewer": .integer(Int64(request.key.viewer)), "epoch": .integer(Int64(request.epoch)),
            "number": .integer(Int64(request.number)), "dueUs": .integer(request.key.due.inMicroseconds),
            "beacon": .string(StoreWriting.hex(request.key.beacon)), "round": .integer(Int64(request.key.round)),
            "attempt": .integer(Int64(request.key.attempt)),
            "state": .string(StoreWriting.letter(claim.outcome)), "status": .optional(claim.status),
            "tookUs": .optional(claim.took?.inMicroseconds),
        ]
    }

    private static func outcome(_ json: JSONValue) -> StoredClaim? {
        guard json["kind"] == "outcome", let key = key(json), let epoch = integer(json["epoch"]),
            let number = integer(json["number"]), let state = json["state"]?.stringValue
        else { return nil }
        return StoredClaim(
            request: ClaimRequest(DueBeacon(key: key, type: "", url: ""), epoch: epoch, number: number),
            outcome: StoreReading.outcome(state), status: integer(json["status"]), took: span(json["tookUs"]))
    }

    private static func json(_ row: UnsentRow) -> JSONValue {
        let beacon = row.beacon
        return [
            "kind": "unsent", "viewer": .integer(Int64(beacon.key.viewer)),
            "dueUs": .integer(beacon.key.due.inMicroseconds), "beacon": .string(StoreWriting.hex(beacon.key.beacon)),
            "type": .string(beacon.type), "url": .string(beacon.url), "host": .string(beacon.host),
            "lateUs": .optional(beacon.late?.inMicroseconds), "ad": .optional(beacon.ad?.id),
            "adName": .optional(beacon.ad?.name), "break": .optional(beacon.ad?.breakName),
            "adStartUs": .optional(beacon.ad?.firstStart.inMicroseconds), "atUs": .integer(row.at.inMicroseconds),
            "isSkipped": .bool(row.isSkipped), "reason": .optional(row.reason),
        ]
    }

    private static func unsent(_ json: JSONValue) -> UnsentRow? {
        guard json["kind"] == "unsent", let key = key(json), let at = span(json["atUs"]),
            let type = json["type"]?.stringValue, let url = json["url"]?.stringValue
        else { return nil }
        var beacon = DueBeacon(key: key, type: type, url: url)
        beacon.host = json["host"]?.stringValue ?? ""
        beacon.late = span(json["lateUs"])
        if let id = json["ad"]?.integerValue, let start = span(json["adStartUs"]) {
            beacon.ad = ClaimedAd(
                id: id, breakName: json["break"]?.stringValue ?? "", name: json["adName"]?.stringValue ?? "",
                firstStart: start)
        }
        return UnsentRow(
            beacon: beacon, at: at, isSkipped: json["isSkipped"] == true, reason: json["reason"]?.stringValue)
    }

    private static func json(_ note: NoteRow) -> JSONValue {
        [
            "kind": "note", "viewer": .integer(Int64(note.viewer)), "atUs": .integer(note.at.inMicroseconds),
            "note": .string(note.kind), "level": .optional(note.level), "rule": .optional(note.rule),
            "words": .string(note.words),
        ]
    }

    private static func note(_ json: JSONValue) -> NoteRow? {
        guard json["kind"] == "note", let viewer = integer(json["viewer"]), let at = span(json["atUs"]),
            let kind = json["note"]?.stringValue, let words = json["words"]?.stringValue
        else { return nil }
        return NoteRow(
            viewer: viewer, at: at, kind: kind, level: json["level"]?.stringValue, rule: json["rule"]?.stringValue,
            words: words)
    }

    private static func key(_ json: JSONValue) -> ClaimKey? {
        guard let viewer = integer(json["viewer"]), let due = span(json["dueUs"]),
            let beacon = json["beacon"]?.stringValue.flatMap(StoreReading.beaconID)
        else { return nil }
        return ClaimKey(
            viewer: viewer, due: due, beacon: beacon, round: integer(json["round"]) ?? 0,
            attempt: integer(json["attempt"]) ?? 1)
    }

    private static func integer(_ json: JSONValue?) -> Int? { json?.integerValue.flatMap(Int.init(exactly:)) }
    private static func span(_ json: JSONValue?) -> Duration? { json?.integerValue.map { .microseconds($0) } }
}
