import AdTracking
import DequeModule
import Ports

/// Counts per second for sparklines, outcomes per minute, and latencies; all bounded.
struct ActivityRecord {
    /// Number of seconds in a sparkline.
    static let seconds = 120
    /// Number of minutes whose outcome is kept.
    static let minutes = 60
    /// Number of latencies kept for percentiles, in total and per host.
    static let latencies = 512
    static let hostLatencies = 64
    static let hostsKept = 64
    static let hostsShown = 20

    private struct Host {
        var sent = 0
        var failed = 0
        var unknown = 0
        var acknowledged = 0
        var latencies = Ring(capacity: ActivityRecord.hostLatencies)
        var answers = DelayHistogram()
        var lateness = DelayHistogram()
        var lastUse: Duration = .zero
    }

    /// The newest values; a new one replaces the oldest.
    private struct Ring {
        let capacity: Int
        private var values: Deque<Int64> = []

        init(capacity: Int) {
            self.capacity = capacity
        }

        mutating func append(_ value: Int64) {
            if values.count == capacity { values.removeFirst() }
            values.append(value)
        }

        /// Nearest-rank percentiles of the kept values, in microseconds.
        func percentiles(_ ranks: [Double]) -> [Duration]? {
            guard !values.isEmpty else { return nil }
            let sorted = values.sorted()
            return ranks.map { rank in
                let index = Int((rank * Double(sorted.count)).rounded(.up)) - 1
                return .microseconds(sorted[min(max(index, 0), sorted.count - 1)])
            }
        }
    }

    private var beacons = RecentValues(count: seconds, seconds: 1, empty: 0)
    private var errors = RecentValues(count: seconds, seconds: 1, empty: 0)
    private var outcomes = RecentValues(count: minutes, seconds: 60, empty: MinuteOutcome.quiet)
    private var all = Ring(capacity: latencies)
    private var hosts: [String: Host] = [:]

    /// Counts a beacon that was sent.
    mutating func noteBeacon(host: String, at moment: Moment) {
        beacons.change(at: moment) { $0 += 1 }
        change(host, at: moment) { $0.sent += 1 }
    }

    /// Counts a beacon that was answered with 2xx.
    /// - Parameter latency: in microseconds.
    mutating func noteAcknowledged(host: String, latency: Int64, at moment: Moment) {
        all.append(latency)
        change(host, at: moment) {
            $0.acknowledged += 1
            $0.latencies.append(latency)
            $0.answers.add(.microseconds(latency))
        }
    }

    /// Counts how late a beacon that is to be sent was claimed.
    mutating func noteLate(host: String, _ late: Duration, at moment: Moment) {
        change(host, at: moment) { $0.lateness.add(max(.zero, late)) }
    }

    /// A beacon that was counted as that late was sent later.
    mutating func noteDelayed(host: String, _ delay: DeliveryChange.Delay, at moment: Moment) {
        change(host, at: moment) { $0.lateness.replace(max(.zero, delay.claimed), by: max(.zero, delay.sent)) }
    }

    /// Keeps the outcome if it is the worst of its minute.
    mutating func note(_ outcome: MinuteOutcome, at moment: Moment) {
        outcomes.change(at: moment) { $0 = max($0, outcome) }
    }

    /// Counts a beacon that failed. What its server took, or the time limit, counts among the latencies: a host that
    /// times out is slow.
    mutating func noteFailed(host: String, _ answer: BeaconAnswer, _ state: DeliveryState, at moment: Moment) {
        let isTimed = answer.failure.map { $0.kind == .timeout || $0.kind == .connectTimeout } ?? true
        if isTimed { all.append(answer.timings.total) }
        change(host, at: moment) {
            if state == .unknown { $0.unknown += 1 } else { $0.failed += 1 }
            guard isTimed else { return }
            $0.latencies.append(answer.timings.total)
            $0.answers.add(.microseconds(answer.timings.total))
        }
        noteError(at: moment)
    }

    /// Counts a beacon whose answer is not awaited any more.
    mutating func noteUnanswered(host: String, at moment: Moment) {
        change(host, at: moment) { $0.unknown += 1 }
        noteError(at: moment)
    }

    mutating func noteError(at moment: Moment) {
        errors.change(at: moment) { $0 += 1 }
    }

    /// The outcomes of the last hour, oldest first.
    func hour(at moment: Moment) -> [MinuteOutcome] { outcomes.view(at: moment) }

    /// Beacons that were sent in each five seconds of the last minute, oldest first.
    func minute(at moment: Moment) -> [Int] {
        let seconds = Array(beacons.view(at: moment).suffix(60))
        return stride(from: 0, to: seconds.count, by: 5).map { seconds[$0..<min($0 + 5, seconds.count)].reduce(0, +) }
    }

    func view(at moment: Moment) -> ActivityView {
        let figures = all.percentiles([0.5, 0.95, 1])
        let busiest = hosts.sorted { ($0.value.sent, $1.key) > ($1.value.sent, $0.key) }.prefix(Self.hostsShown)
        return ActivityView(
            beaconsPerSecond: beacons.view(at: moment), errorsPerSecond: errors.view(at: moment),
            latencyMedian: figures?[0], latency95: figures?[1], latencyMaximum: figures?[2],
            hosts: busiest.map { name, host in
                HostView(
                    host: name, sent: host.sent, failed: host.failed,
                    latency95: host.latencies.percentiles([0.95])?.first, acknowledged: host.acknowledged,
                    answers: host.answers, lateness: host.lateness, unknown: host.unknown)
            })
    }

    private mutating func change(_ name: String, at moment: Moment, _ body: (inout Host) -> Void) {
        if hosts[name] == nil, hosts.count >= Self.hostsKept,
            let idle = hosts.min(by: { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) })
        {
            hosts[idle.key] = nil
        }
        var host = hosts[name] ?? Host()
        body(&host)
        host.lastUse = moment.uptime
        hosts[name] = host
    }
}
