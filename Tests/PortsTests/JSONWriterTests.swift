import Testing

@testable import Ports

@Suite struct JSONWriterTests {
    @Test func writesOnOneLineInOrder() {
        let value: JSONValue = ["b": 1, "a": [true, nil, 1.5, .double(2)], "e": [], "o": [:]]
        #expect(value.text() == #"{"b":1,"a":[true,null,1.5,2],"e":[],"o":{}}"#)
    }

    @Test func indents() {
        #expect(
            (["a": [1, 2], "b": []] as JSONValue).text(indented: true)
                == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": []\n}")
    }

    @Test func escapesWhatATerminalWouldObey() {
        let hostile = "\u{1B}[31m\u{9B}\u{202E}\u{2028}\u{7F}\"\\\n\u{E0041}é"
        #expect(
            JSONValue.string(hostile).text() == #""\u001B[31m\u009B\u202E\u2028\u007F\"\\\n\uDB40\uDC41é""#)
    }

    @Test func numbersThatAreNotFiniteAreNull() {
        #expect(([.double(.infinity), .double(.nan)] as JSONValue).text() == "[null,null]")
    }
}
