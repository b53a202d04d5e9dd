import Testing

@testable import Ports

@Suite struct QueryItemsTests {
    @Test func keepsBytesAndOrder() {
        let items = QueryItems("b=2&a=%20x&&c&d=")
        #expect(items.items.map(\.name) == ["b", "a", "c", "d"])
        #expect(items["a"] == "%20x")
        #expect(items["c"] == nil)
        #expect(items["d"] == "")
        #expect(items.text == "b=2&a=%20x&c&d=")
    }

    @Test func aMarkBesideAnAmpersandDoesNotHideIt() {
        #expect(QueryItems("a=\u{D4E}&token=x")["token"] == "x")
        #expect(QueryItems("a=1&\u{301}b=2").items.count == 2)
    }

    @Test func removesAndAppends() {
        var items = QueryItems("isstream=true&sessid=X&isstream")
        items.removeAll(named: "isstream")
        items.appendIfAbsent(name: "sessid", value: "Y")
        items.appendIfAbsent(name: "initSession", value: "true")
        #expect(items.text == "sessid=X&initSession=true")
        items = QueryItems("isstream=true")
        items.removeAll(named: "isstream")
        #expect(items.text == nil)
    }

    @Test(arguments: [("a%20b", "a b"), ("%C3%A9", "é"), ("", "")])
    func decodes(text: String, decoded: String) {
        #expect(text.percentDecoded == decoded)
    }

    @Test(arguments: ["%", "%4", "%zz", "%FF"])
    func malformedEscapesAreNil(text: String) {
        #expect(text.percentDecoded == nil)
    }
}
