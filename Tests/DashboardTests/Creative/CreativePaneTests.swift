import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct CreativePaneTests {
    /// The creative view of A2, resolved through a wrapper chain.
    private func sample(_ columns: Int = 120, _ rows: Int = 40) throws -> DashboardSample {
        var sample = DashboardSample(SnapshotSamples.decided, columns, rows)
        try sample.press("! 7")
        return sample
    }

    private func text(_ sample: DashboardSample) -> String { TextWriter.text(of: sample.frame.grid) }

    @Test("rows are in the order of the lists")
    func order() throws {
        let rows = try sample().state.views.creative.list.model.rows
        #expect(
            rows == [
                .ad, .fact(0), .fact(1), .fact(2), .hop(0), .hop(1), .hop(2), .media(0), .media(1), .media(2),
                .companion(0), .companion(1), .icon(0), .verification(0), .finding(0), .extra(0), .extra(1),
            ])
    }

    @Test("left and right move from ad to ad, folded or not")
    func ads() throws {
        var sample = try sample()
        #expect(sample.state.views.creative.list.model.subject?.ad.label == "A2")
        try sample.press("h")
        #expect(sample.state.views.creative.list.model.subject?.ad.label == "A1")
        #expect(text(sample).contains("error 301"))
        try sample.press("h h h h")
        #expect(sample.state.views.creative.list.model.subject?.breakLabel == "B1")
        #expect(sample.state.views.creative.list.model.subject?.ad.label == "A1")
        try sample.press("l l l")
        #expect(
            sample.state.views.creative.list.model.subject?.path
                == NodePath(breakID: "break-B2", adID: "brandx-summer-id"))
    }

    @Test("braces move from break to break within the view")
    func breaks() throws {
        var sample = try sample()
        try sample.press("}")
        #expect(sample.state.main == .creative)
        #expect(sample.state.views.creative.list.model.subject?.breakLabel == "B3")
    }

    @Test("the cursor of another ad starts at its first row, the same ad keeps the cursor")
    func cursor() throws {
        var sample = try sample()
        try sample.press("j j j j")
        #expect(sample.state.views.creative.list.model.selected == .hop(0))
        sample.snapshot.breaks[1].ads[1].creative?.facts.append(.init("advertiser", "brandx"))
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        #expect(sample.state.views.creative.list.model.selected == .hop(0))
        try sample.press("l h")
        #expect(sample.state.views.creative.list.model.selected == .ad)
    }

    @Test("the chosen file is marked and each file has its reason")
    func media() throws {
        let shown = text(try sample(200, 60))
        #expect(shown.contains("✓ 1280x720 2000k video/mp4  the highest bitrate up to 3000 kbit/s"))
        #expect(shown.contains("bitrate above 3000 kbit/s"))
    }

    @Test("a rule broken on every line is one row with its number, and its detail has the places")
    func manyFindings() throws {
        var sample = try sample(200, 60)
        let findings = (1...125).map { (line: Int) in
            Finding(rule: "insecure-url", severity: .warning, message: "http://a.example/\(line)", line: line)
        }
        sample.snapshot.breaks[1].ads[1].creative?.findings = findings
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        sample.send(.snapshotArrived)
        let rows = sample.state.views.creative.list.model.rows
        #expect(rows.filter { if case .finding = $0 { true } else { false } } == [.finding(0)])
        #expect(text(sample).contains("insecure-url 125x  line 1  http://a.example/1"))
        let row = try #require(rows.firstIndex(of: .finding(0)))
        try sample.press(String(repeating: "j ", count: row))
        #expect(sample.state.views.creative.list.model.selected == .finding(0))
        #expect(text(sample).contains("125x, lines 1 2 3 4"))
    }

    @Test("the answer of a request is searched with / and n")
    func search() throws {
        var sample = try sample()
        try sample.press("j j j j j j 2 /")
        sample.type("mediafile")
        try sample.press("Enter")
        #expect(sample.state.scrolls.searches[.detail] == "mediafile")
        try sample.press("n")
        let first = try #require(sample.state.scrolls.offsets[.detail])
        try sample.press("n")
        #expect(sample.state.scrolls.offsets[.detail] != nil)
        #expect(first > 0)
        #expect(text(sample).contains("<MediaFile"))
    }

    @Test("secrets in addresses and in the answer are masked in exports")
    func redaction() throws {
        var sample = try sample(200, 60)
        try sample.press("j j j j j j")
        #expect(text(sample).contains("sid=7f3a91c2"))
        sample.state.settings.redactsURLs = true
        #expect(!text(sample).contains("7f3a91c2"))
    }

    @Test("y copies the address of the row")
    func copy() throws {
        var sample = try sample()
        try sample.press("j j j j j y")
        #expect(sample.effects == [.copy("https://ssp.example-ssp.io/tag?w=1", .url)])
        try sample.press("k k y")
        #expect(sample.effects.isEmpty)
    }

    @Test("a filter keeps matching rows")
    func filter() throws {
        var sample = try sample()
        try sample.press("/")
        sample.type("mp4")
        #expect(sample.state.views.creative.list.model.rows == [.media(0), .media(1), .finding(0)])
    }

    @Test("a session without breaks shows that there is no ad")
    func nothing() throws {
        var sample = DashboardSample(SnapshotSamples.plain, 80, 24)
        try sample.press("7")
        #expect(text(sample).contains("no ad under the cursor"))
    }

    @Test("a member among the facts is not repeated in its raw form")
    func twice() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.snapshot.breaks[1].ads[1].creative?.facts = [.init("adSystem", "dsp-9")]
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        try sample.press("! 7")
        #expect(sample.state.views.creative.list.model.rows == [.ad, .fact(0), .companion(0), .extra(0)])
    }

    @Test("ads of the metadata show their creative signals")
    func metadata() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("! 7")
        #expect(text(sample).contains("300x250"))
        #expect(text(sample).contains("known from the metadata; no ad server was requested"))
    }

    @Test(
        "the document that listed an ad is named",
        arguments: [("interstitial", "interstitial"), ("signaling", "playlist"), ("metadata+marker", "metadata")])
    func document(_ source: String, _ word: String) throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.snapshot.breaks[1].source = source
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        try sample.press("! 7")
        #expect(text(sample).contains("known from the \(word); no ad server was"))
    }

    @Test("values stand in one column beside the longest name, and a time in milliseconds is a date")
    func longNames() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        sample.snapshot.breaks[1].ads[1].creative?.facts = [
            .init("title", "espresso"), .init("universal ad id", "ad-id.org X1"),
            .init("startDateTime", "1796133595000"),
            .init("endDateTime", "\(Int64.max)"),
        ]
        sample.snapshot.at = sample.snapshot.at.advanced(by: .milliseconds(1))
        try sample.press("! 7")
        let lines = [
            "title            espresso", "universal ad id  ad-id.org X1",
            "startDateTime    2026-12-01 13:59:55.0 (1796133595000)", "endDateTime      \(Int64.max)",
        ]
        // In the rows, and in the detail beside them.
        for line in lines { #expect(text(sample).ranges(of: line.prefix(36)).count == 2, "\(line)") }
    }
}

