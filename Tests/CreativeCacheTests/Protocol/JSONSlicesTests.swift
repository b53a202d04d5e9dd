import Ports
import Testing

@testable import CreativeCache

@Suite struct JSONSlicesTests {
    private func text(_ slice: ArraySlice<UInt8>?) -> String? { slice.map { String(decoding: $0, as: UTF8.self) } }

    @Test func slicesAreTheTextAsItStands() {
        let document = Array(
            #"{"x":"]","puts":[ {"value" : [1, {"a":"\"}"}] ,"type":"json"},{"value":-1.50e3}], "y":1}"#.utf8)
        let elements = JSONSlices.elements(ofMember: "puts", in: document)
        #expect(elements.count == 2)
        #expect(text(elements.first.flatMap { JSONSlices.member("value", of: $0) }) == #"[1, {"a":"\"}"}]"#)
        #expect(text(elements.last.flatMap { JSONSlices.member("value", of: $0) }) == "-1.50e3")
        #expect(text(elements.last.flatMap { JSONSlices.member("type", of: $0) }) == nil)
    }

    @Test func theLastOfANameCounts() {
        let object = Array(#"{"value":1,"value":2}"#.utf8)
        #expect(text(JSONSlices.member("value", of: object[...])) == "2")
    }

    /// For all text that `JSONReader` accepts, the slice of a member parses to the member.
    @Test(arguments: 1...10) func slicesParseToTheMember(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let value = Self.value(&random, depth: 0)
            let document: JSONValue = ["before": "]}", "puts": [["value": value, "k": 1], ["value": value]]]
            let bytes = Array(document.text(indented: Bool.random(using: &random)).utf8)
            let slices = JSONSlices.elements(ofMember: "puts", in: bytes).map { JSONSlices.member("value", of: $0) }
            #expect(slices.count == 2, "seed \(seed)")
            for slice in slices {
                #expect(try JSONReader.read(Array(try #require(slice))) == value, "seed \(seed)")
            }
        }
    }

    private static func value(_ random: inout SplitMix64, depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth < 3 ? 6 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: -1_000...1_000, using: &random))
        case 3: return .string(["", "a\"b", "\\", "],}", "é\n"][Int.random(in: 0...4, using: &random)])
        case 4: return .double(1.5)
        case 5: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth + 1) })
        default:
            let members = (0..<Int.random(in: 0...3, using: &random)).map {
                JSONObject.Member(name: "m\($0)", value: value(&random, depth: depth + 1))
            }
            return .object(JSONObject(members))
        }
    }
}
