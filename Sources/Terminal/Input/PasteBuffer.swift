/// Collects a bracketed paste up to its end marker.
struct PasteBuffer: Sendable {
    /// Most bytes kept; the rest of a longer paste is dropped, but still read up to its end.
    static let limit = 64 * 1024
    private static let endMarker = Array("\u{1B}[201~".utf8)

    private var bytes: [UInt8] = []
    private var matched = 0

    /// The pasted text so far; what is not UTF-8 shows as U+FFFD.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes bytes from `index` on and moves it behind what was taken; true when the end marker was among them.
    mutating func append(_ source: [UInt8], from index: inout Int) -> Bool {
        while index < source.count {
            let byte = source[index]
            index += 1
            if byte == PasteBuffer.endMarker[matched] {
                matched += 1
                if matched == PasteBuffer.endMarker.count { return true }
            } else {
                keep(PasteBuffer.endMarker.prefix(matched))
                // The marker holds one escape only, so a failed match can start again nowhere else.
                matched = byte == Byte.escape ? 1 : 0
                if matched == 0 { keep(CollectionOfOne(byte)) }
            }
        }
        return false
    }

    private mutating func keep(_ part: some Collection<UInt8>) {
        bytes += part.prefix(max(PasteBuffer.limit - bytes.count, 0))
    }
}
