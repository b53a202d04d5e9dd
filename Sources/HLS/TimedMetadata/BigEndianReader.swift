/// Reads big-endian numbers and runs of bytes; nil past the end, never a trap.
struct BigEndianReader {
    private let bytes: ArraySlice<UInt8>
    /// Index of the next byte in the bytes that the slice is of.
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// A number of so many bytes, at most 8.
    mutating func number(_ count: Int) -> UInt64? {
        take(count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    /// The bytes before the next NUL, which is skipped; nil if there is none.
    mutating func terminated() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { position = end + 1 }
        return bytes[position..<end]
    }
}
