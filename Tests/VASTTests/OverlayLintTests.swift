import Ports
import Testing

@testable import VAST

@Suite struct OverlayLintTests {
    private func rules(_ version: String, _ kind: String, _ creative: String) -> [String] {
        let text = """
            <VAST version="\(version)"><Ad><\(kind)><Creatives><Creative>\(creative)</Creative></Creatives></\(kind)></Ad></VAST>
            """
        return VASTReader.read(Array(text.utf8)).findings().map(\.rule)
    }

    /// A wrapper's companion may only count the clicks on that of the inline ad, which has something to show.
    @Test(arguments: [
        ("InLine", "", true),
        ("InLine", "<CompanionClickTracking id=\"1\">https://t.example.test/</CompanionClickTracking>", true),
        ("InLine", "<IFrameResource>https://c.example.test/</IFrameResource>", false), ("Wrapper", "", true),
        ("Wrapper", "<CompanionClickTracking id=\"1\">https://t.example.test/</CompanionClickTracking>", false),
    ])
    func aCompanionHasAResource(kind: String, children: String, isFinding: Bool) {
        let companion = "<Companion width=\"1\" height=\"1\">\(children)</Companion>"
        let found = rules("4.2", kind, "<CompanionAds>\(companion)</CompanionAds>")
        #expect(found.contains("companion-no-resource") == isFinding)
    }

    /// The attributes became optional in VAST 4.0.
    @Test(arguments: [
        ("3.0", "program=\"p\" width=\"1\" height=\"1\" xPosition=\"left\" yPosition=\"top\"", false),
        ("3.0", "width=\"1\" height=\"1\" xPosition=\"left\" yPosition=\"top\"", true), ("4.0", "", false),
        ("4.2", "", false),
        ("4.2", "xPosition=\"middle\"", true),
    ])
    func anIconHasTheAttributesOfItsVersion(version: String, attributes: String, isFinding: Bool) {
        let found = rules(version, "InLine", "<Linear><Icons><Icon \(attributes)/></Icons></Linear>")
        #expect(found.contains("icon-attributes") == isFinding)
    }
}
