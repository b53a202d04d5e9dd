import Ports

/// Beacons of a session by host and by what became of them, and how late they were: counts that only grow, for
/// metrics. Hosts come from outside, so they are bounded.
package struct DeliveryTally: Sendable, Equatable {
    /// Hosts with counts of their own.
    package static let hostsKept = 50
    /// Where all further hosts are counted.
    package static let otherHosts = "other"

    /// What can become of one try, or of a beacon that is not sent.
    package enum Outcome: String, Sendable, CaseIterable {
        case sent, acknowledged, rejected, failed, observed, skipped
    }

    /// By host.
    package private(set) var counts: [String: [Outcome: Int]] = [:]
    /// Of events when they were claimed or observed.
    package private(set) var lateness = LatenessHistogram()
    /// The latest of them; zero before the first.
    package private(set) var worstLateness: Duration = .zero

    package init() {}

    mutating func note(_ outcome: Outcome, host: String) {
        let isKept = counts[host] != nil || counts.count < Self.hostsKept
        counts[isKept ? host : Self.otherHosts, default: [:]][outcome, default: 0] += 1
    }

    mutating func note(late: Duration) {
        lateness.add(late)
        worstLateness = max(worstLateness, late)
    }

    /// Adds what another session counted.
    mutating func add(_ other: Self) {
        for (host, outcomes) in other.counts {
            let isKept = counts[host] != nil || counts.count < Self.hostsKept
            counts[isKept ? host : Self.otherHosts, default: [:]].merge(outcomes) { $0 + $1 }
        }
        lateness.add(other.lateness)
        worstLateness = max(worstLateness, other.worstLateness)
    }
}
