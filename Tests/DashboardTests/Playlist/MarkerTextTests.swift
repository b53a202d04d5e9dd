import HLS
import Testing

@testable import Dashboard

@Suite struct MarkerTextTests {
    @Test(
        "a message in a line",
        arguments: [
            (
                "/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==",
                "0x34 Provider Placement Opportunity Start  5m07s  1207959694"
            ),
            (
                "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=",
                "splice_insert 1207959695  out  60.2s  auto-return"
            ),
            ("/DARAAAAAAAAAP/wAAAAAHpPv/8=", "splice_null"),
            ("/DARAAAAAAAAAP/wAAAAAHpPv/4=", "splice_null  wrong CRC"),
        ])
    func words(_ payload: String, _ expected: String) throws {
        let bytes = try #require(SpliceTransport.bytes(of: payload))
        #expect(MarkerText.splice(bytes) == expected)
    }

    @Test("bytes that are not a message give the reason")
    func undecodable() {
        #expect(MarkerText.splice([0xFC, 0x30]) == "undecodable: cut off at byte 1")
        #expect(MarkerText.splice([]) == "undecodable: the first byte is not 0xFC")
    }

    @Test(
        "tags lose what all begin with",
        arguments: [("EXT-X-CUE-OUT", "CUE-OUT"), ("EXT-OATCLS-SCTE35", "OATCLS-SCTE35")])
    func tag(_ tag: String, _ expected: String) {
        #expect(MarkerText.tag(tag) == expected)
    }
}
