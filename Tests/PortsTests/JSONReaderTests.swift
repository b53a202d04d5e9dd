import Testing

@testable import Ports

@Suite struct JSONReaderTests {
    private static let documents: [(String, JSONValue)] = [
        ("null", JSONValue.null), ("true", true), (" false\n", false), ("0", 0), ("-0", 0), ("12", 12),
        ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number("9223372036854775808")), ("1.5", 1.5), ("1e3", .double(1000)), ("\"\"", ""),
        ("\"a\"", "a"),
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\u00e9\\uD83D\\uDE00\"", "é😀"),
        ("\"\\uD800x\"", "\u{FFFD}x"),
        ("\"\\uD800\\u0041\"", "\u{FFFD}A"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
        ("{\"a\":1,\"b\":{\"c\":null}}", ["a": 1, "b": ["c": nil]]),
    ]

    @Test(arguments: documents)
    func reads(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(text) == value)
    }

    @Test func aByteOrderMarkIsSkippedAndBadBytesAreReplaced() throws {
        #expect(try JSONReader.read([0xEF, 0xBB, 0xBF] + Array("1".utf8)) == 1)
        #expect(try JSONReader.read([UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")]) == "\u{FFFD}")
    }

    @Test func ofRepeatedNamesTheLastCountsAndAllAreKept() throws {
        let value = try JSONReader.read("{\"a\":1,\"a\":2}")
        #expect(value["a"] == 2)
        #expect(value.objectValue?.members.count == 2)
    }

    @Test(arguments: [
        ("", 1, 1, "ends where a value is expected"), ("{", 1, 2, "expected a quoted name"),
        ("{\"a\"}", 1, 5, "expected ':' after the name"),
        ("{\"a\":1", 1, 7, "expected ',' or '}'"), ("[1 2]", 1, 4, "expected ',' or ']'"),
        ("[1,\n  x]", 2, 3, "expected a value"),
        ("<html>", 1, 1, "expected a value"), ("01", 1, 3, "malformed number"), ("1.", 1, 3, "malformed number"),
        ("-", 1, 2, "malformed number"),
        ("tru", 1, 1, "expected 'true'"), ("\"a", 1, 3, "unterminated string"),
        ("\"a\nb\"", 1, 3, "control character in a string"), ("\"\\x\"", 1, 4, "unknown escape"),
        ("\"\\u12\"", 1, 6, "expected four hexadecimal digits after \\u"),
        ("1 1", 1, 3, "unexpected text after the end of the document"),
    ])
    func saysWhereAndWhy(text: String, line: Int, column: Int, message: String) {
        #expect(throws: JSONProblem(message: message, line: line, column: column)) { try JSONReader.read(text) }
    }

    /// Room is made for as many members as the object before had, and for one object only: small ones behind a large one must not
    /// take its room each.
    @Test func onlyTheNextObjectGetsTheRoomOfALargeOne() throws {
        let large = "{" + (0..<100).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        let objects = try #require(
            try JSONReader.read("[\(large),{\"a\":{\"b\":1}},{\"c\":1},\(large),\(large)]").arrayValue)
        #expect(objects.map { $0.objectValue?.members.count } == [100, 1, 1, 100, 100])
        #expect(objects[1]["a"] == ["b": 1])
        let inner = try #require(objects[1]["a"]?.objectValue)
        let next = try #require(objects[2].objectValue)
        #expect(inner.members.capacity < 100 && next.members.capacity < 100)
    }

    @Test func depthIsLimited() throws {
        let deepest = Limits.jsonDepth
        #expect(throws: Never.self) {
            try JSONReader.read(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        }
        #expect(throws: JSONProblem.self) { try JSONReader.read(String(repeating: "[", count: 100_000)) }
    }

    @Test func mutatedDocumentsNeverTrap() {
        let seed: UInt64 = 20_261_121
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let document = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null],"b":{"c":"d","e":[]}}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = document
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
                }
            }
            // An error is as good as a value here: the test is that parsing returns.
            if let value = try? JSONReader.read(bytes) {
                // A parsed value can be written and parsed again with the same text (a fraction of zero is lost the
                // first time).
                #expect((try? JSONReader.read(value.text()))?.text() == value.text())
            }
        }
    }
}
