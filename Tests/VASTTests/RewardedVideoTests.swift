import Ports
import Testing

@testable import VAST

/// Rewards and end cards (FMT-20, FMT-21), alone and in a document like those that players receive.
@Suite struct RewardedVideoTests {
    private func rewarded(_ children: String, _ attributes: String = "type=\"RewardedVideo\"") -> RewardedVideo? {
        let text = """
            <VAST version="3.0"><Ad><InLine><Extensions><Extension type="x"/><Extension \(attributes)>\(children)</Extension>
            </Extensions></InLine></Ad></VAST>
            """
        return VASTReader.read(Array(text.utf8)).vast.flatMap {
            $0.ads.first.flatMap { RewardedVideo(in: $0.extensions) }
        }
    }

    @Test func grantsWhenOnWithNameAndAmount() throws {
        let reward = try #require(
            rewarded(
                """
                <RewardedVideoOn>1</RewardedVideoOn><VirtualCurrency> Lives </VirtualCurrency>
                <RewardPerView>12</RewardPerView><VirtualCurrencyImage><![CDATA[https://c.example.test/l.png]]></VirtualCurrencyImage>
                <PreRollMessageOn>1</PreRollMessageOn><PostRollMessageOn>0</PostRollMessageOn>
                """))
        #expect(reward.isGranting && reward.isOn)
        #expect(reward.currency == "Lives" && reward.amount == 12)
        #expect(reward.imageURL == "https://c.example.test/l.png")
        #expect(reward.showsPreRollMessage && !reward.showsPostRollMessage)
        #expect(reward.warnings.isEmpty)
    }

    @Test func isFoundByTypeOrNameInAnyCase() {
        #expect(rewarded("", "name=\"rewardedVIDEO\"") != nil)
        #expect(rewarded("", "type=\"rewarded\"") == nil)
    }

    @Test(arguments: [
        ("2.5", 2, [RewardedVideo.Warning.missingCurrency, .fractionalReward]),
        ("0", nil, [.missingCurrency, .missingAmount]),
        ("-3", nil, [.missingCurrency, .missingAmount]), ("many", nil, [.missingCurrency, .missingAmount]),
        ("1e300", nil, [.missingCurrency, .missingAmount]),
    ])
    func amountsAreWholeAndPositive(text: String, amount: Int?, warnings: [RewardedVideo.Warning]) throws {
        let reward = try #require(
            rewarded("<RewardedVideoOn>1</RewardedVideoOn><RewardPerView>\(text)</RewardPerView>"))
        #expect(reward.amount == amount)
        #expect(Set(reward.warnings) == Set(warnings))
        #expect(!reward.isGranting)
    }

    @Test func picturesAreAbsolute() throws {
        let reward = try #require(rewarded("<VirtualCurrencyImage>javascript:1</VirtualCurrencyImage>"))
        #expect(reward.imageURL == nil && !reward.isOn)
    }

    // MARK: The template

    private static let template = """
        <VAST version="3.0"><Ad id="4711"><InLine><AdSystem>Example Network</AdSystem><AdTitle>Rewarded</AdTitle>
        <Error><![CDATA[https://t.example.test/error?code=[ERRORCODE]]]></Error>
        <Impression><![CDATA[https://t.example.test/impression]]></Impression>
        <Creatives><Creative><Linear skipoffset="00:00:05"><Duration>00:00:30</Duration><TrackingEvents>
        <Tracking event="start"><![CDATA[https://t.example.test/e?e=start&a=[ASSETURI]&p=[CONTENTPLAYHEAD]]]></Tracking>
        <Tracking event="skip"><![CDATA[https://t.example.test/e?e=skip]]></Tracking>
        <Tracking event="pause"><![CDATA[https://t.example.test/e?e=pause]]></Tracking>
        <Tracking event="resume"><![CDATA[https://t.example.test/e?e=resume]]></Tracking></TrackingEvents>
        <MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="596" width="426" height="240"><![CDATA[https://c.example.test/l.mp4]]></MediaFile>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="1128" width="854" height="480"><![CDATA[https://c.example.test/m.mp4]]></MediaFile>
        <MediaFile delivery="progressive" type="video/mp4" bitrate="1628" width="1280" height="720"><![CDATA[https://c.example.test/h.mp4]]></MediaFile>
        </MediaFiles></Linear></Creative><Creative><CompanionAds><Companion id="card" width="768" height="1024">
        <HTMLResource><![CDATA[<b>Play</b>]]></HTMLResource><CompanionClickThrough><![CDATA[https://shop.example.test/]]></CompanionClickThrough>
        <CompanionClickTracking><![CDATA[https://t.example.test/card-click]]></CompanionClickTracking>
        <TrackingEvents><Tracking event="creativeView"><![CDATA[https://t.example.test/card]]></Tracking></TrackingEvents>
        </Companion></CompanionAds></Creative></Creatives>
        <Extensions><Extension type="RewardedVideo"><RewardedVideoOn>1</RewardedVideoOn><VirtualCurrency>Lives</VirtualCurrency>
        <RewardPerView>12</RewardPerView></Extension></Extensions></InLine></Ad></VAST>
        """

    @Test func theTemplateIsReadWhole() throws {
        let reading = VASTReader.read(Array(Self.template.utf8))
        #expect(reading.outcome == .ok)
        let ad = try #require(reading.vast?.ads.first)
        let linear = try #require(ad.linears.first)
        #expect(linear.skipOffsetMilliseconds == 5_000 && linear.mediaFiles.map(\.bitrate) == [596, 1_128, 1_628])
        let extras = try #require(reading.json(findings: [])["extras"]?.arrayValue?.first)
        #expect(extras["ad"] == "4711")
        #expect(extras["rewarded"]?["grants"] == true)
        #expect(extras["rewarded"]?["amount"] == 12)
        #expect(extras["end_card"]?["kind"] == "html")
        #expect(extras["end_card"]?["content"] == "<b>Play</b>")
        #expect(extras["end_card"]?["click_through"] == "https://shop.example.test/")
        #expect(extras["end_card"]?["creative_view"] == ["https://t.example.test/card"])
    }

    @Test func theTemplatesMacrosAreFilled() throws {
        let ad = try #require(VASTReader.read(Array(Self.template.utf8)).vast?.ads.first)
        let resolved = ResolvedAd(ad: ad, chain: [], version: .v3)
        let start = try #require(TrackingPlan(resolved).events.first { $0.name == "start" }?.urls.first)
        var values = resolved.fill(MacroValues(), assetURL: "https://c.example.test/h.mp4")
        values[.contentPlayhead] = .playhead(milliseconds: 61_000)
        #expect(
            start.expansion(values, at: 0, seed: 1).url
                == "https://t.example.test/e?e=start&a=https%3A%2F%2Fc.example.test%2Fh.mp4&p=00%3A01%3A01.000")
    }

    // MARK: End cards

    private func companion(
        _ id: String, _ width: Int?, _ height: Int?, mode: String? = nil, html: String? = nil, image: String? = nil,
        frame: String? = nil
    ) -> VASTDocument.Companion {
        var resources = VASTDocument.Resources()
        resources.html = html.map { [$0] } ?? []
        resources.iFrames = frame.map { [Link(url: $0)] } ?? []
        resources.statics = image.map { [.init(url: $0, creativeType: "image/png", position: .start)] } ?? []
        return VASTDocument.Companion(
            id: id, width: width, height: height, renderingMode: mode, resources: resources, position: .start)
    }

    @Test func theNearestSizeIsTheEndCard() {
        let list = [
            companion("empty", 768, 1_024), companion("small", 300, 250, image: "https://c.example.test/s.png"),
            companion("near", 800, 1_000, image: "https://c.example.test/n.png"),
            companion("unknown", nil, nil, html: "x"),
        ]
        let card = EndCard(from: list, screenWidth: 768, screenHeight: 1_024)
        #expect(card?.companion.id == "near")
        #expect(card?.content == .image(url: "https://c.example.test/n.png", type: "image/png"))
        #expect(EndCard(from: [list[0]], screenWidth: 1, screenHeight: 1) == nil)
    }

    @Test func markupGoesBeforePicturesAndAnEndCardBeforeOthers() {
        let both = companion(
            "both", 768, 1_024, html: "<b/>", image: "https://c.example.test/i.png", frame: "https://f/")
        #expect(EndCard(from: [both], screenWidth: 768, screenHeight: 1_024)?.content == .html("<b/>"))
        let meant = companion("meant", 10, 10, mode: "end-card", frame: "https://f.example.test/")
        let card = EndCard(from: [both, meant], screenWidth: 768, screenHeight: 1_024)
        #expect(card?.companion.id == "meant" && card?.content == .frame(url: "https://f.example.test/"))
    }
}
