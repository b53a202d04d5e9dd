import Ports
import Testing

@Suite struct JSONSplitTests {
    /// `new` for parsed elements, the earlier number for known ones.
    private static func read(
        _ text: String, after earlier: JSONSplit.Text = .none
    ) throws(JSONProblem) -> (root: JSONValue, elements: [String]?, text: JSONSplit.Text) {
        let bytes = Array(text.utf8)
        var split = JSONSplit(arrayNamed: "a", after: earlier)
        let root = try JSONReader.read(bytes, splitting: &split)
        let elements = split.elements.map { elements in
            elements.map { element in
                switch element {
                case .known(let number): String(number)
                case .new(let value): "new \(value.text())"
                }
            }
        }
        return (root, elements, split.text(bytes) { _ in true })
    }

    @Test func elementsComeApart() throws {
        let read = try Self.read(#"{"x":[{"a":[1]}],"a":[ {"b":1} , 2,{} ],"y":3}"#)
        #expect(read.elements == [#"new {"b":1}"#, "new 2", "new {}"])
        #expect(read.root == ["x": [["a": [1]]], "y": 3])
    }

    @Test func knownObjectsAreNotReadAgain() throws {
        let first = try Self.read(#"{"a":[{"b":1},{"c":2},[3],{"d":4}]}"#)
        let second = try Self.read(#"{"n":0,"a":[{"c":2},{"d":40},[3],{"d":4},{"e":5}]}"#, after: first.text)
        #expect(second.elements == ["1", #"new {"d":40}"#, "new [3]", "3", #"new {"e":5}"#])
        let third = try Self.read(#"{"a":[{"d":40},{"e":5}]}"#, after: second.text)
        #expect(third.elements == ["1", "4"])
    }

    /// Only an element that is equal in every byte is known.
    @Test(arguments: [#"{"b":"long enough to be compared by words"}"#, #"{"b":1}"#, "{}"])
    func oneByteMakesAnother(element: String) throws {
        let first = try Self.read(#"{"a":[\#(element)]}"#)
        #expect(try Self.read(#"{"a":[\#(element)]}"#, after: first.text).elements == ["0"])
        for place in 1..<element.utf8.count {
            var other = Array(element.utf8)
            other.insert(UInt8(ascii: " "), at: place)
            let text = #"{"a":[\#(String(decoding: other, as: UTF8.self))]}"#
            #expect(try Self.read(text, after: first.text).elements?.first?.hasPrefix("new") == true)
        }
    }

    @Test(arguments: [
        (#"{"a":[{"b":1}],"a":3}"#, nil as [String]?), (#"{"a":3,"a":[{}]}"#, ["new {}"]), (#"{"a":[]}"#, []),
        (#"{"b":[{}]}"#, nil), ("[{}]", nil), (#"{"\u0061":[{}]}"#, ["new {}"]), (#"{"a":[{}],"a":[1]}"#, ["new 1"]),
    ])
    func theLastMemberOfTheNameCounts(text: String, elements: [String]?) throws {
        #expect(try Self.read(text).elements == elements)
    }

    @Test(arguments: [#"{"a":[{"b":1}"#, #"{"a":[{"b":1}}"#, #"{"a":[{"b":1} {}]}"#, #"{"a":[,]}"#, #"{"a":[{}],}"#])
    func whatIsNoJSONIsRefusedAtTheSamePlace(text: String) throws {
        let known = try Self.read(#"{"a":[{"b":1}]}"#).text
        let expected = try #require(#expect(throws: JSONProblem.self) { try JSONReader.read(text) })
        #expect(throws: expected) { try Self.read(text, after: known) }
    }
}
