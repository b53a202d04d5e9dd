import AdTracking
import Foundation
import Ports
import TestSupport
import Testing

@testable import Session

@Suite struct MetricsTextTests {
    @Test func whatWasSentIsCountedByHostAndOutcome() throws {
        let session = try MonitorHarness.ran()
        let lines = MetricsText.render([session.health()], version: "1.2").split(separator: "\n").map(String.init)
        let sent = session.urls.count
        let host = try WebURL(session.urls[0]).host
        #expect(lines.contains("adtop_build_info{version=\"1.2\"} 1"))
        #expect(lines.contains("adtop_sessions{phase=\"running\",mode=\"fire\"} 1"))
        #expect(lines.contains("adtop_beacons_total{host=\"\(host)\",outcome=\"sent\"} \(sent)"))
        #expect(lines.contains("adtop_beacons_total{host=\"\(host)\",outcome=\"acknowledged\"} \(sent)"))
        #expect(lines.contains("adtop_events{state=\"done\"} 18"))
        #expect(lines.contains("adtop_beacon_lateness_seconds_count 18"))
        #expect(lines.contains("adtop_beacon_lateness_seconds_bucket{le=\"+Inf\"} 18"))
        #expect(lines.contains { $0.hasPrefix("adtop_poll_age_seconds{feed=\"metadata\"} ") })
        #expect(lines.contains("adtop_failing_sessions{feed=\"playlist\"} 0"))
    }

