import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

@Suite struct ExportTests {
    @Test(
        "curl commands survive any URL",
        arguments: [
            ("https://e.com/a?b=1&c=[x]", "curl --globoff --include --url 'https://e.com/a?b=1&c=[x]'"),
            ("https://e.com/'; rm -rf ~ #", "curl --globoff --include --url 'https://e.com/'\\'';%20rm%20-rf%20~%20#'"),
            ("-o/etc/passwd", "curl --globoff --include --url '-o/etc/passwd'"),
            ("https://e.com/\n\u{1B}é", "curl --globoff --include --url 'https://e.com/%0A%1B%C3%A9'"),
        ])
    func curl(_ url: String, _ command: String) {
        #expect(CopyText.curl(url) == command)
    }

    @Test("the table quotes, defuses formulas and masks secrets")
    func csv() throws {
        var snapshot = SnapshotSamples.midBreak
        snapshot.breaks[1].ads[1].name = "=cmd|\"/c\",1"
        let rows = Export.csv(snapshot).split(separator: "\r\n")
        #expect(
            rows.first == "break,ad,event,start,state,reason,url,url_state,status,attempts,latency_ms,sent_at,late_ms")
        #expect(
            rows.contains(
                "pod-b2-7731,\"'=cmd|\"\"/c\"\",1\",firstQuartile,2026-11-21T12:40:53.700Z,failed,,"
                    + "https://t.example-dsp.com/v1/q1?cb=8839&id=a2&sid=***&pos=2&dur=30&ts=1795005653,"
                    + "rejected,503,3,212,2026-11-21T12:41:00.100Z,200"
            ))
        let events = snapshot.breaks.flatMap(\.ads).flatMap(\.events)
        #expect(rows.count == 1 + events.reduce(0) { $0 + $1.urls.count })
    }

    @Test("an exported screen masks secrets and omits text that is being typed")
    func text() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("! :")
        sample.type("rate 2")
        let text = Export.text(sample.snapshot, sample.state, now: sample.now)
        #expect(!text.contains("7f3a91c2"))
        #expect(text.contains("sid=***"))
        #expect(!text.contains("rate 2"))
        #expect(text.split(separator: "\n").count == 40)
    }

    @Test("a node as JSON has the names of the snapshot's schema")
    func json() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 120, 40)
        try sample.press("! : c o p y Space j s o n Enter")
        guard case .copy(let text, .json) = try #require(sample.effects.first) else {
            Issue.record("no copy: \(sample.effects)")
            return
        }
        let value = try JSONReader.read(text)
        #expect(value["event"]?.stringValue == "firstQuartile")
        #expect(value["reportingState"]?.stringValue == "failed")
        #expect(value["urls"]?.arrayValue?.first?["status"]?.integerValue == 503)
        #expect(value["urls"]?.arrayValue?.first?["lateMs"]?.integerValue == 200)
    }
}
