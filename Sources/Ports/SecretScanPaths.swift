/// Segments of paths, however the text escapes a slash.
extension SecretScan {
    /// Longest spelling of a slash, `%252F`.
    private static let longestSlash = 5

    /// The secret in the segment of a path that begins here, if there is one.
    func segment(from start: Int, depth: Int = 0) -> Range<Int>? {
        var end = end(ofSegmentFrom: start, depth: depth)
        // Punctuation after a URL belongs to the sentence.
        while end > start, bytes[end - 1].isPunctuation { end -= 1 }
        guard end > start, !isMacro(at: start) else { return nil }
        return SecretSegment.secret(of: bytes[start..<end]) {
            segments(before: start)
        } precedesTwo: {
            segmentEnd(behind: end, depth: depth).flatMap { segmentEnd(behind: $0, depth: depth) } != nil
        }
    }

    /// Where the segment ends that follows one which ends here; nil if there is none.
    private func segmentEnd(behind end: Int, depth: Int) -> Int? {
        let slash = (1...Self.longestSlash).first { length in
            end + length <= bytes.count && self.slash(before: end + length)?.lowerBound == end
        }
        guard let slash else { return nil }
        let start = end + slash
        let next = self.end(ofSegmentFrom: start, depth: depth)
        return next > start ? next : nil
    }

    private func end(ofSegmentFrom start: Int, depth: Int) -> Int {
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority, !endsEncodedSegment(at: end, depth: depth) { end += 1 }
        return end
    }

    func endsEncodedSegment(at position: Int, depth: Int) -> Bool { isEscape(of: "/?&#", at: position, depth: depth) }

    /// The segments before a place in lower case, the nearest last.
    func segments(before place: Int) -> [String] {
        var segments: [String] = []
        var end = place
        while segments.count < SecretSegment.reach, let slash = slash(before: end) {
            var start = slash.lowerBound
            while start > 0, place - start < Self.longestPath, !bytes[start - 1].endsAuthority,
                self.slash(before: start) == nil
            {
                start -= 1
            }
            segments.append(String(decoding: bytes[start..<slash.lowerBound], as: UTF8.self).lowercased())
            end = start
        }
        return segments.reversed()
    }

    /// The slash that ends at a place, as `/`, as `\/` in JSON, or as `%2F` or `%252F` in a URL's value.
    private func slash(before end: Int) -> Range<Int>? {
        guard end > 0 else { return nil }
        if bytes[end - 1] == UInt8(ascii: "/") {
            return (end > 1 && bytes[end - 2] == UInt8(ascii: "\\") ? end - 2 : end - 1)..<end
        }
        guard end > 2, bytes[end - 2] == UInt8(ascii: "2"), let escape = escape(before: end) else { return nil }
        return escape.byte == UInt8(ascii: "/") ? end - escape.length..<end : nil
    }
}