    /// Events that playback left behind are not idle, in metrics as in snapshots.
    @Test func eventsAreCountedAsInSnapshots() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks, joinAt: 190_000)
        session.start()
        session.run(for: .seconds(10))
        let health = SessionHealth(session.state, at: session.now, countsEvents: true)
        let snapshot = session.snapshot()
        #expect(health.events.filter { $0.value > 0 } == snapshot.counters.events)
        let text = MetricsText.render([health], version: "1")
        for (state, count) in snapshot.counters.events {
            #expect(text.contains("adtop_events{state=\"\(state.rawValue)\"} \(count)\n"))
        }
        #expect(snapshot.counters.events[.skipped] ?? 0 > 0, "the case is about skipped events")
    }

    @Test func whatIsOnlyObservedIsCountedToo() throws {
        let session = try MonitorHarness.ran { $0.mode = .observe }
        let text = MetricsText.render([session.health()], version: "1")
        #expect(text.contains("outcome=\"observed\"} 18\n"))
        #expect(!text.contains("outcome=\"sent\""))
    }

    @Test func sessionsAddUp() throws {
        let session = try MonitorHarness.ran()
        let health = session.health()
        let text = MetricsText.render([health, health, health], version: "1")
        #expect(text.contains("adtop_sessions{phase=\"running\",mode=\"fire\"} 3\n"))
        #expect(text.contains("outcome=\"acknowledged\"} \(3 * session.urls.count)\n"))
        #expect(text.contains("adtop_beacon_lateness_seconds_count 54\n"))
    }

    @Test func sessionsAreNamedWhereThatIsWanted() throws {
        let session = try MonitorHarness.ran()
        var (first, second) = (session.health(), session.health())
        (first.name, second.name) = ("ch1", "ch \"2\"")
        second.phase = .failing
        let text = MetricsText.render([first, second], version: "1", namesSessions: true)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains("adtop_session_info{session=\"ch1\",phase=\"running\",mode=\"fire\"} 1"))
        #expect(lines.contains("adtop_session_info{session=\"ch \\\"2\\\"\",phase=\"failing\",mode=\"fire\"} 1"))
        let sent = session.urls.count
        #expect(lines.contains("adtop_session_beacons_total{session=\"ch1\",state=\"due\"} \(sent)"))
        #expect(lines.contains("adtop_session_beacons_total{session=\"ch1\",state=\"acknowledged\"} \(sent)"))
        #expect(lines.contains("adtop_session_beacons_total{session=\"ch1\",state=\"failed\"} 0"))
        #expect(lines.contains("adtop_session_beacons_total{session=\"ch1\",state=\"unknown\"} 0"))
        #expect(lines.contains { $0.hasPrefix("adtop_session_latency_seconds{session=\"ch1\"} ") })
        #expect(!MetricsText.render([first], version: "1").contains("session=\""))
    }

    /// Metrics and JSON are two forms of the same numbers: with answers of every kind, and what an earlier process left open.
    @Test func theNumbersAreThoseOfTheJSON() throws {
        var first = try MonitorHarness(MainPathTests.twoBreaks)
        first.start()
        first.run(untilEdge: 97_000)
        first.losesAnswers = true
        first.run(untilEdge: 103_000)
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            switch request.url.text {
            case FakeOrigin.beacon("a3", "start"): FakeOrigin.failure(.timeout, "no answer", delay: .seconds(5))
            case FakeOrigin.beacon("a3", "midpoint"): FakeOrigin.status(503, request)
            default: nil
            }
        }
        var second = try MonitorHarness(origin, joinAt: 103_000)
        second.journal = first.journal
        second.start()
        second.run(untilEdge: 240_000)
        var health = SessionHealth(second.state, at: second.now, countsEvents: true)
        health.name = "ch1"
        let lines = MetricsText.render([health], version: "1", namesSessions: true).split(separator: "\n")
        func metric(_ name: String, _ labels: String) -> Int64? {
            let head = "adtop_\(name){\(labels)} "
            return lines.first { $0.hasPrefix(head) }.flatMap { Int64($0.dropFirst(head.count)) }
        }
        let session = SessionsJSON().value(of: [health], at: second.now)["sessions"]?.arrayValue?.first
        let beacons = try #require(session?["beacons"])
        for state in ["due", "sent", "acknowledged", "failed"] {
            let count = try #require(metric("session_beacons_total", "session=\"ch1\",state=\"\(state)\""), "\(state)")
            #expect(count == beacons[state]?.integerValue, "\(state)")
            #expect(count > 0, "the case has beacons of each kind")
        }
        #expect(metric("session_beacons_unknown", "session=\"ch1\"") == beacons["unknown"]?.integerValue)
        for severity in Severity.allCases {
            let count = session?["findings"]?[severity.rawValue]?.integerValue
            #expect(metric("findings", "severity=\"\(severity.rawValue)\"") == count, "\(severity)")
        }
        let counters = try #require(SnapshotJSON().value(of: second.snapshot())["counters"])
        for state in ReportingState.allCases {
            let count = counters["events"]?[state.rawValue]?.integerValue ?? 0
            #expect(metric("events", "state=\"\(state.rawValue)\"") == count, "\(state)")
        }
        #expect(metric("polls_total", "feed=\"metadata\"") == counters["metadataPolls"]?.integerValue)
        #expect(metric("polls_total", "feed=\"playlist\"") == counters["playlistReloads"]?.integerValue)
        let unknown = ["beaconsUnknown", "earlierUnknown"].compactMap { counters[$0]?.integerValue }
        #expect(unknown.count == 2 && !unknown.contains(0))
        #expect(beacons["unknown"]?.integerValue == unknown.reduce(0, +))
        #expect(beacons["failed"] == counters["beaconsFailed"])
    }

    /// A server that invents host names must not fill the memory of the metrics reader.
    @Test func hostsAreBounded() {
        var tally = DeliveryTally()
        for number in 0..<1_000 { tally.note(.sent, host: "h\(number)") }
        tally.note(.sent, host: "h0")
        #expect(tally.counts.count == DeliveryTally.hostsKept + 1)
        #expect(tally.counts["h0"] == [.sent: 2])
        #expect(tally.counts[DeliveryTally.otherHosts] == [.sent: 950])
    }

    @Test func everyLineIsOfTheFormat() throws {
        let session = try MonitorHarness.ran()
        var health = session.health()
        health.deliveries.note(.failed, host: "a\"b\\c\nd")
        let text = MetricsText.render([health], version: "1")
        #expect(text.contains("host=\"a\\\"b\\\\c\\nd\""))
        var typed: Set<Substring> = []
        for line in text.split(separator: "\n") {
            if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter|histogram)/) {
                #expect(typed.insert(type.output.1).inserted, "\(line)")
                continue
            }
            if line.hasPrefix("# HELP ") { continue }
            let sample = try #require(
                line.wholeMatch(of: /([a-z_]+)(?:\{[a-z_]+=".*"(?:,[a-z_]+=".*")*\})? [0-9.]+/), "\(line)")
            let name = sample.output.1
            #expect(typed.contains { name.hasPrefix($0) }, "\(line)")
        }
        #expect(text.hasSuffix("\n"))
    }

    @Test func noSessionIsFine() {
        let text = MetricsText.render([], version: "1")
        #expect(text.contains("adtop_findings{severity=\"error\"} 0\n"))
        #expect(!text.contains("adtop_poll_age_seconds"))
    }
}
