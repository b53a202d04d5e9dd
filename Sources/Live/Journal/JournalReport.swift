package import Ports
package import Session

/// The totals of a journal's sessions.
package struct JournalReport: Sendable {
    /// Totals of all sessions.
    package var totals = Tally()
    /// Sessions in the order first seen.
    package var sessions: [Session] = []
    /// Breaks by session, then by start.
    package var breaks: [Break] = []
    /// Hosts, busiest first.
    package var hosts: [Host] = []
    package var findings: [Finding] = []
    /// Beacons that failed, by host and answer: the host with the most failures first. Their counts add up to `totals.failed`.
    package var failures: [Failure] = []
    /// Beacons over time, oldest first, without gaps; empty if there were none.
    package var course = Course()

    /// Number of beacons by result.
    package struct Tally: Sendable, Hashable {
        /// Beacons that were due: `sent`, `observed` and `skipped`. Each action of the viewer counts.
        package var due: Int { sent + observed + skipped }
        /// Beacons claimed for sending, whatever their result.
        package var sent: Int { acknowledged + failed + unknown + open }
        package var acknowledged = 0
        /// Answered with a status other than 2xx, or not answered.
        package var failed = 0
        /// The process ended before the answer.
        package var unknown = 0
        /// Not answered yet.
        package var open = 0
        /// Only observed, not sent.
        package var observed = 0
        /// Not sent for a reason.
        package var skipped = 0
        /// Lateness of the beacons that were sent or observed.
        package var lateness = DelayHistogram()

        package init() {}

        mutating func add(_ other: Self) {
            acknowledged += other.acknowledged
            failed += other.failed
            unknown += other.unknown
            open += other.open
            observed += other.observed
            skipped += other.skipped
            lateness.add(other.lateness)
        }
    }

    package struct Session: Sendable, Hashable {
        /// The identity of a session across runs.
        package var key: String
        package var name: String?
        package var mediaURL: String?
        package var provider: String?
        /// How the provider divides reporting, in its word; nil for plain streams, and for sessions of earlier versions.
        package var serviceMode: String?
        /// Last mode: `observe` or `fire`.
        package var mode: String?
        /// A word of `RetrySetting`; nil for sessions of earlier versions.
        package var retry: String?
        package var runs: Int
        /// When it was first seen; nil where that is not kept.
        package var firstAt: UnixTime?
        package var tally = Tally()

        /// Its provider, with the mode in which that reports if it has several: `NAME (hybrid)`.
        package var service: String? {
            provider.map { name in serviceMode.map { "\(name) (\($0))" } ?? name }
        }

        /// Its name and its stream, or else the key.
        package var label: String { [name, mediaURL ?? key].compactMap(\.self).joined(separator: " ") }
    }

    package struct Break: Sendable, Hashable {
        /// Index in `sessions`.
        package var session: Int
        package var name: String
        package var start: UnixTime?
        package var duration: Duration?
        package var source: String?
        package var tally = Tally()
        /// Ads ordered by start.
        package var ads: [Ad] = []

        /// Whether it is no break of the stream, but an auction, a load of an ad space, or the pings of a session: their beacons
        /// are kept in the same way, without a place in the stream.
        package var isBesideStream: Bool { start == nil && source == nil }
    }

    package struct Ad: Sendable, Hashable {
        package var name: String
        package var start: UnixTime?
        package var duration: Duration?
        package var tally = Tally()
        /// Hosts of its beacons, busiest first.
        package var hosts: [Host] = []
    }

    package struct Host: Sendable, Hashable {
        package var name: String
        package var tally: Tally

        package init(name: String, tally: Tally) {
            self.name = name
            self.tally = tally
        }

        /// The name for people; an invalid URL has none.
        package var label: String { name.isEmpty ? "(invalid URL)" : name }
    }

    /// The beacons of one host that failed in the same way.
    package struct Failure: Sendable, Hashable {
        package var host: String
        /// Status of the answers; nil where there was none.
        package var status: Int?
        package var count = 0
        package var firstAt: UnixTime
        package var lastAt: UnixTime
        /// Indices in `breaks`, in their order.
        package var breaks: [Int] = []
    }

    /// A violated rule.
    package struct Finding: Sendable, Hashable {
        package var rule: String
        package var severity: String
        /// Message of the newest occurrence.
        package var message: String
        package var count: Int
        package var firstAt: UnixTime
        package var lastAt: UnixTime
    }

    /// Beacons per interval, by the time at which they were claimed or observed.
    package struct Course: Sendable, Hashable {
        package struct Stretch: Sendable, Hashable {
            package var acknowledged = 0
            package var failed = 0
            /// Unknown or open.
            package var unanswered = 0
            /// Observed or skipped.
            package var unsent = 0

            package var count: Int { acknowledged + failed + unanswered + unsent }

            package init(acknowledged: Int = 0, failed: Int = 0, unanswered: Int = 0, unsent: Int = 0) {
                self.acknowledged = acknowledged
                self.failed = failed
                self.unanswered = unanswered
                self.unsent = unsent
            }
        }

        /// Start of the first interval.
        package var start = UnixTime(microseconds: 0)
        /// Length of each interval.
        package var length: Duration = .zero
        package var stretches: [Stretch] = []
    }
}
