import DemoOrigin
import Foundation
import Live
import TestSupport
import Testing

extension OneAtATime {
    /// Four real agents, whose server dies in the middle of an ad; a standby takes over.
    @Suite(
        .enabled(if: FleetGround.isWanted, "PostgreSQL is not installed (scripts/setup peers)"),
        .enabled(if: FleetKillTests.areLongOnesAsked, "takes minutes; make soak runs it"), .timeLimit(.minutes(5)))
    struct FleetFailoverTests {
        /// The standby confirmed every claim. Two agents die with the server; the others, and two new ones, know all claims.
        @Test func promotedStandby() async throws {
            #expect(try await Self.doubles(isSynchronous: true) == [])
        }

        /// The test of the test: the standby was behind when the server died, and agents that read the claims there send again.
        @Test func lossyFailover() async throws {
            #expect(try await Self.doubles(isSynchronous: false) != [])
        }

        /// A server with a standby that confirms every claim, or one that may fall behind.
        private static func ground(isSynchronous: Bool) async throws -> FleetGround {
            let ground = try await FleetGround(viewers: 4, hasStandby: true, { $0.playsOneLongAd(after: 14) })
            if isSynchronous {
                try await ground.requireStandby()
            } else {
                try await ground.ask("UPDATE fleet.store SET durability = 'trusted'")
            }
            return ground
        }

        /// Beacons of the ad that came twice.
        private static func doubles(isSynchronous: Bool) async throws -> [String] {
            let began = ContinuousClock.now
            let ground = try await Self.ground(isSynchronous: isSynchronous)
            let former = try (1...4).map { try ground.start("a\($0)") }
            try await ground.wait(
                for: "an agent for every viewer", until: "SELECT count(*) = 4 FROM fleet.viewer WHERE owner IS NOT NULL"
            )
            if !isSynchronous { try await Self.stopStandby(of: ground, at: began + .seconds(13)) }
            try await ground.origin.wait(for: "four impressions") { $0.count { $0.event == "impression" } == 4 }
            ground.server.crash()
            try await Self.killAll(former.prefix(isSynchronous ? 2 : 4))
            try await ground.promote()
            let later = try (5...(isSynchronous ? 6 : 8)).map { try ground.start("a\($0)") }
            try await Self.watchTheMiddle(of: ground)
            try await Self.killAll(former[...] + later)
            await ground.stop()
            return ground.origin.duplicates
        }

        /// Before the ad: what is claimed from now on does not reach the standby.
        private static func stopStandby(of ground: FleetGround, at moment: ContinuousClock.Instant) async throws {
            try await Task.sleep(until: moment, clock: .continuous)
            kill(pid_t(try await ground.number("SELECT pid FROM pg_stat_replication")), SIGSTOP)
        }

        private static func killAll(_ agents: ArraySlice<AdtopChild>) async throws {
            for agent in agents { try await agent.kill() }
        }

        private static func watchTheMiddle(of ground: FleetGround) async throws {
            try await ground.origin.wait(for: "the middle of the ads, or a double") { receipts in
                receipts.contains { $0.isDuplicate } || receipts.count { $0.event == "midpoint" } == 4
            }
        }
    }
}
