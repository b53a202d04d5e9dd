/// The duration of a video file from its header, if the header is among the available bytes (ISO/IEC 14496-12, 4.2 and
/// 8.2.2). Nothing is decoded.
package struct MP4Header: Sendable, Hashable {
    /// Most boxes read on one level.
    private static let maximumBoxes = 64
    private static let maximumSeconds: UInt64 = 3_600_000

    /// Duration in milliseconds.
    package let duration: Int64

    /// Nil when the bytes are not MP4, or do not contain the movie header.
    package init?(_ bytes: [UInt8]) {
        guard let movie = Self.box("moov", in: bytes, bytes.startIndex..<bytes.endIndex),
            let header = Self.box("mvhd", in: bytes, movie), let version = bytes[header].first
        else { return nil }
        // Version 1 has 64 bits for the dates before the time scale and for the duration after it.
        let isLong = version == 1
        let scaleAt = header.lowerBound + 4 + (isLong ? 16 : 8)
        guard let scale = Self.number(bytes, at: scaleAt, bytes: 4, in: header), scale > 0,
            let units = Self.number(bytes, at: scaleAt + 4, bytes: isLong ? 8 : 4, in: header),
            // All bits set means that the duration is unknown.
            units != (isLong ? UInt64.max : UInt64(UInt32.max))
        else { return nil }
        let (whole, part) = units.quotientAndRemainder(dividingBy: scale)
        // Longer durations are errors.
        guard whole < Self.maximumSeconds else { return nil }
        duration = Int64(whole * 1_000 + part * 1_000 / scale)
    }

    /// Boxes with which such a file may begin.
    private static let firstBoxes = ["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot", "uuid"]

    /// Whether the bytes begin like such a file.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        let range = bytes.startIndex..<bytes.endIndex
        guard let size = number(bytes, at: bytes.startIndex, bytes: 4, in: range), range.count >= 8 else {
            return false
        }
        // A size of 0 means up to the end of the file; 1 means that a longer number follows the type.
        guard size <= 1 || size >= 8 else { return false }
        return firstBoxes.contains(String(decoding: bytes[4..<8], as: UTF8.self))
    }

    /// Content of the first box of that type, as far as it is available.
    private static func box(_ type: String, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        let wanted = Array(type.utf8)
        var start = range.lowerBound
        for _ in 0..<maximumBoxes {
            guard let short = number(bytes, at: start, bytes: 4, in: range), start + 8 <= range.upperBound else {
                return nil
            }
            var content = start + 8
            var size = short
            if short == 1 {
                guard let long = number(bytes, at: content, bytes: 8, in: range) else { return nil }
                (size, content) = (long, content + 8)
            }
            // A size of 0 means up to the end of the file.
            let length = size == 0 ? range.upperBound - start : Int(clamping: size)
            guard length >= content - start else { return nil }
            let end = length > range.upperBound - start ? range.upperBound : start + length
            if bytes[(start + 4)..<(start + 8)].elementsEqual(wanted) { return content..<end }
            guard end < range.upperBound else { return nil }
            start = end
        }
        return nil
    }

    /// A number in network order; nil unless it is completely inside `range`.
    private static func number(_ bytes: [UInt8], at start: Int, bytes count: Int, in range: Range<Int>) -> UInt64? {
        guard start >= range.lowerBound, range.upperBound - start >= count else { return nil }
        return bytes[start..<(start + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
