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
}
