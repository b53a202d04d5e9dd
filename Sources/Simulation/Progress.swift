import AdTracking
import HLS
import Ports
import Session

/// Checks that one process of a session only moves forward: totals grow, sent beacons stay sent, playback does not go
/// back.
struct Progress: Sendable {
    /// How long after its end a break is checked; after that it may only be removed.
    private static let watched: Duration = .seconds(300)

    private var counters = Counters()
    private var states: [String: DeliveryState] = [:]
    private var stream: StreamTime?
    private var date: UnixTime?
    private var renewals = 0

    /// The values that went back with the last input, one sentence each.
    mutating func observe(_ marks: StateMarks) -> [String] {
        var problems = totals(marks.counters)
        if marks.renewals != renewals {
            // The next session has stream times of its own, but the viewer is where the former one was, unless its playlist
            // (a damaged one) ends before that.
            guard let now = marks.date else { return problems }
            if let date, now < date, marks.edge.map({ $0 >= date }) ?? true, marks.playhead != .interstitial {
                problems.append("playback went back by \((date - now).inMilliseconds) ms in the next session")
            }
            (renewals, stream) = (marks.renewals, nil)
        }
        date = marks.date ?? date
        if let now = marks.stream {
            if let stream, now < stream, marks.playhead != .interstitial {
                problems.append("playback went back by \((stream - now).inMilliseconds) ms")
            }
            stream = now
        }
        return problems
    }

    /// The beacons that returned to an earlier state since the last snapshot, one sentence each.
    mutating func observe(_ snapshot: Snapshot) -> [String] {
        var problems: [String] = []
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
        return problems
    }

    private mutating func totals(_ counters: Counters) -> [String] {
        defer { self.counters = counters }
        let earlier = self.counters
        guard
            counters.beaconsSent < earlier.beaconsSent
                || counters.beaconsAcknowledged < earlier.beaconsAcknowledged
                || counters.beaconsFailed < earlier.beaconsFailed || counters.beaconsUnknown < earlier.beaconsUnknown
                || counters.metadataPolls < earlier.metadataPolls
                || counters.playlistReloads < earlier.playlistReloads || counters.late < earlier.late
        else { return [] }
        let totals: [(String, KeyPath<Counters, Int>)] = [
            ("sent", \.beaconsSent), ("acknowledged", \.beaconsAcknowledged), ("failed", \.beaconsFailed),
            ("unknown", \.beaconsUnknown), ("polls", \.metadataPolls), ("reloads", \.playlistReloads), ("late", \.late),
        ]
        return totals.compactMap { name, path in
            counters[keyPath: path] < earlier[keyPath: path]
                ? "the total of \(name) fell from \(earlier[keyPath: path]) to \(counters[keyPath: path])" : nil
        }
    }
}

extension DeliveryState {
    /// Whether the transition is valid: a claimed beacon is never planned again, and a final state stays, because no
    /// retries are requested in a simulation.
    fileprivate func mayBecome(_ later: DeliveryState) -> Bool {
        switch self {
        case .planned, .skipped, .observed: true
        case .claimed, .sent, .waiting: later != .planned && later != .observed
        case .acknowledged, .rejected, .failed, .unknown: later == self
        }
    }
}
