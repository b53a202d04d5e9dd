import Ports
import Testing

@testable import AdTracking

/// Companions, verification scripts, icons and overlays in tracking data (PRV-24).
@Suite struct MediaTailorPartsTests {
    private static func ads(_ members: String) throws -> [ListedAd] {
        let date = #""adProgramDateTime":"2026-03-04T18:00:12.480Z""#
        let times = #""startTimeInSeconds":10,"durationInSeconds":30"#
        let ad = #"{"adId":"1",\#(times),\#(date),"trackingEvents":[],\#(members)}"#
        let text = #"{"avails":[{"availId":"v","startTimeInSeconds":10,"ads":[\#(ad)]}]}"#
        return try MediaTailorDocument.read(Array(text.utf8), .client).answer.breaks.flatMap(\.ads)
    }

    private static let companion =
        #"{"attributes":{"id":"2","width":"300","height":"250","adSlotId":null},"sequence":"1","#
        + #""staticResource":"https://cdn.example/c.png","iFrameResource":null,"companionClickThrough":"https://tea.example/","#
        + #""trackingEvents":[{"eventType":"creativeView","beaconUrls":["https://ads.example/c"]},"#
        + #"{"event":"close","uri":"https://ads.example/d"},{"eventType":"clickThrough","beaconUrls":["https://tea.example/"]}]}"#
    private static let verification =
        #"{"vendor":"omv.example","verificationParameters":"k=1","javaScriptResource":[{"uri":null},"#
        + #"{"apiFramework":"omid","browserOptional":"true","uri":"https://omv.example/v.js"}],"executableResource":[],"#
        + #""trackingEvents":[{"event":"verificationNotExecuted","uri":"https://omv.example/ne"}]}"#
    private static let icon =
        #"{"attributes":{"program":"AdChoices","width":"20"},"staticResource":"https://cdn.example/i.png","#
        + #""iconClicks":{"iconClickThrough":"https://choices.example/"}}"#

    private static func all() throws -> ListedAd {
        try #require(
            try ads(#""companionAds":[\#(companion)],"adVerifications":[\#(verification)],"icons":[\#(icon)]"#).first)
    }

    @Test func companionsHaveTheirSizeAndEvents() throws {
        let companion = try #require(try Self.all().parts.companions.first)
        #expect(companion.width == 300 && companion.height == 250)
        #expect(companion.attributes["id"] == "2" && companion.attributes["adSlotId"] == nil)
        #expect(companion.extras["staticResource"] == "https://cdn.example/c.png")
        #expect(companion.extras["companionClickThrough"] == "https://tea.example/")
        #expect(companion.events.map(\.rawName) == ["creativeView", "close"])
        #expect(companion.events.map(\.urls) == [["https://ads.example/c"], ["https://ads.example/d"]])
    }

    @Test func verificationsHaveTheFirstScriptWithAnAddress() throws {
        let verification = try #require(try Self.all().parts.verifications.first)
        #expect(verification.vendor == "omv.example" && verification.parameters == "k=1")
        #expect(
            verification.javaScript
                == Verification.Resource(
                    apiFramework: "omid", isBrowserOptional: true, uri: "https://omv.example/v.js"))
        #expect(verification.executable == nil)
        #expect(verification.events.map(\.rawName) == ["verificationNotExecuted"])
    }

    @Test func iconsHaveTheirImageAndClick() throws {
        let icon = try #require(try Self.all().parts.icons.first)
        #expect(icon.program == "AdChoices" && icon.imageURI == "https://cdn.example/i.png")
        #expect(icon.clickThrough == "https://choices.example/" && icon.attributes["width"] == "20")
    }

    /// Their events begin with the ad, and none of them is one of the ad.
    @Test func anAdHasThemOnItsDates() throws {
        let listed = try Self.all()
        let ad = try #require(Ad(listed))
        #expect(ad.companions.count == 1 && ad.verifications.count == 1 && ad.icons.count == 1)
        #expect(ad.companions.flatMap(\.events).map(\.start) == [ad.start, ad.start])
        #expect(ad.verifications.flatMap(\.events).map(\.start) == [ad.start])
        #expect(ad.events == [])
        #expect(ad.extras["companionAds"] == nil && ad.extras["adVerifications"] == nil && ad.extras["icons"] == nil)
    }