@Suite struct AnswerTextTests {
    private func answer(_ text: String) -> AnswerText {
        var hop = CreativeView.Hop(outcome: .inline, url: "https://a.example/", depth: 0)
        hop.body = Array(text.utf8)
        return AnswerText(hop)
    }

    @Test("short lines stay as received")
    func plain() {
        let text = answer("<VAST>\n<Ad/>\n</VAST>")
        #expect(text.lines.map(\.string) == ["<VAST>", "<Ad/>", "</VAST>"])
        #expect(!text.isBroken)
    }

    @Test("lines that end in CR LF are no long line")
    func carriageReturns() {
        let text = answer(String(repeating: "<Ad></Ad>\r\n", count: 60))
        #expect(!text.isBroken && text.lines.first?.string == "<Ad></Ad>")
        #expect(text.lines(masked: { _ in "x" }).count == 61)
    }

    @Test("a long line is broken between elements and nothing is lost")
    func broken() {
        let source = "<VAST>" + String(repeating: "<Error>x</Error>", count: 40) + "</VAST>"
        let text = answer(source)
        #expect(text.isBroken)
        #expect(text.lines.count == 42)
        #expect(text.lines.map(\.string).joined() == source)
    }

    @Test("text that is not UTF-8, not XML or empty is shown as it is")
    func odd() {
        #expect(answer("").lines.map(\.string) == [""])
        #expect(answer("\u{1B}[2Jhtml").lines.count == 1)
        #expect(answer("\u{1B}[2Jhtml").lines[0].string.contains("\u{1B}") == false)
    }

    @Test("a huge answer is cut, and the cut is marked")
    func huge() {
        let text = answer(String(repeating: "<a></a>\n", count: 100_000))
        #expect(text.lines.count <= SafeText.bodyLineLimit + 1)
        #expect(text.lines.last?.string == "<cut>")
    }

    @Test("lines are masked one by one")
    func masked() {
        #expect(answer("a\nb").lines(masked: { $0 + "!" }).map(\.string) == ["a!", "b!"])
    }
}
