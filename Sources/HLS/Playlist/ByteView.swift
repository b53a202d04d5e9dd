/// A run of bytes of the text being parsed; valid only while the parser keeps the text.
///
/// An index outside it reads as 0 and slices are clamped, so no length in the input can trap or read other memory.
struct ByteView {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// The byte at `index`; 0 outside.
    subscript(index: Int) -> UInt8 {
        index >= 0 && index < bytes.count ? bytes[index] : 0
    }

    /// The bytes from `start` up to `end`, both clamped.
    func slice(_ start: Int, _ end: Int) -> ByteView {
        let upper = min(max(end, 0), bytes.count)
        let lower = min(max(start, 0), upper)
        return ByteView(UnsafeBufferPointer(rebasing: bytes[lower..<upper]))
    }

    /// The view without its first `length` bytes.
    func dropFirst(_ length: Int) -> ByteView { slice(length, count) }
    /// The first `length` bytes.
    func prefix(_ length: Int) -> ByteView { slice(0, length) }

    /// Position of `byte` at or after `start`.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        var index = max(start, 0)
        while index < bytes.count {
            if bytes[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Compares bytes exactly, as the draft requires.
    func hasPrefix(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count >= length else { return false }
        for index in 0..<length where bytes[index] != text.utf8Start[index] { return false }
        return true
    }

    /// Compares bytes exactly.
    static func == (view: ByteView, text: StaticString) -> Bool {
        view.count == text.utf8CodeUnitCount && view.hasPrefix(text)
    }

    /// Compares from the end, because consecutive names and paths differ there.
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var index = count
        while index > 0 {
            index -= 1
            if bytes[index] != other[index] { return false }
        }
        return true
    }

    /// The view without leading and trailing spaces and tabs.
    var trimmed: ByteView { trimmed(where: \.isBlank) }

    /// The view without the leading and trailing bytes for which `isMargin` holds.
    func trimmed(where isMargin: (UInt8) -> Bool) -> ByteView {
        var lower = 0
        var upper = bytes.count
        while lower < upper, isMargin(bytes[lower]) { lower += 1 }
        while upper > lower, isMargin(bytes[upper - 1]) { upper -= 1 }
        return slice(lower, upper)
    }

    /// Whether UTF-8 text contains a control character from U+0080 to U+009F.
    var hasLaterControls: Bool {
        bytes.indices.contains { bytes[$0] == 0xC2 && self[$0 + 1] < 0xA0 && self[$0 + 1] >= 0x80 }
    }

    /// The text; bytes that are not UTF-8 become U+FFFD.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The text for a message; long texts are cut.
    var excerpt: String {
        count <= Self.excerptLength ? string : prefix(Self.excerptLength).string + "…"
    }

    /// Bytes of an offending value shown in a message.
    private static let excerptLength = 80
}

extension UInt8 {
    /// A space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    /// A letter of ASCII.
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// 0 to 9.
    var isDigit: Bool { self &- 0x30 < 10 }
}
