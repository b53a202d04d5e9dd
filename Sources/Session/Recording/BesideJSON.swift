import Ports

/// Inputs of what stands beside the stream as JSON: in a recording they look like any other input.
enum BesideJSON {
    static func value(of input: BesideInput) -> JSONValue {
        switch input {
        case .auctionCommanded(let command):
            ["kind": "auctionCommanded", "command": AuctionCommandJSON.value(of: command)]
        case .formatActed(let slot, let action):
            ["kind": "formatActed", "slot": .string(slot), "action": FormatsJSON.value(of: action)]
        case .pluginReported(let run, let news):
            [
                "kind": "pluginReported", "plugin": .string(run.identifier), "run": .integer(Int64(run.number)),
                "news": FormatsJSON.value(of: news),
            ]
        case .cacheReported(let report): ["kind": "cacheReported", "report": CacheReportJSON.value(of: report)]
        case .creativesKept(let round, let creatives):
            ["kind": "creativesKept", "round": round.recorded, "creatives": .array(creatives.map(\.recorded))]
        case .zoneLookedUp(let unit, let lookup): ZonesJSON.value(of: lookup, unit: unit)
        case .zoneLoaded(let number, let delivery): ZonesJSON.value(of: delivery, number: number)
        case .zoneDiscarded(let unit): ["kind": "zoneDiscarded", "unit": .string(unit)]
        case .zoneRemoved(let unit, let removal): ZonesJSON.value(of: removal, unit: unit)
        }
    }

    /// The input of that kind; nil for a kind that is none of these.
    static func input(_ kind: String, from fields: Fields) throws(RecordingFormat.Problem) -> BesideInput? {
        switch kind {
        case "auctionCommanded":
            return .auctionCommanded(try AuctionCommandJSON.command(from: fields.object("command")))
        case "formatActed":
            return .formatActed(
                slot: try fields.string("slot"), try FormatsJSON.action(from: fields.object("action")))
        case "pluginReported":
            return .pluginReported(
                PluginRun(try fields.string("plugin"), try fields.int("run")),
                try FormatsJSON.news(from: fields.object("news")))
        case "cacheReported":
            return .cacheReported(try CacheReportJSON.report(from: fields.object("report")))
        case "creativesKept":
            return .creativesKept(round: try fields.int("round"), try KeptCreative.list("creatives", of: fields))
        case "zoneLookedUp": return try ZonesJSON.lookup(from: fields)
        case "zoneLoaded": return try ZonesJSON.delivery(from: fields)
        case "zoneDiscarded": return .zoneDiscarded(try fields.string("unit"))
        case "zoneRemoved": return try ZonesJSON.removal(from: fields)
        default: return nil
        }
    }
}
