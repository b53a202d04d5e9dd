/// How many elements the collections in a value have, by the names of the properties that lead to them. Of what a collection holds it is the largest
/// of the first elements: all of them are of one kind.
struct StateCounts {
    private static let elementsLookedAt = 64
    /// Values nest less than that.
    private static let deepest = 24

    private(set) var counts: [String: Int] = [:]
    /// Types whose values hold no collection, whatever they are: numbers, texts, and what is made of them. Most values are of such a type, and to
    /// look into each would take most of the time.
    private var flatTypes: Set<ObjectIdentifier> = []

    mutating func note(_ value: Any, named name: String) { _ = add(value, name, depth: 0) }

    /// - Returns: whether no value of that type can hold a collection.
    private mutating func add(_ value: Any, _ path: @autoclosure () -> String, depth: Int) -> Bool {
        let type = type(of: value)
        guard !flatTypes.contains(ObjectIdentifier(type)) else { return true }
        guard depth < Self.deepest else { return false }
        let mirror = Mirror(reflecting: value)
        let path = path()
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            counts[path] = max(counts[path] ?? 0, mirror.children.count)
            for child in mirror.children.prefix(Self.elementsLookedAt) {
                _ = add(child.value, path + "[]", depth: depth + 1)
            }
            return false
        case nil where mirror.children.isEmpty: remember(type)
        case .struct:
            let areFlat = mirror.children.map { add($0.value, "\(path).\($0.label ?? "")", depth: depth + 1) }
            guard areFlat.allSatisfy(\.self), Self.make(mirror.children.map { Swift.type(of: $0.value) }, type) else {
                return false
            }
            remember(type)
        default:
            for child in mirror.children { _ = add(child.value, "\(path).\(child.label ?? "")", depth: depth + 1) }
            return false
        }
        return true
    }

    /// An optional value is flat if what it wraps is, also while it is nil.
    private mutating func remember(_ type: Any.Type) {
        func optional<Value>(_: Value.Type) -> Any.Type { Value?.self }
        flatTypes.insert(ObjectIdentifier(type))
        flatTypes.insert(ObjectIdentifier(optional(type)))
    }

    /// Whether properties of just those types make the type: one of a protocol's type may hold a value of any other type the next time, and is
    /// larger than the value.
    private static func make(_ properties: [Any.Type], _ type: Any.Type) -> Bool {
        func layout<Value>(_: Value.Type) -> (size: Int, alignment: Int) {
            (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        }
        var end = 0
        for (size, alignment) in properties.map({ layout($0) }) {
            end = (end + alignment - 1) / alignment * alignment + size
        }
        return end == layout(type).size
    }

    /// What has grown since earlier counts, in words. What is forgotten many at once has not the same count at each moment.
    func growth(since earlier: StateCounts) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { path, count in
            let before = earlier.counts[path] ?? 0
            return count > before + before / 4 + 16 ? "\(path) grew from \(before) to \(count)" : nil
        }
    }
}
