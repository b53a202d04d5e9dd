/// Segments of paths, however the text escapes a slash.
extension SecretScan {
    /// The secret in the segment of a path that begins here, if there is one.
    func segment(from start: Int, isEncoded: Bool = false) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority, !(isEncoded && endsEncodedSegment(at: end)) { end += 1 }
        // Punctuation after a URL belongs to the sentence.
        while end > start, bytes[end - 1].isPunctuation { end -= 1 }
        guard end > start, !isMacro(at: start) else { return nil }
        return SecretSegment.secret(of: bytes[start..<end]) { segments(before: start) }
    }

    func endsEncodedSegment(at position: Int) -> Bool {
        guard bytes[position] == UInt8(ascii: "%") else { return false }
        return matchesAny(["%2F", "%2f", "%3F", "%3f", "%26", "%23"], at: position)
    }

    /// The segments before a place in lower case, the nearest last.
    private func segments(before place: Int) -> [String] {
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

    /// The slash that ends at a place, as `/`, as `\/` in JSON, or as `%2F` in a URL's value.
    private func slash(before end: Int) -> Range<Int>? {
        guard end > 0 else { return nil }
        if bytes[end - 1] == UInt8(ascii: "/") {
            return (end > 1 && bytes[end - 2] == UInt8(ascii: "\\") ? end - 2 : end - 1)..<end
        }
        return end > 2 && (matches("%2F", at: end - 3) || matches("%2f", at: end - 3)) ? end - 3..<end : nil
    }
}
