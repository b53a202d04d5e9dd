import Ports
import Testing

@testable import AdTracking
@testable import Session

@Suite struct ActivityRecordTests {
    private static func answer(_ kind: HTTPFailure.Kind?, milliseconds: Int64) -> BeaconAnswer {
        BeaconAnswer(
            status: kind == nil ? 503 : nil, failure: kind.map { HTTPFailure($0, "it failed") }, hops: [],
            timings: HTTPExchange.Timings(total: milliseconds * 1_000), contentType: nil, bytes: 0)
    }

    private static let now = Moment(wall: UnixTime(milliseconds: 1_000_000), uptime: .seconds(1_000))

    /// A host that times out is slow (D10).
    @Test func timeOutsCountAmongTheLatencies() {
        var record = ActivityRecord()
        for _ in 0..<2 {
            record.noteBeacon(host: "a", at: Self.now)
            record.noteAcknowledged(host: "a", latency: 20_000, at: Self.now)
        }
        record.noteBeacon(host: "a", at: Self.now)
        record.noteFailed(host: "a", Self.answer(.timeout, milliseconds: 5_000), .failed, at: Self.now)
        let view = record.view(at: Self.now)
        #expect(view.latency95 == .seconds(5) && view.latencyMedian == .milliseconds(20))
        var answers = DelayHistogram()
        for milliseconds in [20, 20, 5_000] { answers.add(.milliseconds(milliseconds)) }
        #expect(
            view.hosts == [
                HostView(
                    host: "a", sent: 3, failed: 1, latency95: .seconds(5), acknowledged: 2, answers: answers)
            ])
        #expect(view.beaconsPerSecond.reduce(0, +) == 3)
    }

    @Test func latenessIsCountedByHost() {
        var record = ActivityRecord()
        for late in [-2, 40, 1_900] { record.noteLate(host: "a", .milliseconds(late), at: Self.now) }
        record.noteLate(host: "b", .zero, at: Self.now)
        let hosts = record.view(at: Self.now).hosts
        #expect(hosts.map(\.lateness.counts) == [[2, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]])
    }

    @Test func theLastMinuteIsInFiveSeconds() {
        var record = ActivityRecord()
        func note(_ second: Int) { record.noteBeacon(host: "a", at: Self.now.advanced(by: .seconds(second))) }
        func minute(after seconds: Int) -> [Int] { record.minute(at: Self.now.advanced(by: .seconds(seconds))) }
        for second in [0, 1, 4, 5, 59] { note(second) }
        #expect(minute(after: 59) == [3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        note(61)
        #expect(minute(after: 64).count == 12 && minute(after: 64).reduce(0, +) == 3)
        #expect(minute(after: 200) == [Int](repeating: 0, count: 12))
    }

    /// The worst of a minute is kept, whatever came after it; an hour later nothing is left of it.
    @Test func theWorstOfEachMinuteIsKept() {
        var record = ActivityRecord()
        for (minute, outcome) in [(0, MinuteOutcome.failed), (0, .acknowledged), (2, .acknowledged), (2, .late)] {
            record.note(outcome, at: Self.now.advanced(by: .seconds(60 * minute)))
        }
        func hour(after minutes: Int) -> [MinuteOutcome] {
            record.hour(at: Self.now.advanced(by: .seconds(60 * minutes)))
        }
        #expect(hour(after: 2).count == 60 && hour(after: 2).suffix(4) == [.quiet, .failed, .quiet, .late])
        #expect(hour(after: 59).prefix(3) == [.failed, .quiet, .late])
        #expect(hour(after: 61).prefix(2) == [.late, .quiet] && hour(after: 62) == Array(repeating: .quiet, count: 60))
    }

    /// A connection that was refused at once says nothing about how fast the host answers; a status does.
    @Test func onlyWhatWasTimedIsALatency() {
        var record = ActivityRecord()
        record.noteFailed(host: "a", Self.answer(.connect, milliseconds: 1), .failed, at: Self.now)
        #expect(record.view(at: Self.now).latency95 == nil)
        record.noteFailed(host: "a", Self.answer(nil, milliseconds: 700), .failed, at: Self.now)
        #expect(record.view(at: Self.now).latency95 == .milliseconds(700))
    }

    /// What is only observed is not sent (D10).
    @Test func observedBeaconsAreNotSentPerSecond() throws {
        var session = try MonitorHarness.ran { $0.mode = .observe }
        let snapshot = session.snapshot()
        #expect(snapshot.counters.events[.observed] ?? 0 > 0)
        #expect(snapshot.activity.beaconsPerSecond.allSatisfy { $0 == 0 })
    }

    /// Places of a finding are bounded, newest first, and counted.
    @Test func placesOfAFindingAreBounded() {
        var table = FindingsTable()
        let places = (0..<40).map { FindingPlace(adBreak: "b\($0)", start: UnixTime(milliseconds: Int64($0))) }
        for place in places + [places[39], places[38]] {
            let finding = Finding(rule: "L35", severity: .error, message: "of \(place.adBreak)").at(place)
            _ = table.note([finding], from: .metadata, at: Self.now)
        }
        let view = table.views().first
        #expect(table.views().count == 1 && view?.count == 42)
        #expect(view?.places.count == FindingView.placesKept)
        #expect(view?.places.prefix(2).map(\.place.adBreak) == ["b38", "b39"])
        #expect(view?.places.prefix(2).map(\.count) == [2, 2])
        #expect(table.worst?.finding.rule == "L35")
    }
}
