/// How many elements the collections in a value have, by the names of the properties that lead to them. Of what a collection holds it is the largest
/// of the first elements: all of them are of one kind.
struct StateCounts {
    private static let elementsLookedAt = 64
    /// Values nest less than that.
    private static let deepest = 24

    private(set) var counts: [String: Int] = [:]

    mutating func note(_ value: Any, named name: String) { add(value, name, depth: 0) }

    private mutating func add(_ value: Any, _ path: String, depth: Int) {
        guard depth < Self.deepest else { return }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            counts[path] = max(counts[path] ?? 0, mirror.children.count)
            for child in mirror.children.prefix(Self.elementsLookedAt) {
                add(child.value, path + "[]", depth: depth + 1)
            }
        default:
            for child in mirror.children { add(child.value, "\(path).\(child.label ?? "")", depth: depth + 1) }
        }
    }

    /// What has grown since earlier counts, in words. What is forgotten many at once has not the same count at each moment.
    func growth(since earlier: StateCounts) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { path, count in
            let before = earlier.counts[path] ?? 0
            return count > before + before / 4 + 16 ? "\(path) grew from \(before) to \(count)" : nil
        }
    }
}
