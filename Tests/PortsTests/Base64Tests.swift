import Ports
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("TWFuTQ", "ManM"), ("8J+YgA==", "😀"), ("8J-YgA", "😀"),
        ("Pz8/", "???"), ("Pz8_", "???"),
    ])
    func decodes(_ text: String, _ expected: String) {
        #expect(Base64.decode(text) == Array(expected.utf8))
    }

    @Test(arguments: ["", "=", "A", "AAAAA", "AA===", "A=A=", "AA A", "AA\n", "äöü"])
    func refuses(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }
}

@Suite struct DataURITests {
    @Test(arguments: [
        ("data:,hello", "hello"), ("data:text/plain,a%20b", "a b"), ("DATA:application/json;base64,e30=", "{}"),
        ("data:application/json;charset=utf-8;BASE64,e30", "{}"), ("data:;base64,e30%3D", "{}"), ("data:,", ""),
        ("data:,a,b", "a,b"),
    ])
    func content(_ text: String, _ expected: String) {
        #expect(DataURI.content(of: text) == Array(expected.utf8))
    }

    @Test(arguments: [
        "https://a.example/", "data", "data:", "data:nocomma", "data:,%zz", "data:;base64,e", "data:;base64,%%",
    ])
    func refuses(_ text: String) {
        #expect(DataURI.content(of: text) == nil)
    }
}

@Suite struct Base64EncodingTests {
    @Test(arguments: [("", ""), ("1", "MQ=="), ("12", "MTI="), ("1.25", "MS4yNQ=="), ("abc", "YWJj"), ("???", "Pz8/")])
    func encodes(_ text: String, _ expected: String) {
        #expect(Base64.encode(Array(text.utf8)) == expected)
    }
}
