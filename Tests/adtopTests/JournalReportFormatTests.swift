import AdTracking
import ArgumentParser
import Foundation
import Ports
import Session
import TestSupport
import Testing

@testable import Live
@testable import adtop

/// The formats of a report, with names that contain markup and control characters.
@Suite struct JournalReportFormatTests {
    private static let hostile = "<script>alert(1)</script>\"'&\u{202E}\u{1B}[31m"
    private static let at = UnixTime(milliseconds: 1_800_000_000_000)

    private static var report: JournalReport {
        var tally = JournalReport.Tally()
        tally.acknowledged = 1_234
        tally.failed = 3
        tally.unknown = 2
        tally.lateness.add(.milliseconds(80))
        tally.lateness.add(.seconds(3))
        var report = JournalReport()
        report.totals = tally
        report.sessions = [
            JournalReport.Session(
                key: "http://h:80 abc", name: hostile, mediaURL: "http://h/live.m3u8?x=<b>", provider: "harmonic",
                mode: "fire", runs: 2, firstAt: at, tally: tally)
        ]
        var ad = JournalReport.Ad(name: "=HYPERLINK(\"http://x\")", start: at, duration: .seconds(15), tally: tally)
        ad.hosts = [JournalReport.Host(name: "ads.example", tally: tally)]
        report.breaks = [
            JournalReport.Break(
                session: 0, name: hostile, start: at, duration: .seconds(60), source: "metadata", tally: tally,
                ads: [ad, JournalReport.Ad(name: "silent")])
        ]
        report.hosts = ad.hosts
        report.findings = [
            JournalReport.Finding(
                rule: "L03", severity: "warning", message: hostile, count: 4, firstAt: at, lastAt: at)
        ]
        report.failures = [
            JournalReport.Failure(
                host: hostile, status: 503, count: 2, firstAt: at, lastAt: at + .seconds(9), breaks: [0]),
            JournalReport.Failure(host: hostile, count: 1, firstAt: at, lastAt: at, breaks: [0, 7]),
        ]
        report.course.start = at
        report.course.length = .seconds(60)
        report.course.stretches = [.init(acknowledged: 5, failed: 1), .init(), .init(unanswered: 2)]
        return report
    }

    @Test func thePageHasNoMarkupFromOutside() {
        let page = ReportPage(report: Self.report, since: nil, at: Self.at).text
        #expect(!page.contains("<script"))
        #expect(!page.contains("\u{202E}"))
        #expect(!page.contains("\u{1B}"))
        #expect(!page.contains("?x=<b>"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"))
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
        // The page loads nothing; its links lead to places of its own.
        #expect(!page.contains("src=") && !page.contains("url("))
        #expect(page.matches(of: /href=(?!"#)/).isEmpty)
    }

    /// U+0D4E and a `<` after it are one character, and a browser sees the `<`.
    @Test func aCharacterOfSeveralScalarsHidesNoMarkup() {
        #expect(HTMLText(outside: "\u{D4E}<img src=x>").text.unicodeScalars.filter { $0 == "<" }.count == 2)
    }

    /// Sessions come first; a failure leads to the break in which it happened, and a session to its breaks.
    @Test func linksLeadToRows() throws {
        var report = Self.report
        report.sessions.append(report.sessions[0])
        var other = report.breaks[0]
        other.session = 1
        report.breaks += [other, JournalReport.Break(session: 1, name: "quiet", start: Self.at)]
        report.failures[0].breaks = [1, 2]
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        let links = Set(page.matches(of: /href="#([^"]*)"/).map(\.output.1))
        let places = Set(page.matches(of: /id="([^"]*)"/).map(\.output.1))
        #expect(links == ["break-1", "break-2", "session-1", "session-2"] && links.isSubset(of: places))
        let titles = page.matches(of: /<h2>([^<]*)</).map(\.output.1)
        #expect(titles.prefix(3) == ["Sessions", "Failures", "Over time"])
        #expect(page.matches(of: /<h3>/).count == 1 && page.contains("<small>3 failed</small>"))
        #expect(page.contains("<td>status 503</td>") && page.contains("<td>no usable answer</td>"))
        #expect(page.contains("2027-01-15 08:00:09"))
    }

