import Ports

/// Auction commands in a recording.
enum AuctionCommandJSON {
    static func value(of command: AuctionCommand) -> JSONValue {
        switch command {
        case .run: ["kind": "run"]
        case .fireNotices: ["kind": "fireNotices"]
        case .warm: ["kind": "warm"]
        case .changePrice(let candidate, let cents):
            ["kind": "changePrice", "candidate": .optional(candidate), "cents": .optional(cents)]
        case .resetPrices: ["kind": "resetPrices"]
        }
    }

    static func command(from fields: Fields) throws(RecordingFormat.Problem) -> AuctionCommand {
        switch try fields.string("kind") {
        case "run": return .run
        case "fireNotices": return .fireNotices
        case "warm": return .warm
        case "changePrice":
            return .changePrice(candidate: try fields.int("candidate"), byCents: try fields.int("cents"))
        case "resetPrices": return .resetPrices
        case let other: throw .init("has the unknown auction command '\(other)'")
        }
    }
}
