import Ports

/// Why a vector cannot be run: it does not follow its schema.
struct VectorProblem: Error, Hashable, Sendable {
    /// Path of the member, e.g. `$.vectors[2].template`; `$` for the whole file.
    var path: String
    /// The reason, one clause.
    var message: String

    var difference: Difference { Difference(path, .malformed, expected: .string(message), actual: nil) }
}

/// A member of a vector with its path, which problems name.
struct VectorNode: Sendable {
    let value: JSONValue
    let path: String

    init(_ value: JSONValue, path: String = "$") {
        self.value = value
        self.path = path
    }

    /// The member, which must exist but may be null.
    func member(_ name: String) throws(VectorProblem) -> VectorNode {
        guard let member = value[name] else {
            throw VectorProblem(path: "\(path).\(name)", message: "missing member")
        }
        return VectorNode(member, path: "\(path).\(name)")
    }

    /// The member; nil when it is missing or null.
    func optional(_ name: String) -> VectorNode? {
        guard let member = value[name], member != .null else { return nil }
        return VectorNode(member, path: "\(path).\(name)")
    }

    /// Rejects an object without members and members that the schema does not have: a misspelt one would not be checked.
    func require(members known: Set<String>) throws(VectorProblem) {
        let members = try members()
        guard !members.isEmpty else { throw VectorProblem(path: path, message: "no member: nothing is expected") }
        for (name, node) in members where !known.contains(name) && !Self.annotations.contains(name) {
            throw VectorProblem(path: node.path, message: "not a member of the schema")
        }
    }

    /// Members for readers of a vector, which any object may have.
    private static let annotations: Set = ["note", "notes", "title", "source", "about", "tags"]

    func text() throws(VectorProblem) -> String { try require(value.stringValue, "a text") }
    func integer() throws(VectorProblem) -> Int64 { try require(value.integerValue, "a whole number") }
    func number() throws(VectorProblem) -> Double { try require(value.doubleValue, "a number") }
    func flag() throws(VectorProblem) -> Bool { try require(value.boolValue, "true or false") }

    /// A whole number in the range of Int.
    func count() throws(VectorProblem) -> Int {
        try require(value.integerValue.flatMap(Int.init(exactly:)), "a whole number")
    }

    func list() throws(VectorProblem) -> [VectorNode] {
        try require(value.arrayValue, "a list").enumerated().map { VectorNode($1, path: "\(path)[\($0)]") }
    }

    /// A list of exactly `count` items.
    func list(count: Int) throws(VectorProblem) -> [VectorNode] {
        let list = try list()
        guard list.count == count else { throw VectorProblem(path: path, message: "expected a list of \(count)") }
        return list
    }

    func members() throws(VectorProblem) -> [(name: String, node: VectorNode)] {
        try require(value.objectValue, "an object").members.map {
            ($0.name, VectorNode($0.value, path: "\(path).\($0.name)"))
        }
    }

    func texts() throws(VectorProblem) -> [String] {
        var texts: [String] = []
        for node in try list() { texts.append(try node.text()) }
        return texts
    }

    /// The texts of an optional list; nil when it is missing.
    func texts(_ name: String) throws(VectorProblem) -> [String]? {
        guard let list = optional(name) else { return nil }
        return try list.texts()
    }

    private func require<Value>(_ value: Value?, _ what: String) throws(VectorProblem) -> Value {
        guard let value else {
            throw VectorProblem(path: path, message: "expected \(what), found \(self.value.typeName)")
        }
        return value
    }
}
