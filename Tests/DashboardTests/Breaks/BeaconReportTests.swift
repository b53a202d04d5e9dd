import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The request of a beacon in full (improvement 13, D12).
@Suite struct BeaconReportTests {
    private func failed(_ columns: Int = 120, _ rows: Int = 40, isASCII: Bool = false) throws -> DashboardSample {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads[1].events[2].duration = .seconds(10)
        snapshot.activity.hosts = [
            HostView(host: "t.example-dsp.com", sent: 1_211, failed: 7, latency95: .seconds(5), acknowledged: 1_204)
        ]
        var sample = DashboardSample(snapshot, columns, rows, isASCII: isASCII)
        try sample.press("!")
        return sample
    }

    @Test(
        "no two values run together, whatever the width (D12)", arguments: [(120, 40), (100, 30), (200, 60), (80, 24)])
    func columns(_ columns: Int, _ rows: Int) throws {
        var sample = try failed(columns, rows)
        try sample.press("2 2")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("window 10.0s ") || text.contains("window 10.0s\n"))
        #expect(!text.contains("10.0ssent") && text.contains("after it was due"))
    }

    @Test("a character of several scalars hides no markup")
    func markup() {
        #expect(MarkdownText.cell("\u{D4E}<b").utf8.elementsEqual("\u{D4E}\\<b".utf8))
        #expect(MarkdownText.code("`\u{301}|\u{301}").utf8.elementsEqual("`%60\u{301}%7C\u{301}`".utf8))
    }

    @Test("all URLs in one table, the request, its answer and where its time went")
    func detail() throws {
        var sample = try failed(200, 60)
        try sample.press("2 2")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("2 URLs, 1 done"))
        #expect(text.contains("GET 1/2   https://t.example-dsp.com/v1/q1"))
        #expect(text.contains("answer    503 Service Unavailable"))
        #expect(text.contains("Server  nginx") && text.contains("Retry-After  1"))
        #expect(text.contains("time      dns ▏ connect ██▋ wait"))
        #expect(text.contains("t.example-dsp.com   1,204 done   7 failed   p95 5.0s (time-outs counted)"))
        var ascii = try failed(200, 60, isASCII: true)
        try ascii.press("2 2")
        #expect(TextWriter.text(of: ascii.frame.grid).unicodeScalars.allSatisfy { $0.isASCII || $0.value > 0x2E80 })
    }

    @Test("a request has the program's own header fields and those that were given for its host, and no others")
    func given() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.session.beaconFields = [HTTPField("User-Agent", "adtop/9 (+monitor)"), HTTPField("Accept", "*/*")]
        snapshot.session.additions = [
            RequestAddition(.stream, "X-Device: ***"),
            RequestAddition(.host(HostPattern(host: "t.example-dsp.com")), "X-Lab: ***"),
            RequestAddition(.host(HostPattern(host: "t.example-dsp.com")), "accept: ***"),
            RequestAddition(.host(HostPattern(host: "elsewhere.example")), "X-Other: ***"),
        ]
        var sample = DashboardSample(snapshot, 200, 60)
        try sample.press("!")
        try sample.press("2 2")
        let text = TextWriter.text(of: sample.frame.grid)
        #expect(text.contains("request   User-Agent: adtop/9 (+monitor)") && text.contains("          X-Lab: ***"))
        // The event has a second URL at another host; a given field takes the place of the program's own.
        #expect(text.ranges(of: "User-Agent: ").count == 2 && text.ranges(of: "Accept: */*").count == 1)
        #expect(text.ranges(of: "accept: ***").count == 1)
        #expect(!text.contains("X-Device") && !text.contains("X-Other"))
        try sample.press("B")
        guard case .copy(let report, .report)? = sample.effects.first else { throw CommandProblem.unknown("report") }
        #expect(report.contains("\nUser-Agent: adtop/9 (+monitor)\n") && report.contains("\nX-Lab: "))
        #expect(!report.contains("X-Other"))
        sample.send(.input(.resize(Size(columns: 120, rows: 40))))
        try sample.press("_")
        let narrow = TextWriter.text(of: sample.frame.grid)
        #expect(!narrow.contains("User-Agent"), "a narrow pane has those that were given alone")
    }

    @Test("B copies a report without secrets")
    func report() throws {
        var sample = try failed()
        try sample.press("B")
        guard case .copy(let text, .report)? = sample.effects.first else {
            Issue.record("nothing copied")
            return
        }
        #expect(text.hasPrefix("# Beacon firstQuartile failed, B2/A2\n"))
        #expect(text.contains("## URL 1 of 2: failed") && text.contains("## URL 2 of 2: done"))
        // The tries have the viewer's clock, and the stream is played behind it.
        #expect(
            text.contains(
                "- due: 2026-11-21T12:40:53.700Z (media time), by the clock 2026-11-21T12:40:59.900Z\n"), "\(text)")
        #expect(text.contains("- sent: 0.2s after it was due\n"), "\(text)")
        #expect(text.contains("| 3 | 2026-11-21T12:41:01.800Z | 503 | 2ms | 35ms | 175ms |"))
        #expect(text.contains("Same host: 1,204 done, 7 failed, p95 5.0s (time-outs counted)"))
        #expect(!text.contains("7f3a91c2"))
        try sample.press("h h B")
        #expect(sample.effects.isEmpty, "a break has no report")
    }
}
