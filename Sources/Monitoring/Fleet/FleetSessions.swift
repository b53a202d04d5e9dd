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
    /// - Parameter undecided: the media date of the first beacon that was due and is left to the successor.
    func release(_ follower: Follower, undecided: Duration?) async {
        // Before claiming stops: what is due later is the successor's.
        let handover = await follower.monitor?.handover()
        follower.journal.stopClaiming()
        let limit = time.now().uptime + Self.claimPatience
        while claims.areAwaited(of: follower.id), time.now().uptime < limit {
            // A cancelled wait has nothing to wait for any more.
            guard (try? await time.sleep(untilUptime: time.now().uptime + Self.pause)) != nil else { break }
        }
        claims.refuseAll(of: follower.id, .notOwner)
        let first = undecided.map { UnixTime(microseconds: $0.inMicroseconds - 1) }
        let date = [handover?.claimedThrough, first].compactMap(\.self).min()
        await read(follower, leftAt: date)
        // Answers that came meanwhile are part of the session.
        let last = await follower.monitor?.handover()
        await handOn(last?.running == nil ? handover : last, leftAt: date, of: follower)
        await follower.group?.stop()
        if follower.group == nil { sessionEnded(follower) }
    }

    /// Where and how a viewer is.
    /// - Parameter date: the media date from which on all is left to the successor. If that one dies before it has saved a playhead of its
    ///   own, the next one begins there, too.
    func read(_ follower: Follower, leftAt date: UnixTime? = nil) async {
        guard let health = await follower.group?.health().first else {
            agent.noteHealth(
                ViewerHealth(viewer: follower.id.viewer, phase: "failing", problem: "channel"), of: follower.id)
            return
        }
        let readAt = time.now().uptime
        var row = ViewerHealth(health, of: follower.id.viewer, at: time.now())
        if let service = await follower.monitor?.service() {
            (row.provider, row.serviceMode) = (service.provider, service.mode)
        }
        agent.noteHealth(row, isOnAir: health.isOnAir, of: follower.id)
        let handover = await follower.monitor?.handover()
        if follower.journal.isClaiming { await handOn(handover, of: follower) }
        guard let latency = health.latency else { return }
        let media = health.at.wall - latency
        let reading = PlayheadReading(
            media: .microseconds(media.microseconds), readAt: readAt, rate: health.playhead == .playing ? 1 : 0)
        // What is due later may not have been claimed when this agent is killed.
        let claimed = [handover?.claimedThrough, date].compactMap(\.self).min()
            .map { Duration.microseconds($0.microseconds) }
        agent.moved(follower.id, to: claimed.map(reading.held) ?? reading)
    }

    /// Names the keys of sessions that this agent cannot open.
    func noteSealed(_ viewers: [StoreAnswer.TakenViewer]) {
        let keys = viewers.compactMap(\.sealedWith)
        for key in Set(keys).sorted() {
            let count = keys.count { $0 == key }
            let remedy = "give that key with --state-key"
            note(.warning, "\(count) sessions are sealed with key \(key) and not continued; \(remedy)")
        }
    }

    /// The store gets what has changed of it.
    private func handOn(_ handover: SessionHandover?, leftAt date: UnixTime? = nil, of follower: Follower) async {
        guard let state = await follower.journal.handing(handover?.running, leftAt: date) else { return }
        agent.noteSession(state, of: follower.id)
    }
}

extension FleetRuntime.Follower {
    /// The session of the viewer; nil where its channel cannot be followed.
    fileprivate var monitor: Monitor? { group?.members.first?.monitor }
}

extension ViewerHealth {
    /// A row of the table.
    init(_ health: SessionHealth, of viewer: Int, at now: Moment) {
        self.init(
            viewer: viewer, phase: health.phase.rawValue, problem: health.isFailing ? health.problem : nil)
        let beacons = health.beacons
        (due, sent, acknowledged) = (beacons.due, beacons.sent, beacons.acknowledged)
        // Sums of a fleet are those since the takeover: what was lost before is in the report of all agents.
        (failed, unknown) = (health.counters.beaconsFailed, health.counters.beaconsUnknown)
        worstLate = health.deliveries.worstLateness
        pollAge = health.pollAge(at: health.at)
    }
}
