import AdTracking
import Ports
import Testing

@testable import adtop

/// `adtop metadata parse`: what an answer changed, and what of another provider it does not read.
@Suite struct MetadataReportTests {
    private static func answer(_ ads: [Int], token: String?) -> String {
        let list = ads.map { start in
            #"{"adId":"a\#(start)","startTimeInSeconds":\#(start),"durationInSeconds":10,"trackingEvents":[]}"#
        }.joined(separator: ",")
        let next = token.map { "\"\($0)\"" } ?? "null"
        let times = #""startTimeInSeconds":60,"durationInSeconds":\#(ads.count * 10)"#
        return #"{"avails":[{"availId":"b",\#(times),"ads":[\#(list)]}],"nextToken":\#(next)}"#
    }

    private static func report(_ answers: [String]) throws -> MetadataReport {
        var report = MetadataReport(provider: "mediatailor")
        for (index, text) in answers.enumerated() {
            let type = try #require(ProviderTable.providers.first { $0.name == "mediatailor" })
            report.add(try type.saved(Array(text.utf8)), of: "\(index + 1).json")
        }
        return report
    }

    @Test func eachAnswerShowsWhatItChanged() throws {
        let report = try Self.report([
            Self.answer([60], token: "t1="), Self.answer([60, 70], token: "t2"), Self.answer([70], token: nil),
        ])
        let files = try #require(report.json["files"]?.arrayValue)
        #expect(files[0]["added"] == ["b", "b/a60"] && files[0]["changed"] == [])
        #expect(files[1]["added"] == ["b/a70"] && files[1]["changed"] == ["b"] && files[1]["dropped"] == [])
        #expect(files[2]["added"] == [] && files[2]["dropped"] == ["b/a60"])
        #expect(files[0]["next"] == ["method": "POST", "body": ["NextToken": "t1="]])
        #expect(files[2]["next"] == ["method": "POST", "body": [:]])
        // What an answer lists no more stays.
        #expect(report.json["breaks"]?.arrayValue?.first?["ads"]?.arrayValue?.count == 2)
        #expect(report.json["clock"] == "stream" && report.json["schema"] == "adtop-metadata/1")
        #expect(report.lines.contains("  - b/a60"))
        #expect(report.lines.contains(#"  next request: POST {"NextToken":"t2"}"#))
    }

    /// A creative that is on air twice in a break: the second one is new, and the first one is as it was.
    @Test func anAdThatRepeatsIsANodeOfItsOwn() throws {
        let answers = [[60], [60, 75]].map { starts in
            let ads = starts.map {
                #"{"adId":"a","startTimeInSeconds":\#($0),"durationInSeconds":15,"trackingEvents":[]}"#
            }.joined(separator: ",")
            return #"{"avails":[{"availId":"1","startTimeInSeconds":60,"durationInSeconds":30,"ads":[\#(ads)]}]}"#
        }
        let files = try #require(try Self.report(answers).json["files"]?.arrayValue)
        #expect(files[1]["added"] == ["1/a #2"] && files[1]["changed"] == [] && files[1]["dropped"] == [])
    }

    /// Media ids place them, and no answer has any.
    @Test func whatHasNoPlaceIsNotAtZero() throws {
        var report = MetadataReport(provider: "dai")
        let text =
            #"{"ads":{"1":{"ad_break_id":"9","duration":10}},"ad_breaks":{"9":{"duration":10,"expected_duration":15,"ads":1}}}"#
        report.add(try DAIProvider.saved(Array(text.utf8)), of: "1.json")
        #expect(report.lines.suffix(2) == ["break 9  no place yet  10 s, marker 15 s", "  ad 1  no place yet  10 s"])
        #expect(report.lines.contains("  next request: GET"))
    }

    @Test func afterTheAnswerOfAProgrammeThereIsNoRequest() throws {
        var report = MetadataReport(provider: "dai")
        report.add(
            try DAIProvider.saved(Array(#"{"ad_breaks":[{"start":60,"duration":15}]}"#.utf8)), of: "1.json")
        #expect(report.lines == ["1.json: 1 break", "break without id  at 60 s  15 s"])
        #expect(report.json["files"]?.arrayValue?.first?["next"] == .null)
    }

    /// Companions, verification scripts and icons, in text by their number.
    @Test func whatBelongsToAnAdIsShown() throws {
        let parts =
            #""companionAds":[{"attributes":{"width":"300","height":"250"},"htmlResource":"<b>","trackingEvents":"#
            + #"[{"eventType":"creativeView","beaconUrls":["https://t.example/c"]}]}],"#
            + #""adVerifications":[{"vendor":"v","verificationParameters":"p","javaScriptResource":[{"uri":"https://v.example/"}]}],"#
            + #""icons":[{"attributes":{"program":"AdChoices"}},{}],"extensions":[{"type":"x"}]"#
        let ad = #"{"adId":"a","startTimeInSeconds":60,"durationInSeconds":10,"trackingEvents":[],\#(parts)}"#
        let report = try Self.report([#"{"avails":[{"availId":"b","startTimeInSeconds":60,"ads":[\#(ad)]}]}"#])
        #expect(report.lines.last == "    1 companion, 1 verification, 2 icons")
        let shown = try #require(report.json["breaks"]?.arrayValue?.first?["ads"]?.arrayValue?.first)
        let companion = shown["companions"]?.arrayValue?.first
        #expect(companion?["width"] == 300 && companion?["others"]?["htmlResource"] == "<b>")
        #expect(companion?["events"] == [["type": "creativeView", "urls": ["https://t.example/c"]]])
        let verification = shown["verifications"]?.arrayValue?.first
        #expect(verification?["vendor"] == "v" && verification?["javaScript"]?["uri"] == "https://v.example/")
        #expect(shown["icons"]?.arrayValue?.first?["program"] == "AdChoices" && shown["otherForms"] == nil)
        #expect(shown["extensions"] == [["type": "x"]])
    }

    @Test func findingsNameTheirNode() throws {
        let report = try Self.report([Self.answer([60, 65], token: nil)])
        #expect(report.findings.contains { $0.rule == "L16" && $0.path == "b/a65" })
    }
}
