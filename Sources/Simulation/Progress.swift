import AdTracking
import HLS
import Monitoring
import Ports

/// That one life of a session only ever goes forward: totals grow, what was sent stays sent, playback does not go back.
struct Progress: Sendable {
    /// How long after its end a break is still looked at; later nothing of it may change any more but by leaving.
    private static let watched: Duration = .seconds(300)

    private var counters = Counters()
    private var states: [String: DeliveryState] = [:]
    private var stream: StreamTime?

    /// What went backwards since the last snapshot; one sentence each.
    mutating func observe(_ snapshot: Snapshot) -> [String] {
        var problems = totals(snapshot.counters)
        let date = snapshot.playhead.date
        var states: [String: DeliveryState] = [:]
        for adBreak in snapshot.breaks {
            guard let date, adBreak.plannedEnd + Self.watched >= date else { continue }
            for url in adBreak.ads.lazy.flatMap(\.events).flatMap(\.urls) {
                states[url.id] = url.state
                guard let earlier = self.states[url.id], !earlier.mayBecome(url.state) else { continue }
                problems.append("\(url.url) went from \(earlier.rawValue) to \(url.state.rawValue)")
            }
        }
        self.states = states
        if let now = snapshot.playhead.stream {
            if let stream, now < stream, snapshot.playhead.state != .interstitial {
                problems.append("playback went back by \((stream - now).inMilliseconds) ms")
            }
            stream = now
        }
        return problems
    }

    private mutating func totals(_ counters: Counters) -> [String] {
        defer { self.counters = counters }
        let totals: [(String, KeyPath<Counters, Int>)] = [
            ("sent", \.beaconsSent), ("acknowledged", \.beaconsAcknowledged), ("failed", \.beaconsFailed),
            ("polls", \.metadataPolls), ("reloads", \.playlistReloads), ("late", \.late),
        ]
        return totals.compactMap { name, path in
            counters[keyPath: path] < self.counters[keyPath: path]
                ? "the total of \(name) fell from \(self.counters[keyPath: path]) to \(counters[keyPath: path])" : nil
        }
    }
}

extension DeliveryState {
    /// What was claimed is never planned again, and an end is an end: nobody asks for retries in a simulation.
    fileprivate func mayBecome(_ later: DeliveryState) -> Bool {
        switch self {
        case .planned, .skipped, .observed: true
        case .claimed, .sent, .waiting: later != .planned && later != .observed
        case .acknowledged, .rejected, .failed, .unknown: later == self
        }
    }
}
