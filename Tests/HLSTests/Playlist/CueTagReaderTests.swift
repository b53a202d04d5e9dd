import HLS
import Ports
import Testing

/// The dialects of cue tags (HLS-22).
struct CueTagReaderTests {
    private static let outPayload = "/DAlAAAAAAAA///wFAUAAAAIf+/+AAxcEP4AGLggAAEAAAAANfn0iQ=="
    private static let nullPayload = "/DARAAAAAAAA///wAAAAAHYd07Y="
    private static let placementStart = "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg=="
    private static let placementEnd = "/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g="

    /// `kind duration/elapsed id bytes`, with a hyphen for absent parts.
    private static func read(_ line: String) -> String? {
        let text = InlinePlaylist.head + line + "\n" + InlinePlaylist.segments
        guard let point = InlinePlaylist.media(text)?.cuePoints.first else { return nil }
        let duration = point.duration.map {
            "\(Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18)"
        }
        let elapsed = point.elapsed.map {
            "\(Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18)"
        }
        let bytes = point.scte35.map { "\($0.count)" }
        return "\(point.kind.rawValue) \(duration ?? "-")/\(elapsed ?? "-") \(point.id ?? "-") \(bytes ?? "-")"
    }

    @Test(arguments: [
        ("#EXT-X-CUE-OUT:30.000", "out 30.0/- - -"), ("#EXT-X-CUE-OUT:DURATION=120", "out 120.0/- - -"),
        ("#EXT-X-CUE-OUT:DURATION=\"12.5\",ID=77,CUE=\"\(nullPayload)\"", "out 12.5/- 77 20"),
        ("#EXT-X-CUE-OUT", "out -/- - -"), ("#EXT-X-CUE-OUT:", "out -/- - -"), ("#EXT-X-CUE-OUT: 30", "out 30.0/- - -"),
        ("#EXT-X-CUE-OUT:4,SpliceType=VOD_DAI,Action=REPLACE, PAID=a/b", "out 4.0/- - -"),
        ("#EXT-X-CUE-OUT-CONT:8.308/30", "cont 30.0/8.308 - -"), ("#EXT-X-CUE-OUT-CONT:8", "cont -/8.0 - -"),
        ("#EXT-X-CUE-OUT-CONT: 6.000/30", "cont 30.0/6.0 - -"), ("#EXT-X-CUE-OUT-CONT:", "cont -/- - -"),
        ("#EXT-X-CUE-OUT-CONT:10/4, SpliceType=VOD_DAI", "cont 4.0/10.0 - -"),
        ("#EXT-X-CUE-OUT-CONT:ElapsedTime=5.9,Duration=201.4,SCTE35=\(nullPayload)", "cont 201.4/5.9 - 20"),
        ("#EXT-X-CUE-IN", "in -/- - -"), ("#EXT-X-CUE-IN:4,SpliceType=VOD_DAI", "in -/- - -"),
        ("#EXT-X-CUE-IN:ID=9", "in -/- 9 -"), ("#EXT-X-CUE-IN:ID=9,CUE=\"\(placementEnd)\"", "in -/- 9 50"),
        ("#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT1M30.5S,ID=3", "cont -/90.5 3 -"),
        ("#EXT-OATCLS-SCTE35:\(nullPayload)", "scte35 -/- - 20"),
        ("#EXT-X-ASSET:CAID=0x0F,GENRE=CV", "asset -/- 0x0F -"),
        ("#EXT-X-SCTE35:CUE=\"\(outPayload)\",CUE-OUT=YES,ID=\"8\",DURATION=18", "out 18.0/- 8 40"),
        ("#EXT-X-SCTE35:CUE-OUT=CONT,ELAPSED=6", "cont -/6.0 - -"), ("#EXT-X-SCTE35:CUE-IN=YES", "in -/- - -"),
        ("#EXT-X-SCTE35:CUE=\"\(nullPayload)\"", "scte35 -/- - 20"),
        ("#EXT-X-SPLICEPOINT-SCTE35:\(nullPayload)", "scte35 -/- - 20"),
        ("#EXT-X-SPLICEPOINT-SCTE35:\(outPayload)", "out 18.0/- 8 40"),
        ("#EXT-X-SPLICEPOINT-SCTE35:\(placementStart)", "out 307.0/- 1207959694 55"),
        ("#EXT-X-SPLICEPOINT-SCTE35:\(placementEnd)", "in -/- 1207959694 50"),
        ("#EXT-X-CUE:TYPE=SpliceOut,ID=4,TIME=9.5,DURATION=18.0", "out 18.0/- 4 -"),
        ("#EXT-X-CUE:TYPE=\"SpliceOut\",DURATION=\"0\"", "out -/- - -"), ("#EXT-X-CUE:TYPE=SpliceIn", "in -/- - -"),
        ("#EXT-X-CUE:TYPE=SpliceInsert,DURATION=5", "insert 5.0/- - -"),
        (
            "#EXT-X-CUE:ID=\"8\",TYPE=\"scte35\",DURATION=18.000000,TIME=9.5,CUE=\"\(outPayload)\"", "out 18.0/- 8 40"
        ),
        ("#EXT-X-CUE:ID=8,TYPE=scte35,DURATION=18,CUE=\"\(outPayload)\",ELAPSED=1.5", "cont 18.0/1.5 8 40"),
        ("#EXT-X-CUE:TYPE=\"scte35\",DURATION=0.000000,CUE=\"\(placementEnd)\"", "in -/- - 50"),
        ("#EXT-X-CUE:TYPE=\"scte35\",CUE=\"\(nullPayload)\"", "scte35 -/- - 20"),
        ("#EXT-X-CUE-CONT:ID=0,AVAIL-DUR-ELAPSED=6.0", "cont -/6.0 0 -"),
    ]) func reads(_ line: String, _ expected: String) {
        #expect(Self.read(line) == expected)
    }

