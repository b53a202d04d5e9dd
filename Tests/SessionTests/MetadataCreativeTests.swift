import AdTracking
import Ports
import Testing

@testable import Session

@Suite struct MetadataCreativeTests {
    private func ad(_ json: String) throws -> Ad {
        let document = """
            {"adBreaks":[{"id":"b","startTime":1000,"duration":9000,"ads":[
            {"id":"a","startTime":1000,"duration":9000,"trackingEvents":[]\(json)}]}]}
            """
        return try #require(try HarmonicMetadata.decode(Array(document.utf8)).breaks.first?.ads.first)
    }

    @Test func anAdWithEventsOnlyHasNoCreative() throws {
        #expect(CreativeView(try ad("")) == nil)
    }

    @Test func companionsShowSizeSlotAndResources() throws {
        let view = CreativeView(
            try ad(
                #","companionAds":[{"attributes":{"required":"any"},"companion":[{"attributes":{"id":"c1","width":"300","#
                    + #""height":"250","adSlotId":"rail"},"staticResource":{"uri":"https://c/x.png"},"#
                    + #""companionClickThrough":"https://c/go","trackingEvents":[]}]}]"#))
        let companion = try #require(view?.companions.first)
        #expect(companion.id == "c1")
        #expect(companion.width == 300)
        #expect(companion.height == 250)
        #expect(companion.slot == "rail")
        #expect(companion.required == "any")
        #expect(companion.clickThrough == "https://c/go")
        #expect(companion.resources == [.init("staticResource", #"{"uri":"https://c/x.png"}"#)])
    }

    @Test func iconsAndVerificationsAreListed() throws {
        let view = CreativeView(
            try ad(
                #","icons":[{"attributes":{"program":"AdChoices","width":"20","height":20,"xPosition":"right","#
                    + #""yPosition":"top"},"staticResource":{"uri":"https://i/a.png"}}],"#
                    + #""adVerifications":[{"vendor":"v.com-omid","javaScriptResource":{"apiFramework":"omid","#
                    + #""uri":"https://v/x.js"},"verificationParameters":"p=1"}]"#))
        let icon = try #require(view?.icons.first)
        #expect(icon.program == "AdChoices")
        #expect([icon.width, icon.height] == [20, 20])
        #expect(icon.position == "right top")
        #expect(icon.resources == [.init("image", "https://i/a.png")])
        let verification = try #require(view?.verifications.first)
        #expect(verification.vendor == "v.com-omid")
        #expect(verification.resources == [.init("javascript omid", "https://v/x.js")])
        #expect(verification.parameters == "p=1")
    }

    @Test func longValuesAreCut() throws {
        let text = String(repeating: "x", count: CreativeView.longestValue + 5)
        let view = CreativeView(try ad(#","note":"\#(text)""#))
        #expect(view?.facts.first?.name == "note")
        #expect(view?.facts.first?.value.count == CreativeView.longestValue)
    }
}
