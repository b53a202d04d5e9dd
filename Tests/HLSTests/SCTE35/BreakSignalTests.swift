import HLS
import Ports
import Testing

struct BreakSignalTests {
    @Test(
        arguments: [
            (
                "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
                BreakSignal.start(duration: .seconds(307), id: "1207959694")
            ),
            ("/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=", .end(id: "1207959694")),
            ("/DAeAAAAAAAAAP///wViAA/nf18ACQAAAAAskJv+YPtE", .end(id: "1644171239")),
            ("/DAgAAAAAAAA///wDwUAAABlf//+ACky4AAJAQIAAPDT4Ak=", .start(duration: .seconds(30), id: "101")),
            (
                "/DA3AAAAAAAA///wAQZ/ACUCI0NVRUkAAAA3f78PFHVybjpleGFtcGxlOmJyZWFrOjU1IgAAMjIUAQ==",
                .start(duration: nil, id: "55")
            ),
            ("/DARAAAAAAAAAP/wAAAAAHpPv/8=", nil),
            // Programme boundaries are context, not a break.
            ("/DAvAAAAAAAA///wBQb+rvF8TAAZAhdDVUVJSAAAB3+fCAgAAAAALKVslxEAAMSHai4=", nil),
        ] as [(String, BreakSignal?)]) func reads(_ text: String, _ expected: BreakSignal?) throws
    {
        let info = try SpliceTransport.decode(text)
        #expect(info.breakSignals == [expected].compactMap { $0 })
    }

    /// The types that begin a break, and those that end one: all markers whose message tells their meaning have one table.
    @Test func everySegmentationType() {
        let starts: Set<UInt64> = [0x22, 0x30, 0x32, 0x34, 0x36, 0x38, 0x3A, 0x3C, 0x3E, 0x44, 0x46]
        for type in UInt64(0)...255 {
            let message = SpliceSectionWriter.timeSignal(1, type)
            let markers = "#EXT-X-SPLICEPOINT-SCTE35:\(message)\n#EXT-X-CUE:TYPE=scte35,CUE=\"\(message)\"\n"
            let playlist = InlinePlaylist.media(InlinePlaylist.head + markers + InlinePlaylist.segments)
            let kind: CuePoint.Kind = starts.contains(type) ? .out : starts.contains(type &- 1) ? .in : .scte35
            #expect(playlist?.cuePoints.map(\.kind) == [kind, kind], "type \(type)")
        }
    }
}
