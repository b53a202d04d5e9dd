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

    @Test(arguments: [
        (
            "ftp://a.example/x",
            "'ftp://a.example/x' has the scheme 'ftp', not http or https; give such a URL, or a file"
        ),
        ("S3://b/x", "'S3://b/x' has the scheme 'S3', not http or https; give such a URL, or a file"),
        ("file:///tmp/x.xml", "'file:///tmp/x.xml' is a file URL; give the path of the file"),
    ])
    func anAddressWithAnotherSchemeIsNoPath(place: String, message: String) async {
        let failure = CommandFailure(.usage, message)
        await #expect(throws: failure) { _ = try await Settings().input.read(place, limit: 100) }
        await #expect(throws: failure) { _ = try await SCTE35Input.read(place, from: Settings().input) }
    }

    @Test(arguments: ["http://a.example/x", "c:/x", "a b://x", "./ftp://x", "a=ftp://x", "ftp:/x", "://x", "-", ""])
    func whatHasNoSuchSchemeIsLeftToOthers(place: String) {
        #expect(InputFile.otherScheme(of: place) == nil)
    }
}
