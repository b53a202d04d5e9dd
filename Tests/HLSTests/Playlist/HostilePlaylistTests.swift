import Foundation
import HLS
import Ports
import Testing

/// Input that breaks parsers which trust it: nothing here may trap, hang or use unbounded memory.
struct HostilePlaylistTests {
    private static func parse(_ bytes: [UInt8]) -> ParsedPlaylist {
        PlaylistParser.parse(bytes, uri: InlinePlaylist.uri)
    }

    private static let head = Array((InlinePlaylist.head + "#EXT-X-ENDLIST\n").utf8)

    /// A title in another encoding is everyday; the rest of the playlist is as good as without it.
    @Test func bytesThatAreNotUTF8AreReplaced() throws {
        let bytes = Self.head + Array("#EXTINF:6,caf".utf8) + [0xE9, 0x0A] + Array("0.ts\r\n#EXTINF:6,b".utf8)
        let parsed = Self.parse(bytes + [0xFF, 0xFE, 0x0D] + Array("1.ts\n".utf8))
        let segments = try #require(parsed.media?.segments)
        #expect(segments.map(\.title) == ["caf\u{FFFD}", "b\u{FFFD}\u{FFFD}"])
        #expect(segments.map(\.line) == [6, 8], "the lines are those of the text as it was received")
        #expect(InlinePlaylist.findings(parsed).prefix(3) == ["not-utf8@5", "not-utf8@7", "bare-carriage-return@7"])
        #expect(parsed.findings.first?.section == "rfc8216bis-22 4.1" && parsed.findings.first?.severity == .error)
        // The text of each attribute ends where it did, whatever bytes are before a quote.
        let quoted = Self.parse(
            Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS=\"".utf8) + [0xC3] + Array("\",SCORE=2\na\n".utf8))
        #expect(quoted.multivariant?.variants.first?.codecs == "\u{FFFD}")
        #expect(quoted.multivariant?.variants.first?.score == 2)
    }

    /// Without EXT-X-MEDIA-SEQUENCE the list would begin at 0: a damaged tag is no text in another encoding.
    @Test(arguments: [
        "#EXT-X-MEDIA~SEQUENCE:7", "#EXTINF:6~,title", "#EXT-X-TARGETDURATION:~", "#EXT-X-MAP:URI=\"a\",X=~",
    ])
    func aDamagedTagIsRefusedAtItsLine(_ line: String) {
        let damaged = (line + "\n0.ts\n").utf8.map { $0 == UInt8(ascii: "~") ? 0xB5 : $0 }
        let parsed = Self.parse(Self.head + [0x23, 0xFF, 0x0A] + damaged)
        #expect(parsed.kind == .invalid(rule: "not-utf8"))
        #expect(InlinePlaylist.findings(parsed) == ["not-utf8@6"])
    }

    @Test func manyLinesThatAreNotUTF8AreCountedToTheLimit() {
        let parsed = Self.parse(Self.head + (0..<500).flatMap { _ in [0x23, 0xFF, 0x0A] as [UInt8] })
        #expect(parsed.findings.filter { $0.rule == "not-utf8" }.count == PlaylistLimits.findingsPerRule)
        #expect(parsed.media != nil)
    }

    @Test(arguments: [[0xFF, 0xFE, 0x23, 0x00], [0x1F, 0x8B, 0x08, 0x0A, 0x23], [0x80]] as [[UInt8]])
    func whatIsNoTextIsRefusedAtItsLine(_ bytes: [UInt8]) {
        let parsed = Self.parse(bytes)
        #expect(parsed.kind == .invalid(rule: "not-utf8"))
        #expect(InlinePlaylist.findings(parsed) == ["not-utf8@1"])
    }

    @Test func strictlyNotUTF8IsRefusedAtItsLine() {
        func parse(_ bytes: [UInt8]) -> ParsedPlaylist {
            PlaylistParser.parse(bytes, uri: "https://h/a", isStrict: true)
        }
        let parsed = parse(Self.head + [0xFF, 0x0A])
        #expect(parsed.kind == .invalid(rule: "not-utf8"))
        #expect(InlinePlaylist.findings(parsed) == ["not-utf8@5"])
        #expect(InlinePlaylist.findings(parse(Self.head + [0x23, 0xC0, 0xAF])) == ["not-utf8@5"])
        // This is reported before all other problems, even those of earlier lines.
        let late = parse(Self.head + Array(" \r\n{$x}\r\n".utf8) + [0x23, 0xFF])
        #expect(InlinePlaylist.findings(late).first == "not-utf8@7")
    }

    @Test func refusalKeepsEarlierFindings() {
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + "#EXT-X-MAP:\n#EXT-X-KEY:\n#EXTINF:6,\n{$x}")
        #expect(InlinePlaylist.findings(parsed) == ["map-missing-uri@4", "key-invalid@5", "undefined-variable@7"])
        // The table of the schema has no rule for keys.
        #expect(parsed.json["issues"] == ["map-missing-uri"])
        #expect(parsed.json["fatal"] == ["undefined-variable"])
    }

    @Test func tooManyBytesAreRefused() {
        let parsed = Self.parse(Self.head + [UInt8](repeating: 0x0A, count: Limits.playlistBytes))
        #expect(parsed.kind == .invalid(rule: "playlist-too-long"))
    }

    @Test func endlessLineIsSkipped() {
        let line = [UInt8](repeating: 0x61, count: PlaylistLimits.lineBytes + 1)
        let parsed = Self.parse(Self.head + Array("#EXTINF:6,\n".utf8) + line + Array("\nb.ts\n".utf8))
        #expect(InlinePlaylist.findings(parsed) == ["limit-reached@6"])
        #expect(parsed.media?.segments.map(\.uri) == ["https://cdn.example.com/live/ch1/b.ts"])
        let endless = Self.parse([UInt8](repeating: 0x61, count: Limits.playlistBytes))
        #expect(endless.kind == .invalid(rule: "no-extm3u"))
    }

    @Test func nulsAreFindings() {
        let parsed = Self.parse(Self.head + Array("#EXTINF:6,\na\u{0}b.ts\n".utf8))
        #expect(InlinePlaylist.findings(parsed) == ["control-characters@6"])
        #expect(parsed.media?.segments.count == 1)
        #expect(Self.parse([UInt8](repeating: 0, count: 4_096)).kind == .invalid(rule: "no-extm3u"))
    }

    @Test func carriageReturnsEndLines() throws {
        let text = (InlinePlaylist.head + InlinePlaylist.segments).replacing("\n", with: "\r")
        let parsed = InlinePlaylist.parse(text)
        #expect(parsed.media?.segments.count == 3)
        #expect(Set(parsed.findings.map(\.rule)) == ["bare-carriage-return"])
    }

    @Test(arguments: [
        ("#EXT-X-MEDIA-SEQUENCE:100000000000000000000", "number-invalid@4"),
        // The draft allows this one, so the finding is about our own limit.
        ("#EXT-X-MEDIA-SEQUENCE:18446744073709551615", "limit-reached@4"),
        ("#EXT-X-DISCONTINUITY-SEQUENCE:-1", "number-invalid@4"),
        ("#EXT-X-BITRATE:99999999999999999999", "number-invalid@4"),
    ]) func absurdNumbersAreFindings(_ tag: String, finding: String) {
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + tag + "\n" + InlinePlaylist.segments)
        #expect(InlinePlaylist.findings(parsed) == [finding])
        #expect(parsed.media?.segments.map(\.sequence) == [0, 1, 2])
    }

    @Test func hugeSequenceAndSkipDoNotOverflow() throws {
        let largest = "2305843009213693952"
        let parsed = InlinePlaylist.parse(
            "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(largest)\n"
                + "#EXT-X-DISCONTINUITY-SEQUENCE:\(largest)\n#EXT-X-SKIP:SKIPPED-SEGMENTS=\(largest)\n"
                + "#EXT-X-DISCONTINUITY\n" + InlinePlaylist.segments)
        let playlist = try #require(parsed.media)
        #expect(playlist.segments.first?.sequence == 1 << 62)
        #expect(PlaylistDelta.merge(held: playlist, delta: playlist) == .incomplete)
        #expect(parsed.json["segments"]?.arrayValue?.count == 3)
    }

    @Test func hugeByteRangesSaturate() throws {
        let largest = "2305843009213693952"
        let range = "#EXTINF:1,\n#EXT-X-BYTERANGE:\(largest)\na.ts\n"
        let first = "#EXTINF:1,\n#EXT-X-BYTERANGE:\(largest)@\(largest)\na.ts\n"
        let playlist = try #require(InlinePlaylist.media(InlinePlaylist.head + first + range + range + range + range))
        #expect(playlist.segments.last?.byteRange?.end == .max)
    }

    @Test func longestDurationsAddUp() throws {
        let segments = (0..<100).map { "#EXTINF:1000000000,\n\($0)\n" }.joined()
        let playlist = try #require(
            InlinePlaylist.media(InlinePlaylist.head + "#EXT-X-PROGRAM-DATE-TIME:9999-12-31T23:59:60Z\n" + segments))
        #expect(playlist.duration == .seconds(100_000_000_000))
        #expect(playlist.segments.last?.date != nil)
    }

    @Test func uriOverTheLimitIsAFinding() throws {
        let uri = String(repeating: "u", count: PlaylistLimits.uriBytes + 1)
        let segments = "#EXTINF:6,\n\(uri)\n#EXTINF:6,\nb.ts\n"
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + "#EXT-X-ENDLIST\n" + segments)
        #expect(InlinePlaylist.findings(parsed) == ["limit-reached@6"])
        let media = try #require(parsed.media)
        #expect(media.segments.map(\.uri.isEmpty) == [true, false] && media.duration == .seconds(12))
        #expect(media.segments.map(\.sequence) == [0, 1])
    }

    /// It is not kept anywhere, and what needs it has none. The content of a `data:` URI is not an address.
    @Test func attributesHaveTheLimitOfURIs() throws {
        let uri = String(repeating: "u", count: PlaylistLimits.uriBytes + 1)
        let tags = ["ASSET-URI=\"https://h/", "ASSET-LIST=\"", "ASSET-LIST=\"data:,"].enumerated().map {
            "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"com.apple.hls.interstitial\","
                + "START-DATE=\"2027-01-01T00:00:00Z\",X-\($1)\(uri)\"\n"
        }
        let parts =
            "#EXT-X-PART:URI=\"\(uri)\",DURATION=1\n#EXT-X-MAP:URI=\"\(uri)\"\n"
            + "#EXT-X-KEY:METHOD=AES-128,URI=\"data:,\(uri)\"\n"
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + tags.joined() + parts + "#EXTINF:6,\na.ts\n")
        let media = try #require(parsed.media)
        #expect(media.interstitials.map { $0.assetURI == nil && $0.assetList == nil } == [true, true, false])
        #expect(media.parts.isEmpty && media.segments.first?.map == nil)
        #expect(media.segments.first?.keys.first?.uri?.hasPrefix("data:") == true)
        #expect(parsed.findings.count { $0.rule == "limit-reached" } == 4)
        let stream = "#EXT-X-STREAM-INF:BANDWIDTH=1\n"
        let all = InlinePlaylist.parse("#EXTM3U\n\(stream)\(uri)\n\(stream)b.m3u8\n")
        #expect(all.multivariant?.variants.count == 1)
    }

    @Test(arguments: [
        ("#EXT-X-CUE-IN\n", PlaylistLimits.cuePoints), ("#EXT-X-PART:URI=\"a\",DURATION=1\n", PlaylistLimits.parts),
        ("#EXT-X-RENDITION-REPORT:URI=\"a\"\n", PlaylistLimits.renditionReports),
    ]) func listsAreBounded(_ line: String, _ limit: Int) throws {
        let parsed = InlinePlaylist.parse(InlinePlaylist.head + String(repeating: line, count: limit + 10))
        let playlist = try #require(parsed.media)
        #expect(max(playlist.cuePoints.count, playlist.parts.count, playlist.renditionReports.count) == limit)
        #expect(parsed.findings.contains { $0.rule == "limit-reached" && $0.line == limit + 4 })
    }

    @Test func dateRangesAndSegmentsAreBounded() throws {
        let ranges = (0..<PlaylistLimits.dateRanges + 5).map { "#EXT-X-DATERANGE:ID=\"\($0)\"\n" }.joined()
        let media = try #require(InlinePlaylist.media(InlinePlaylist.head + ranges))
        #expect(media.dateRanges.count == PlaylistLimits.dateRanges)
        let segments = String(repeating: "#EXTINF:1,\na\n", count: PlaylistLimits.segments + 5)
        #expect(InlinePlaylist.media(InlinePlaylist.head + segments)?.segments.count == PlaylistLimits.segments)
    }

    @Test func keyFormatsAreBounded() throws {
        let keys = (0..<50).map { "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"\($0)\"\n" }.joined()
        let playlist = try #require(InlinePlaylist.media(InlinePlaylist.head + keys + InlinePlaylist.segments))
        #expect(playlist.segments[0].keys.count == PlaylistLimits.keyFormats)
    }

    @Test func multivariantEntriesAreBounded() throws {
        let count = PlaylistLimits.multivariantEntries
        let text = "#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", count: count + 3)
        #expect(InlinePlaylist.parse(text).multivariant?.variants.count == count)
    }
}
