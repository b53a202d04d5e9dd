package import AdTracking

/// Events by state, and totals of the session.
package struct Counters: Sendable, Equatable {
    package var events: [ReportingState: Int] = [:]
    /// Tries, those that repeated an earlier one included.
    package var beaconsSent = 0
    package var beaconsAcknowledged = 0
    /// Rejected by status, or not answered and not received either.
    package var beaconsFailed = 0
    /// Sent, and not known to have arrived.
    package var beaconsUnknown = 0
    /// Those that an earlier process sent, and that failed: as long as they are in the list and were not sent again.
    package var earlierFailed = 0
    /// The same of unknown outcome.
    package var earlierUnknown = 0
    /// Those of the sent ones that repeated an earlier try of this process.
    package var retries = 0
    /// Those of the sent ones that were of ad spaces, and those that were pings.
    package var adSpaceBeacons = 0
    package var pings = 0
    /// Those of the failed ones that were pings.
    package var pingsFailed = 0
    /// Pings that are due and not sent: at most the newest one.
    package var unsentPings = 0
    /// Events that were claimed later than ``punctual`` after they were due.
    package var late = 0
    /// Breaks that the playhead has reached or joined, and those with beacons that were due and listed later.
    package var breaksOnAir = 0
    package var metadataPolls = 0
    package var playlistReloads = 0
    /// Number of requests for tags and wrappers.
    package var adRequests = 0
    /// HTTP answers to beacons by class: 2xx, 3xx (as last answer), 4xx, 5xx.
    package var statusClasses: [Int: Int] = [:]
    package var droppedLogLines = 0

    /// An event, or a beacon, that is later than this counts as late.
    static let punctual: Duration = .seconds(1)

    package init() {}

    /// Counts a try of a beacon that leaves.
    mutating func noteSent(_ owner: ClaimID.Owner, isRetry: Bool) { countTry(of: owner, isRetry: isRetry, by: 1) }

    /// A try that was counted did not leave after all.
    mutating func noteKept(_ owner: ClaimID.Owner, isRetry: Bool) { countTry(of: owner, isRetry: isRetry, by: -1) }

    private mutating func countTry(of owner: ClaimID.Owner, isRetry: Bool, by step: Int) {
        beaconsSent += step
        // The beacon itself was counted with its first try.
        guard !isRetry else { return retries += step }
        switch owner {
        case .adSpace: adSpaceBeacons += step
        case .ping: pings += step
        case .stream, .notice: break
        }
    }

    /// Counts a beacon whose last try ended in that state.
    mutating func noteLost(_ state: DeliveryState, _ owner: ClaimID.Owner = .stream) {
        guard state != .unknown else { return beaconsUnknown += 1 }
        beaconsFailed += 1
        if owner == .ping { pingsFailed += 1 }
    }

    /// Counts what the ledger of the stream knows of an earlier process.
    mutating func noteEarlier(_ ledger: Ledger?) {
        guard let lost = ledger?.earlierLost else { return }
        (earlierFailed, earlierUnknown) = (lost.failed, lost.unknown)
    }

    /// A person asked for another try of a beacon that was counted as lost.
    mutating func noteTakenBack(_ state: DeliveryState) {
        if state == .unknown { beaconsUnknown -= 1 } else { beaconsFailed -= 1 }
    }
}

/// Recent activity for sparklines and latency figures.
package struct ActivityView: Sendable, Equatable {
    /// Beacons sent per second, oldest first, ending with the second of the snapshot; at most 120.
    package var beaconsPerSecond: [Int]
    package var errorsPerSecond: [Int]
    /// Median latency of answered beacons and of those that timed out; nil before the first.
    package var latencyMedian: Duration?
    package var latency95: Duration?
    package var latencyMaximum: Duration?
    /// 95th percentile and failures per host, busiest first, at most 20.
    package var hosts: [HostView]
}

package struct HostView: Sendable, Equatable {
    package var host: String
    package var sent: Int
    package var failed: Int
    /// 95th percentile, time-outs included.
    package var latency95: Duration?
    /// Answered with 2xx.
    package var acknowledged = 0
    /// What answers took, time-outs included.
    package var answers = DelayHistogram()
    /// How late the beacons were that were sent.
    package var lateness = DelayHistogram()
    /// Sent, and not known to have arrived.
    package var unknown = 0
}
