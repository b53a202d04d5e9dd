import Ports

/// A JSON object whose keys are compared without regard to case: documents and services differ (PRV-17).
struct MediaTailorMembers {
    private let members: [JSONObject.Member]

    /// Nil for anything but an object.
    init?(_ value: JSONValue?) {
        guard let object = value?.objectValue else { return nil }
        members = object.members
    }

    /// The last member of that name, given in lower case; nil for null.
    subscript(name: StaticString) -> JSONValue? {
        for index in members.indices.reversed() where Self.isSame(members[index].name, name) {
            // Without the type, `nil` would be JSON's null.
            if case .null = members[index].value { return JSONValue?.none }
            return members[index].value
        }
        return nil
    }

    /// Whether it has a member of that name that is not null.
    func has(_ name: StaticString) -> Bool {
        if case .some = self[name] { true } else { false }
    }

    /// Whether it has a list of that name, which some services write as null when it is empty.
    func names(_ name: StaticString) -> Bool { members.contains { Self.isSame($0.name, name) } }

    /// Whether a name has a byte that is not UTF-8: no service writes one.
    var hasDamagedName: Bool { members.contains { $0.name.unicodeScalars.contains("\u{FFFD}") } }

    /// Text; numbers are accepted in its place, empty text counts as absent.
    func text(_ name: StaticString) -> String? {
        guard let value = self[name] else { return nil }
        if let text = value.stringValue { return text.isEmpty ? nil : text }
        return value.integerValue.map(String.init)
    }

    func list(_ name: StaticString) -> [JSONValue] { self[name]?.arrayValue ?? [] }

    /// The texts of a list, or a single one; others are ignored.
    func texts(_ name: StaticString) -> [String] { self[name]?.textList ?? [] }

    /// Members whose lower-case names are not among `known`.
    func others(than known: Set<String>) -> JSONObject {
        JSONObject(members.filter { $0.value != .null && !known.contains($0.name.lowercased()) })
    }

    private static func isSame(_ written: String, _ name: StaticString) -> Bool {
        guard written.utf8.count == name.utf8CodeUnitCount else { return false }
        return zip(written.utf8, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)).allSatisfy {
            (0x41...0x5A).contains($0) ? $0 | 0x20 == $1 : $0 == $1
        }
    }
}
