import Ports
import Testing

@testable import HLS

/// RFC 3986 section 5.2; the shortcut for plain paths returns the same as the full algorithm.
struct PlaylistURIResolverTests {
    private static let references = [
        "a.ts", "b/c.ts", "../d.ts", "./e.ts", "f/../g.ts", "/h.ts", "//i.example/j.ts", "https://k.example/l.ts",
        "?m=1", "n.ts?o=../p", "q.ts#r", "", "#s", "t:u", "v/./w", "x..y", ".z", "a/.b", "data:text/plain,x", "é.ts",
        "a.ts?u=https://x.example/./y", "https://k.example/a/../l.ts", "http://k.example/./x", "https://k.example",
        "HTTPS://k.example/y.ts", "https://k.example/z?a=/../b", "https://k.example/.w",
    ]

    @Test(arguments: [
        "https://cdn.example.com/live/ch1/media.m3u8", "https://cdn.example.com/live/ch1/media.m3u8?a=b/../c#d",
        "https://cdn.example.com", "https://cdn.example.com/a/../b/m.m3u8", "file:///srv/x/m.m3u8", "m.m3u8", "",
    ]) func agreesWithTheFullAlgorithm(_ base: String) {
        var resolver = PlaylistURIResolver(base: base)
        for reference in Self.references + Self.references {
            let expected = URIReference.resolve(reference, against: URIReference(base))
            let resolved = reference.withBytes { resolver.resolve($0) }
            #expect(resolved == expected, "\(reference) against \(base)")
        }
    }
}
