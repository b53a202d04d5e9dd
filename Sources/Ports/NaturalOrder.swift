/// The order of names in lists for people: numbers in them count as numbers, so `ch2` comes before `ch10`.
package enum NaturalOrder {
    /// Whether a name comes before another one; a strict order of all texts. Bytes of UTF-8 are compared, and runs of ASCII digits by their
    /// value, however long. Names that differ in leading zeros only (`ch2`, `ch02`) are in the order of text.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        var (first, second) = (left.utf8[...], right.utf8[...])
        while let one = first.first, let other = second.first {
            if isDigit(one), isDigit(other) {
                let (number, limit) = (takeNumber(&first), takeNumber(&second))
                // Without leading zeros, the longer number is the larger one.
                if number.count != limit.count { return number.count < limit.count }
                if !number.elementsEqual(limit) { return number.lexicographicallyPrecedes(limit) }
            } else {
                if one != other { return one < other }
                first.removeFirst()
                second.removeFirst()
            }
        }
        guard first.isEmpty, second.isEmpty else { return first.isEmpty }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Removes the digits at the beginning; returns them without leading zeros.
    private static func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
        let digits = text.prefix(while: isDigit)
        text = text[digits.endIndex...]
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
