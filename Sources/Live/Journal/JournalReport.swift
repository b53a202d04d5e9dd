package import Monitoring
package import Ports

/// What a journal says of its sessions, added up.
package struct JournalReport: Sendable {
    /// Of everything in it.
    package var totals = Tally()
    /// In the order first seen.
    package var sessions: [Session] = []
    /// By session, then by start.
    package var breaks: [Break] = []
    /// Busiest first.
    package var hosts: [Host] = []
    package var findings: [Finding] = []
    /// Beacons over time, oldest first, without gaps; empty when there were none.
    package var course = Course()

    /// Beacons by what became of them.
    package struct Tally: Sendable, Hashable {
        /// What was to be sent: `sent`, `observed` and `skipped`. Each action of the viewer counts.
        package var due: Int { sent + observed + skipped }
        /// What was claimed to be sent, whatever became of it.
        package var sent: Int { acknowledged + failed + unknown + open }
        package var acknowledged = 0
        /// Answered with another status than 2xx, or not at all.
        package var failed = 0
        /// The process did not live to see an answer.
        package var unknown = 0
        /// Not answered yet.
        package var open = 0
        /// Only observed: nothing was sent.
        package var observed = 0
        /// Not sent for a reason.
        package var skipped = 0
        /// Of what was sent or observed.
        package var lateness = LatenessHistogram()

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
        /// What makes two runs the same session.
        package var key: String
        package var name: String?
        package var mediaURL: String?
        package var provider: String?
        /// `observe` or `fire`, as it last was.
        package var mode: String?
        package var runs: Int
        package var firstAt: UnixTime
        package var tally = Tally()
    }

    package struct Break: Sendable, Hashable {
        /// Place in `sessions`.
        package var session: Int
        package var name: String
        package var start: UnixTime?
        package var duration: Duration?
        package var source: String?
        package var tally = Tally()
        /// By start.
        package var ads: [Ad] = []
    }

    package struct Ad: Sendable, Hashable {
        package var name: String
        package var start: UnixTime?
        package var duration: Duration?
        package var tally = Tally()
        /// Of its beacons, busiest first.
        package var hosts: [Host] = []
    }

    package struct Host: Sendable, Hashable {
        package var name: String
        package var tally: Tally

        package init(name: String, tally: Tally) {
            self.name = name
            self.tally = tally
        }
    }

    /// A rule that was broken.
    package struct Finding: Sendable, Hashable {
        package var rule: String
        package var severity: String
        /// Of the newest.
        package var message: String
        package var count: Int
        package var firstAt: UnixTime
        package var lastAt: UnixTime
    }

    /// Beacons per stretch of time, by when they were claimed or observed.
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

        /// Of the first stretch.
        package var start = UnixTime(microseconds: 0)
        /// Of each stretch.
        package var length: Duration = .zero
        package var stretches: [Stretch] = []
    }
}
