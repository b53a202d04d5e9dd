import Ports
import Testing

@testable import VAST

@Suite struct ValueLintTests {
    /// Each flag of a document and the line where it is.
    private static let flags: [(name: String, document: String)] = [
        ("conditionalAd", inLine("", "conditionalAd=\"§\"")),
        ("scalable", linear("<MediaFile scalable=\"§\"/>")),
        ("maintainAspectRatio", linear("<MediaFile maintainAspectRatio=\"§\"/>")),
        ("variableDuration", linear("<MediaFile/><InteractiveCreativeFile variableDuration=\"§\"/>")),
        ("scalable", creative("<NonLinearAds><NonLinear scalable=\"§\"/></NonLinearAds>")),
        ("maintainAspectRatio", creative("<NonLinearAds><NonLinear maintainAspectRatio=\"§\"/></NonLinearAds>")),
        (
            "browserOptional",
            inLine(
                "<AdVerifications><Verification><JavaScriptResource browserOptional=\"§\"/></Verification></AdVerifications>"
            )
        ),
        ("allowMultipleAds", vmap("allowMultipleAds=\"§\"")),
        ("followRedirects", vmap("followRedirects=\"§\"")),
    ]

    private static func inLine(_ children: String, _ attributes: String = "") -> String {
        "<VAST version=\"4.2\">\n<Ad \(attributes)><InLine>\(children)</InLine></Ad></VAST>"
    }

    private static func creative(_ content: String) -> String {
        inLine("<Creatives><Creative>\(content)</Creative></Creatives>")
    }

    private static func linear(_ files: String) -> String {
        creative("<Linear><MediaFiles>\(files)</MediaFiles></Linear>")
    }

    private static func vmap(_ attributes: String) -> String {
        """
        <VMAP version="1.0" xmlns="http://www.iab.net/videosuite/vmap">
        <AdBreak timeOffset="start" breakType="linear"><AdSource \(attributes)/></AdBreak></VMAP>
        """
    }

    /// The forms are those of VAST-5.
    @Test(arguments: [
        ("true", false), ("false", false), ("1", false), ("0", false), ("TRUE", false), ("False", false), ("", false),
        ("yes", true), ("2", true), ("tRUE", true),
    ])
    func aFlagIsTrueOrFalse(value: String, isFinding: Bool) {
        for flag in Self.flags {
            let text = flag.document.replacing("§", with: value)
            let found = VASTReader.read(Array(text.utf8)).findings().filter { $0.rule == "value-format" }
            #expect(found.map(\.line) == (isFinding ? [2] : []), "\(flag.name)")
            let message = "\(flag.name) is \(value), not true or false; it has no value."
            #expect(found.allSatisfy { $0.message == message && $0.severity == .warning })
        }
    }
}
