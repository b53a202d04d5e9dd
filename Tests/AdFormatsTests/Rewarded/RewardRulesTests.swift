import AdFormats
import Ports
import TestSupport
import Testing
import VAST

/// Rewards and end cards: the vectors, and the settings of bids (FMT-19 to FMT-21).
@Suite struct RewardRulesTests {
    private static func ad(_ inside: String) -> VASTDocument.Ad? {
        let text = "<VAST version=\"3.0\"><Ad><InLine>\(inside)</InLine></Ad></VAST>"
        return VASTReader.read(Array(text.utf8)).vast?.ads.first
    }

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func sharedVectors() throws {
        let bytes = try #require(ConformanceFolder.files(in: "bidding")["rewarded-cases.json"])
        let document = try JSONReader.read(bytes)
        let cases = try #require(document["cases"]?.arrayValue)
        #expect(cases.count >= 10)
        for vector in cases {
            let id = vector["id"]?.stringValue ?? ""
            let xml = try #require(vector["xml"]?.stringValue)
            let ad = try #require(Self.ad(xml))
            let expected = try #require(vector["expect"])
            if let wanted = expected["rewarded"] { try check(RewardedVideo(in: ad.extensions), wanted, id) }
            if let wanted = expected["endCard"] {
                let companions = ad.creatives.compactMap(\.companionAds).flatMap(\.companions)
                let card = EndCard(from: companions, screenWidth: 768, screenHeight: 1_024)
                #expect((card == nil) == (wanted == .null), "\(id)")
                #expect(card?.kindName == wanted["kind"]?.stringValue, "\(id)")
                #expect(card?.value == wanted["value"]?.stringValue, "\(id)")
                #expect(card?.companion.clickThrough?.url == wanted["clickThrough"]?.stringValue, "\(id)")
            }
        }
    }

    private func check(_ reward: RewardedVideo?, _ wanted: JSONValue, _ id: String) throws {
        #expect((reward == nil) == (wanted == .null), "\(id)")
        guard let reward else { return }
        #expect(reward.isOn == wanted["on"]?.boolValue, "\(id)")
        #expect(reward.currency == wanted["currency"]?.stringValue, "\(id)")
        #expect(reward.amount == wanted["amount"]?.integerValue.map { Int($0) }, "\(id)")
        #expect(reward.amountText == wanted["amountText"]?.stringValue, "\(id)")
        #expect(reward.imageURL == wanted["imageURL"]?.stringValue, "\(id)")
        #expect(reward.showsPreRollMessage == wanted["preRollMessage"]?.boolValue, "\(id)")
        #expect(reward.showsPostRollMessage == wanted["postRollMessage"]?.boolValue, "\(id)")
        #expect(reward.warnings.map(\.rawValue) == wanted["warnings"]?.arrayValue?.compactMap(\.stringValue), "\(id)")
    }

    @Test func theBidSaysWhatWhenAndHow() {
        let rules = RewardRules(
            extension: nil,
            bid: [
                "reward": ["type": "coins", "count": 7],
                "completion": ["video": ["playbackevent": "firstquartile"]],
                "close": ["postrewardtime": 5, "action": "autoclose"],
            ])
        #expect(rules.reward == Reward(name: "coins", amount: 7))
        #expect(rules.earning == .event(.firstQuartile))
        #expect(rules.afterReward == .seconds(5) && rules.close == .autoclose)
        #expect(rules.warnings.isEmpty)
    }

    /// Otherwise a viewer of the whole video would never get the reward.
    @Test(arguments: [
        (#"{"endcard":{"time":5},"time":20}"#, RewardRules.Earning.played(.seconds(20))),
        (#"{"endcard":{"time":5},"playbackevent":"midpoint"}"#, .event(.midpoint)),
        (#"{"endcard":{"time":5}}"#, .event(.complete)),
    ])
    func withoutAnEndCardTheVideoEarnsTheReward(settings: String, wanted: RewardRules.Earning) throws {
        let bid: JSONValue = ["completion": ["video": try JSONReader.read(settings)]]
        let linear = "<Creative><Linear><Duration>00:00:30</Duration></Linear></Creative>"
        let resource = "<HTMLResource>a</HTMLResource>"
        let card = "<Creative><CompanionAds><Companion>\(resource)</Companion></CompanionAds></Creative>"
        func rules(_ creatives: String) throws -> RewardRules {
            let ad = try #require(Self.ad("<Creatives>\(creatives)</Creatives>"))
            return try RewardedAd(
                ResolvedAd(ad: ad, chain: [], version: .v3), bid: bid, screen: DeviceProfile.phone.screen
            ).rules
        }
        let with = try rules(linear + card)
        #expect(with.earning == .endCard(after: .seconds(5)) && with.warnings.isEmpty)
        let without = try rules(linear)
        #expect(without.earning == wanted && without.warnings == ["noEndCardToEarnBy"])
    }

    @Test func withoutAWordItIsComplete() {
        let rules = RewardRules(extension: nil, bid: nil)
        #expect(rules.earning == .event(.complete) && rules.reward == nil && rules.close == .closebutton)
    }

    @Test func theDocumentOverrulesTheBid() throws {
        let ad = try #require(
            Self.ad(
                """
                <Extensions><Extension type="RewardedVideo"><RewardedVideoOn>1</RewardedVideoOn>
                <VirtualCurrency>Lives</VirtualCurrency><RewardPerView>3</RewardPerView></Extension></Extensions>
                """))
        let rules = RewardRules(
            extension: RewardedVideo(in: ad.extensions), bid: ["reward": ["type": "coins", "count": 7]])
        #expect(rules.reward == Reward(name: "Lives", amount: 3))
        #expect(rules.warnings == ["the VAST extension overrides the bid's reward settings"])
    }

    @Test func absurdSettingsDoNoHarm() {
        let rules = RewardRules(
            extension: nil,
            bid: [
                "reward": ["type": "x", "count": -1], "completion": ["video": ["time": .integer(.max)]],
                "close": ["postrewardtime": -5, "action": "explode"],
            ])
        #expect(rules.reward == nil && rules.earning == .played(.seconds(3_600)))
        #expect(rules.afterReward == .zero && rules.close == .closebutton)
    }
}
