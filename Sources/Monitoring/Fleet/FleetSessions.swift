import AdTracking
import Fleet
import Ports
import Session

/// What the agent learns of its sessions, and how one of them ends in order.
extension FleetRuntime {
    /// How long the answers of the store to the claims of a viewer are waited for before its session is stopped.
    private static let claimPatience = Duration.seconds(1)
    private static let pause = Duration.milliseconds(50)

    /// The viewer is to be given: nothing new is claimed, what was granted is sent, answers may come for a second, then the session is over.
    func release(_ follower: Follower) async {
        follower.journal.stopClaiming()
        let limit = time.now().uptime + Self.claimPatience
        while claims.areAwaited(of: follower.id), time.now().uptime < limit {
            // A cancelled wait has nothing to wait for any more.
            guard (try? await time.sleep(untilUptime: time.now().uptime + Self.pause)) != nil else { break }
        }
        claims.refuseAll(of: follower.id, .notOwner)
        await read(follower)
        await follower.group?.stop()
        if follower.group == nil { sessionEnded(follower) }
    }

    /// Where and how a viewer is.
    func read(_ follower: Follower) async {
        guard let health = await follower.group?.health().first else {
            agent.noteHealth(
                ViewerHealth(viewer: follower.id.viewer, phase: "failing", problem: "channel"), of: follower.id)
            return
        }
        agent.noteHealth(ViewerHealth(health, of: follower.id.viewer, at: time.now()), of: follower.id)
        guard let latency = health.latency else { return }
        let media = health.at.wall - latency
        agent.moved(
            follower.id,
            to: PlayheadReading(
                media: .microseconds(media.microseconds), readAt: time.now().uptime,
                rate: health.playhead == .playing ? 1 : 0))
    }
}

extension ViewerHealth {
    /// A row of the table.
    init(_ health: SessionHealth, of viewer: Int, at now: Moment) {
        self.init(
            viewer: viewer, phase: health.phase.rawValue, problem: health.isFailing ? health.problem : nil)
        let beacons = health.beacons
        (due, sent, acknowledged) = (beacons.due, beacons.sent, beacons.acknowledged)
        (failed, unknown) = (beacons.failed, beacons.unknown)
        worstLate = health.deliveries.worstLateness
        pollAge = health.pollAge(at: health.at)
    }
}
