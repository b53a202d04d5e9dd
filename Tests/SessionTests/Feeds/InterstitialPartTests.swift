import HLS
import Testing

@testable import Session

/// What is kept of interstitials outside the playhead.
@Suite struct InterstitialPartTests {
    private func list(_ count: Int) -> AssetList {
        AssetList(assets: Array(repeating: AssetList.Asset(uri: "https://h/a", duration: .seconds(1)), count: count))
    }

    /// Each list is within its limits, and so is what they add up to. A newer list of one interstitial takes the place of the older one.
    @Test func allListsTogetherHaveALimit() {
        var part = InterstitialPart(seed: 1)
        let full = InterstitialPart.assetLimit / AssetList.assetLimit
        for number in 0..<full {
            #expect(part.keep(list(AssetList.assetLimit), bytes: 20_000, of: "\(number)") == nil)
        }
        #expect(part.keep(list(1), bytes: 100, of: "one more") == "10000 assets")
        #expect(part["one more"].list == nil)
        #expect(part.keep(list(AssetList.assetLimit), bytes: 20_000, of: "0") == nil)
        #expect(part.keep(list(1), bytes: 100, of: "0") == nil)
        #expect(part.keep(list(1), bytes: 100, of: "one more") == nil)
        #expect(part.keep(list(1), bytes: InterstitialPart.listBytes, of: "large") == "16 MiB")
    }
}
