import Ports
import Testing

@testable import VAST

/// Rules that no shared vector covers, each with the smallest document that breaks it.
@Suite struct LintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: LintRule
        var version = "4.2"
        /// Content of the Linear in an otherwise valid ad.
        var linear = ""
        /// Content of its InLine.
        var inLine = ""
        /// Content of its Creatives.
        var creatives = ""
        /// Line of the finding, if it is not that of the inserted text.
        var line: Int?
        var testDescription: String { rule.rawValue }
    }

    private static func document(_ entry: Case) -> String {
        """
        <VAST version="\(entry.version)"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>Spring sale</AdTitle>
        <Impression><![CDATA[https://t.example.test/i?[CACHEBUSTING]]]></Impression><AdServingId>x</AdServingId>
        \(entry.inLine)
        <Creatives><Creative><UniversalAdId idRegistry="r">v</UniversalAdId><Linear\(skip(entry))><Duration>00:00:20</Duration>
        \(entry.linear)
        <TrackingEvents><Tracking event="start"><![CDATA[https://t.example.test/s]]></Tracking></TrackingEvents>
        <MediaFiles><MediaFile delivery="streaming" type="application/x-mpegURL" width="1" height="1"><![CDATA[https://c.example.test/a.m3u8]]></MediaFile></MediaFiles>
        </Linear></Creative>
        \(entry.creatives)
        </Creatives></InLine></Ad></VAST>
        """
    }

    private static func skip(_ entry: Case) -> String {
        entry.rule == .skippableWithoutSkipEvent ? " skipoffset=\"00:00:05\"" : ""
    }

    private static func url(_ text: String) -> String {
        "<TrackingEvents><Tracking event=\"mute\"><![CDATA[\(text)]]></Tracking></TrackingEvents>"
    }
    private static func tracking(_ attributes: String) -> String {
        "<TrackingEvents><Tracking \(attributes)><![CDATA[https://t.example.test/x]]></Tracking></TrackingEvents>"
    }
    private static func media(_ attributes: String, _ url: String = "https://c.example.test/b.mp4") -> String {
        "<MediaFiles><MediaFile \(attributes)><![CDATA[\(url)]]></MediaFile></MediaFiles>"
    }
    private static func companion(_ text: String, required: String = "none") -> String {
        "<Creative><UniversalAdId idRegistry=\"r\">v</UniversalAdId><CompanionAds required=\"\(required)\">\(text)</CompanionAds></Creative>"
    }
    private static let file = "delivery=\"progressive\" type=\"video/mp4\" width=\"1\" height=\"1\""

    static let linearCases: [Case] = [
        Case(rule: .urlRelative, linear: url("t.example.test/x")),
        Case(rule: .urlScheme, linear: url("ftp://t.example.test/x")),
        Case(rule: .insecureURL, linear: url("http://t.example.test/x")),
        Case(rule: .urlInnerWhitespace, linear: url("https://t.example.test/\tx")),
        Case(rule: .urlUnescapedCharacters, linear: url("https://t.example.test/a b")),
        Case(rule: .doubleEncodedURL, linear: url("https://t.example.test/?a&amp;b")),
        Case(rule: .doubleEncodedURL, linear: url("https://t.example.test/?a%2520b")),
        Case(rule: .urlTooLong, linear: url("https://t.example.test/" + String(repeating: "x", count: 2_000))),
        Case(rule: .urlCredentials, linear: url("https://me:secret@t.example.test/")),
        Case(rule: .urlPrivateHost, linear: url("https://192.168.1.2/x")),
        Case(rule: .urlPrivateHost, linear: url("https://localhost:80/x")),
        Case(rule: .macroUnknown, linear: url("https://t.example.test/[FOO]")),
        Case(rule: .macroCase, linear: url("https://t.example.test/[timestamp]")),
        Case(rule: .macroWrongContext, linear: url("https://t.example.test/[ERRORCODE]")),
        Case(rule: .macroDeprecated, linear: url("https://t.example.test/[CONTENTPLAYHEAD]")),
        Case(rule: .macroOtherDialect, linear: url("https://t.example.test/${X}")),
        Case(rule: .macroEncodedBrackets, linear: url("https://t.example.test/%5BTIMESTAMP%5D")),
        Case(rule: .trackingEventUnknown, linear: tracking("event=\"foo\"")),
        Case(rule: .trackingEventNotInVersion, linear: tracking("event=\"fullscreen\"")),
        Case(rule: .trackingEventNotForCreative, linear: tracking("event=\"verificationNotExecuted\"")),
        Case(rule: .offsetOnOtherEvent, linear: tracking("event=\"start\" offset=\"5\"")),
        Case(rule: .progressBeyondDuration, linear: tracking("event=\"progress\" offset=\"00:01:00\"")),
        Case(rule: .duplicateTracking, linear: tracking("event=\"mute\"") + tracking("event=\"mute\"")),
        Case(rule: .skipEventWithoutSkipoffset, linear: tracking("event=\"skip\"")),
        Case(rule: .skippableWithoutSkipEvent, line: 4),
        Case(rule: .clickthroughMissing, linear: "<VideoClicks/>"),
        Case(rule: .unknownElement, linear: "<Foo/>"),
        Case(rule: .duplicateElement, linear: "<Duration>00:00:21</Duration>"),
        Case(rule: .iconNoResource, linear: "<Icons><Icon program=\"p\"/></Icons>"),
        Case(rule: .iconAttributes, linear: "<Icons><Icon xPosition=\"middle\"/></Icons>"),
        Case(rule: .iconClickthrough, linear: "<Icons><Icon><IconClicks/></Icon></Icons>"),
    ]

    static let mediaCases: [Case] = [
        Case(rule: .mediafileDelivery, linear: media("type=\"video/mp4\" width=\"1\" height=\"1\"")),
        Case(rule: .mediafileType, linear: media("delivery=\"progressive\" width=\"1\" height=\"1\"")),
        Case(rule: .mediafileSize, linear: media("delivery=\"progressive\" type=\"video/mp4\" width=\"-1\"")),
        Case(rule: .mediafileTypeExtension, linear: media(file, "https://c.example.test/b.webm?x=.mp4")),
        Case(rule: .mediafileBitratePair, linear: media(file + " minBitrate=\"1\"")),
        Case(rule: .mediafileBitrateConflict, linear: media(file + " bitrate=\"2\" minBitrate=\"1\"")),
        Case(rule: .mediafileBitrateOrder, linear: media(file + " minBitrate=\"2\" maxBitrate=\"1\"")),
        Case(rule: .mediafileBitrateScale, linear: media(file + " bitrate=\"2500000\"")),
        Case(rule: .mediafileDuplicate, linear: media(file) + media(file)),
        Case(rule: .mediafileFlash, linear: media("delivery=\"progressive\" type=\"video/x-flv\"")),
        Case(rule: .vpaidDeprecated, linear: media(file + " apiFramework=\"VPAID\"")),
        Case(rule: .mezzanineMissing, linear: "<MediaFiles><MediaFile/></MediaFiles>"),
        Case(rule: .mezzanineAttributes, linear: "<MediaFiles><Mezzanine/></MediaFiles>"),
        Case(rule: .interactiveNoFramework, linear: "<MediaFiles><MediaFile/><InteractiveCreativeFile/></MediaFiles>"),
    ]

    static let adCases: [Case] = [
        Case(rule: .expiresFormat, inLine: "<Expires>soon</Expires>"),
        Case(rule: .expiresPast, inLine: "<Expires>0</Expires>"),
        Case(rule: .pricingModel, inLine: "<Pricing model=\"x\" currency=\"USD\">1</Pricing>"),
        Case(rule: .pricingCurrency, inLine: "<Pricing model=\"cpm\" currency=\"$\">1</Pricing>"),
        Case(rule: .pricingValue, inLine: "<Pricing model=\"cpm\" currency=\"USD\">AbC=</Pricing>"),
        Case(rule: .categoryAuthority, inLine: "<Category>1</Category>"),
        Case(rule: .surveyDeprecated, inLine: "<Survey/>"),
        Case(rule: .viewableEmpty, inLine: "<ViewableImpression/>"),
        Case(rule: .errorWithoutErrorcode, inLine: "<Error>https://t.example.test/e</Error>"),
        Case(rule: .cachebusterMissing, inLine: "<Impression>https://t.example.test/2</Impression>"),
        Case(rule: .urlNotCDATA, inLine: "<Error>https://t.example.test/e</Error>"),
        Case(
            rule: .duplicateImpression,
            inLine: String(repeating: "<Impression>https://t.example.test/2</Impression>", count: 2)),
        Case(rule: .verificationNoResource, inLine: "<AdVerifications><Verification vendor=\"v\"/></AdVerifications>"),
        Case(rule: .verificationVendor, inLine: "<AdVerifications><Verification/></AdVerifications>"),
        Case(rule: .elementNotInVersion, version: "3.0", inLine: "<Category authority=\"a\">1</Category>"),
        Case(rule: .versionMismatch, version: "3.0", inLine: "<Category authority=\"a\">1</Category>", line: 1),
        Case(rule: .extensionMisplacedElement, inLine: "<Extensions><Extension><AdTitle/></Extension></Extensions>"),
        Case(rule: .creativeEmpty, creatives: "<Creative/>"),
        Case(rule: .universaladidMissing, creatives: "<Creative/>"),
        Case(
            rule: .universaladidIdvalue,
            creatives: "<Creative><UniversalAdId idRegistry=\"r\" idValue=\"v\">v</UniversalAdId></Creative>"),
        Case(rule: .companionRequiredValue, creatives: companion("", required: "some")),
        Case(rule: .companionSize, creatives: companion("<Companion/>")),
        Case(rule: .companionNoResource, creatives: companion("<Companion/>")),
        Case(
            rule: .resourceCreativetype,
            creatives: companion("<Companion><StaticResource>https://c.example.test/</StaticResource></Companion>")),
        Case(
            rule: .htmlResourceNotCDATA,
            creatives: companion("<Companion><HTMLResource><b/></HTMLResource></Companion>")),
        Case(rule: .nonlinearNoResource, creatives: "<Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative>"),
        Case(rule: .nonlinearSize, creatives: "<Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative>"),
    ]

    private func findings(_ text: String) -> [Finding] { VASTReader.read(Array(text.utf8)).findings() }

    @Test func theBareDocumentIsClean() {
        let found = findings(Self.document(Case(rule: .noAd))).filter { $0.severity != .info }
        #expect(found.isEmpty, "\(found)")
    }

    @Test(arguments: [(linearCases, 5), (mediaCases, 5), (adCases, 3)])
    func reportsTheRuleAtItsLine(cases: [Case], line: Int) {
        for entry in cases {
            let found = findings(Self.document(entry)).filter { $0.rule == entry.rule.rawValue }
            #expect(!found.isEmpty, "\(entry.rule.rawValue)")
            let wanted = entry.line ?? (entry.creatives.isEmpty ? line : 9)
            #expect(found.contains { $0.line == wanted }, "\(entry.rule.rawValue): \(found.map(\.line))")
            #expect(
                found.allSatisfy { $0.path?.hasPrefix("VAST") == true && $0.section?.hasPrefix("VAST-") == true })
        }
    }

    @Test(arguments: [
        ("", "The Duration is empty; it has to be HH:MM:SS."), ("20", "The Duration 20 is not HH:MM:SS."),
    ])
    func aWrongDurationIsNamed(text: String, message: String) {
        let document = Self.document(Case(rule: .durationFormat)).replacing(
            "00:00:20</Duration>", with: "\(text)</Duration>")
        #expect(findings(document).filter { $0.rule == "duration-format" }.map(\.message) == [message])
    }

    /// Names of events are read in any case and with white space around them, so the checks know them in that form, too.
    @Test(arguments: ["Start", " start", "START "])
    func eventsAreCheckedAsTheyAreRead(start: String) {
        func found(_ trackings: String, _ attributes: String = "") -> Set<String> {
            let text = """
                <VAST version="4.2"><Ad><InLine><Creatives><Creative><Linear\(attributes)><Duration>00:00:20</Duration><TrackingEvents>
                \(trackings)</TrackingEvents></Linear></Creative></Creatives></InLine></Ad></VAST>
                """
            return Set(findings(text).map(\.rule))
        }
        func tracking(_ event: String, _ attributes: String = "") -> String {
            "<Tracking event=\"\(event)\"\(attributes)>https://t.example.test/</Tracking>"
        }
        #expect(!found(tracking(start)).contains("tracking-no-quartiles"))
        #expect(found(tracking(start) + tracking("start")).contains("duplicate-tracking"))
        #expect(!found(tracking(" Skip "), " skipoffset=\"00:00:05\"").contains("skippable-without-skip-event"))
        #expect(found(tracking(" Progress")).contains("progress-offset-missing"))
        #expect(!found(tracking("Progress ", " offset=\"5\"")).contains("offset-on-other-event"))
    }

    @Test func wrapperFlagsAreChecked() {
        let text = """
            <VAST version="3.0"><Ad><Wrapper allowMultipleAds="yes" followAdditonalWrappers="true"><AdSystem>s</AdSystem>
            <Impression>https://t.example.test/</Impression><VASTAdTagURI>https://t.example.test/</VASTAdTagURI></Wrapper></Ad></VAST>
            """
        let messages = findings(text).filter { $0.rule == "wrapper-bool" }.map(\.message)
        #expect(messages.count == 2)
        #expect(messages.first?.contains("yes") == true && messages.last?.contains("misspelled") == true)
    }

    @Test func aLoneSequenceIsWorthANote() {
        func found(_ ads: String) -> [Finding] {
            findings("<VAST version=\"4.2\">\(ads)</VAST>").filter { $0.rule == "sequence-on-single" }
        }
        let lone = found("\n<Ad sequence=\"1\"><InLine/></Ad>")
        #expect(lone.map(\.severity) == [.info] && lone.map(\.line) == [2])
        #expect(found("<Ad sequence=\"1\"><InLine/></Ad><Ad sequence=\"2\"><InLine/></Ad>").isEmpty)
        #expect(found("<Ad><InLine/></Ad>").isEmpty)
    }

    @Test func aVMAPDocumentIsOfItsOwnTime() {
        let text = """
            <VMAP version="1.0" xmlns="http://www.iab.net/videosuite/vmap"><AdBreak timeOffset="start" breakType="linear">
            <AdSource><VASTAdData><VAST version="2.0" xmlns=""><Ad><InLine><Category authority="a">1</Category></InLine></Ad></VAST>
            </VASTAdData></AdSource><TrackingEvents><Tracking event="error">https://t.example.test/?[ERRORCODE]</Tracking>
            </TrackingEvents></AdBreak></VMAP>
            """
        let found = findings(text)
        #expect(!found.contains { $0.rule == "url-not-cdata" || $0.rule == "macro-wrong-context" })
        #expect(found.contains { $0.rule == "element-not-in-version" && $0.message.contains("<Category>") })
    }

    /// VMAP spells the macro ERROR_CODE, samples ERRORCODE; VAST knows the second only.
    @Test func theErrorCodeOfVMAPIsKnownInItsErrorTrackers() {
        func found(_ event: String, _ macro: String) -> [String] {
            findings(
                "<VMAP version=\"1.0\" xmlns=\"http://www.iab.net/videosuite/vmap\"><AdBreak timeOffset=\"start\" "
                    + "breakType=\"linear\"><AdSource><AdTagURI>https://t.example.test/</AdTagURI></AdSource><TrackingEvents>"
                    + "<Tracking event=\"\(event)\">https://t.example.test/?[\(macro)]</Tracking></TrackingEvents>"
                    + "</AdBreak></VMAP>"
            ).map(\.rule).filter { $0.hasPrefix("macro-") }
        }
        #expect(found("error", "ERROR_CODE").isEmpty)
        #expect(found("error", "ERRORCODE").isEmpty)
        #expect(found("error", "ERROR_TEXT") == ["macro-unknown"])
        #expect(found("breakStart", "ERROR_CODE") == ["macro-unknown"])
        #expect(
            findings(Self.document(Case(rule: .macroUnknown, linear: Self.url("https://t.example.test/?[ERROR_CODE]"))))
                .contains { $0.rule == "macro-unknown" })
    }

    /// Each document inside VMAP is judged by itself.
    @Test func aDocumentOfOldVersionsIsNotBlamedForItsNeighbour() {
        func entry(_ inLine: String) -> String {
            "<AdBreak timeOffset=\"start\" breakType=\"linear\"><AdSource><VASTAdData>"
                + "<VAST version=\"2.0\" xmlns=\"\"><Ad><InLine>\(inLine)</InLine></Ad></VAST></VASTAdData></AdSource></AdBreak>\n"
        }
        let breaks = entry("<Category authority=\"a\">1</Category>") + entry("<AdTitle>Spring sale</AdTitle>")
        let text = "<VMAP version=\"1.0\" xmlns=\"http://www.iab.net/videosuite/vmap\">\n\(breaks)</VMAP>"
        #expect(findings(text).filter { $0.rule == "version-mismatch" }.map(\.line) == [2])
    }

    /// The finding about the version depends on what the document uses, not on the wording of other findings.
    @Test(arguments: [true, false])
    func aMismatchDependsOnNoSentence(usesNewer: Bool) throws {
        let reading = VASTReader.read(Array("<VAST version=\"2.0\"><Ad><InLine/></Ad></VAST>".utf8))
        let tree = try #require(reading.xml.tree)
        var linter = Linter(tree: tree, version: .v2)
        linter.report(.elementNotInVersion, usesNewer ? "x" : "<Category> came with 4.0.", at: XMLTree.root)
        linter.usesNewerVersion = usesNewer
        linter.checkVAST(try #require(reading.vast), at: XMLTree.root)
        #expect(linter.findings.contains { $0.rule == "version-mismatch" } == usesNewer)
    }

    @Test func aListOfFaultsIsBounded() {
        let text = "<VAST version=\"4.2\">" + String(repeating: "<Foo/>", count: 5_000) + "</VAST>"
        let found = findings(text)
        #expect(found.count { $0.rule == "unknown-element" } == KeptFindings.maximum)
        let last = found.last { $0.rule == "unknown-element" }
        #expect(last?.message.hasSuffix(" (and 3000 more)") == true, "\(last?.message ?? "")")
    }

    @Test(arguments: ["999999999999999999:00:00", "9999999999999999999", "99999999999999999999:00:00"])
    func aDurationThatNoNumberHoldsIsUnusable(text: String) throws {
        let document =
            "<VAST version=\"3.0\"><Ad><InLine><Creatives><Creative><Linear>\n<Duration>\(text)</Duration></Linear>"
            + "</Creative></Creatives></InLine></Ad></VAST>"
        let found = findings(document).filter { $0.rule == "duration-format" }
        #expect(found.map(\.line) == [2] && found.map(\.severity) == [.error])
        let vast = try #require(VASTReader.read(Array(document.utf8)).vast)
        #expect(vast.ads.first?.creatives.first?.linear?.durationMilliseconds == nil)
    }

    @Test(arguments: [
        (" 640 ", " video/mp4 ", [String]()), ("1,500", "video/mp4", ["1,500"]), ("500.7", "video/mp4", ["500.7"]),
        ("100%", "video/mp4", ["100%"]), ("-5", "video/mp4", ["-5"]), ("99999999999999999999", "video/mp4", ["9999"]),
    ])
    func numbersOfAMediaFileAreChecked(rate: String, type: String, wanted: [String]) throws {
        let file = "<MediaFile delivery=\" progressive\" type=\"\(type)\" width=\"1\" height=\"1\" bitrate=\"\(rate)\">"
        let url = "https://c.example.test/b.mp4"
        let linear = "<MediaFiles>\(file)<![CDATA[\(url)]]></MediaFile></MediaFiles>"
        let found = findings(Self.document(Case(rule: .valueFormat, linear: linear)))
        let formats = found.filter { $0.rule == "value-format" }
        #expect(formats.count == wanted.count && formats.allSatisfy { $0.line == 5 && $0.severity == .warning })
        #expect(zip(formats, wanted).allSatisfy { $0.message.contains("bitrate is \($1)") })
        #expect(!found.contains { ["mediafile-delivery", "mediafile-type-extension"].contains($0.rule) })
        let vast = try #require(
            VASTReader.read(Array(Self.document(Case(rule: .valueFormat, linear: linear)).utf8)).vast)
        let read = try #require(vast.ads.first?.creatives.first?.linear?.mediaFiles.first)
        #expect(read.type == "video/mp4" && read.delivery == "progressive")
    }

    /// An id is shown as a title is.
    @Test(arguments: ["\u{9B}31m", "\u{202E}x", "x\u{2066}", "é", "a b"])
    func hiddenCharactersInAttributesAreFound(id: String) {
        let text = "<VAST version=\"4.2\">\n<Ad id=\"\(id)\"><InLine/></Ad></VAST>"
        let isHidden = id.unicodeScalars.contains { [0x9B, 0x202E, 0x2066].contains($0.value) }
        #expect(findings(text).filter { $0.rule == "control-characters" }.map(\.line) == (isHidden ? [2] : []))
    }

    @Test func timesAndTypesAreChecked() {
        func found(_ text: String) -> [Int?] { findings(text).filter { $0.rule == "value-format" }.map(\.line) }
        func ad(_ attributes: String, _ time: String) -> String {
            "<VAST version=\"4.2\">\n<Ad \(attributes)><InLine><Creatives><Creative><NonLinearAds>\n<NonLinear width=\"1\" "
                + "height=\"1\" minSuggestedDuration=\"\(time)\"/></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>"
        }
        #expect(found(ad("adType=\"hybrid\"", "00:00:10")).isEmpty)
        #expect(found(ad("", "10")).isEmpty)
        #expect(found(ad("adType=\"display\"", "10s")) == [2, 3])
    }

    /// Errors decide the exit code of `vast lint`, so warnings before them must not use up the room.
    @Test func aFloodOfWarningsHidesNoErrorAndNoRule() {
        let ad = "\n<Ad><InLine><Creatives><Creative><Linear/></Creative></Creatives></InLine></Ad>"
        let text = "<VAST version=\"3.0\">" + String(repeating: "<Foo/>", count: 3_000) + ad + "</VAST>"
        let found = findings(text)
        for rule in ["adtitle-missing", "duration-missing", "mediafiles-missing", "tracking-no-quartiles"] {
            #expect(found.filter { $0.rule == rule }.map(\.line) == [2], "\(rule)")
        }
        #expect(found.count { $0.message.contains(" more)") } == 1)
    }

    @Test func aFloodOfErrorsIsBounded() {
        let text = "<VAST version=\"3.0\">" + String(repeating: "<Foo/><Ad/>", count: 5_000) + "</VAST>"
        let found = findings(text)
        #expect(found.count { $0.rule == "ad-empty" } == KeptFindings.maximum)
        #expect(found.count <= 2 * KeptFindings.maximum + LintRule.allCases.count)
        let endings = found.filter { $0.message.contains(" more)") }.map(\.rule)
        #expect(Set(endings) == ["unknown-element", "ad-empty"] && endings.count == 2)
    }

    @Test(arguments: [
        (["start", "00:01:00", "end"], [Int]()), (["end", "start"], [3]), (["00:01:00", "50%", "start", "#1"], [4]),
    ]) func breaksStandInTheOrderOfTheirTimes(offsets: [String], lines: [Int]) {
        let breaks = offsets.map { "<AdBreak timeOffset=\"\($0)\" breakType=\"linear\"/>\n" }
        let text = "<VMAP version=\"1.0\" xmlns=\"http://www.iab.net/videosuite/vmap\">\n\(breaks.joined())</VMAP>"
        let found = findings(text).filter { $0.rule == "vmap-timeoffset-order" }
        #expect(found.compactMap(\.line) == lines && found.allSatisfy { $0.severity == .error })
    }

    @Test func twoSourcesOfOneBreakAreFound() {
        let text =
            "<VMAP version=\"1.0\" xmlns=\"http://www.iab.net/videosuite/vmap\">"
            + "<AdBreak timeOffset=\"start\" breakType=\"linear\">"
            + String(
                repeating: "<AdSource><AdTagURI><![CDATA[https://a.example.test/]]></AdTagURI></AdSource>", count: 2)
            + "</AdBreak></VMAP>"
        #expect(findings(text).contains { $0.rule == "vmap-adsource-many" })
    }

    @Test func vmapRulesAreChecked() {
        let text = """
            <VMAP version="2.0" xmlns="http://www.iab.net/videosuite/vmap"><Foo/>
            <AdBreak breakType="video"/>
            <AdBreak timeOffset="00:00:20" breakType="linear"><AdSource/></AdBreak>
            <AdBreak timeOffset="00:00:10" breakType="linear" repeatAfter="5"><AdSource><AdTagURI templateType="x">https://t.example.test/</AdTagURI><CustomAdData/></AdSource></AdBreak>
            <AdBreak timeOffset="00:00:10" breakType="linear"><TrackingEvents><Tracking event="x">https://t.example.test/</Tracking></TrackingEvents></AdBreak>
            </VMAP>
            """
        let found = Set(findings(text).map { "\($0.rule) \($0.line ?? 0)" })
        let wanted: Set = [
            "vmap-version 1", "vmap-root-child 1", "vmap-timeoffset-missing 2", "vmap-breaktype 2",
            "vmap-adsource-missing 3",
            "vmap-timeoffset-order 4", "vmap-repeatafter 4", "vmap-adsource-many 4", "vmap-templatetype 4",
            "vmap-break-overlap 5", "vmap-tracking-event 5",
        ]
        #expect(wanted.subtracting(found).isEmpty, "\(wanted.subtracting(found))")
    }

    @Test(arguments: [
        ("", "The break has no breakType."), (" breakType=\"\"", "The break has no breakType."),
        (" breakType=\"linear,video\"", "The breakType linear,video is not allowed."),
        (" breakType=\"linear,nonlinear\"", nil),
    ]) func theTypeOfABreakIsRequired(attribute: String, message: String?) {
        let text =
            "<VMAP version=\"1.0\" xmlns=\"http://www.iab.net/videosuite/vmap\"><AdBreak timeOffset=\"start\"\(attribute)/></VMAP>"
        let found = findings(text).filter { $0.rule == "vmap-breaktype" }
        #expect(found.map(\.message) == [message].compactMap(\.self))
    }
}
