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
    }

    @Test func quotesEveryElement() {
        let array = PostgresParameter.array([.text("a"), .text(""), .null, .text("NULL"), .text("{,\"\\}")])
        #expect(array.text == #"{"a","",NULL,"NULL","{,\"\\}"}"#)
        #expect(PostgresParameter.array([]).text == "{}")
        #expect(
            PostgresParameter.array([.integer(-3), .flag(true), .bytes([0, 255])]).text == #"{"-3","t","\\x00ff"}"#)
    }

    @Test func readsWhatItWrites() throws {
        let texts: [String?] = ["a", "", nil, "NULL", "{,\"\\} \n", "ü🙂", " x "]
        let array = PostgresParameter.array(texts.map { .text($0) })
        #expect(PostgresArray.elements(try #require(array.text)) == texts)
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
