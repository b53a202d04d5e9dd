import Testing

@testable import adtop

/// The input of a tool: a file, standard input or a URL.
@Suite struct InputFileTests {
    @Test(arguments: [
        ("http://a.example/x", true), ("https://a.example/x", true), ("HTTPS://a.example/x", true),
        ("Http://a.example", true), ("http:", false), ("https:/x", false), ("./http://x", false), ("-", false),
        ("", false),
    ])
    func whatIsRequested(place: String, isAddress: Bool) {
        #expect(InputFile.isAddress(place) == isAddress)
    }
}
