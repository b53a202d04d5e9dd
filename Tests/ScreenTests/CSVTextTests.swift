import Screen
import Testing

@Suite struct CSVTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("two\r\nlines", "two^M^Jlines"), ("a\u{1B}[31m\u{9B}1m\u{202E}b", "a^[[31m<9B>1m<U+202E>b"), ("=1+1", "'=1+1"),
        ("+1", "'+1"), ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("a\"\u{301},b", "\"a\"\"\u{301},b\""), ("\u{D4E}\"", "\"\u{D4E}\"\"\""),
        ("\t=x", "' =x"), ("\r@x", "^M@x"),
        ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
    ])
    func fieldsAreQuotedAndNeverFormulas(_ text: String, _ field: String) {
        #expect(CSVText.field(text) == field)
    }

    @Test func aLineEndsAsTheFormatSays() {
        #expect(CSVText.line(["a", "b,c", ""]) == "a,\"b,c\",\r\n")
    }
}
