import AdFormats
import AdTracking
import Foundation
import Ports
import TestSupport
import Testing

@testable import Session

/// The form of a recording is fixed: what one version wrote, every later one reads and would write the same.
@Suite struct RecordingFormTests {
    @Test func aRecordingOfTheFirstVersionIsWrittenAsItWas() throws {
        let file = ConformanceFolder.projectRoot.appendingPathComponent("Tests/Golden/recording/client-side-1.adtop")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count > 40)
        for line in lines {
            #expect(try RecordingFormat.line(RecordingFormat.readLine(Array(line.utf8))) == line)
        }
    }

    @Test(arguments: [
        #"{"kind":"fetched","id":1,"exchange":{"hops":[{"url":"http://h/a","status":302,"fields":[]},"#
            + #"{"url":"http://h/b","status":200,"fields":[["Content-Type","x/y"],["Age","1"]]}],"body":"a\n","#
            + #""isBodyCut":false,"bodyBytes":2,"timings":{"resolveUs":1,"connectUs":2,"waitUs":3,"receiveUs":4,"#
            + #""totalUs":10},"httpVersion":"2"}}"#,
        #"{"kind":"beaconAnswered","claim":3,"exchange":{"hops":[],"failure":{"kind":"reset","message":"reset"},"#
            + #""bodyHex":"00ff","isBodyCut":true,"bodyBytes":900,"timings":{"resolveUs":null,"connectUs":null,"#
            + #""waitUs":null,"receiveUs":null,"totalUs":3}}}"#,
        #"{"kind":"beaconAnswered","claim":3,"exchange":{"hops":[],"body":"","isBodyCut":false,"bodyBytes":0,"#
            + #""timings":{"resolveUs":null,"connectUs":null,"waitUs":null,"receiveUs":null,"totalUs":3},"#
            + #""sentAfterUs":2000001}}"#,
        #"{"kind":"journalOpened","notice":null,"entries":[{"session":"s","break":"=b","ad":"1:0","adStartUs":-1,"#
            + #""type":"impression","startUs":2,"url":"http://h/i","round":1,"attempt":2,"outcome":null},"#
            + #"{"session":"s","break":"=b","ad":"1:0","adStartUs":1,"type":"complete","startUs":2,"url":"http://h/c","#
            + #""round":0,"attempt":1,"outcome":"acknowledged"}]}"#,
        #"{"kind":"journalOpened","notice":"moved","entries":[],"damagedFile":"j.damaged","completeFromUs":9}"#,
        #"{"kind":"journalOpened","notice":null,"entries":[],"reachedUs":[[1,2],[7200000000,7200000001]],"#
            + #""isTakenOver":true}"#,
        #"{"kind":"creativesKept","round":2,"creatives":[{"id":"a","problem":null,"tookUs":5},"#
            + #"{"id":"b","problem":"it is too large","tookUs":0}]}"#,
        #"{"kind":"pluginReported","plugin":"p","run":1,"news":{"kind":"output","text":"{}"}}"#,
        #"{"kind":"pluginReported","plugin":"p","run":1,"news":{"kind":"complaint","hex":"c3"}}"#,
        #"{"kind":"playerCommanded","command":{"kind":"setRate","rate":1.5}}"#,
        #"{"kind":"formatActed","slot":"home","action":{"kind":"hidden","flag":true}}"#,
        #"{"kind":"zoneRemoved","unit":"u","problem":"it is not there","rows":[]}"#,
    ])
    func inputsAreWrittenAsTheyWereRead(input: String) throws {
        let line = #"{"wallUs":5,"uptimeUs":7,"input":\#(input)}"#
        #expect(try RecordingFormat.line(RecordingFormat.readLine(Array(line.utf8))) == line)
    }

    /// Earlier recordings have one date, up to which everything was reached.
    @Test func anEarlierJournalReachedAllBeforeADate() throws {
        let input = #"{"kind":"journalOpened","notice":null,"entries":[],"sendsAfterUs":9}"#
        let line = #"{"wallUs":5,"uptimeUs":7,"input":\#(input)}"#
        guard case .journalOpened(let opening) = try RecordingFormat.readLine(Array(line.utf8)).input else {
            Issue.record("another input")
            return
        }
        #expect(opening.reached.contains(UnixTime(microseconds: 9)))
        #expect(!opening.reached.contains(UnixTime(microseconds: 10)))
    }

    /// Every member, with another value than the default where it can have one.
    private static let header =
        #"{"format":"adtop-recording/2","redaction":"none","configuration":{"mediaUrl":"http://127.0.0.1/a.m3u8","#
        + #""name":"ch7","provider":"none","isInitRequest":false,"keepUs":1,"metadataIntervalUs":2,"mode":"observe","#
        + #""isReadonly":true,"firesByDefault":true,"allowsPrivate":true,"allowHosts":["a.example"],"reportsAnyway":true,"#
        + #""userAgent":"x/1","lowLatency":true,"variant":"720p","isLenient":false,"rereadsManifest":false,"rate":1.5,"keepsFromEdge":true,"start":{"kind":"behindEdge","us":3},"playsInterstitials":true,"#
        + #""seed":"18446744073709551615","logLines":7,"decision":{"kind":"vmapDocument","hex":"ff"},"#
        + #""retry":"never","renewal":"never","sendsWithoutJournal":true,"writesHistory":true,"formats":"#
        + #"{"adServer":"http://ads.example/","device":"phone","version":"1","slots":[{"name":"home","unit":"u","#
        + #""format":"banner","size":"WIDE","plugin":"py","placement":null}],"plugins":[{"identifier":"py","name":"P","#
        + #""capabilities":["banner","bid"],"sizes":{},"configuration":{}}],"builtIn":[{"identifier":"b","#
        + #""configuration":{"a":1}}],"parameters":[["k","v"]],"refreshFields":["f"],"keepsZones":true,"#
        + #""rules":["20,90","0.25","100,500,900"]},"macros":[["A","1"],["B","2"]],"auction":null,"#
        + #""auctionPlugins":[],"warmsCache":true,"hiddenLog":["auction","formats"]}}"#

    @Test func headersAreWrittenAsTheyWereRead() throws {
        #expect(try RecordingFormat.header(RecordingFormat.readHeader(Array(Self.header.utf8))) == Self.header)
    }

    /// Recordings of 0.1 have none of these.
    @Test func earlierHeadersReplayAsTheyRan() throws {
        let later = [
            #""name":"ch7","#, #""firesByDefault":true,"#, #""allowsPrivate":true,"#,
            #""reportsAnyway":true,"#, #""lowLatency":true,"#,
            #""playsInterstitials":true,"#, #""keepsFromEdge":true,"#,
            #""retry":"never","renewal":"never","sendsWithoutJournal":true,"writesHistory":true,"#,
            #","builtIn":[{"identifier":"b","configuration":{"a":1}}],"parameters":[["k","v"]],"#
                + #""refreshFields":["f"],"keepsZones":true,"rules":["20,90","0.25","100,500,900"]"#,
            #","macros":[["A","1"],["B","2"]]"#,
            #","auctionPlugins":[],"warmsCache":true,"hiddenLog":["auction","formats"]"#,
        ]
        var header = Self.header
        for member in later {
            #expect(header.contains(member), "\(member)")
            header = header.replacing(member, with: "")
        }
        let configuration = try RecordingFormat.readHeader(Array(header.utf8))
        #expect(configuration.name == nil && configuration.retry == nil && configuration.renewal == nil)
        #expect(
            !configuration.sending.firesByDefault && configuration.sending.allowsPrivate
                && !configuration.following.prefersLowLatency)
        #expect(!configuration.following.keepsFromEdge)
        #expect(!configuration.playsInterstitials && !configuration.sending.sendsWithoutJournal)
        #expect(!configuration.writesHistory && !configuration.warmsCache && configuration.macros.isEmpty)
        #expect(configuration.log.hidden.isEmpty)
        let formats = try #require(configuration.formats)
        #expect(formats.builtIn.isEmpty && formats.parameters.isEmpty && formats.refreshFields.isEmpty)
        #expect(!formats.keepsZones && formats.rules == .init())
    }

    @Test(arguments: [
        (#""rate":1.5"#, #""rate":"fast""#, "has no number 'rate'"),
        (#""rate":1.5,"#, "", "has no number 'rate'"),
        (#""lowLatency":true"#, #""lowLatency":1"#, "has no boolean 'lowLatency'"),
        (#""mode":"observe""#, #""mode":"loud""#, "has the unknown mode 'loud'"),
        (#""seed":"18446744073709551615""#, #""seed":"-1""#, "has a seed that is not a number"),
        (#""hex":"ff""#, #""hex":"f""#, "has a body with an odd number of hexadecimal digits"),
        (#""0.25""#, #""2""#, "has a viewability rule that is not a number above 0 and up to 1, such as 0.5"),
        (#"[{"name":"home""#, #"[3,{"name":"home""#, "has no object where one is expected"),
        (#"["A","1"]"#, #"["A"]"#, "has a macro that is not a name and a value"),
        (#""auction":null"#, #""auction":{}"#, "has an invalid auction"),
    ])
    func damageIsNamed(part: String, damaged: String, problem: String) throws {
        let header = Self.header.replacing(part, with: damaged)
        #expect(header != Self.header)
        let error = #expect(throws: RecordingFormat.Problem.self) {
            try RecordingFormat.readHeader(Array(header.utf8))
        }
        #expect(error?.message.hasPrefix(problem) == true, "\(error?.message ?? "read")")
    }
}
