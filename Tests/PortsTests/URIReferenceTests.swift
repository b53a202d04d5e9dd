import Testing

@testable import Ports

@Suite struct URIReferenceTests {
    /// RFC 3986 sections 5.4.1 and 5.4.2, base `http://a/b/c/d;p?q`.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func resolvesTheExamplesOfTheStandard(reference: String, expected: String) {
        #expect(URIReference.resolve(reference, against: URIReference("http://a/b/c/d;p?q")) == expected)
    }

    @Test func aBaseWithoutPathGetsASlash() {
        #expect(URIReference.resolve("g", against: URIReference("http://a")) == "http://a/g")
    }

    @Test(arguments: [
        "", "a", "http://h", "http://h/p?q#f", "//h/p", "?q", "#f", "mailto:a@b", "1a:b", ":x", "http://[::1]:80/",
    ])
    func splittingAndJoiningKeepsEveryByte(text: String) {
        #expect(URIReference(text).text == text)
    }

    @Test func aColonInTheFirstSegmentAfterADigitIsNoScheme() {
        #expect(URIReference("1a:b").scheme == nil)
        #expect(URIReference("a1+.-:b").scheme == "a1+.-")
    }

    /// Appendix B: every text has these five parts, those it lacks apart.
    @Test(arguments: [
        ("https://u@h:1/p/q?a?b#c#d", ["https", "u@h:1", "/p/q", "a?b", "c#d"]),
        ("//h", [nil, "h", "", nil, nil]), ("///p", [nil, "", "/p", nil, nil]),
        ("x:/p", ["x", nil, "/p", nil, nil]), ("p:é?#", ["p", nil, "é", "", ""]),
        ("?q:/", [nil, nil, "", "q:/", nil]), ("#a?b", [nil, nil, "", nil, "a?b"]),
        ("a?b//c", [nil, nil, "a", "b//c", nil]), ("", [nil, nil, "", nil, nil]),
    ])
    func hasFiveParts(text: String, parts: [String?]) {
        let reference = URIReference("<\(text)>".dropFirst().dropLast())
        let found = [reference.scheme, reference.authority, reference.path, reference.query, reference.fragment]
        #expect(found == parts.map { $0.map { Substring($0) } })
    }

    @Test func nonASCIIIsCarriedThrough() {
        #expect(URIReference.resolve("é/ü?ö", against: URIReference("http://h/a/b")) == "http://h/a/é/ü?ö")
    }
}
