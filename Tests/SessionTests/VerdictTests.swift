import AdTracking
import Ports
import Testing

@testable import Session

/// The verdict on a session, from its snapshot and from its health alone.
@Suite struct VerdictTests {
    typealias Change = @Sendable (inout Snapshot) -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: Change
        var expected: [Verdict.Problem]

        init(_ title: String, _ expected: [Verdict.Problem], _ change: @escaping Change) {
            (testDescription, self.expected, self.change) = (title, expected, change)
        }
    }

    private static func findings(_ severities: [Severity]) -> [FindingView] {
        let at = Moment(wall: UnixTime(milliseconds: 0), uptime: .zero)
        return severities.map {
            FindingView(finding: Finding(rule: "L13", severity: $0, message: "m"), count: 1, first: at, last: at)
        }
    }

    private static let bad = FeedHealth(state: .failing, status: 503, consecutiveFailures: 2)

    private static let rows: [Row] = [
        Row("nothing is wrong", []) { _ in },
        Row("notes are not problems", []) { $0.findings = findings([.info, .info]) },
        Row("beacons failed", [.failed(3)]) { $0.counters.beaconsFailed = 3 },
        Row("warnings", [.findings(errors: 0, warnings: 2)]) {
            $0.findings = findings([.warning, .info, .warning])
        },
        Row("errors among findings", [.findings(errors: 1, warnings: 2)]) {
            $0.findings = findings([.warning, .error, .warning])
        },
        Row("outcomes are unknown", [.unknown(2)]) { $0.counters.beaconsUnknown = 2 },
        Row("the worst comes first", [.failed(1), .findings(errors: 1, warnings: 0), .unknown(2)]) {
            $0.counters.beaconsFailed = 1
            $0.counters.beaconsUnknown = 2
            $0.findings = findings([.error])
        },
        Row("warnings come after unknown outcomes", [.unknown(2), .findings(errors: 0, warnings: 1)]) {
            $0.counters.beaconsUnknown = 2
            $0.findings = findings([.warning])
        },
        Row("both feeds fail and the playhead waits", [.playlist(status: 503), .metadata(status: 503), .stalled]) {
            $0.session.phase = .failing
            $0.session.playlistHealth = bad
            $0.session.metadataHealth = bad
            $0.playhead.state = .stalled
        },
        Row("a ping failed", [.ping(status: 503), .failed(1)]) {
            $0.session.metadataHealth = bad
            $0.session.metadataHealth.isPing = true
            ($0.counters.beaconsFailed, $0.counters.pingsFailed) = (1, 1)
        },
        Row("the session is over", [.over, .metadata(status: 503)]) {
            $0.session.phase = .over
            $0.session.metadataHealth = bad
            $0.playhead.state = .stalled
        },
        Row("an ended session has no failing feeds", []) {
            $0.session.phase = .ended
            $0.session.playlistHealth = bad
            $0.playhead.latency = .seconds(600)
        },
        Row("a stream that was never opened", [.notOpened]) {
            $0.session.phase = .failing
            $0.playlist.kind = .unknown
            $0.session.playlistHealth = bad
            $0.session.opening = OpeningView(requests: [], problem: .webPage, nextAttemptAt: nil)
        },
        Row("far behind the clock", [.behind(.seconds(223))]) { $0.playhead.latency = .seconds(223) },
        Row("just not far behind", []) { $0.playhead.latency = .seconds(30) },
        Row("long target durations move the bound", []) {
            $0.playlist.holdBack = .seconds(30)
            $0.playhead.latency = .seconds(90)
        },
        Row("the dates of a VOD stream are of no day", []) {
            $0.playlist.kind = .vod
            $0.playhead.latency = .seconds(223)
        },
    ]

    @Test("problems in the order of their weight", arguments: rows)
    func problems(_ row: Row) throws {
        var session = try MonitorHarness.ran()
        var snapshot = session.snapshot()
        row.change(&snapshot)
        let verdict = Verdict(snapshot)
        #expect(verdict.problems == row.expected)
        #expect(verdict.isGood == row.expected.isEmpty)
    }

    @Test("the health of a session gives the same verdict", arguments: rows)
    func ofHealth(_ row: Row) throws {
        var session = try MonitorHarness.ran()
        var snapshot = session.snapshot()
        row.change(&snapshot)
        var health = session.health()
        health.phase = snapshot.session.phase
        health.kind = snapshot.playlist.kind
        health.playlist = snapshot.session.playlistHealth
        health.metadata = snapshot.session.metadataHealth
        health.playhead = snapshot.playhead.state
        health.latency = snapshot.playhead.latency
        health.holdBack = snapshot.playlist.holdBack
        health.counters = snapshot.counters
        health.events = snapshot.counters.events
        health.findings = snapshot.findings.reduce(into: [:]) { $0[$1.finding.severity, default: 0] += 1 }
        #expect(Verdict(health) == Verdict(snapshot))
    }

    @Test("beacons that were due, sent and answered, in both modes")
    func beacons() throws {
        var firing = try MonitorHarness.ran()
        let sent = Verdict(firing.snapshot())
        #expect(sent.mode == .fire && sent.beacons.due > 0)
        #expect(sent.beacons.due == sent.beacons.sent && sent.beacons.sent == sent.beacons.acknowledged)
        #expect(sent == Verdict(firing.health()))
        var observing = try MonitorHarness.ran { $0.mode = .observe }
        let observed = Verdict(observing.snapshot())
        #expect(observed.mode == .observe && observed.beacons.sent == 0)
        #expect(observed.beacons.due == sent.beacons.due)
    }
}
