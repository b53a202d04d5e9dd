/// The `name=value` items of a query, in order and not decoded, so that unchanged items keep their bytes.
package struct QueryItems: Hashable, Sendable {
    /// One item; `value` is nil when there is no equals sign.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }

        fileprivate var text: String {
            guard let value else { return name }
            return "\(name)=\(value)"
        }
    }

    package var items: [Item]

    package init(_ query: String?) {
        items = (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { bytes in
            let part = Substring(bytes)
            guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                return Item(name: String(part), value: nil)
            }
            return Item(name: String(part[..<equals]), value: String(part[part.utf8.index(after: equals)...]))
        }
    }

    /// Nil when there are no items, so that no trailing question mark is written.
    package var text: String? {
        items.isEmpty ? nil : items.map(\.text).joined(separator: "&")
    }

    /// The value of the first item of that name (exact, case-sensitive).
    package subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    package mutating func removeAll(named name: String) {
        items.removeAll { $0.name == name }
    }

    /// Appends the item unless one with that name exists.
    package mutating func appendIfAbsent(name: String, value: String) {
        guard !items.contains(where: { $0.name == name }) else { return }
        items.append(Item(name: name, value: value))
    }
}
