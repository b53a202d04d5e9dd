import Foundation
import Ports
import TestSupport
import Testing

@testable import VAST

/// Rules on whole documents, and a check that every rule is tested.
@Suite struct LintRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: LintRule
        var line: Int
        var document: String
        var testDescription: String { rule.rawValue }

        init(_ rule: LintRule, line: Int = 2, _ document: String) {
            self.rule = rule
            self.line = line
            self.document = document
        }
    }

    private static func inLine(_ version: String = "4.2", _ attributes: String = "", _ children: String) -> String {
        "<VAST version=\"\(version)\">\n<Ad \(attributes)><InLine>\(children)</InLine></Ad></VAST>"
    }

    private static func linear(_ children: String, _ version: String = "4.2") -> String {
        "<VAST version=\"\(version)\"><Ad><InLine><Creatives><Creative><UniversalAdId/>\n<Linear>\(children)</Linear></Creative></Creatives></InLine></Ad></VAST>"
    }

    private static func media(_ file: String) -> String { linear("<MediaFiles>\(file)</MediaFiles>") }

    private static func verification(_ children: String) -> String {
        inLine("4.2", "", "<AdVerifications><Verification vendor=\"v\">\(children)</Verification></AdVerifications>")
    }

    static let cases: [Case] = [
        Case(.noAd, line: 1, "<VAST version=\"4.2\"/>"),
        Case(.unknownAttribute, inLine("4.2", "foo=\"1\"", "")),
        Case(.valueFormat, inLine("4.2", "adType=\"display\"", "")),
        Case(.wrongNamespace, line: 1, "<VAST version=\"4.2\" xmlns=\"urn:x\"><Ad/></VAST>"),
        Case(.adsystemMissing, inLine("3.0", "", "<AdTitle>t</AdTitle>")),
        Case(.adtitleMissing, inLine("3.0", "", "<AdSystem/>")),
        Case(.impressionMissing, inLine("3.0", "", "<AdSystem/>")),
        Case(.adservingidMissing, inLine("4.1", "", "<AdSystem/>")),
        Case(.adtitlePlaceholder, inLine("4.2", "", "<AdTitle>Test</AdTitle>")),
        Case(.conditionaladDeprecated, inLine("4.1", "conditionalAd=\"true\"", "")),
        Case(.universaladidIdregistryMissing, line: 1, linear("")),
        Case(.universaladidEmpty, line: 1, linear("")),
        Case(
            .wrapperWithMedia,
            "<VAST version=\"3.0\"><Ad><Wrapper><Creatives><Creative>\n<Linear><MediaFiles/></Linear></Creative></Creatives></Wrapper></Ad></VAST>"
        ),
        Case(
            .blockedAuthority,
            "<VAST version=\"4.2\"><Ad><Wrapper>\n<BlockedAdCategories>1</BlockedAdCategories></Wrapper></Ad></VAST>"),
        Case(.durationMissing, linear("<MediaFiles/>")),
        Case(.durationZero, linear("<Duration>00:00:00</Duration>")),
        Case(.trackingNoQuartiles, linear("<TrackingEvents/>")),
        Case(.adparametersXmlencoded, linear("<AdParameters xmlEncoded=\"maybe\">x</AdParameters>")),
        Case(.mediafileOnlyVPAID, media("<MediaFile apiFramework=\"VPAID\"/>")),
        Case(.mediafileSingleRendition, media("<MediaFile/>")),
        Case(.apiframeworkDeprecated, media("<MediaFile apiFramework=\"x\"/>")),
        Case(.simidType, media("<MediaFile/><InteractiveCreativeFile apiFramework=\"SIMID\" type=\"x/y\"/>")),
        Case(
            .simidNotHttps,
            media(
                "<MediaFile/><InteractiveCreativeFile apiFramework=\"SIMID\" type=\"text/html\">http://c.example.test/</InteractiveCreativeFile>"
            )),
        Case(
            .interactiveDataURILarge,
            media(
                "<MediaFile/><InteractiveCreativeFile apiFramework=\"SIMID\">data:,\(String(repeating: "x", count: 10_240))</InteractiveCreativeFile>"
            )),
        Case(.flashResource, verification("<FlashResource>https://c.example.test/</FlashResource>")),
        Case(.verificationFramework, verification("<JavaScriptResource>https://c.example.test/</JavaScriptResource>")),
        Case(
            .verificationNotHttps,
            verification("<JavaScriptResource apiFramework=\"omid\">http://c.example.test/</JavaScriptResource>")),
        Case(
            .verificationNoReason,
            verification(
                "<TrackingEvents><Tracking event=\"verificationNotExecuted\">https://t.example.test/</Tracking></TrackingEvents>"
            )),
        Case(
            .companionClicktrackingId,
            inLine(
                "4.2", "",
                "<Creatives><Creative><CompanionAds><Companion><CompanionClickTracking>https://t.example.test/</CompanionClickTracking></Companion></CompanionAds></Creative></Creatives>"
            )),
    ]

    private static func findings(_ text: String) -> [Finding] { VASTReader.read(Array(text.utf8)).findings() }

    @Test(arguments: cases)
    func reportsTheRuleAtItsLine(entry: Case) {
        let found = Self.findings(entry.document).filter { $0.rule == entry.rule.rawValue }
        #expect(found.contains { $0.line == entry.line }, "\(found.map(\.line))")
        #expect(found.allSatisfy { $0.severity == entry.rule.severity && $0.section == entry.rule.section })
    }

    @Test func limitsAreFindings() {
        let wide = "<VAST" + (0..<300).map { " a\($0)=\"\"" }.joined() + "/>"
        #expect(Self.findings(wide).map(\.rule) == ["limit-exceeded"])
    }

    /// Rules that other suites test: those about chains, about delivery, and about almost empty documents.
    private static let elsewhere: Set<LintRule> = [
        .wrapperDepth, .wrapperLoop, .wrapperDeadEnd, .sequenceOnSingle, .wrapperBool, .limitExceeded,
        .responseContentType, .responseNoCORS, .responseRedirects, .responseSlow, .responseLarge, .responseUncompressed,
        .responseDiffers,
        .vmapVersion, .vmapRootChild, .vmapTimeoffsetMissing, .vmapBreaktype, .vmapAdsourceMissing,
        .vmapTimeoffsetOrder, .vmapRepeatafter, .vmapAdsourceMany, .vmapTemplatetype, .vmapBreakOverlap,
        .vmapTrackingEvent,
    ]

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func everyRuleIsReportedByATest() throws {
        var proven = Set(Self.cases.map(\.rule)).union(Self.elsewhere)
        proven.formUnion((LintTests.linearCases + LintTests.mediaCases + LintTests.adCases).map(\.rule))
        for file in SharedVASTFiles.ending(with: ".expected.json") {
            let expected = try JSONReader.read(Array(Data(contentsOf: file)))
            let names = expected["lint"]?.arrayValue?.compactMap(\.stringValue) ?? []
            proven.formUnion(names.compactMap(LintRule.init(rawValue:)))
        }
        let missing = Set(LintRule.allCases).subtracting(proven)
        #expect(missing.isEmpty, "\(missing.map(\.rawValue).sorted())")
    }
}
