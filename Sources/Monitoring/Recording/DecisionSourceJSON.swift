import Ports

/// The source of a session's own ads in a recording's header.
enum DecisionSourceJSON {
    static func value(of source: DecisionSource) -> JSONValue {
        switch source {
        case .vast(let tag): ["kind": "vast", "tag": .string(tag)]
        case .vmap(let tag): ["kind": "vmap", "tag": .string(tag)]
        case .vmapDocument(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                ["kind": "vmapDocument", "text": .string(text)]
            } else {
                ["kind": "vmapDocument", "hex": .string(ExchangeJSON.hexadecimal(bytes))]
            }
        }
    }

    static func source(from fields: Fields) throws(RecordingFormat.Problem) -> DecisionSource {
        switch try fields.string("kind") {
        case "vast": return .vast(tag: try fields.string("tag"))
        case "vmap": return .vmap(tag: try fields.string("tag"))
        case "vmapDocument":
            guard fields.has("text") else { return .vmapDocument(try ExchangeJSON.bytes(try fields.string("hex"))) }
            return .vmapDocument(Array(try fields.string("text").utf8))
        case let other: throw .init("has the unknown ad decision '\(other)'")
        }
    }

    /// Pairs, because names may be any text.
    static func value(ofMacros macros: [String: String]) -> JSONValue {
        .array(macros.sorted { $0.key < $1.key }.map { .array([.string($0.key), .string($0.value)]) })
    }

    static func macros(from pairs: [JSONValue]) throws(RecordingFormat.Problem) -> [String: String] {
        var macros: [String: String] = [:]
        for pair in pairs {
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let value = parts[1].stringValue
            else { throw .init("has a macro that is not a name and a value") }
            macros[name] = value
        }
        return macros
    }
}