    @Test func namesAreReadWithoutRegardToCase() throws {
        let ad = try #require(
            try Self.ads(#""CompanionAds":[{"Attributes":{"Width":728},"StaticResource":"https://cdn.example/c.png"}]"#)
                .first)
        let companion = try #require(ad.parts.companions.first)
        #expect(companion.width == 728 && companion.extras["staticResource"] == "https://cdn.example/c.png")
    }

    @Test(arguments: ["7", "null", "[7,null,[]]", "{}", #""x""#]) func whatIsNoneIsLeftOut(_ value: String) throws {
        let ads = try Self.ads(#""companionAds":\#(value),"adVerifications":\#(value),"icons":\#(value)"#)
        #expect(ads.count == 1 && ads.first?.parts == ListedParts())
    }

    @Test func thereAreAtMostFifty() throws {
        let list = Array(repeating: "{}", count: 500).joined(separator: ",")
        let ad = try #require(
            try Self.ads(#""companionAds":[\#(list)],"adVerifications":[\#(list)],"icons":[\#(list)]"#).first)
        #expect(ad.parts.companions.count == 50 && ad.parts.verifications.count == 50 && ad.parts.icons.count == 50)
    }

    /// A newer answer that lists none does not take them away (PRV-9).
    @Test func aPageWithoutThemKeepsThem() throws {
        var ad = try Self.all()
        let bare = try #require(try Self.ads(#""adTitle":"Tea""#).first)
        _ = ad.take(bare)
        #expect(ad.parts.companions.count == 1 && ad.parts.icons.count == 1)
    }

    /// One form for tools and conformance runs: further members come only with parts.
    @Test func theJSONHasTheListsThatAreNotEmpty() throws {
        let bare = try #require(try Self.ads(#""adTitle":"Tea""#).first)
        var adBreak = ListedBreak(id: "v", start: .zero)
        adBreak.ads = [bare, try Self.all()]
        let ads = try #require(ListingJSON.breaks([adBreak]).breaks.arrayValue?.first?["ads"]?.arrayValue)
        let names = ads.map { $0.objectValue?.members.map(\.name) ?? [] }
        #expect(
            names.first == [
                "id", "start", "duration", "creative", "clickThrough", "linear", "slate", "planned", "events",
            ])
        #expect(names.last == (names.first ?? []) + ["companions", "verifications", "icons"])
        #expect(ads.last?["companions"]?.arrayValue?.first?["width"] == 300)
    }

    // MARK: Overlays

    /// Several overlays of an entry are forms of one ad.
    @Test func allOverlaysOfAnEntryAreShown() throws {
        let forms = #"[{"adId":"n1","width":"300"},{"adId":"n2","width":"480"},{"adId":"n3"}]"#
        let entry = #"{"nonLinearAdList":\#(forms),"extensions":[{"type":"x","content":"y"}],"trackingEvents":[]}"#
        let text = #"{"avails":[{"availId":"v","startTimeInSeconds":10,"ads":[],"nonLinearAdsList":[\#(entry)]}]}"#
        let ads = try MediaTailorDocument.read(Array(text.utf8), .client).answer.breaks.flatMap(\.ads)
        let ad = try #require(ads.first)
        #expect(ads.count == 1 && ad.id == "n1" && !ad.isLinear && ad.extras["width"] == "300")
        #expect(ad.extras["otherForms"] == [["adId": "n2", "width": "480"], ["adId": "n3"]])
        #expect(ad.extras["extensions"] == [["type": "x", "content": "y"]])
        var adBreak = ListedBreak(id: "v", start: .zero)
        adBreak.ads = ads
        let json = ListingJSON.breaks([adBreak]).breaks
        let shown = json.arrayValue?.first?["ads"]?.arrayValue?.first
        #expect(shown?["otherForms"]?.arrayValue?.count == 2 && shown?["extensions"]?.arrayValue?.count == 1)
    }
}
