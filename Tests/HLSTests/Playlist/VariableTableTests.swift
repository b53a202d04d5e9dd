import Ports
import Testing

@testable import HLS

/// Variables by rfc8216bis-22 section 4.3.
struct VariableTableTests {
    private static func substitute(_ text: String) -> VariableTable.Substitution {
        var table = VariableTable()
        let accepted = [("a", "1"), ("B_-9", "{$a}"), ("empty", ""), ("a", "2")].map { table.define($0, as: $1) }
        #expect(accepted == [true, true, true, false])
        return text.withBytes { table.substitute($0) }
    }

    @Test(arguments: [
        ("plain", VariableTable.Substitution.unchanged), ("{$}", .unchanged), ("{a}", .unchanged), ("{$a", .unchanged),
        ("{$a b}", .unchanged), ("{$a}", .replaced("1")), ("x{$a}y{$a}z", .replaced("x1y1z")),
        ("{$empty}", .replaced("")), ("{{$a}}", .replaced("{1}")), ("{$A}", .undefined(name: "A")),
        ("{$a}{$b}", .undefined(name: "b")),
    ]) func replaces(_ text: String, _ expected: VariableTable.Substitution) {
        #expect(Self.substitute(text) == expected)
    }

    @Test func resultIsNotReplacedAgain() {
        #expect(Self.substitute("{$B_-9}") == .replaced("{$a}"))
    }

    @Test func queryParametersAreDecoded() throws {
        let text =
            "#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$t}.ts"
        let parsed = InlinePlaylist.parse(text, uri: "https://a.example/p.m3u8?s=1&t=x%2Dy")
        #expect(parsed.media?.segments.first?.uri == "https://a.example/x-y.ts")
        #expect(parsed.media?.definitions == ["t": "x-y"])
    }

    @Test func attributesOfAllFormsTakeVariables() throws {
        let text =
            "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:NAME=\"r\",VALUE=\"10@5\"\n"
            + "#EXT-X-DEFINE:NAME=\"i\",VALUE=\"0011\"\n#EXT-X-MAP:URI=\"m\",BYTERANGE=\"{$r}\"\n"
            + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x{$i}\n" + InlinePlaylist.segments
        let parsed = InlinePlaylist.parse(text)
        #expect(InlinePlaylist.findings(parsed).isEmpty)
        let segment = try #require(parsed.media?.segments.first)
        #expect(segment.map?.byteRange == ByteRange(length: 10, offset: 5))
        #expect(segment.keys.map(\.initializationVector) == ["0x0011"])
    }

    /// An unknown attribute is still a quoted string.
    @Test func undefinedVariablesInUnknownAttributesRefuse() {
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + "#EXT-X-MAP:URI=\"m\",OTHER=\"{$x}\"\n")
        #expect(InlinePlaylist.findings(parsed) == ["undefined-variable@4"])
    }

    /// Each definition doubles the previous one: forty of them would produce a terabyte.
    @Test func multiplyingVariablesAreRefused() {
        let doublings = (1..<40).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"{$v\($0 - 1)}{$v\($0 - 1)}\"\n" }
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n" + doublings.joined())
        #expect(parsed.kind == .invalid(rule: "playlist-too-long"))
    }

    @Test func titlesAndEnumerationsKeepTheirText() throws {
        let text = InlinePlaylist.head + "#EXTINF:6,{$x}\n0.ts\n#EXT-X-ENDLIST"
        #expect(InlinePlaylist.media(text)?.segments.first?.title == "{$x}")
    }
}
