import Ports

/// The source of a session's own ads in a recording's header.
extension DecisionSource: RecordedValue {
    var recorded: JSONValue {
        switch self {
        case .vast(let tag): ["kind": "vast", "tag": .string(tag)]
        case .vmap(let tag): ["kind": "vmap", "tag": .string(tag)]
        case .vmapDocument(let bytes):
            RecordedBody(bytes: bytes).recorded(after: [.init(name: "kind", value: "vmapDocument")])
        }
    }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> DecisionSource {
        let source = try fields.object(name)
        switch try source.string("kind") {
        case "vast": return .vast(tag: try source.string("tag"))
        case "vmap": return .vmap(tag: try source.string("tag"))
        case "vmapDocument": return .vmapDocument(try RecordedBody().reading(source).bytes)
        case let other: throw .init("has the unknown ad decision '\(other)'")
        }
    }
}

/// Macros as pairs, because names may be any text.
extension [String: String]: RecordedValue {
    var recorded: JSONValue {
        .array(sorted { $0.key < $1.key }.map { .array([.string($0.key), .string($0.value)]) })
    }

    static func member(_ name: String, of fields: Fields) throws(RecordingFormat.Problem) -> [String: String] {
        var macros: [String: String] = [:]
        for pair in try fields.array(name) {
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let value = parts[1].stringValue
            else { throw .init("has a macro that is not a name and a value") }
            macros[name] = value
        }
        return macros
    }
}
