/// Reads big-endian bit fields from a bounded run of bytes; every read past the end is an error, never a trap.
struct SpliceBitReader {
    private let bytes: [UInt8]
    /// Position in bits from the start of the section.
    private(set) var position: Int
    /// Position in bits; nothing at or after it is read.
    private let end: Int

    /// `range` is in bytes of the section.
    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = max(0, min(range.lowerBound, bytes.count)) * 8
        end = max(0, min(range.upperBound, bytes.count)) * 8
    }

    /// The position in whole bytes.
    var byteOffset: Int { position / 8 }
    /// Number of whole bytes up to the end.
    var remainingBytes: Int { max(0, end - position) / 8 }

    /// Reads `count` bits, 1 to 48.
    mutating func bits(_ count: Int) throws(SpliceInfoProblem) -> Int64 {
        guard end - position >= count else { throw SpliceInfoProblem(.truncated, offset: byteOffset) }
        var value: Int64 = 0
        var needed = count
        while needed > 0 {
            let available = 8 - position % 8
            let taken = min(available, needed)
            let byte = Int64(bytes[position / 8])
            value = value << Int64(taken) | (byte >> Int64(available - taken)) & ((1 << Int64(taken)) - 1)
            position += taken
            needed -= taken
        }
        return value
    }

    /// Reads one bit.
    mutating func flag() throws(SpliceInfoProblem) -> Bool {
        try bits(1) == 1
    }

    /// Reads `count` bits, 1 to 31: a field that fits an `Int` on every platform.
    mutating func number(_ count: Int) throws(SpliceInfoProblem) -> Int {
        Int(try bits(count))
    }

    /// Reads eight bits.
    mutating func byte() throws(SpliceInfoProblem) -> UInt8 {
        UInt8(truncatingIfNeeded: try bits(8))
    }

    /// Reads thirty-two bits.
    mutating func word() throws(SpliceInfoProblem) -> UInt32 {
        UInt32(truncatingIfNeeded: try bits(32))
    }

    /// Skips reserved bits.
    mutating func skip(_ count: Int) throws(SpliceInfoProblem) {
        _ = try bits(count)
    }

    /// Reads whole bytes at a byte boundary.
    mutating func bytes(_ count: Int) throws(SpliceInfoProblem) -> [UInt8] {
        guard count >= 0, remainingBytes >= count else { throw SpliceInfoProblem(.truncated, offset: byteOffset) }
        let start = position / 8
        position += count * 8
        return Array(bytes[start..<start + count])
    }

    /// A reader of the next `count` bytes, which this one skips.
    mutating func part(_ count: Int) throws(SpliceInfoProblem) -> SpliceBitReader {
        guard count >= 0, remainingBytes >= count else { throw SpliceInfoProblem(.truncated, offset: byteOffset) }
        let start = position / 8
        position += count * 8
        return SpliceBitReader(bytes, in: start..<start + count)
    }
}
