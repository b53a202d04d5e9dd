import Testing

@testable import VAST

@Suite struct TrackingPlanTests {
    private func ad(_ linear: String, extra: String = "") throws -> ResolvedAd {
        let text = """
            <VAST version="4.2"><Ad><InLine><Error>https://t/e?[ERRORCODE]</Error><Impression>https://t/i</Impression>
            <Impression>about:blank</Impression>\(extra)<Creatives><Creative>\(linear)</Creative></Creatives></InLine></Ad></VAST>
            """
        let document = try #require(VASTReader.read(Array(text.utf8)).vast)
        return ResolvedAd(ad: try #require(document.ads.first), chain: [], version: document.versionNumber)
    }

    private let tracked = """
        <TrackingEvents><Tracking event="complete">https://t/c</Tracking><Tracking event="midpoint">https://t/m</Tracking>
        <Tracking event="start">https://t/s1</Tracking><Tracking event="start">https://t/s2</Tracking>
        <Tracking event="mute">https://t/mute</Tracking><Tracking event="progress" offset="10%">https://t/p</Tracking>
        </TrackingEvents>
        """

    @Test func eventsStandByTime() throws {
        let plan = TrackingPlan(
            try ad("<Linear skipoffset=\"00:00:05\"><Duration>00:00:20</Duration>\(tracked)</Linear>"))
        #expect(
            plan.events.map(\.name) == ["impression", "start", "progress", "midpoint", "complete", "mute", "error"])
        #expect(plan.events.map(\.atMilliseconds) == [0, 0, 2_000, 10_000, 20_000, nil, nil])
        #expect(plan.events[0].urls.map(\.template) == ["https://t/i"])
        #expect(plan.events[1].urls.map(\.template) == ["https://t/s1", "https://t/s2"])
        #expect(plan.events.last?.urls.first?.context == .error)
        #expect(plan.skipFromMilliseconds == 5_000)
        #expect(plan.durationMilliseconds == 20_000)
    }

    @Test func sharesOfAnUnknownDurationHaveNoTime() throws {
        let plan = TrackingPlan(try ad("<Linear>\(tracked)</Linear>"))
        #expect(plan.events.first { $0.name == "midpoint" }?.atMilliseconds == nil)
        #expect(plan.events.first { $0.name == "progress" }?.atMilliseconds == nil)
        #expect(plan.events.first { $0.name == "start" }?.atMilliseconds == 0)
    }

    @Test func viewsOfIconsCompanionsAndViewabilityArePlanned() throws {
        let icon = "<Icon program=\"p\" offset=\"00:00:03\"><IconViewTracking>https://t/iv</IconViewTracking></Icon>"
        let companions = """
            <CompanionAds><Companion><HTMLResource>x</HTMLResource><TrackingEvents><Tracking event="creativeView">https://t/cv
            </Tracking></TrackingEvents></Companion></CompanionAds>
            """
        let viewable = "<ViewableImpression><Viewable>https://t/v</Viewable></ViewableImpression>"
        let plan = TrackingPlan(
            try ad("<Linear><Duration>00:00:20</Duration><Icons>\(icon)</Icons></Linear>\(companions)", extra: viewable)
        )
        #expect(plan.events.first { $0.name == "iconView" }?.atMilliseconds == 3_000)
        #expect(plan.events.first { $0.name == "companionView" }?.urls.map(\.template) == ["https://t/cv"])
        #expect(plan.events.first { $0.name == "viewable" }?.cause == .player)
    }

    @Test func rewardIsReadFromItsExtension() throws {
        let extra = """
            <Extensions><Extension type="x"/><Extension name="rewardedvideo"><RewardedVideoOn>1</RewardedVideoOn>
            <VirtualCurrency> Lives </VirtualCurrency><RewardPerView>12.5</RewardPerView>
            <VirtualCurrencyImage>file:///x.png</VirtualCurrencyImage><PostRollMessageOn>1</PostRollMessageOn></Extension>
            </Extensions>
            """
        let reward = try #require(RewardedVideo(in: try ad("<Linear/>", extra: extra).extensions.map(\.value)))
        #expect(reward.isGranting)
        #expect(reward.currency == "Lives")
        #expect(reward.amount == 12)
        #expect(reward.imageURL == nil)
        #expect(!reward.showsPreRollMessage && reward.showsPostRollMessage)
        #expect(reward.warnings == [.fractionalReward])
        #expect(RewardedVideo(in: []) == nil)
    }

    @Test func endCardIsTheOneMeantThenTheNearest() throws {
        func companion(_ width: Int, _ mode: String?, _ html: String) -> VASTDocument.Companion {
            var resources = VASTDocument.Resources()
            if !html.isEmpty { resources.html = [html] }
            return VASTDocument.Companion(
                width: width, height: 100, renderingMode: mode, resources: resources, position: .start)
        }
        let list = [companion(1_920, nil, "near"), companion(300, nil, "far"), companion(1_900, nil, "")]
        #expect(EndCard(from: list, screenWidth: 1_920, screenHeight: 1_080)?.content == .html("near"))
        let meant = list + [companion(300, "end-card", "meant")]
        #expect(EndCard(from: meant, screenWidth: 1_920, screenHeight: 1_080)?.content == .html("meant"))
        #expect(EndCard(from: [], screenWidth: 1, screenHeight: 1) == nil)
    }
}
