import Ports

/// The lines of a text by number, found without copying it: where each begins is computed once.
struct TextLines: Sendable {
    /// The most lines that are indexed; a playlist of the largest accepted size has fewer.
    static let limit = 1 << 20

    private let bytes: [UInt8]
    private let starts: [Int32]

    /// No lines.
    init() {
        bytes = []
        starts = []
    }

    /// The lines of `bytes`, up to `Limits.playlistBytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [Int32] = bytes.isEmpty ? [] : [0]
        bytes.withUnsafeBufferPointer { buffer in
            for index in 0..<min(buffer.count, Limits.playlistBytes) where TextLines.endsLine(buffer, index) {
                guard index + 1 < buffer.count, starts.count < TextLines.limit else { break }
                starts.append(Int32(clamping: index + 1))
            }
        }
        self.starts = starts
    }

    /// The line ends of the playlist parser: a line feed, and a carriage return without a line feed after it.
    private static func endsLine(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "\n"): true
        case UInt8(ascii: "\r"): index + 1 >= bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
        default: false
        }
    }

    /// How many lines there are.
    var count: Int { starts.count }

    /// The line of that 1-based number without its end, nil outside.
    subscript(number: Int) -> String? {
        guard let range = range(of: number) else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The number of the first of the tags of the segment whose URI is in line `number`, or `number` itself: the
    /// search ends at the URI before, at a tag of the whole playlist, and after `limit` lines.
    func tagsStart(before number: Int, limit: Int = 64) -> Int {
        var first = number
        while first > 1, number - first < limit, let line = self[first - 1], isSegmentLine(line) { first -= 1 }
        return first
    }

    private func isSegmentLine(_ line: String) -> Bool {
        guard line.first == "#" else { return line.isEmpty }
        return !TextLines.playlistTags.contains(line.prefix { $0 != ":" })
    }

    /// Tags that apply to the playlist and not to the segment below them (rfc8216bis-22 sections 4.4.1 to 4.4.3).
    private static let playlistTags: Set<Substring> = [
        "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START", "#EXT-X-DEFINE",
        "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-ENDLIST",
        "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL", "#EXT-X-SKIP",
    ]

    private func range(of number: Int) -> Range<Int>? {
        guard starts.indices.contains(number - 1) else { return nil }
        let start = Int(starts[number - 1])
        var end = starts.indices.contains(number) ? Int(starts[number]) - 1 : bytes.count
        if starts.indices.contains(number) == false, end > start, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<max(start, end)
    }
}
