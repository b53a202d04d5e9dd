import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// The counters and the state of a beacon, at each way that leads there.
@Suite struct StateLogTests {
    /// What becomes of the beacon `start` of B1/A1.
    struct Row: CustomTestStringConvertible, Sendable {
        let state: DeliveryState
        var retry = RetrySetting.never
        var mode = ReportingMode.fire
        let answer: @Sendable (HTTPRequest) -> FakeOrigin.Reply

        var testDescription: String { "\(state), retries \(retry)" }
    }

    static let rows = [
        Row(state: .acknowledged) { FakeOrigin.status(204, $0) },
        Row(state: .rejected) { FakeOrigin.status(503, $0) },
        Row(state: .rejected, retry: .standard) {
            FakeOrigin.status(503, $0)
        },
        Row(state: .waiting, retry: .standard) {
            FakeOrigin.status(503, $0)
        },
        Row(state: .failed) { _ in
            FakeOrigin.failure(.connect, "connection refused")
        },
        Row(state: .unknown) { _ in
            FakeOrigin.failure(.timeout, "no answer within 5 s", delay: .seconds(5))
        },
        Row(state: .skipped) { _ in
            FakeOrigin.failure(.addressNotAllowed, "10.0.0.5 is private")
        },
        Row(state: .observed, mode: .observe) { FakeOrigin.status(204, $0) },
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
        #expect(problems.contains(.failed(1)) == isFailed && problems.contains(.unknown(1)) == (row.state == .unknown))
        #expect(
            SnapshotJSON().value(of: snapshot)["counters"]?["beaconsUnknown"]?.integerValue
                == (row.state == .unknown ? 1 : 0))
    }
}
