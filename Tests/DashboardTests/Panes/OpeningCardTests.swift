import Ports
import Screen
import Testing

@testable import Dashboard
@testable import Session

/// The card of a stream that is not open.
@Suite struct OpeningCardTests {
    private func lines(_ snapshot: Snapshot, after delay: Duration) -> String {
        let sample = DashboardSample(snapshot, 120, 40)
        let frame = FrameContext(snapshot, sample.state, now: sample.now.advanced(by: delay))
        guard let opening = snapshot.session.opening else { return "" }
        return OpeningCard.lines(opening, frame.context, width: 110).map(\.string).joined(separator: "\n")
    }

    /// No snapshot comes while a server is silent: the seconds follow the clock.
    @Test func secondsOfSilenceCount() {
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.problem = nil
        snapshot.session.opening?.requests[0].answer = nil
        snapshot.session.opening?.requests[0].askedAt = snapshot.at
        #expect(lines(snapshot, after: .seconds(1)).contains("no answer yet, 1s"))
        #expect(lines(snapshot, after: .seconds(7)).contains("no answer yet, 7s"))
    }

    @Test func secondsToTheNextTryCount() {
        var snapshot = SnapshotSamples.unopened
        snapshot.session.opening?.nextAttemptAt = snapshot.at.advanced(by: .seconds(9))
        #expect(lines(snapshot, after: .seconds(2)).contains("next in 7s"))
        #expect(lines(snapshot, after: .seconds(12)).contains("next in 0s"))
    }
}
