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
        while let line = scanner.next() {
            guard line.hasNonASCII, !Self.isUTF8(line.text.bytes) else { continue }
            if lines.count < Self.lineLimit { lines.append(line.number) }
            guard replaces, !Self.isOnlyText(line.text.bytes) else { continue }
            lines = [line.number]
            return
        }
        guard replaces else { return }
        let hasMark = bytes.starts(with: Self.byteOrderMark)
        guard bytes.dropFirst(hasMark ? Self.byteOrderMark.count : 0).starts(with: Self.mark) else { return }
        replaced = Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// Whether only text for people or an address is affected: a comment, a URI, the title of EXTINF or what is between
    /// quotes. In the name or a number of a tag such a byte is damage, and without the tag the list would be another one.
    private static func isOnlyText(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.starts(with: "#EXT".utf8) else { return true }
        let hasTitle = line.starts(with: "#EXTINF:".utf8)
        var isText = false
        for byte in line {
            switch byte {
            case UInt8(ascii: ",") where hasTitle: return true
            case UInt8(ascii: "\""): isText.toggle()
            case 0x80...: if !isText { return false }
            default: break
            }
        }
        return true
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
