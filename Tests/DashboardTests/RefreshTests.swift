import Ports
import Testing

@testable import Dashboard
@testable import Session

@Suite struct RefreshTests {
    @Test("a running session refreshes at the next full second")
    func seconds() throws {
        let sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        let next = try #require(sample.state.nextRefresh(sample.snapshot, now: sample.now))
        #expect(next.wall == SnapshotSamples.at(12, 41, 19))
    }

    @Test("nothing moves in an ended session")
    func ended() {
        #expect(
            DashboardSample(SnapshotSamples.ended, 80, 24).state.nextRefresh(
                SnapshotSamples.ended, now: SnapshotSamples.now) == nil)
    }

    @Test("nothing moves in a recording that is stopped", arguments: [true, false])
    func stopped(isPaused: Bool) {
        var snapshot = SnapshotSamples.midBreak
        let end = SnapshotSamples.now.uptime
        snapshot.replay = ReplayView(span: .zero...end, speed: 1, isPaused: false, position: 1, count: 2)
        #expect(DashboardSample(snapshot, 80, 24).state.nextRefresh(snapshot, now: SnapshotSamples.now) != nil)
        snapshot.replay?.isPaused = isPaused
        snapshot.replay?.position = isPaused ? 1 : 2
        #expect(DashboardSample(snapshot, 80, 24).state.nextRefresh(snapshot, now: SnapshotSamples.now) == nil)
    }

    @Test("a toast expires even then")
    func toast() throws {
        var sample = DashboardSample(SnapshotSamples.ended, 80, 24)
        sample.send(.noticed("copied", isGood: true))
        let next = try #require(sample.state.nextRefresh(sample.snapshot, now: sample.now))
        #expect(next.uptime - sample.now.uptime == Toast.lifetime)
    }

    @Test("in a frozen display only the age in the banner changes")
    func frozen() throws {
        var sample = DashboardSample(SnapshotSamples.midBreak, 80, 24)
        try sample.press("Z")
        sample.now = sample.now.advanced(by: .milliseconds(2_300))
        let next = try #require(sample.state.nextRefresh(sample.snapshot, now: sample.now))
        #expect(next.uptime - sample.now.uptime == .milliseconds(700))
    }
}
