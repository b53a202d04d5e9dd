import CreativeCache
import Ports

/// Kept zones of a session in a recording.
enum ZonesJSON {
    static func value(of lookup: ZoneLookup, unit: String) -> JSONValue {
        [
            "kind": "zoneLookedUp", "unit": .string(unit), "kept": lookup.kept.map(value) ?? .null,
            "history": lookup.history?.json ?? .null, "rows": .array(lookup.rows.map(\.json)),
        ]
    }

    static func value(of delivery: ZoneDelivery, number: Int) -> JSONValue {
        var object = JSONObject([
            .init(name: "kind", value: "zoneLoaded"), .init(name: "order", value: .integer(Int64(number))),
            .init(name: "rows", value: .array(delivery.rows.map(\.json))),
        ])
        switch delivery.outcome {
        case .loaded(let kept, let problem):
            object.append("kept", value(of: kept))
            object.append("problem", .optional(problem))
        case .failed(let code, let why):
            object.append("code", .integer(Int64(code)))
            object.append("why", .string(why))
        }
        return .object(object)
    }

    static func value(of removal: ZoneRemoval, unit: String) -> JSONValue {
        [
            "kind": "zoneRemoved", "unit": .string(unit), "problem": .optional(removal.problem),
            "rows": .array(removal.rows.map(\.json)),
        ]
    }

    static func removal(from fields: Fields) throws(RecordingFormat.Problem) -> BesideInput {
        .zoneRemoved(
            try fields.string("unit"),
            ZoneRemoval(
                problem: try .member("problem", of: fields), rows: try rows(from: fields)))
    }

    static func lookup(from fields: Fields) throws(RecordingFormat.Problem) -> BesideInput {
        .zoneLookedUp(
            try fields.string("unit"),
            ZoneLookup(
                kept: fields.has("kept") ? try kept(from: fields.object("kept")) : nil,
                history: fields.has("history") ? DownloadMeasurement(fields.json("history")) : nil,
                rows: try rows(from: fields)))
    }

    static func delivery(from fields: Fields) throws(RecordingFormat.Problem) -> BesideInput {
        let outcome: ZoneDelivery.Outcome
        if fields.has("kept") {
            outcome = .loaded(
                try kept(from: fields.object("kept")),
                problem: try .member("problem", of: fields))
        } else {
            outcome = .failed(code: try fields.int("code"), try fields.string("why"))
        }
        return .zoneLoaded(try fields.int("order"), ZoneDelivery(outcome, rows: try rows(from: fields)))
    }

    private static func rows(from fields: Fields) throws(RecordingFormat.Problem) -> [ZoneRow] {
        try fields.array("rows").compactMap(ZoneRow.init)
    }

    private static func value(of kept: KeptZone) -> JSONValue {
        ["record": kept.record.json, "beginning": .string(kept.beginning.hexadecimal)]
    }

    private static func kept(from fields: Fields) throws(RecordingFormat.Problem) -> KeptZone {
        guard let record = ZoneRecord(fields.json("record")) else { throw .init("has an invalid zone") }
        return KeptZone(record, beginning: try Hexadecimal.bytes(try fields.string("beginning")))
    }
}
