import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// A channel whose playlist ends and continues later (HLS-32), with the real program: it waits for it, and sends each beacon once.
@Suite struct RestartedChannelTests {
    private struct Channel {
        /// Whether the next playlist is to be the last one.
        var ends = false
        var hasEnded = false
        /// Whether a playlist was requested after the last one.
        var hasReturned = false
        var beaconsAfterReturn = 0
    }

    @Test func aChannelThatReturnsIsFollowedAgain() async throws {
        let channel = Locked(Channel())
        let origin = try await GuardedOrigin { visit in
            let isMedia = visit.target.contains("/01.m3u8") || visit.target.contains("/02.m3u8")
            return channel.withLock { channel -> GuardedOrigin.Verdict in
                if visit.isBeacon, channel.hasReturned { channel.beaconsAfterReturn += 1 }
                guard isMedia else { return .pass() }
                if channel.hasEnded { channel.hasReturned = true }
                guard channel.ends, !channel.hasEnded else { return .pass() }
                channel.hasEnded = true
                return .change { $0 + "#EXT-X-ENDLIST\n" }
            }
        }
        let state = try TemporaryFolder()
        let program = try AdtopChild(
            [origin.url(), "--poll", "500ms", "--dump", "--format", "json", "--for", "150s"], state: state.path)
        try await origin.waitForBeacons(2)
        channel.withLock { $0.ends = true }
        try await origin.wait(for: "beacons after the return") { _ in
            channel.withLock { $0.beaconsAfterReturn >= 6 }
        }
        let run = try await program.interrupt()
        try await origin.stop()
        #expect(run.status == AdtopProcess.interrupted, "\(run.errors)")
        let document = DumpedSession(json: try run.json())
        #expect(document.phase == "running" && document.mode == "fire")
        #expect(document.findings.contains("channel-returned"), "\(document.findings)")
        #expect(!document.findings.contains("http-error"))
        #expect(document.log.contains { $0.hasPrefix("channel returned after ") }, "\(document.log)")
        let sent = origin.beacons.map(\.line)
        #expect(Set(sent).count == sent.count)
    }
}
