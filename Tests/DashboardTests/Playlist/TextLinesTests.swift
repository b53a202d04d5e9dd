import Testing

@testable import Dashboard

@Suite struct TextLinesTests {
    private func lines(_ text: String) -> TextLines { TextLines(Array(text.utf8)) }

    @Test(
        "lines are found by number whatever ends them",
        arguments: [
            ("a\nb\n", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("\n\nc\n", ["", "", "c"]),
            ("a\rb", ["a", "b"]), ("a\r\rb\r", ["a", "", "b"]), ("", []),
        ])
    func numbers(_ text: String, _ expected: [String]) {
        let lines = lines(text)
        #expect(lines.count == expected.count)
        for (index, line) in expected.enumerated() { #expect(lines[index + 1] == line) }
        #expect(lines[0] == nil)
        #expect(lines[-1] == nil)
        #expect(lines[expected.count + 1] == nil)
    }

    @Test("the tags of a segment reach up to the URI before it or to a tag of the playlist")
    func tags() {
        let lines = lines("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-GAP\n#EXTINF:4,\na.ts\n\n#EXTINF:4,\n#x\nb.ts\n")
        #expect(lines.tagsStart(before: 5) == 3)
        #expect(lines.tagsStart(before: 9) == 6)
        #expect(lines.tagsStart(before: 1) == 1)
        #expect(lines.tagsStart(before: 99) == 99)
    }

    @Test("a segment with thousands of tags shows the nearest")
    func many() {
        let lines = lines(String(repeating: "#EXT-X-PART\n", count: 1_000) + "a.ts\n")
        #expect(lines.tagsStart(before: 1_001) == 1_001 - 64)
    }

    @Test(
        "a line that is passed on loses the secrets of its addresses",
        arguments: [
            ("seg.ts?token=abc&n=1", "seg.ts?token=***&n=1"),
            ("#EXT-X-KEY:METHOD=AES-128,URI=\"k?token=abc\"", "#EXT-X-KEY:METHOD=AES-128,URI=\"k?token=***\""),
            ("#EXTINF:4.0,", "#EXTINF:4.0,"),
            ("#EXT-X-X:https://h/p?sid=1", "#EXT-X-X:https://h/p?sid=***"),
            ("#EXT-X-X:URI=\"\u{301}p?sid=1\"", "#EXT-X-X:URI=\"\u{301}p?sid=***\""),
            ("#\u{301}X:\u{301}URI=\"https://h/?sid=1\"", "#\u{301}X:\u{301}URI=\"https://h/?sid=***\""),
        ])
    func redacted(_ line: String, _ expected: String) {
        #expect(RawTag.redacted(line) == expected)
    }
}
