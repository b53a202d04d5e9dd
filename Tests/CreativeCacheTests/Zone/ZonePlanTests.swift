import CreativeCache
import Ports
import Testing

@Suite struct ZonePlanTests {
    private static let items = [("a", 40, 3), ("b", 40, 1), ("c", 20, 2)].map {
        ZonePlan.Item(zone: $0.0, bytes: $0.1, lastUsed: UnixTime(milliseconds: Int64($0.2)))
    }

    @Test(arguments: [(0, []), (1, ["b"]), (40, ["b"]), (41, ["b", "c"]), (100, ["b", "c", "a"])])
    func theLeastRecentlyUsedLeave(bytes: Int, leaving: [String]) {
        #expect(ZonePlan.evictions(from: Self.items, toFit: bytes, quota: 100) == leaving)
    }

    @Test func whatNeverFitsEvictsNobody() {
        #expect(ZonePlan.evictions(from: Self.items, toFit: 101, quota: 100) == nil)
    }

    @Test(arguments: [
        ("video/mp4", true), ("Video/WebM; codecs=x", true), ("application/octet-stream", true), ("text/html", false),
        (nil, false),
    ])
    func onlyVideosAreKept(type: String?, isMedia: Bool) {
        #expect(ZonePlan.isMedia(contentType: type) == isMedia)
    }
}
