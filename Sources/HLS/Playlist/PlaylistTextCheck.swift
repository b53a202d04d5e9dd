import Ports

/// The lines of a playlist that are not UTF-8 (rfc8216bis-22 section 4.1, HLS-5), and the text without those bytes.
struct PlaylistTextCheck {
    /// Bytes of the text as received.
    let count: Int
    /// The 1-based numbers of the lines with bytes that are not UTF-8, at most `lineLimit`.
    private(set) var lines: [Int] = []
    /// The text with those bytes replaced by U+FFFD; nil when there are none, or when the input is not the text of a
    /// playlist or is not to be read without them.
    private(set) var replaced: [UInt8]?

    /// Further lines are not looked for: findings per rule are limited as well.
    private static let lineLimit = PlaylistLimits.findingsPerRule + 1
    private static let mark = Array("#EXTM3U".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    var isValid: Bool { lines.isEmpty }

    /// - Parameter replaces: whether the text is read without those bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>, replaces: Bool) {
        count = bytes.count
        guard count <= Limits.playlistBytes, !Self.isUTF8(bytes) else { return }
        var scanner = LineScanner(bytes)
        while lines.count < Self.lineLimit, let line = scanner.next() {
            if line.hasNonASCII, !Self.isUTF8(line.text.bytes) { lines.append(line.number) }
        }
        guard replaces else { return }
        let hasMark = bytes.starts(with: Self.byteOrderMark)
        guard bytes.dropFirst(hasMark ? Self.byteOrderMark.count : 0).starts(with: Self.mark) else { return }
        replaced = Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return true
        } catch {
            return false
        }
    }
}
