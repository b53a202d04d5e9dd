import Ports
import TestSupport
import Testing

@testable import Session

/// What the desk keeps of findings.
@Suite struct DeskFindingsTests {
    /// The timeline marks it there, however long the player has been paused since.
    @Test func aFindingHasTheDateThatWasPlayedWhenItWasSeenLast() throws {
        var session = try MonitorHarness.ran(until: 80_000)
        func found() -> FindingView? {
            session.snapshot().findings.first { $0.finding.rule == SessionRule.costlyPoll.rawValue }
        }
        session.submit(.answerHandled(.metadata, took: .seconds(60)))
        let date = try #require(session.snapshot().playhead.date)
        #expect(found()?.date == date)
        session.submit(.playerCommanded(.pause))
        session.run(for: .seconds(10))
        #expect(found()?.date == date)
        session.submit(.playerCommanded(.play))
        session.run(for: .seconds(10))
        session.submit(.answerHandled(.metadata, took: .seconds(60)))
        let next = try #require(session.snapshot().playhead.date)
        #expect(found()?.count == 2 && found()?.date == next && next > date)
    }

    @Test func beforeThePlayheadHasJoinedAFindingHasNoDate() throws {
        let url = try WebURL("http://127.0.0.1/live.m3u8")
        var desk = Desk(MonitorConfiguration(mediaURL: url), seed: 1)
        let now = Moment(wall: FakeOrigin.start, uptime: .seconds(1))
        desk.noteFindings([Finding(rule: "L03", severity: .warning, message: "m")], from: .metadata, at: now)
        #expect(desk.findings.views().map(\.date) == [nil])
    }
}
