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

    private static func report(
        _ answers: [String], of provider: any SavedAnswerReader.Type = MediaTailorProvider.self
    ) throws -> MetadataReport {
        var report = MetadataReport(provider)
        for (index, text) in answers.enumerated() { try report.add(Array(text.utf8), of: "\(index + 1).json") }
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

    /// An answer without a break of its own is as bare as VAST: it is that of the ads in it.
    @Test func bareAnswersAreBreaksOfTheirOwn() throws {
        func vast(_ ids: [String]) -> String {
            let ads = ids.map {
                #"<Ad id="\#($0)"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression><![CDATA[https://t.example/\#($0)]]></Impression>"#
                    + #"<Creatives><Creative AdID="1_YO_\#($0)"><Linear><Duration>00:00:15</Duration></Linear></Creative></Creatives></InLine></Ad>"#
            }
            return #"<VAST version="3.0">\#(ads.joined())</VAST>"#
        }
        let report = try Self.report([vast(["a"]), vast(["b"]), vast(["a", "c"])], of: YospaceProvider.self)
        let breaks = try #require(report.json["breaks"]?.arrayValue)
        #expect(breaks.map { $0["ads"]?.arrayValue?.compactMap { $0["id"]?.stringValue } } == [["a", "c"], ["b"]])
        let files = try #require(report.json["files"]?.arrayValue)
        let impression = ["a", "b", "c"].map { "of \($0 == "c" ? "a" : $0)/\($0)/impression" }
        #expect(files[0]["added"] == ["of a", "of a/a", .string(impression[0])] && files[0]["dropped"] == [])
        #expect(files[1]["added"] == ["of b", "of b/b", .string(impression[1])] && files[1]["changed"] == [])
        #expect(files[1]["dropped"] == ["of a", "of a/a", .string(impression[0])])
        #expect(files[2]["added"] == ["of a/c", .string(impression[2])] && files[2]["changed"] == ["of a"])
        #expect(report.findings == [])
    }

    /// What a missed break reports was due at once: it has no place, and is reported once.
    @Test func aMissedBreakIsOnlyReported() throws {
        let text =
            #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">"#
            + #"<vmap:AdBreak timeOffset="start" breakType="linear" breakId="m"/></vmap:VMAP>"#
        let report = try Self.report([text, text], of: YospaceProvider.self)
        #expect(report.lines == (1...2).flatMap { ["\($0).json: 1 break", "  next request: GET"] })
        #expect(report.findings.map(\.rule) == ["P09"] && report.findings.first?.path == "m")
    }

    /// A second break of the session does not take the ads of the first one, although both have no place; answers are united (PRV-45).
    @Test func answersOfOneLiveStreamAreUnited() throws {
        let report = try Self.report(
            [
                #"{"ads":{"2":{"ad_break_id":"9","duration":10,"position":2}},"ad_breaks":{"9":{"duration":30}}}"#,
                #"{"ads":{"1":{"ad_break_id":"9","duration":15,"position":1}},"ad_breaks":{"9":{"duration":25}}}"#,
            ], of: DAIProvider.self)
        let ads = try #require(report.json["breaks"]?.arrayValue?.first?["ads"]?.arrayValue)
        #expect(ads.compactMap { $0["id"]?.stringValue } == ["1", "2"])
        #expect(report.findings.contains { $0.rule == "L38" && $0.path == "9" })
    }

    /// Pages of one session follow each other's tokens, and one date of second 0 (PRV-18, PRV-20).
    @Test func aTokenThatIsGoneIsReported() throws {
        let token = try Self.report([Self.answer([60], token: "t1"), Self.answer([60], token: nil)])
        #expect(token.findings.filter { $0.rule == "L50" }.count == 1)
        #expect(try !Self.report([Self.answer([60], token: nil)]).findings.contains { $0.rule == "L50" })
        let dates = ["00", "01"].map { #"{"avails":[],"dashAvailabilityStartTime":"2027-01-15T08:\#($0):00Z"}"# }
        #expect(try Self.report(dates).findings.map(\.rule) == ["L51"])
    }

    /// The date of second 0 dates all breaks, before the nearest that has a date of its own does (PRV-20).
    @Test func theDateOfSecondZeroDatesTheBreaks() throws {
        func avail(_ id: String, _ start: Int, _ more: String = "") -> String {
            #"{"availId":"\#(id)","startTimeInSeconds":\#(start),"durationInSeconds":10,"ads":[]\#(more)}"#
        }
        let own = avail("2", 100, #","availProgramDateTime":"2027-01-15T09:00:00Z""#)
        func starts(_ zero: String) throws -> (clock: JSONValue?, starts: [JSONValue?]?) {
            let report = try Self.report([#"{"avails":[\#(avail("1", 10)),\#(own)]\#(zero)}"#])
            return (report.json["clock"], report.json["breaks"]?.arrayValue?.map { $0["start"] })
        }
        let dated = try starts(#","dashAvailabilityStartTime":"2027-01-15T08:00:00Z""#)
        #expect(dated.clock == "date")
        #expect(dated.starts == ["2027-01-15T08:00:10.000Z", "2027-01-15T09:00:00.000Z"])
        #expect(try starts("").starts == ["2027-01-15T08:58:30.000Z", "2027-01-15T09:00:00.000Z"])
    }

    /// Only a ping is answered with the next position; the answer that names none ends them (PRV-43).
    @Test func theEndOfThePingsIsReportedOnce() throws {
        let opening = #"{"playURL":"https://h.example/a.m3u8","sid":"1"}"#
        let (next, last) = (#"{"next_time":12.5}"#, #"{"next_time":-1}"#)
        #expect(try Self.report([opening, next, next], of: Uplynk.self).findings == [])
        #expect(try Self.report([opening, next, last, last], of: Uplynk.self).findings.map(\.rule) == ["P08"])
    }

    /// Media ids place them, and no answer has any.
    @Test func whatHasNoPlaceIsNotAtZero() throws {
        let text =
            #"{"ads":{"1":{"ad_break_id":"9","duration":10}},"ad_breaks":{"9":{"duration":10,"expected_duration":15,"ads":1}}}"#
        let report = try Self.report([text], of: DAIProvider.self)
        #expect(report.lines.suffix(2) == ["break 9  no place yet  10 s, marker 15 s", "  ad 1  no place yet  10 s"])
        #expect(report.lines.contains("  next request: GET"))
    }

    @Test func afterTheAnswerOfAProgrammeThereIsNoRequest() throws {
        let report = try Self.report([#"{"ad_breaks":[{"start":60,"duration":15}]}"#], of: DAIProvider.self)
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
