import AdTracking
import Ports
import TestSupport
import Testing

/// Tolerant reading of metadata (TRK-4): the rule, the path and the remaining values.
@Suite struct HarmonicMetadataTests {
    static let sample = #"""
        {"dataRange":{"start":1760000000000,"end":1760000300000},
         "adBreaks":[{"id":"4711","startTime":1760000255000,"startDateTime":1760000255000,"duration":45000,
          "ads":[{"id":"4711","startTime":1760000255000,"duration":30030,
           "clickThrough":"https://adv.example/landing","clickTracking":"https://ads.example/b?e=click",
           "trackingEvents":[
            {"event":"impression","startTime":1760000255000,"duration":30030,"signalingUrls":["https://ads.example/b?e=imp"]},
            {"event":"start","startTime":1760000255000,"duration":0,
             "signalingUrls":["https://ads.example/b?e=start","https://3p.example/s"]},
            {"event":"complete","startTime":1760000285030,"duration":0,"signalingUrls":["https://ads.example/b?e=done"]},
            {"event":"pause","startTime":1760000255000,"duration":30030,"signalingUrls":["https://ads.example/b?e=pause"]}]},
           {"id":"4712","startTime":1760000285030,"duration":14970,"trackingEvents":[]}]}]}
        """#

    static func decode(_ text: String) throws -> DecodedMetadata {
        try HarmonicMetadata.decode(Array(text.utf8))
    }

    /// `body` inside an otherwise valid document with one break and one ad.
    static func ad(_ body: String) throws -> DecodedMetadata {
        try decode(
            #"{"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"b","startTime":1000,"duration":15000,"ads":["#
                + #"{"id":"a","startTime":1000,"duration":15000,\#(body)}]}]}"#)
    }

    @Test func goodDocumentHasNoFindings() throws {
        let document = try Self.decode(Self.sample)
        #expect(document.findings == [])
        #expect(document.dataRange == DataRange(start: .ms(1_760_000_000_000), end: .ms(1_760_000_300_000)))
        let adBreak = try #require(document.breaks.first)
        #expect(adBreak.name == "4711")
        #expect(adBreak.start == .ms(1_760_000_255_000))
        #expect(adBreak.duration == .seconds(45))
        #expect(adBreak.extras["startDateTime"] == .integer(1_760_000_255_000))
        #expect(adBreak.ads.map(\.name) == ["4711", "4712"])
        let ad = adBreak.ads[0]
        #expect(ad.clickThrough == "https://adv.example/landing")
        #expect(ad.clickTracking == "https://ads.example/b?e=click")
        #expect(ad.events.map(\.type) == [.impression, .start, .complete, .pause])
        #expect(ad.events[1].urls == ["https://ads.example/b?e=start", "https://3p.example/s"])
        #expect(ad.events[0].isSpan && !ad.events[1].isSpan)
        #expect(adBreak.plannedEnd == .ms(1_760_000_300_000))
    }

    /// A finding marks its break in the list.
    @Test func findingsHaveTheirPlace() throws {
        let text = #"""
            {"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"b","startTime":1000,"duration":"5005","ads":[
             {"id":"a","startTime":1000,"trackingEvents":[{"event":"start","startTime":"1000","signalingUrls":[]}]}]}]}
            """#
        let findings = try Self.decode(text).findings
        let places = findings.map {
            "\($0.rule) \($0.place?.adBreak ?? "-")/\($0.place?.ad ?? "-")/\($0.place?.event ?? "-")"
        }
        #expect(places == ["L04 b/-/-", "L04 b/a/start", "L27 b/a/start", "L03 b/a/-"])
        #expect(findings.allSatisfy { $0.place?.start == .ms(1_000) })
    }

    struct Oddity: Sendable, CustomTestStringConvertible {
        var text: String
        var rule: String
        var path: String
        /// Number of breaks that remain.
        var breaks: Int
        var testDescription: String { "\(rule) at \(path)" }
    }

    static let good =
        #"{"id":"g","startTime":60000,"duration":1000,"ads":[{"id":"x","startTime":60000,"duration":1000,"trackingEvents":[]}]}"#
    static func beside(_ node: String) -> String {
        #"{"dataRange":{"start":0,"end":90000},"adBreaks":[\#(node),\#(good)]}"#
    }

    static let oddities = [
        Oddity(text: beside("7"), rule: "L03", path: "adBreaks[0]", breaks: 1),
        Oddity(text: beside(#"{"id":"b"}"#), rule: "L03", path: "adBreaks[0].startTime", breaks: 1),
        Oddity(
            text: beside(#"{"id":"b","startTime":1000,"duration":9000}"#), rule: "L03", path: "adBreaks[0].ads",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1000,"duration":9000,"ads":[]}"#), rule: "L20",
            path: "adBreaks[0].ads",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":42,"startTime":1000,"duration":9000,"ads":[]}"#), rule: "L04", path: "adBreaks[0].id",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":"1000","duration":9000,"ads":[]}"#), rule: "L04",
            path: "adBreaks[0].startTime", breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1000,"duration":9000,"ads":[],"NextToken":1}"#), rule: "L05",
            path: "adBreaks[0].NextToken", breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1000,"duration":9000,"ads":[],"StartTime":1}"#), rule: "L05",
            path: "adBreaks[0].StartTime", breaks: 2),
        Oddity(
            text: beside(#"{"startTime":1000,"duration":9000,"ads":[]}"#), rule: "L13", path: "adBreaks[0].id",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"","startTime":1000,"duration":9000,"ads":[]}"#), rule: "L13", path: "adBreaks[0].id",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"g","startTime":1000,"duration":9000,"ads":[]}"#), rule: "L13", path: "adBreaks[1].id",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1760000255,"duration":9000,"ads":[]}"#), rule: "L11",
            path: "adBreaks[0].startTime", breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1000,"duration":30,"ads":[]}"#), rule: "L11",
            path: "adBreaks[0].duration",
            breaks: 2),
        Oddity(
            text: beside(#"{"id":"b","startTime":1e300,"duration":9000,"ads":[]}"#), rule: "L03",
            path: "adBreaks[0].startTime",
            breaks: 1),
        Oddity(text: #"{"adBreaks":[]}"#, rule: "L06", path: "dataRange", breaks: 0),
        Oddity(text: #"{"dataRange":{"start":100,"end":90},"adBreaks":[]}"#, rule: "L06", path: "dataRange", breaks: 0),
        Oddity(text: #"{"dataRange":{"start":100},"adBreaks":[]}"#, rule: "L06", path: "dataRange", breaks: 0),
        Oddity(text: #"{"dataRange":{"start":0,"end":90000}}"#, rule: "L03", path: "adBreaks", breaks: 0),
        Oddity(text: #"{"dataRange":{"start":0,"end":90000},"adBreaks":{}}"#, rule: "L03", path: "adBreaks", breaks: 0),
    ]

    @Test(arguments: oddities)
    func oneBadNodeIsReportedAndCostsOnlyItself(_ test: Oddity) throws {
        let document = try Self.decode(test.text)
        #expect(document.findings.contains { $0.rule == test.rule && $0.path == test.path }, "\(document.findings)")
        #expect(document.breaks.count == test.breaks)
    }

    static let adOddities = [
        (#""trackingEvents":7"#, "L03", "adBreaks[0].ads[0].trackingEvents"),
        (#""x":1"#, "L03", "adBreaks[0].ads[0].trackingEvents"),
        (#""trackingEvents":[3]"#, "L03", "adBreaks[0].ads[0].trackingEvents[0]"),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0}]"#, "L03",
            "adBreaks[0].ads[0].trackingEvents[0].signalingUrls"
        ),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":[]}]"#, "L27",
            "adBreaks[0].ads[0].trackingEvents[0].signalingUrls"
        ),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":[""]}]"#, "L27",
            "adBreaks[0].ads[0].trackingEvents[0].signalingUrls[0]"
        ),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":["about:blank"]}]"#,
            "L28",
            "adBreaks[0].ads[0].trackingEvents[0].signalingUrls[0]"
        ),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":["https://h/a b"]}]"#,
            "L28",
            "adBreaks[0].ads[0].trackingEvents[0].signalingUrls[0]"
        ),
        (
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":["https://h/?r=[CACHEBUSTING]"]}]"#,
            "L29", "adBreaks[0].ads[0].trackingEvents[0].signalingUrls[0]"
        ),
        (
            #""trackingEvents":[{"event":"secondQuartile","startTime":1000,"duration":0,"signalingUrls":["https://h/"]}]"#,
            "L33",
            "adBreaks[0].ads[0].trackingEvents[0].event"
        ),
        (
            #""trackingEvents":[{"event":"start","duration":0,"signalingUrls":["https://h/"]}]"#, "L03",
            "adBreaks[0].ads[0].trackingEvents[0].startTime"
        ),
    ]

    @Test(arguments: adOddities)
    func badPartsOfAnAdAreReported(_ body: String, _ rule: String, _ path: String) throws {
        let document = try Self.ad(body)
        #expect(document.findings.contains { $0.rule == rule && $0.path == path }, "\(document.findings)")
        #expect(document.breaks.first?.ads.count == 1)
    }

    /// Letters beyond ASCII are sent as escapes: nothing is lost (L28).
    @Test(arguments: [
        ("https://h/a b", true), ("https://h/ ", true), (" https://h/", true), ("https://h/?é", false),
        ("https://hé/", true), ("about:blank", true),
    ])
    func aURLThatIsNotRequestedIsAnError(url: String, isUnusable: Bool) throws {
        let document = try Self.ad(
            #""trackingEvents":[{"event":"start","startTime":1000,"duration":0,"signalingUrls":["\#(url)"]}]"#)
        #expect(document.findings.filter { $0.rule == "L28" }.map(\.severity) == (isUnusable ? [.error] : []))
    }

    @Test func growingDurationsAreNotTakenForSeconds() throws {
        let text =
            #"{"dataRange":{"start":0,"end":60200},"adBreaks":[{"id":"b","startTime":60000,"duration":200,"ads":[]}]}"#
        #expect(try !Self.decode(text).findings.contains { $0.rule == "L11" })
    }

    @Test func userEventsWithoutTimeGetTheAdAsWindow() throws {
        let document = try Self.ad(#""trackingEvents":[{"event":"pause","signalingUrls":["https://h/"]}]"#)
        let event = try #require(document.breaks.first?.ads.first?.events.first)
        #expect(event.start == .ms(1_000))
        #expect(event.duration == .seconds(15))
    }

    @Test func missingDurationsAreDerived() throws {
        let text = #"""
            {"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"b","startTime":1000,"ads":[{"id":"a","startTime":1000,
            "trackingEvents":[{"event":"complete","startTime":16000,"duration":0,"signalingUrls":["https://h/"]}]},
            {"id":"c","duration":5000,"trackingEvents":[]}]}]}
            """#
        let adBreak = try #require(try Self.decode(text).breaks.first)
        #expect(adBreak.ads[0].duration == .seconds(15))
        #expect(adBreak.ads[1].start == .ms(16_000))
        #expect(adBreak.duration == .seconds(20))
    }

    /// As an ad of length 0 it would be cut before its events (TRK-4, PRV-2).
    @Test func negativeDurationsCountAsMissing() throws {
        let text = #"""
            {"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"b","startTime":1000,"duration":-1,"ads":[{"id":"a",
            "startTime":1000,"duration":-15000,
            "trackingEvents":[{"event":"complete","startTime":16000,"duration":-5,"signalingUrls":["https://h/"]}]},
            {"id":"c","duration":5000,"trackingEvents":[]}]}]}
            """#
        let document = try Self.decode(text)
        let adBreak = try #require(document.breaks.first)
        #expect(adBreak.ads.map(\.duration) == [.seconds(15), .seconds(5)] && adBreak.duration == .seconds(20))
        #expect(adBreak.ads[1].start == .ms(16_000) && adBreak.ads[0].events.first?.duration == .zero)
        #expect(
            Set(document.findings.filter { $0.rule == "L03" }.map { "\($0.path ?? "-") \($0.message)" }) == [
                "adBreaks[0].duration duration is negative",
                "adBreaks[0].duration duration counts as missing; using the end of the last ad",
                "adBreaks[0].ads[0].duration duration is negative",
                "adBreaks[0].ads[0].duration duration counts as missing; using the time of the last event",
                "adBreaks[0].ads[0].trackingEvents[0].duration duration is negative",
                "adBreaks[0].ads[1].startTime startTime is missing; using the end of the previous ad",
            ])
    }

    @Test func eventNamesIgnoreCase() throws {
        let document = try Self.ad(
            #""trackingEvents":[{"event":"FIRSTQUARTILE","startTime":1000,"duration":0,"signalingUrls":["https://h/"]}]"#
        )
        let event = try #require(document.breaks.first?.ads.first?.events.first)
        #expect(event.type == .firstQuartile)
        #expect(event.rawName == "FIRSTQUARTILE")
    }

    /// Every field (TRK-4), in the two observed shapes (TRK-26 X11).
    @Test(arguments: [true, false])
    func companionsVerificationsAndIconsAreKept(isArray: Bool) throws {
        let group = #"""
            {"attributes":{"required":"any"},"companion":[{"attributes":{"width":"300","height":250,"id":""},
            "staticResource":"https://cdn.example/c.png","companionClickThrough":"https://adv.example/",
            "trackingEvents":[{"event":"creativeView","signalingUrls":["https://t.example/cv"]}]}]}
            """#
        let body = #"""
            "trackingEvents":[],"companionAds":\#(isArray ? "[\(group)]" : group),
            "adVerifications":[{"vendor":"omv","verificationParameters":"k=1","executableResource":{"apiFramework":"omid",
            "uri":"https://omv.example/x"},"trackingEvents":[{"event":"verificationNotExecuted","startTime":1000,"duration":0,
            "signalingUrls":["https://t.example/vne"]}]}],
            "icons":[{"attributes":{"program":"AdChoices","xPosition":"left"},"staticResource":{"creativeType":"image/png",
            "uri":"https://cdn.example/i.png"},"iconClicks":{"iconClickThrough":"https://choices.example/"}}]
            """#
        let document = try Self.ad(body)
        let ad = try #require(document.breaks.first?.ads.first)
        let companion = try #require(ad.companions.first)
        #expect(companion.required == "any")
        #expect(companion.width == 300 && companion.height == 250)
        #expect(companion.attributes["id"] == .string(""))
        #expect(companion.extras["staticResource"] == .string("https://cdn.example/c.png"))
        #expect(companion.events.map(\.type) == [.creativeView])
        #expect(companion.events.first?.start == .ms(1_000))
        let verification = try #require(ad.verifications.first)
        #expect(verification.vendor == "omv" && verification.parameters == "k=1")
        #expect(verification.javaScript == nil)
        #expect(verification.executable?.uri == "https://omv.example/x")
        #expect(verification.events.map(\.type) == [.verificationNotExecuted])
        let icon = try #require(ad.icons.first)
        #expect(icon.program == "AdChoices")
        #expect(icon.imageURI == "https://cdn.example/i.png")
        #expect(icon.clickThrough == "https://choices.example/")
        #expect(document.findings.map(\.rule) == ["L04"], "only the width is a string")
    }

    @Test func wholeDocumentFailures() {
        let cases: [(String, MetadataProblem)] = [
            ("", .empty), ("  \n", .empty), ("<html><body>Login</body></html>", .html),
            ("[]", .notAnObject(typeName: "array", isEmpty: true)),
            ("[7]", .notAnObject(typeName: "array", isEmpty: false)),
        ]
        for (text, problem) in cases {
            #expect(throws: problem, "\(text)") { try Self.decode(text) }
        }
        do {
            _ = try Self.decode("{\n  \"adBreaks\": nope}")
            Issue.record("decoded")
        } catch {
            #expect((error as? MetadataProblem)?.explanation == "is not JSON: expected 'null' at line 2, column 15")
        }
    }

    @Test func findingsAreLimited() throws {
        let nodes = Array(repeating: "7", count: 5_000).joined(separator: ",")
        let document = try Self.decode(#"{"dataRange":{"start":0,"end":9},"adBreaks":[\#(nodes)]}"#)
        #expect(document.findings.count == 201)
        #expect(document.findings.last?.message == "4800 more problems in this document are not listed")
    }

    /// Mutated bytes, truncated and doubled texts give a result or a typed error, and never trap. The name of a failure
    /// contains the seed.
    @Test(arguments: [UInt64(11), 12, 13, 14])
    func mutatedDocumentsNeverTrap(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let source = Array(Self.sample.utf8)
        let pieces = [
            "-", "9e99", "null", "{}", "[]", "\"\"", "9223372036854775807", "-9223372036854775808", "1e-400", "\\u0000",
        ]
        var decoded = 0
        var viewer = AdViewer()
        viewer.play(1_760_000_250_000, 1_760_000_260_000)
        for round in 0..<5_000 {
            var bytes = source
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: place)
                default:
                    // Replaces a whole number, which leaves most documents readable.
                    guard let start = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else {
                        continue
                    }
                    let end = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
                    bytes.replaceSubrange(start..<end, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
                }
            }
            guard let document = try? HarmonicMetadata.decode(bytes) else { continue }
            decoded += 1
            viewer.metadata(document)
            if round % 50 == 0 { viewer.play(1_760_000_255_000, 1_760_000_290_000) }
            // The viewer's state grows with every mutation; a trap would occur early.
            if round % 200 == 0 { viewer = AdViewer() }
        }
        #expect(decoded > 500, "seed \(seed)")
    }
}
