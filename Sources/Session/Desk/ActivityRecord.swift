import AdTracking
import DequeModule
import Ports

/// Counts per second for sparklines, and latencies; both bounded.
struct ActivityRecord {
    /// Number of seconds in a sparkline.
    static let seconds = 120
    /// Number of latencies kept for percentiles, in total and per host.
    static let latencies = 512
    static let hostLatencies = 64
    static let hostsKept = 64
    static let hostsShown = 20

    private struct Host {
        var sent = 0
        var failed = 0
        var acknowledged = 0
        var latencies = Ring(capacity: ActivityRecord.hostLatencies)
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

    private var beacons = SecondCounts()
    private var errors = SecondCounts()
    private var all = Ring(capacity: latencies)
    private var hosts: [String: Host] = [:]

    /// Counts a beacon that was sent.
    mutating func noteBeacon(host: String, at moment: Moment) {
        beacons.add(at: moment)
        change(host, at: moment) { $0.sent += 1 }
    }

    /// Counts a beacon that was answered with 2xx.
    /// - Parameter latency: in microseconds.
    mutating func noteAcknowledged(host: String, latency: Int64, at moment: Moment) {
        all.append(latency)
        change(host, at: moment) {
            $0.acknowledged += 1
            $0.latencies.append(latency)
        }
    }

    /// Counts a beacon that failed. What its server took, or the time limit, counts among the latencies: a host that
    /// times out is slow.
    mutating func noteFailed(host: String, _ answer: BeaconAnswer, at moment: Moment) {
        let isTimed = answer.failure.map { $0.kind == .timeout || $0.kind == .connectTimeout } ?? true
        if isTimed { all.append(answer.timings.total) }
        change(host, at: moment) {
            $0.failed += 1
            if isTimed { $0.latencies.append(answer.timings.total) }
        }
        errors.add(at: moment)
    }

    mutating func noteError(at moment: Moment) {
        errors.add(at: moment)
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
                    latency95: host.latencies.percentiles([0.95])?.first, acknowledged: host.acknowledged)
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

/// The number of occurrences in each of the last seconds of uptime.
struct SecondCounts {
    private var counts = [Int](repeating: 0, count: ActivityRecord.seconds)
    /// The second counted last.
    private var newest: Int64 = 0

    mutating func add(at moment: Moment) {
        let second = max(newest, moment.uptime.components.seconds)
        clear(through: second)
        counts[place(second)] += 1
    }

    /// Counts by second, oldest first, ending with the second of `moment`.
    func view(at moment: Moment) -> [Int] {
        let last = max(newest, moment.uptime.components.seconds)
        let first = last - Int64(counts.count) + 1
        return (first...last).map {
            $0 < 0 || $0 > newest || $0 <= newest - Int64(counts.count) ? 0 : counts[place($0)]
        }
    }

    private mutating func clear(through second: Int64) {
        let gap = min(second - newest, Int64(counts.count))
        for step in 0..<gap { counts[place(second - step)] = 0 }
        newest = second
    }

    private func place(_ second: Int64) -> Int {
        Int(second % Int64(counts.count))
    }
}
