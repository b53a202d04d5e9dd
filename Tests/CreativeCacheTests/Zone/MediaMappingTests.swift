import CreativeCache
import Testing

/// The vectors test the mapping itself.
@Suite struct MediaMappingTests {
    private static let files = [596, 1_128, 1_628].map { (bitrate: Int) in
        Rendition(url: "\(bitrate)", type: "video/mp4", delivery: "progressive", bitrate: bitrate)
    }

    @Test(arguments: [(100, "596"), (745, "596"), (1_409, "596"), (1_410, "1128"), (2_035, "1628"), (90_000, "1628")])
    func bandwidthTakesTheMostThatFitsInFourFifths(kilobits: Int, url: String) throws {
        #expect(try #require(MediaMapping(Self.files)).rendition(forBandwidth: kilobits).url == url)
    }

    @Test(arguments: ["video/mp4; codecs=\"avc1.64001f\"", "video/mp4;codecs=avc1", "video/mp4 ;x=y"])
    func parametersOfTypesDoNotCount(type: String) {
        #expect(MediaMapping([Rendition(url: "a", type: type, delivery: "progressive")])?[.mid].url == "a")
        #expect(MediaMapping([Rendition(url: "a", type: "video/mp4v-es", delivery: "progressive")]) == nil)
    }

    @Test func typeAndDeliveryAreComparedWithoutCase() {
        let file = Rendition(url: "a", type: "Video/MP4", delivery: "Progressive")
        #expect(MediaMapping([file])?[.mid].url == "a")
        #expect(MediaMapping([Rendition(url: "", type: "video/mp4", delivery: "progressive")]) == nil)
    }
}
