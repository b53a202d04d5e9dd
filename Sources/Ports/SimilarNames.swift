/// Names that a person may have meant.
package enum SimilarNames {
    /// The names that differ least from a mistyped one, compared without case, nearest first; empty when none is similar. At most
    /// a third of a name differs, or the name contains what was typed.
    package static func nearest(to typed: String, in names: [String], count: Int = 3) -> [String] {
        // Longer than any name, and the distance takes time with the product of both lengths.
        let text = String(String.UnicodeScalarView(typed.lowercased().unicodeScalars.prefix(64)))
        let scalars = Array(text.unicodeScalars)
        let near = names.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
            let known = Array(name.lowercased().unicodeScalars)
            let isPart = scalars.count > 2 && name.lowercased().contains(text)
            let distance = isPart ? 1 : distance(scalars, known)
            return distance <= max(1, known.count / 3) ? (distance, index) : nil
        }
        return near.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(count).map { names[$0.index] }
    }

    /// Single insertions, deletions and replacements that make one of the other.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in right.enumerated() {
                let replaced = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