    @Test(arguments: [
        "# EXT-X-CUE-IN", "#EXT-X-CUE-OUTER:5", "#ext-x-cue-in", "#EXT-X-CUE:TYPE=x", "#EXT-X-CUE:TYPE=scte35",
    ])
    func isNoMarker(_ line: String) {
        #expect(Self.read(line) == nil)
    }

    /// A start may leave its length to its event.
    @Test(arguments: ["", ":ID=7", ":CUE=\"\(outPayload)\"", ":SCTE35=\(outPayload)", ":0"])
    func aStartNeedsNoLength(value: String) {
        let text = InlinePlaylist.head + "#EXT-X-CUE-OUT\(value)\n" + InlinePlaylist.segments
        #expect(InlinePlaylist.findings(InlinePlaylist.parse(text)) == [])
    }

    @Test func anUndecodableMessageIsKeptAsWritten() {
        let tags = "#EXT-X-CUE-OUT:30,CUE=\"zz!\"\n#EXT-OATCLS-SCTE35:AAAA\n#EXT-OATCLS-SCTE35:\(Self.nullPayload)\n"
        let text = InlinePlaylist.head + tags + InlinePlaylist.segments
        let splices = PlaylistParser.parse(Array(text.utf8), uri: "u").undecodableSplices
        #expect(splices.map { "\($0.name) \($0.text)" } == ["CUE zz!", "EXT-OATCLS-SCTE35 AAAA"])
        #expect(splices.map(\.line).last == splices.first.map { $0.line + 1 })
    }

    @Test func markersBelongToTheNextSegment() throws {
        let text =
            InlinePlaylist.head + InlinePlaylist.dated
            + "#EXT-X-CUE-OUT:6\n#EXTINF:6,\n#EXT-X-CUE-IN\n3.ts\n#EXT-X-CUE-OUT:9\n"
        let playlist = try #require(InlinePlaylist.media(text))
        #expect(playlist.cuePoints.map(\.sequence) == [3, 3, 4])
        #expect(playlist.cuePoints.map(\.offset) == [.seconds(18), .seconds(18), .seconds(24)])
        #expect(playlist.cuePoints.map { $0.date != nil } == [true, true, false])
        #expect(playlist.cuePoints.map(\.line) == [11, 13, 15])
    }

    @Test func assetKeepsItsAttributes() throws {
        let text = InlinePlaylist.head + "#EXT-X-ASSET:GENRE=CV,Episode=\"a,b%20c\"\n" + InlinePlaylist.segments
        let point = try #require(InlinePlaylist.media(text)?.cuePoints.first)
        #expect(point.attributes == [.init(name: "GENRE", value: "CV"), .init(name: "Episode", value: "a,b%20c")])
    }
}
