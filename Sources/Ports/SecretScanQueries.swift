/// Parameters beside others, however the text escapes a query.
extension SecretScan {
    /// The names around the places of one block of a query, kept because each of its parameters may ask for them.
    final class Neighbours {
        fileprivate var block: Int?
        fileprivate var range = 0..<0
        fileprivate var names: Set<String> = []
    }

    /// Bytes on each side of a parameter in which its partner is looked for, at least; also the size of a block.
    private static let longestQuery = 1_024

    /// The names of the parameters around a place, in lower case.
    func names(around place: Int) -> Set<String> {
        let block = place / Self.longestQuery
        if neighbours.block == block, neighbours.range.contains(place) { return neighbours.names }
        func isInside(_ byte: UInt8) -> Bool { byte > 0x20 && !#"'"<>"#.utf8.contains(byte) }
        let first = max(0, (block - 1) * Self.longestQuery)
        let last = min(bytes.count, (block + 2) * Self.longestQuery)
        let before = bytes[first..<place].reversed().prefix(while: isInside).count
        let after = bytes[place..<last].prefix(while: isInside).count
        neighbours.block = block
        neighbours.range = place - before..<place + after
        neighbours.names = names(in: neighbours.range)
        return neighbours.names
    }

    private func names(in range: Range<Int>) -> Set<String> {
        var names: Set<String> = []
        // Where a name may begin; nil within a value.
        var start: Int? = range.lowerBound
        var position = range.lowerBound
        while position < range.upperBound {
            if let length = separatorLength(at: position) {
                position += length
                start = position
                continue
            }
            if let nameStart = start, isEquals(at: position) {
                names.insert(name(nameStart..<position))
                start = nil
            }
            position += 1
        }
        return names
    }

    /// The length of what separates two parameters, or precedes the first; nil if there is nothing of the kind.
    private func separatorLength(at position: Int) -> Int? {
        switch bytes[position] {
        case UInt8(ascii: "?"): return 1
        case UInt8(ascii: "&"): return matches("&amp;", at: position) ? 5 : 1
        case UInt8(ascii: "%"):
            let escape = escape(at: position)
            return escape.map { "&?".utf8.contains($0.byte) } ?? false ? escape?.length : nil
        case UInt8(ascii: "\\"): return matchesAny(["\\u0026", "\\u003F", "\\u003f"], at: position) ? 6 : nil
        default: return nil
        }
    }

    private func isEquals(at position: Int) -> Bool {
        switch bytes[position] {
        case UInt8(ascii: "="): true
        case UInt8(ascii: "%"): escape(at: position)?.byte == UInt8(ascii: "=")
        default: false
        }
    }
}