    /// Each host has its lateness as bars: one for each bucket with beacons, the fullest one the highest.
    @Test func hostsHaveAHistogramOfLateness() throws {
        let page = ReportPage(report: Self.report, since: nil, at: Self.at).text
        let strip = try #require(page.firstMatch(of: /<svg class="strip".*?<\/svg>/)).output
        #expect(strip.matches(of: /<rect class="one"/).count == 2)
        #expect(strip.contains("x=\"1\" y=\"0\" width=\"6\" height=\"15\""))
    }

    @Test func thePageIsForLightDarkAndPaper() {
        let page = ReportPage(report: Self.report, since: nil, at: Self.at).text
        for rule in ["@media (prefers-color-scheme: dark)", "@media print", "content=\"light dark\""] {
            #expect(page.contains(rule))
        }
    }

    @Test func thePageIsWellFormed() throws {
        let page = ReportPage(report: Self.report, since: Self.at, at: Self.at).text
        var open: [Substring] = []
        for match in page.matches(of: /<(\/?)([a-z0-9]+)[^>]*?(\/?)>/) {
            let (_, closing, name, isEmpty) = match.output
            if ["meta"].contains(name) || !isEmpty.isEmpty { continue }
            if closing.isEmpty { open.append(name) } else { #expect(open.popLast() == name) }
        }
        #expect(open.isEmpty)
        #expect(page.contains("<b>1,239</b> due"))
        #expect(page.contains("<title>2027-01-15 08:00:00: done 5, failed 1</title>"))
        #expect(page.contains("Since 2027-01-15 08:00:00"))
    }

    /// Text and page have the words of the screen (docs/states.md), and thousands separated; JSON and CSV keep their names.
    @Test func statesHaveTheWordsOfTheScreen() {
        var report = Self.report
        report.totals.open = 4
        let words = report.totals.states.map(\.word)
        #expect(Set(words) == Set(StateWord.allCases).subtracting([.idle, .retry, .partial]))
        let lines = ReportText.lines(report)
        let head = lines.first { $0.contains("sent") && $0.contains("failed") }
        #expect(
            head?.split(separator: " ").joined(separator: " ") == "due sent done failed unknown busy observed not sent")
        #expect(lines.contains { $0.hasPrefix("all") && $0.contains(" 1,243 ") && $0.contains(" 1,234 ") })
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        for (word, count) in report.totals.states {
            #expect(page.contains("<b>\(count.grouped)</b> \(word.rawValue) "))
        }
        #expect(page.contains("<th class=\"n\">Busy</th>") && page.contains("<th class=\"n\">Not sent</th>"))
        #expect(!page.contains(">Open<"))
    }

    /// Breaks of several sessions may have the same names.
    @Test func breaksAreUnderTheirSessionAndIdleOnesAreCounted() {
        var report = Self.report
        var second = report.sessions[0]
        second.mediaURL = "http://h/second.m3u8"
        report.sessions.append(second)
        var other = report.breaks[0]
        other.session = 1
        report.breaks += [other, JournalReport.Break(session: 1, name: "quiet", start: Self.at)]
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        #expect(page.matches(of: /<tr class="session" id="session-[12]">/).count == 2)
        #expect(page.contains("http://h/second.m3u8"))
        #expect(page.contains("1 break without a due beacon."))
        #expect(!page.contains("quiet"))
        #expect(ReportText.lines(report).contains("1 break without a due beacon"))
    }

    /// Auctions, ad spaces and pings are no breaks, whatever their beacons count for; sums of a fleet have no breaks at all.
    @Test func whatIsBesideTheStreamIsNoBreak() {
        var report = Self.report
        report.hosts.append(JournalReport.Host(name: "", tally: report.totals))
        report.breaks.append(JournalReport.Break(session: 0, name: "auction/demo", tally: report.totals))
        let lines = ReportText.lines(report)
        #expect(lines.first == "1 session, 1 break, 1,239 beacons due")
        #expect(lines.contains("Beside the stream: auctions, ad spaces, pings"))
        #expect(lines.contains { $0.hasPrefix("auction/demo ") } && lines.contains { $0.hasPrefix("(invalid URL) ") })
        report.breaks = []
        let sums = ReportText.lines(report)
        #expect(sums.first == "1 session, 1,239 beacons due" && !sums.contains("By break"))
    }

    /// The name of the pings of a session has its identifier.
    @Test func pingsAreNotNamedByTheirSession() {
        var report = Self.report
        report.breaks.append(JournalReport.Break(session: 0, name: "ping/abc", tally: report.totals))
        let lines = ReportText.lines(report.redacted)
        #expect(lines.contains { $0.hasPrefix("ping/*** ") } && !lines.contains { $0.contains("ping/abc") })
    }

