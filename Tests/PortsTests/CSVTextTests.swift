import Ports
import Testing

@Suite struct CSVTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("two\r\nlines", "\"two\r\nlines\""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"), ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
    ])
    func fieldsAreQuotedAndNeverFormulas(_ text: String, _ field: String) {
        #expect(CSVText.field(text) == field)
    }

    @Test func aLineEndsAsTheFormatSays() {
        #expect(CSVText.line(["a", "b,c", ""]) == "a,\"b,c\",\r\n")
    }
}
