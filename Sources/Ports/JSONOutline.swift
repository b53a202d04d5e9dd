extension JSONValue {
    /// The document for display: one line per member, nested members indented by two spaces; absent values are omitted.
    package func outline(indent: Int = 0) -> [String] {
        let blank = String(repeating: "  ", count: indent)
        switch self {
        case .object(let object):
            return object.members.flatMap { member -> [String] in
                switch member.value {
                case .null: []
                case .object, .array: ["\(blank)\(member.name)"] + member.value.outline(indent: indent + 1)
                default: ["\(blank)\(member.name)  \(member.value.scalarText)"]
                }
            }
        case .array(let values):
            return values.enumerated().flatMap { index, value -> [String] in
                switch value {
                case .object, .array: ["\(blank)[\(index + 1)]"] + value.outline(indent: indent + 1)
                default: ["\(blank)\(value.scalarText)"]
                }
            }
        default:
            return ["\(blank)\(scalarText)"]
        }
    }

    private var scalarText: String { stringValue ?? text() }
}