    /// Each row of several sessions is under its session.
    @Test func breaksInTextAreUnderTheirSession() {
        var report = Self.report
        report.sessions.append(JournalReport.Session(key: "second", mediaURL: "http://h/second.m3u8", runs: 1))
        var other = report.breaks[0]
        (other.session, other.name) = (1, "other")
        report.breaks.append(other)
        let lines = ReportText.lines(report)
        let heading = lines.firstIndex(of: "http://h/second.m3u8")
        let row = lines.firstIndex { $0.contains(" other ") }
        #expect(heading != nil && row != nil && (heading ?? 0) < (row ?? 0))
    }

    @Test func anEmptyReportIsAPageToo() {
        let page = ReportPage(report: JournalReport(), since: nil, at: Self.at).text
        #expect(page.contains("No beacon was due."))
        #expect(!page.contains("<svg"))
    }

    @Test func csvHasARowPerAdAndHostAndNoFormulas() {
        var text = ""
        ReportCSV.write(Self.report) { text += $0 }
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("session,break,breakStart,breakSource,ad,adStart,host,due,sent,acknowledged,failed"))
        #expect(lines[1].contains("\"'=HYPERLINK(\"\"http://x\"\")\""))
        #expect(lines[1].hasSuffix("ads.example,1239,1239,1234,3,2,0,0,0,1,0,0,0,0,1,0,0,0,harmonic,"))
        #expect(lines[2].contains(",silent,,,0,0,0,0,0,0,0,0,"))
        #expect(lines.count == 4)
    }

    @Test func jsonHasItsSchemaAndAllFigures() throws {
        var text = ""
        ReportJSON.write(Self.report, since: nil, at: Self.at) { text += $0 }
        let value = try JSONReader.read(text)
        #expect(value.objectValue?.members.count == 11 && text.hasSuffix("}\n"))
        #expect(value["schema"]?.stringValue == "adtop-report/1")
        #expect(value["sinceMs"] == .null)
        #expect(value["totals"]?["due"]?.integerValue == 1_239)
        #expect(value["lateBoundsMs"]?.arrayValue?.count == 8)
        let counts = value["totals"]?["lateCounts"]?.arrayValue?.map(\.integerValue)
        #expect(counts == [1, 0, 0, 0, 0, 1, 0, 0, 0])
        #expect(value["totals"]?["lateSumMs"]?.integerValue == 3_080)
        #expect(value["breaks"]?.arrayValue?.first?["ads"]?.arrayValue?.first?["hosts"]?.arrayValue?.count == 1)
        let failure = value["failures"]?.arrayValue?.first
        #expect(failure?["status"]?.integerValue == 503 && failure?["count"]?.integerValue == 2)
        #expect(value["course"]?["stretches"]?.arrayValue?.count == 3)
    }

    @Test func jsonOfAnEmptyJournalIsADocumentToo() throws {
        var text = ""
        ReportJSON.write(JournalReport(), since: Self.at, at: Self.at) { text += $0 }
        let value = try JSONReader.read(text)
        #expect(value["breaks"]?.arrayValue?.isEmpty == true && value["totals"]?["due"]?.integerValue == 0)
    }

    /// A report written in pieces equals a report written at once.
    @Test func aReportIsWrittenWholeIntoAFile() throws {
        let folder = try TemporaryFolder()
        var output = try ReportOutput(path: folder.file("r"))
        let line = String(repeating: "x", count: 1_000) + "\n"
        for _ in 0..<1_000 { output.write(line) }
        try output.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("r"))).count == 1_001_000)
        #expect {
            _ = try ReportOutput(path: folder.path)
        } throws: { error in
            (error as? CommandFailure)?.status == .usage
        }
    }

    @Test func textIsSafeAndAligned() {
        let lines = ReportText.lines(Self.report)
        #expect(lines.first == "1 session, 1 break, 1,239 beacons due")
        #expect(!lines.joined().contains("\u{1B}") && !lines.joined().contains("\u{202E}"))
        #expect(lines.contains { $0.hasPrefix("ads.example") && $0.contains("1,234") })
        #expect(lines.contains("late: ≤ 100 ms 1, ≤ 5 s 1; mean 1,540 ms"))
    }

    /// The width of a terminal is no reason to cut what a file or the next program of a pipe reads.
    @Test func longFindingsAreGivenInFull() {
        var report = Self.report
        let message = String(repeating: "a long explanation of what was found ", count: 10) + "ends here"
        report.findings[0].message = message
        #expect(ReportText.lines(report).contains { $0.hasSuffix(": " + message) })
    }

    /// A setting that can send a beacon twice, or drops one that could be sent, is in each form of the report.
    @Test(arguments: [nil, "safe", "standard", "never"] as [String?])
    func theRetrySettingIsShown(_ retry: String?) throws {
        var report = Self.report
        report.sessions[0].retry = retry
        let isNamed = retry == "standard" || retry == "never"
        #expect(ReportText.lines(report).contains("retry \(retry ?? ""): 1 session") == isNamed)
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        #expect(page.contains("fire (retry \(retry ?? ""))") == isNamed)
        var text = ""
        ReportJSON.write(report, since: nil, at: Self.at) { text += $0 }
        let session = try JSONReader.read(text)["sessions"]?.arrayValue?.first
        #expect(session?["retry"] == JSONValue.optional(retry))
    }

    /// Each form names whose stream it was, where the journal knows that.
    @Test func theProviderIsNamed() {
        var report = Self.report
        report.sessions[0].provider = Self.hostile
        report.sessions += [
            JournalReport.Session(key: "b", provider: "mediatailor", runs: 1),
            JournalReport.Session(key: "c", provider: "mediatailor", runs: 1), JournalReport.Session(key: "d", runs: 1),
        ]
        let lines = ReportText.lines(report).filter { $0.hasPrefix("provider ") }
        #expect(lines.count == 2 && lines.contains("provider mediatailor: 2 sessions"))
        #expect(!lines.joined().contains("\u{1B}"))
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        #expect(page.contains("<th>Provider</th>") && page.contains("<bdi>mediatailor</bdi></td>"))
        #expect(!page.contains("<script"))
        var text = ""
        ReportCSV.write(Self.report) { text += $0 }
        #expect(text.components(separatedBy: "\r\n")[0].hasSuffix(",lateMore,provider,serviceMode"))
    }

    /// Who reported decides what the figures of a session mean, so each form has it beside the provider.
    @Test(arguments: [nil, "client", "hybrid", "pings", "server", hostile] as [String?])
    func theModeOfTheProviderIsNamed(_ mode: String?) throws {
        var report = Self.report
        (report.sessions[0].provider, report.sessions[0].serviceMode) = ("mediatailor", mode)
        let isPlain = mode != Self.hostile
        let name = "mediatailor" + (mode.map { " (\($0))" } ?? "")
        let line = ReportText.lines(report).first { $0.hasPrefix("provider ") }
        #expect(line == (isPlain ? "provider \(name): 1 session" : line) && line?.contains("\u{1B}") == false)
        let page = ReportPage(report: report, since: nil, at: Self.at).text
        #expect(page.contains("<bdi>\(name)</bdi></td>") == isPlain && !page.contains("<script"))
        var text = ""
        ReportCSV.write(report) { text += $0 }
        #expect(!isPlain || text.components(separatedBy: "\r\n")[1].hasSuffix(",mediatailor,\(mode ?? "")"))
        text = ""
        ReportJSON.write(report, since: nil, at: Self.at) { text += $0 }
        #expect(try JSONReader.read(text)["sessions"]?.arrayValue?.first?["serviceMode"] == JSONValue.optional(mode))
    }

    /// Two modes of one provider are two lines.
    @Test func modesAreCountedApart() {
        var report = Self.report
        report.sessions = ["client", nil, "server", "client"].map {
            JournalReport.Session(key: "k", provider: "uplynk", serviceMode: $0, runs: 1)
        }
        #expect(
            ReportText.lines(report).filter { $0.hasPrefix("provider ") } == [
                "provider uplynk: 1 session", "provider uplynk (client): 2 sessions",
                "provider uplynk (server): 1 session",
            ])
    }

    @Test(arguments: [
        (["--json", "--csv"], "exclude each other"), (["-"], "a journal is a database"),
    ])
    func wrongUsageIsSaid(_ arguments: [String], _ words: String) {
        #expect(throws: (any Error).self) { try ReportCommand.parse(arguments) }
        do { _ = try ReportCommand.parse(arguments) } catch {
            #expect(ReportCommand.message(for: error).contains(words))
        }
    }
}
