import AdTracking
import Ports
import Testing

@testable import Session

/// A line about a break has it, so that a screen can show the log of one break.
@Suite struct LoggedBreakTests {
    @Test("lines of beacons, breaks and ads have their break, others none", arguments: [ReportingMode.fire, .observe])
    func lines(_ mode: ReportingMode) throws {
        var session = try MonitorHarness.ran(until: 200_000) { $0.mode = mode }
        let snapshot = session.snapshot()
        #expect(snapshot.breaks.map(\.label) == ["B1", "B2"])
        for view in snapshot.breaks {
            let own = LogEntry.Break(name: view.name, start: view.start)
            let lines = snapshot.log.suffix(10_000).filter { $0.adBreak == own }
            let label = view.label
            for word in ["break \(label) started", "break \(label) ended", "ad \(label)/A1", "beacon start \(label)"] {
                #expect(lines.contains { $0.message.contains(word) }, "\(word)")
            }
            let beacons = snapshot.log.suffix(10_000).filter { $0.source == .beacons && $0.adBreak == nil }
            #expect(beacons.isEmpty, "\(beacons.map(\.message))")
        }
        #expect(snapshot.log[0]?.adBreak == nil)
    }

    @Test("a finding about a break is logged with it") func finding() throws {
        var desk = Desk(MonitorConfiguration(mediaURL: try WebURL("http://127.0.0.1/live.m3u8")), seed: 1)
        let now = Moment(wall: UnixTime(milliseconds: 1_700_000_000_000), uptime: .seconds(10))
        let place = FindingPlace(adBreak: "b1", start: UnixTime(milliseconds: 80_000), ad: "a1")
        let findings = [
            Finding(rule: "L35", severity: .error, message: "late").at(place),
            Finding(rule: "L10", severity: .error, message: "thin"),
        ]
        desk.noteFindings(findings, from: .metadata, at: now)
        #expect(desk.log.view.suffix(2).map(\.adBreak) == [LogEntry.Break(place), nil])
    }
}
