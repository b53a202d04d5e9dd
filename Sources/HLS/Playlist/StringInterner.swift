/// Returns one shared string for equal texts: titles, classes and formats repeat thousands of times in a playlist.
struct StringInterner {
    private var slots: [String?] = Array(repeating: nil, count: slotCount)

    /// Number of slots, a power of two; a text whose slot is occupied replaces the other.
    private static let slotCount = 64

    /// The text as a string; one seen recently shares its storage.
    mutating func string(_ text: ByteView) -> String {
        // Short strings are stored inline in the value.
        if text.count < 16 { return text.string }
        let middle = Int(text[text.count / 2])
        let mixed = text.count &* 31 &+ Int(text[0]) &* 7 &+ middle &* 13 &+ Int(text[text.count - 1])
        let slot = mixed & (Self.slotCount - 1)
        if let known = slots[slot], known.utf8.count == text.count, known.utf8.elementsEqual(text.bytes) {
            return known
        }
        let string = text.string
        slots[slot] = string
        return string
    }
}
