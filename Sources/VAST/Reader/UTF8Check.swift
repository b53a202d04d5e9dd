/// Finds the first byte that is not part of UTF-8 text; NUL counts as such, because XML does not allow it (XML 1.0
/// production 2).
enum UTF8Check {
    /// Nil when all bytes from `start` are valid.
    static func firstInvalid(_ input: [UInt8], from start: Int) -> Int? {
        input.withUnsafeBytes { bytes in
            var index = start
            while index < bytes.count {
                if index + 8 <= bytes.count {
                    let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    // No byte is above 0x7F and none is zero: most documents pass, eight bytes at a time.
                    let borrow = word &- 0x0101_0101_0101_0101
                    if (word | borrow) & 0x8080_8080_8080_8080 == 0 {
                        index += 8
                        continue
                    }
                }
                guard let length = sequenceLength(bytes, at: index) else { return index }
                index += length
            }
            return nil
        }
    }

    /// The length of the well-formed sequence at `index` (Unicode 15 table 3-7).
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int? {
        let lead = bytes[index]
        func trail(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + offset < bytes.count && range.contains(bytes[index + offset])
        }
        switch lead {
        case 0x01...0x7F: return 1
        case 0xC2...0xDF: return trail(1) ? 2 : nil
        case 0xE0: return trail(1, 0xA0...0xBF) && trail(2) ? 3 : nil
        case 0xED: return trail(1, 0x80...0x9F) && trail(2) ? 3 : nil
        case 0xE1...0xEF: return trail(1) && trail(2) ? 3 : nil
        case 0xF0: return trail(1, 0x90...0xBF) && trail(2) && trail(3) ? 4 : nil
        case 0xF1...0xF3: return trail(1) && trail(2) && trail(3) ? 4 : nil
        case 0xF4: return trail(1, 0x80...0x8F) && trail(2) && trail(3) ? 4 : nil
        default: return nil
        }
    }
}
