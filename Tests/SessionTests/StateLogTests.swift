import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The log names the state of a beacon with the word of every other output (docs/states.md), at each way that leads there.
@Suite struct StateLogTests {
    /// What becomes of the beacon `start` of B1/A1, in how many tries, and the line that the log has about it.
    struct Row: CustomTestStringConvertible, Sendable {
        let state: DeliveryState
        let line: String
        var retry = RetrySetting.never
        var mode = ReportingMode.fire
        let answer: @Sendable (HTTPRequest) -> FakeOrigin.Reply

        var testDescription: String { "\(state): \(line)" }
    }

    static let rows = [
        Row(state: .acknowledged, line: "info: beacon start B1/A1 204 20ms") { FakeOrigin.status(204, $0) },
        Row(state: .rejected, line: "error: beacon start B1/A1 503 20ms: failed") { FakeOrigin.status(503, $0) },
        Row(state: .rejected, line: "error: beacon start B1/A1 503 20ms: failed after 2 tries", retry: .standard) {
            FakeOrigin.status(503, $0)
        },
        Row(state: .waiting, line: "warning: beacon start B1/A1 503 20ms try 1 retry in ", retry: .standard) {
            FakeOrigin.status(503, $0)
        },
        Row(state: .failed, line: "error: beacon start B1/A1 connection refused: failed") { _ in
            FakeOrigin.failure(.connect, "connection refused")
        },
        Row(state: .unknown, line: "error: beacon start B1/A1 no answer within 5 s: unknown") { _ in
            FakeOrigin.failure(.timeout, "no answer within 5 s", delay: .seconds(5))
        },
        Row(state: .skipped, line: "warning: beacon start B1/A1 10.0.0.5 is private: not sent") { _ in
            FakeOrigin.failure(.addressNotAllowed, "10.0.0.5 is private")
        },
        Row(state: .observed, line: "info: beacon start B1/A1 observed", mode: .observe) { FakeOrigin.status(204, $0) },
    ]

    private func ran(_ row: Row) throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        let url = FakeOrigin.beacon("a1", "start")
        origin.override = { request, _, _ in request.url.text == url ? row.answer(request) : nil }
        return try MonitorHarness.ran(origin, until: 131_000) {
            $0.retry = row.retry
            $0.mode = row.mode
        }
    }

    @Test("a line of the log ends in the word of the state that the beacon then has", arguments: rows)
    func words(_ row: Row) throws {
        var session = try ran(row)
        let lines = session.log.filter { $0.contains("beacon start B1/A1 ") }
        #expect(lines.contains { row.state == .waiting ? $0.hasPrefix(row.line) : $0 == row.line }, "\(lines)")
        // The answer says that it is done.
        if row.state != .acknowledged { #expect(row.line.contains(row.state.word.rawValue)) }
        #expect(try DocumentationPage.text("states").contains("\n| \(row.state.word.rawValue) | "))
        // No line about it has the word of another state.
        let others = StateWord.allCases.map(\.rawValue)
            .filter { $0 != row.state.word.rawValue && !(row.retry == .standard && ["retry", "failed"].contains($0)) }
        for line in lines { for word in others { #expect(!line.contains(" \(word)"), "\(line)") } }
        let event = session.snapshot().event("start", ad: "a1")
        #expect(row.state == .waiting || event?.urls.map(\.state) == [row.state])
    }

    @Test("a beacon is counted once: a beacon that may have arrived is unknown, and not failed", arguments: rows)
    func countedOnce(_ row: Row) throws {
        var session = try ran(row)
        let snapshot = session.snapshot()
        let isFailed = [.rejected, .failed, .waiting].contains(row.state)
        #expect(snapshot.counters.beaconsFailed == (isFailed ? 1 : 0))
        #expect(snapshot.counters.beaconsUnknown == (row.state == .unknown ? 1 : 0))
        let host = snapshot.activity.hosts.first { $0.host == "127.0.0.1" }
        #expect(row.state != .unknown || (host?.unknown, host?.failed) == (1, 0))
        let problems = Verdict(snapshot).problems
        let failed = session.health().recent.failure
        #expect((failed?.event, failed?.host) == (isFailed ? "start" : nil, isFailed ? "127.0.0.1" : nil))
        #expect(problems.contains(.failed(1)) == isFailed && problems.contains(.unknown(1)) == (row.state == .unknown))
        #expect(
            SnapshotJSON().value(of: snapshot)["counters"]?["beaconsUnknown"]?.integerValue
                == (row.state == .unknown ? 1 : 0))
    }
}
