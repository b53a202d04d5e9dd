import AdTracking
import Ports
import Testing

@testable import Session

@Suite struct SessionHealthTests {
    @Test func agreesWithTheSnapshot() throws {
        var session = try MonitorHarness.ran()
        let snapshot = session.snapshot()
        let health = session.health()
        #expect(health.phase == snapshot.session.phase && health.phase == .running)
        #expect(health.mode == snapshot.session.mode)
        #expect(health.name == snapshot.session.name)
        #expect(health.kind == snapshot.playlist.kind)
        #expect(health.latency == snapshot.playhead.latency)
        #expect(health.breaks == snapshot.breaks.count && health.breaks == 2)
        #expect(health.ads == snapshot.breaks.reduce(0) { $0 + $1.ads.count })
        #expect(health.isOnAir == snapshot.breaks.contains { $0.ads.contains(where: \.isOnAir) })
        #expect(health.playlist == snapshot.session.playlistHealth)
        #expect(health.metadata == snapshot.session.metadataHealth)
        #expect(health.latestError == snapshot.errors.latest)
        #expect(health.findings.values.reduce(0, +) == snapshot.findings.count)
        #expect(health.events[.done] == snapshot.counters.events[.done])
    }

    @Test func beaconsCountOnce() throws {
        let session = try MonitorHarness.ran()
        let sum = session.health().beacons
        #expect(sum.sent == session.urls.count && sum.sent > 0)
        #expect(sum.due == sum.sent && sum.acknowledged == sum.sent)
        #expect(sum.failed == 0 && sum.unknown == 0)
    }

    @Test func whatIsObservedIsDueAndNotSent() throws {
        let sum = try MonitorHarness.ran { $0.mode = .observe }.health().beacons
        #expect(sum.due > 0 && sum.sent == 0 && sum.acknowledged == 0)
    }

    @Test func latencyGrowsWhileNothingComes() throws {
        var session = try MonitorHarness.ran()
        let before = try #require(session.health().latency)
        session.submit(.playerCommanded(.pause))
        session.now = session.now.advanced(by: .seconds(3))
        #expect(session.health().latency == before + .seconds(3))
    }

    @Test func theOldestPollIsTheAge() throws {
        let session = try MonitorHarness.ran()
        var health = session.health()
        let now = session.now
        health.playlist.lastGoodAt = now.advanced(by: .seconds(-2))
        health.metadata.lastGoodAt = now.advanced(by: .seconds(-5))
        #expect(health.pollAge(at: now) == .seconds(5))
        health.metadata = .none
        #expect(health.pollAge(at: now) == .seconds(2))
        health.playlist.lastGoodAt = nil
        #expect(health.pollAge(at: now) == nil)
    }

    @Test func theCurrentProblemComesBeforeThePastOne() throws {
        let session = try MonitorHarness.ran()
        var health = session.health()
        health.latestError = ErrorView(kind: .beacon, at: session.now, message: "beacon late")
        #expect(health.problem == "beacon late")
        health.metadata.problem = "503"
        #expect(health.problem == "metadata: 503")
        health.sessionProblem = "refused"
        #expect(health.problem == "refused")
    }

    @Test func theSumIsWrittenAsJSON() throws {
        let session = try MonitorHarness.ran()
        var (first, second) = (session.health(), session.health())
        (first.name, second.name) = ("ch1", "ch2")
        second.phase = .failing
        second.latestError = ErrorView(kind: .network, at: session.now, message: "http://a.example/x?token=secret 503")
        let document = SessionsJSON().value(of: [first, second], at: session.now)
        #expect(document["schema"]?.stringValue == "adtop-sessions/1")
        #expect(document["totals"]?["sessions"]?.integerValue == 2)
        #expect(document["totals"]?["phases"]?["failing"]?.integerValue == 1)
        #expect(document["totals"]?["beacons"]?["sent"]?.integerValue == Int64(2 * session.urls.count))
        let rows = document["sessions"]?.arrayValue ?? []
        #expect(rows.map { $0["name"]?.stringValue } == ["ch1", "ch2"])
        #expect(rows[1]["problem"]?.stringValue == "http://a.example/x?token=*** 503")
        #expect(rows[0]["problem"] == .null)
    }
}
