import HLS
import Ports
import Testing

/// Lenient parsing of asset lists (HLS-17).
@Suite struct AssetListTests {
    private func read(_ text: String) throws -> AssetList {
        try AssetList.read(Array(text.utf8), uri: "https://ads.example.com/lists/1.json?x=1")
    }

    @Test func everythingStatedIsRead() throws {
        let list = try read(
            """
            {"ASSETS": [{"URI": "https://ads.example.com/a.m3u8", "DURATION": 14.5, "X-AD-CREATIVE-SIGNALING": {"version": 2}}],
             "SKIP-CONTROL": {"OFFSET": 5, "DURATION": 10, "LABEL-ID": "skip"}, "X-COM-EXAMPLE": 1}
            """)
        #expect(list.assets.map(\.uri) == ["https://ads.example.com/a.m3u8"])
        #expect(list.assets.first?.duration == .milliseconds(14_500))
        #expect(list.assets.first?.extras["X-AD-CREATIVE-SIGNALING"] == ["version": 2])
        #expect(list.skipControl == SkipControl(offset: .seconds(5), duration: .seconds(10), labelID: "skip"))
        #expect(list.extras["X-COM-EXAMPLE"] == 1)
        #expect(list.findings.isEmpty)
    }

    @Test(
        "problems of an asset are reported with their path",
        arguments: [
            (#"{"DURATION": 5}"#, 0, "asset-list-asset-without-uri", "ASSETS[0]"),
            (#"7"#, 0, "asset-list-asset-without-uri", "ASSETS[0]"),
            (#"{"URI": "https://a.example/1"}"#, 1, "asset-list-asset-without-duration", "ASSETS[0].DURATION"),
            (
                #"{"URI": "https://a.example/1", "DURATION": -1}"#, 1, "asset-list-asset-without-duration",
                "ASSETS[0].DURATION"
            ),
            (
                #"{"URI": "https://a.example/1", "DURATION": 1e300}"#, 1, "asset-list-asset-without-duration",
                "ASSETS[0].DURATION"
            ),
            (#"{"URI": "../1.m3u8", "DURATION": 5}"#, 1, "asset-list-relative-uri", "ASSETS[0].URI"),
        ])
    func flagged(_ asset: String, _ kept: Int, _ rule: String, _ path: String) throws {
        let list = try read(#"{"ASSETS": [\#(asset)]}"#)
        #expect(list.assets.count == kept)
        #expect(list.findings.map(\.rule) == [rule])
        #expect(list.findings.map(\.path) == [path])
    }

    @Test func stringsCountAsNumbersAndRelativeURIsAreResolved() throws {
        let list = try read(#"{"ASSETS": [{"URI": "../1.m3u8", "DURATION": "5.5"}]}"#)
        #expect(list.assets == [AssetList.Asset(uri: "https://ads.example.com/1.m3u8", duration: .milliseconds(5_500))])
    }

    @Test func anEmptyListIsAList() throws {
        #expect(try read(#"{"ASSETS": []}"#).assets.isEmpty)
    }

    @Test func theNumberOfAssetsIsLimited() throws {
        let asset = #"{"URI": "https://a.example/1", "DURATION": 1}"#
        let list = try read(#"{"ASSETS": [\#(Array(repeating: asset, count: 501).joined(separator: ","))]}"#)
        #expect(list.assets.count == AssetList.assetLimit)
        #expect(list.findings.map(\.rule) == ["asset-list-too-many"])
    }

    /// A list of nothing but faults has a finding for each, of which the first are kept.
    @Test func theNumberOfFindingsIsLimited() throws {
        let list = try read(#"{"ASSETS": [\#(Array(repeating: "1", count: 501).joined(separator: ","))]}"#)
        #expect(list.findings.count == AssetList.findingLimit + 1)
        #expect(list.findings[AssetList.findingLimit - 1].message.hasSuffix("dropped (and 450 more)"))
        #expect(list.findings.last?.rule == "asset-list-too-many")
    }

    @Test func anAssetWithATooLongURIIsDropped() throws {
        let uri = "https://a.example/" + String(repeating: "u", count: PlaylistLimits.uriBytes)
        let assets = [uri, "https://a.example/1"].map { #"{"URI": "\#($0)", "DURATION": 5}"# }
        let list = try read(#"{"ASSETS": [\#(assets.joined(separator: ","))]}"#)
        #expect(list.assets.map(\.uri) == ["https://a.example/1"])
        #expect(list.findings.map(\.rule) == ["asset-list-asset-without-uri"])
    }

    @Test func whatIsNoListIsRefused() {
        #expect(throws: AssetListProblem.noAssets) { try read("{}") }
        #expect(throws: AssetListProblem.noAssets) { try read(#"{"assets": []}"#) }
        #expect(throws: AssetListProblem.noAssets) { try read("[]") }
        let problem = #expect(throws: AssetListProblem.self) { try read("<html>") }
        #expect(problem?.explanation.hasPrefix("is not JSON: ") == true)
        #expect(problem?.explanation.hasSuffix(" at 1:1") == true)
    }
}
