import Testing

@testable import Ports

/// U+0D4E joins what follows it to one character, U+0301 what precedes it, and CR LF is one.
@Suite struct ScalarTextTests {
    @Test(arguments: [
        ("a<b", "a&lt;b"), ("\u{D4E}<b", "\u{D4E}&lt;b"), ("<\u{301}b", "&lt;\u{301}b"), ("", ""),
        ("\r\n<", "\r\n&lt;"), ("e\u{301}é🙂", "e\u{301}é🙂"),
    ])
    func everyScalarIsReplaced(_ text: String, _ expected: String) {
        #expect(text.replacingScalars { $0 == "<" ? "&lt;" : nil }.utf8.elementsEqual(expected.utf8))
    }

    @Test(arguments: [
        ("a", "\"a\""), ("a\"b\\", "\"a\\\"b\\\\\""), ("\"\u{301}", "\"\\\"\u{301}\""),
        ("\u{D4E}\"", "\"\u{D4E}\\\"\""),
    ])
    func noMarkEndsTheQuotation(_ text: String, _ expected: String) {
        #expect(text.inQuotationMarks.utf8.elementsEqual(expected.utf8))
    }

    @Test func aSeparatorIsFoundWhateverIsBesideIt() {
        #expect("a\r\nb\n".split(ascii: "\n") == ["a\r", "b", ""])
        #expect("a=\u{301}b=c".split(ascii: "=", maxSplits: 1).map(\.utf8.count) == [1, 5])
        #expect("\u{D4E}&b"[...].split(ascii: "&").count == 2)
        #expect("".split(ascii: "&") == [""])
    }
}
