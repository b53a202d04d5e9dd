import Ports
import Testing

@testable import Live

struct PostgresParameterTests {
    @Test func writesTimesExactly() {
        #expect(PostgresParameter.time(UnixTime(microseconds: 0)).text == "1970-01-01 00:00:00.000000+00")
        #expect(PostgresParameter.time(UnixTime(microseconds: -1)).text == "1969-12-31 23:59:59.999999+00")
        #expect(
            PostgresParameter.time(UnixTime(microseconds: 1_795_355_628_123_456)).text
                == "2026-11-22 13:53:48.123456+00")
        #expect(PostgresParameter.time(nil).text == nil)
    }

    @Test func writesTimesBeforeTheFirstYear() {
        // The year before 1 is 1 BC.
        #expect(
            PostgresParameter.time(UnixTime(microseconds: -62_135_596_800_000_001)).text
                == "0001-12-31 23:59:59.999999+00 BC")
        #expect(PostgresParameter.time(UnixTime(microseconds: .min)).text == "-infinity")
        // A claim that is stored as `-infinity` is read with this time, by which its outcome and its next try find it.
        #expect(PostgresParameter.time(PostgresParameter.earliest).text == "-infinity")
        let next = PostgresParameter.time(PostgresParameter.earliest + .microseconds(1))
        #expect(next.text?.hasSuffix(" 00:00:00.000001+00 BC") == true)
    }

    @Test func quotesEveryElement() {
        let array = PostgresParameter.array([.text("a"), .text(""), .null, .text("NULL"), .text("{,\"\\}")])
        #expect(array.text == #"{"a","",NULL,"NULL","{,\"\\}"}"#)
        #expect(PostgresParameter.array([]).text == "{}")
        #expect(
            PostgresParameter.array([.integer(-3), .flag(true), .bytes([0, 255])]).text == #"{"-3","t","\\x00ff"}"#)
    }

    /// A quotation mark with a combining mark after it is one character.
    @Test func noElementEndsEarly() throws {
        let texts: [String?] = ["\"\u{301},\"b", "\u{D4E}\"", "\\\u{301}"]
        let array = try #require(PostgresParameter.array(texts.map { .text($0) }).text)
        #expect(PostgresArray.elements(array) == texts)
        #expect(PostgresParameter.text("a\0\u{301}").text?.utf8.contains(0) == false)
        #expect(PostgresParameter.json(["\0\u{301}": "\0\u{301}"]).text?.contains("\\u0000") == false)
    }

    @Test func readsWhatItWrites() throws {
        let texts: [String?] = ["a", "", nil, "NULL", "{,\"\\} \n", "ü🙂", " x "]
        let array = PostgresParameter.array(texts.map { .text($0) })
        #expect(PostgresArray.elements(try #require(array.text)) == texts)
    }

    /// A combining mark, a joiner and U+0D4E make one grapheme of themselves and the quote or backslash beside them.
    @Test(arguments: ["\"\u{301}", "\\\u{301}", "\"\u{200D}", "\\\u{200D}", "\u{D4E}\"", "\u{D4E}\\", "\",\u{301}\""])
    func quotesWithMarksAreEscaped(_ text: String) throws {
        let array = try #require(PostgresParameter.array([.text(text), .text("b")]).text)
        let special = text.utf8.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        #expect(array.utf8.count == text.utf8.count + special + #"{"","b"}"#.utf8.count)
        let read = try #require(PostgresArray.elements(array))
        #expect(read.map { $0.map { Array($0.utf8) } } == [Array(text.utf8), Array("b".utf8)])
    }

    @Test(arguments: ["", "{", "{a", "{a,}", "{\"a}", "{\"a\"b}", "{{1},{2}}", "{,}", "{a\"b\"}", "1,2", "[0:1]={1,2}"])
    func rejectsWhatIsNoArray(_ text: String) {
        #expect(PostgresArray.elements(text) == nil)
    }

    @Test func replacesWhatTextsCannotHold() {
        #expect(PostgresParameter.text("a\0b").text == "a\u{FFFD}b")
        #expect(PostgresParameter.json(["a\0": ["b\0"]]).text == #"{"a\#u{FFFD}":["b\#u{FFFD}"]}"#)
    }

    @Test func writesSixteenBytesAsIdentity() {
        #expect(PostgresParameter.identity(0..<20).text == "000102030405060708090a0b0c0d0e0f")
    }
}
