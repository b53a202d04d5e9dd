import Ports
import TestSupport
import Testing

@testable import Session

/// An answer that costs more than the time to the next one is a finding.
@Suite struct HandlingCostTests {
    private func findings(_ took: Duration, _ purpose: FetchPurpose) throws -> [FindingView] {
        var session = try MonitorHarness.ran(until: 80_000)
        session.submit(.answerHandled(purpose, took: took))
        return session.snapshot().findings.filter { $0.finding.rule == SessionRule.costlyPoll.rawValue }
    }

    @Test func onlyWhatTakesLongerThanTheIntervalIsReported() throws {
        #expect(try findings(.milliseconds(3_900), .metadata).isEmpty)
        let metadata = try findings(.milliseconds(4_100), .metadata)
        #expect(metadata.map(\.source) == [.metadata] && metadata.map(\.finding.path) == ["metadata"])
        #expect(metadata.first?.finding.message == "handling an answer took 4.1s, the next one is due after 4.0s")
        #expect(try findings(.seconds(60), .mediaPlaylist).map(\.source) == [.playlist])
    }

    @Test func whatIsRequestedOnceHasNoInterval() throws {
        #expect(try findings(.seconds(60), .sessionInit).isEmpty)
        #expect(try findings(.seconds(60), .adDecision).isEmpty)
    }

    /// The edge measures polls and nothing else.
    @Test func onlyAnswersToPollsAreMeasured() throws {
        let url = try WebURL("http://127.0.0.1/live.m3u8")
        var state = MonitorState(MonitorConfiguration(mediaURL: url))
        let now = Moment(wall: FakeOrigin.start, uptime: .seconds(1))
        let effects = state.apply(.started, at: now)
        for case .fetch(let id, let purpose, _) in effects {
            let isPoll = purpose == .metadata || purpose == .mediaPlaylist
            #expect((state.poll(id) == purpose) == isPoll)
        }
    }
}
