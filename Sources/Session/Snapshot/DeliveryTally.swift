import Ports

/// A session's beacons by host and result, and their lateness: counters for metrics, which only increase. Hosts come
/// from outside, so their number is bounded.
package struct DeliveryTally: Sendable, Equatable {
    /// Maximum number of hosts with counters of their own.
    package static let hostsKept = 50
    /// Name under which all further hosts are counted.
    package static let otherHosts = "other"

    /// Result of an attempt, or of a beacon that is not sent.
    package enum Outcome: String, Sendable, CaseIterable {
        case sent, acknowledged, rejected, failed, observed, skipped
    }

    /// Counters by host.
    package private(set) var counts: [String: [Outcome: Int]] = [:]
    /// Attempts that repeated an earlier one, those included that did not leave after all.
    package private(set) var retries = 0
    /// Lateness of events when they were claimed or observed.
    package private(set) var lateness = DelayHistogram()
    /// The largest lateness, of beacons that were sent until their request was written; zero before the first event.
    package private(set) var worstLateness: Duration = .zero

    package init() {}

    mutating func note(_ outcome: Outcome, host: String) {
        let isKept = counts[host] != nil || counts.count < Self.hostsKept
        counts[isKept ? host : Self.otherHosts, default: [:]][outcome, default: 0] += 1
    }

    mutating func noteRetry() { retries += 1 }

    mutating func note(late: Duration) {
        lateness.add(late)
        noteSent(late: late)
    }

    /// A beacon was sent later than it was claimed. The histogram has the claims: its counters only increase.
    mutating func noteSent(late: Duration) { worstLateness = max(worstLateness, late) }

    /// Adds the counters of another session.
    mutating func add(_ other: Self) {
        for (host, outcomes) in other.counts {
            let isKept = counts[host] != nil || counts.count < Self.hostsKept
            counts[isKept ? host : Self.otherHosts, default: [:]].merge(outcomes) { $0 + $1 }
        }
        retries += other.retries
        lateness.add(other.lateness)
        worstLateness = max(worstLateness, other.worstLateness)
    }
}
