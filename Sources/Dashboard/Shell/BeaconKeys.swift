import AdTracking
import Ports
import Screen
import Session

extension DashboardState {
    /// The least time between two reports of a viewer's action (TERM-33): a repeating key invents no
    /// viewers.
    package static let beaconKeyInterval: Duration = .milliseconds(300)

    /// A key or command that makes the session report something.
    ///
    /// In observe mode the effect is issued too: the monitor then sends nothing and marks the event as observed.
    mutating func beaconKey(_ effect: DashboardEffect, _ scene: Scene) -> [DashboardEffect] {
        guard !rejectInReplay(scene, "; \(Self.playKey) plays and pauses it") else {
            return []
        }
        guard scene.live.session.canArm else {
            toast("\(Self.block(scene)): actions are not reported", isGood: false, now: scene.now)
            return []
        }
        guard scene.live.playhead.state != .idle else {
            toast("nothing plays yet: actions are not reported", isGood: false, now: scene.now)
            return []
        }
        // A recording may have been rewound since.
        if let last = lastBeaconKey, last <= scene.now.uptime,
            scene.now.uptime - last < DashboardState.beaconKeyInterval
        {
            toast("too fast: at most one report every 0.3 s", isGood: false, now: scene.now)
            return []
        }
        lastBeaconKey = scene.now.uptime
        return [effect]
    }

    /// Whether a recording is shown, and a notice that nothing can be sent in it.
    private mutating func rejectInReplay(_ scene: Scene, _ advice: String = "") -> Bool {
        guard scene.live.replay != nil else { return false }
        toast("this is a recording: nothing can be changed or sent\(advice)", isGood: false, now: scene.now)
        return true
    }

    /// Why nothing may be sent.
    private static func block(_ scene: Scene) -> String {
        if scene.live.session.isHeldElsewhere { return "another adtop has this session open" }
        return scene.live.session.lacksJournal ? "no journal" : "read-only"
    }

    /// Asks before beacons are sent.
    mutating func arm(_ scene: Scene) -> [DashboardEffect] {
        guard !rejectInReplay(scene) else { return [] }
        guard scene.live.session.canArm else {
            toast("\(Self.block(scene)): beacons cannot be sent", isGood: false, now: scene.now)
            return []
        }
        let session = scene.live.session
        guard session.mode == .observe || session.sendsToLoopbackOnly else {
            toast("beacons are already being sent", isGood: true, now: scene.now)
            return []
        }
        let hosts = DashboardState.hosts(in: scene.live.breaks)
        confirmation = .arm(hostCount: hosts.count, hosts: Array(hosts.prefix(Confirmation.namedHosts)))
        return []
    }

    /// Retries what failed below the selected node.
    mutating func retry(_ scene: Scene) -> [DashboardEffect] {
        guard !rejectInReplay(scene) else { return [] }
        if main == .tree, let opening = shownOpening(scene) { return openNow(opening, scene) }
        guard main == .tree else {
            toast("retry: select a beacon in the breaks view", isGood: false, now: scene.now)
            return []
        }
        guard scene.live.session.canArm, scene.live.session.mode == .fire else {
            toast("observe mode: nothing is sent; :arm sends beacons", isGood: false, now: scene.now)
            return []
        }
        guard views.breaks.model.selected != nil else {
            toast("retry: select a break, an ad or a beacon", isGood: false, now: scene.now)
            return []
        }
        let paths = views.breaks.retryableEvents
        if paths.isEmpty {
            toast("no failed beacon here", isGood: false, now: scene.now)
        } else {
            toast("retry: " + paths.count.counted("event") + " sent again", isGood: true, now: scene.now)
        }
        return paths.map(DashboardEffect.retry)
    }

    /// What stands in place of the breaks while the stream cannot be opened; nil where there is something else.
    func shownOpening(_ scene: Scene) -> OpeningView? {
        !showsTable && scene.live.breaks.isEmpty ? scene.live.session.opening : nil
    }

    /// The least time between two tries for a key: one that is held down is no load test of a server.
    private static let openInterval: Duration = .seconds(1)

    private mutating func openNow(_ opening: OpeningView, _ scene: Scene) -> [DashboardEffect] {
        let last = opening.requests.map(\.askedAt.uptime).max() ?? .zero
        guard opening.nextAttemptAt != nil, scene.now.uptime - last >= Self.openInterval else {
            toast("open: a try is under way or has just failed", isGood: false, now: scene.now)
            return []
        }
        return [.openNow]
    }

    /// Watches another stream, where the session is one that can be replaced.
    mutating func openStream(_ url: WebURL, _ scene: Scene) -> [DashboardEffect] {
        guard !rejectInReplay(scene) else { return [] }
        guard settings.opensStreams else {
            toast("open: not possible in this run; start adtop with that URL", isGood: false, now: scene.now)
            return []
        }
        return [.openStream(url)]
    }

    /// The hosts of all beacons, most frequent first.
    private static func hosts(in breaks: [BreakView]) -> [String] {
        var counts: [String: Int] = [:]
        for view in breaks {
            for ad in view.ads {
                for event in ad.events {
                    for url in event.urls {
                        // A text that is not a URL is never requested, so it has no host to name.
                        if let host = try? WebURL(written: url.url).host { counts[host, default: 0] += 1 }
                    }
                }
            }
        }
        return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
    }
}
