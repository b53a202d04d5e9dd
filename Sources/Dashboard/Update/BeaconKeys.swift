import AdTracking
import Monitoring
import Ports

extension DashboardState {
    /// Between two reports of a viewer's action at least this must pass (TERM-33): a key that repeats invents no
    /// viewers.
    package static let beaconKeyInterval: Duration = .milliseconds(300)

    /// A key or command that makes the session report something.
    ///
    /// In observe mode the effect goes out all the same: the monitor then sends nothing and reports it as observed.
    mutating func beaconKey(_ effect: DashboardEffect, _ scene: Scene) -> [DashboardEffect] {
        guard scene.live.session.canArm else {
            toast("read-only: nothing is reported", isGood: false, now: scene.now)
            return []
        }
        // A recording may have been wound back since.
        if let last = lastBeaconKey, last <= scene.now.uptime,
            scene.now.uptime - last < DashboardState.beaconKeyInterval
        {
            toast("too fast: one report in 0.3s", isGood: false, now: scene.now)
            return []
        }
        lastBeaconKey = scene.now.uptime
        return [effect]
    }

    /// Asks before beacons are sent.
    mutating func arm(_ scene: Scene) -> [DashboardEffect] {
        guard scene.live.session.canArm else {
            toast("read-only: beacons cannot be sent from here", isGood: false, now: scene.now)
            return []
        }
        guard scene.live.session.mode == .observe else {
            toast("beacons are being sent already", isGood: true, now: scene.now)
            return []
        }
        let hosts = DashboardState.hosts(in: scene.live.breaks)
        confirmation = .arm(hostCount: hosts.count, hosts: Array(hosts.prefix(Confirmation.namedHosts)))
        return []
    }

    /// Tries what failed below the selected node again.
    mutating func retry(_ scene: Scene) -> [DashboardEffect] {
        guard main == .tree else {
            toast("select a beacon among the breaks to try it again", isGood: false, now: scene.now)
            return []
        }
        guard scene.live.session.canArm, scene.live.session.mode == .fire else {
            toast("nothing is sent in observe mode; :arm changes it", isGood: false, now: scene.now)
            return []
        }
        guard let row = model.selected else { return [] }
        let view = model.breakView(row)
        var paths: [NodePath] = []
        for ad in view.ads where row.adIndex == nil || ad.id == model.ad(row)?.id {
            for event in ad.events where event.state == .failed || event.state == .partial {
                guard row.eventIndex == nil || event.id == model.event(row)?.id else { continue }
                paths.append(NodePath(breakID: view.id, adID: ad.id, eventID: event.id))
            }
        }
        if paths.isEmpty { toast("nothing failed here", isGood: false, now: scene.now) }
        return paths.map(DashboardEffect.retry)
    }

    /// The hosts of all beacons, most frequent first.
    private static func hosts(in breaks: [BreakView]) -> [String] {
        var counts: [String: Int] = [:]
        for view in breaks {
            for ad in view.ads {
                for event in ad.events {
                    for url in event.urls {
                        // What is no URL is never sent to, so no host need be named for it.
                        if let host = try? WebURL(url.url).host { counts[host, default: 0] += 1 }
                    }
                }
            }
        }
        return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
    }
}
