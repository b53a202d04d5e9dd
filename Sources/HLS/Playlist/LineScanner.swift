/// One line of a playlist, without its line end.
struct PlaylistLine {
    var text: ByteView
    /// 1-based line number.
    var number: Int
    /// Whether the line contains U+0080 or above.
    var hasNonASCII = false
    /// Whether it contains U+007F or a control below U+0020 other than CR, LF and TAB (rfc8216bis-22 section 4.1).
    var hasControls = false
    /// Whether the line ends with a carriage return that no line feed follows.
    var endsWithBareReturn = false
}

/// Splits a text into lines and detects the bytes that the draft forbids, in one pass, eight bytes at a time: testing
/// each byte would cost more than all the parsing of a six-hour window.
struct LineScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next line starts.
    private(set) var position: Int
    private var number = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The next line, which LF, CRLF or a lone CR ends; nil at the end of the text.
    mutating func next() -> PlaylistLine? {
        guard position < bytes.count else { return nil }
        number += 1
        var line = PlaylistLine(text: ByteView(bytes), number: number)
        let start = position
        var index = start
        while true {
            index = nextRemarkable(from: index)
            guard index < bytes.count else { break }
            switch bytes[index] {
            case 0x0A:
                position = index + 1
                line.text = ByteView(bytes).slice(start, index)
                return line
            case 0x0D:
                let isPair = index + 1 < bytes.count && bytes[index + 1] == 0x0A
                line.endsWithBareReturn = !isPair
                position = index + (isPair ? 2 : 1)
                line.text = ByteView(bytes).slice(start, index)
                return line
            case 0x09: break
            case 0x80...: line.hasNonASCII = true
            default: line.hasControls = true
            }
            index += 1
        }
        position = bytes.count
        line.text = ByteView(bytes).slice(start, bytes.count)
        return line
    }

    /// Position of the next byte that is a control or is not ASCII, or the end.
    private func nextRemarkable(from start: Int) -> Int {
        var index = start
        if let base = UnsafeRawPointer(bytes.baseAddress) {
            while index &+ 8 <= bytes.count {
                let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let marks = Self.remarkable(in: word)
                if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
                index &+= 8
            }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte >= 0x7F { return index }
            index &+= 1
        }
        return index
    }

    /// The high bit of each byte below 0x20 or above 0x7E. A borrow may wrongly mark bytes above the first marked one,
    /// so only the first is used.
    private static func remarkable(in word: UInt64) -> UInt64 {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let ones: UInt64 = 0x0101_0101_0101_0101
        let controls = (word &- ones &* 0x20) & ~word
        let deletes = word ^ (ones &* 0x7F)
        return (controls | word | ((deletes &- ones) & ~deletes)) & highBits
    }
}
