import Ports

/// A value without members in a document, and what to put in its place.
struct JSONLeaf {
    enum Step: Hashable {
        case member(Int, name: String)
        case item(Int)
    }

    let steps: [Step]
    let value: JSONValue

    /// The leaves of a document in order; empty lists and objects are leaves too.
    static func all(in document: JSONValue, below steps: [Step] = []) -> [JSONLeaf] {
        switch document {
        case .object(let object) where !object.members.isEmpty:
            object.members.enumerated().flatMap { index, member in
                all(in: member.value, below: steps + [.member(index, name: member.name)])
            }
        case .array(let values) where !values.isEmpty:
            values.enumerated().flatMap { all(in: $1, below: steps + [.item($0)]) }
        default:
            [JSONLeaf(steps: steps, value: document)]
        }
    }

    /// The path with `*` for every index, e.g. `$.segments[*].uri`.
    var pattern: String {
        steps.reduce(into: "$") { path, step in
            switch step {
            case .member(_, let name): path += ".\(name)"
            case .item: path += "[*]"
            }
        }
    }

    /// The path with its indices.
    var path: String {
        steps.reduce(into: "$") { path, step in
            switch step {
            case .member(_, let name): path += ".\(name)"
            case .item(let index): path += "[\(index)]"
            }
        }
    }

    /// A value that differs as little as a comparison must notice: a whole number by 2, because a millisecond is tolerated,
    /// a fraction in its thirteenth digit, a text by one character.
    var changed: JSONValue {
        switch value {
        case .null: "~"
        case .bool(let flag): .bool(!flag)
        case .integer(let number): .integer(number &+ 2)
        case .double, .number: .number(Self.lengthened(value.text()))
        case .string(let text): .string(text + "~")
        case .array: ["~"]
        case .object: ["~": "~"]
        }
    }

    /// The number with one more digit.
    private static func lengthened(_ number: String) -> String {
        let end = number.firstIndex { $0 == "e" || $0 == "E" } ?? number.endIndex
        let point = number.contains(".") ? "" : "."
        return number[..<end] + point + "0000000000001" + number[end...]
    }

    /// The document with `changed` in place of the leaf.
    func changing(_ document: JSONValue) -> JSONValue { Self.change(document, steps[...], to: changed) }

    private static func change(_ document: JSONValue, _ steps: ArraySlice<Step>, to value: JSONValue) -> JSONValue {
        guard let step = steps.first else { return value }
        switch (step, document) {
        case (.member(let index, let name), .object(let object)):
            var members = object.members
            members[index] = JSONObject.Member(
                name: name, value: change(members[index].value, steps.dropFirst(), to: value))
            return .object(JSONObject(members))
        case (.item(let index), .array(var values)):
            values[index] = change(values[index], steps.dropFirst(), to: value)
            return .array(values)
        default:
            return document
        }
    }
}
