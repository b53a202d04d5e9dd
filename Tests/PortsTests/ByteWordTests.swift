import Testing

@testable import Ports

@Suite struct ByteWordTests {
    private func bytes(_ word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.littleEndian) { Array($0) } }

    private func first(_ marks: UInt64) -> Int? { marks == 0 ? nil : marks.trailingZeroBitCount / 8 }

    /// Few values, so that many words have the wanted one, and the bytes beside it.
    @Test(arguments: Array(UInt64(1)...20))
    func theLowestMarkIsTheFirstByte(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let values: [UInt8] = [0, 1, 0x1F, 0x20, 0x21, 0x24, 0x25, 0x26, 0x2F, 0x7F, 0x80, 0x81, 0xA5, 0xFF]
        for _ in 0..<500 {
            let word = (0..<8).reduce(UInt64(0)) { word, _ in
                word << 8 | UInt64(values.randomElement(using: &random) ?? 0)
            }
            for value in values {
                #expect(first(word.marks(of: value)) == bytes(word).firstIndex(of: value), "seed \(seed)")
            }
            for limit in [UInt8(0x20), 0x21, 0x80] {
                #expect(first(word.marks(below: limit)) == bytes(word).firstIndex { $0 < limit }, "seed \(seed)")
            }
            #expect(first(word.marksBeyondASCII) == bytes(word).firstIndex { $0 >= 0x80 }, "seed \(seed)")
        }
    }

    @Test(arguments: 8...40) func everyPlaceIsLookedAt(count: Int) {
        let plain = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        func mayHaveMark(_ text: [UInt8]) -> Bool {
            text.withUnsafeBufferPointer { $0.mayHaveMarks { $0.marks(of: UInt8(ascii: "%")) } }
        }
        #expect(!mayHaveMark(plain))
        for place in plain.indices {
            var text = plain
            text[place] = UInt8(ascii: "%")
            #expect(mayHaveMark(text), "place \(place)")
        }
    }

    @Test(arguments: 8...40) func neighboursAreInOneWord(count: Int) {
        for place in 0..<(count - 1) {
            var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            (text[place], text[place + 1]) = (UInt8(ascii: "/"), UInt8(ascii: "."))
            let mayHaveMark = text.withUnsafeBufferPointer { text in
                text.mayHaveMarks(step: 7) { word in
                    word.marks(of: UInt8(ascii: "/")) & (word >> 8).marks(of: UInt8(ascii: "."))
                }
            }
            #expect(mayHaveMark, "place \(place)")
        }
    }
}
