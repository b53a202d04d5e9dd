/// A line of the fleet's list.
package struct FollowedChannel: Hashable, Sendable {
    package var id: Int
    package var name: String
    package var url: String
    /// As on a line of `monitor`'s list.
    package var options: [String: String]

    package init(id: Int, name: String, url: String, options: [String: String] = [:]) {
        self.id = id
        self.name = name
        self.url = url
        self.options = options
    }
}

/// What the store asks of an agent, as it says at its start.
package struct FleetTerms: Hashable, Sendable {
    package var lease: Duration
    package var beat: Duration
    package var isFiring: Bool

    package init(lease: Duration = .seconds(8), beat: Duration = .seconds(2), isFiring: Bool = true) {
        self.lease = lease
        self.beat = beat
        self.isFiring = isFiring
    }
}

/// How busy an agent is, for people.
package struct AgentLoad: Hashable, Sendable {
    /// Claims that wait for the store.
    package var queue: Int
    /// Bytes of what waits for the store: outcomes, what was not sent, notes.
    package var spoolBytes: Int
    /// Viewers with a problem.
    package var failing: Int
    package var usage = AgentUsage()
    /// Nil while claims are answered.
    package var silence: ClaimSilence?

    package init(queue: Int = 0, spoolBytes: Int = 0, failing: Int = 0) {
        self.queue = queue
        self.spoolBytes = spoolBytes
        self.failing = failing
    }
}

/// Claims are asked and not answered, though beats are.
package struct ClaimSilence: Hashable, Sendable {
    package var span: Duration
    /// What the store, or the way to it, reported last.
    package var words: String?

    package init(_ span: Duration, words: String? = nil) {
        self.span = span
        self.words = words
    }
}

/// What the process of an agent measures of itself; nil is not known.
package struct AgentUsage: Hashable, Sendable {
    /// Processor time by elapsed time: 0.5 is half of a core.
    package var cores: Double?
    package var residentBytes: Int64?
    /// How long claims wait until they are granted, for all but one in a hundred.
    package var claimP99: Duration?

    package init(cores: Double? = nil, residentBytes: Int64? = nil, claimP99: Duration? = nil) {
        self.cores = cores
        self.residentBytes = residentBytes
        self.claimP99 = claimP99
    }
}

/// Where a playhead was.
package struct PlayheadReading: Hashable, Sendable {
    /// Media date since 1970.
    package var media: Duration
    /// By the clock of the agent. The store gets the age: no wall clock is compared with another one.
    package var readAt: Duration
    /// 0 while the viewer does not play.
    package var rate: Double

    package init(media: Duration, readAt: Duration, rate: Double = 1) {
        self.media = media
        self.readAt = readAt
        self.rate = rate
    }

    /// Where it is later, if it keeps moving at its rate.
    package func date(at now: Duration) -> Duration {
        // Exact at the usual rate: durations are multiplied as numbers with a fraction.
        media + (rate == 1 ? now - readAt : (now - readAt) * rate)
    }

    /// The same motion, read at the latest when it was at that media date. One that is longer ago than a successor goes back does not count.
    package func held(to limit: Duration) -> PlayheadReading {
        guard media > limit, media - limit <= StoreAnswer.TakenViewer.longestGap else { return self }
        var held = self
        held.media = limit
        // Exact at the usual rate: durations are divided as numbers with a fraction.
        if rate > 0 { held.readAt -= rate == 1 ? media - limit : (media - limit) / rate }
        return held
    }
}

/// How a viewer is: a row of the table on the screen.
package struct ViewerHealth: Hashable, Sendable {
    package var viewer: Int
    package var phase: String
    package var problem: String?
    package var due = 0
    package var sent = 0
    package var acknowledged = 0
    package var failed = 0
    package var unknown = 0
    package var worstLate: Duration?
    package var pollAge: Duration?
    /// Who inserts the ads, and in which mode, in the words of the report of a session; nil while unknown.
    package var provider: String?
    package var serviceMode: String?

    package init(viewer: Int, phase: String, problem: String? = nil) {
        self.viewer = viewer
        self.phase = phase
        self.problem = problem
    }

    /// Whether people should see it before its turn.
    func differs(from other: Self) -> Bool { phase != other.phase || problem != other.problem }
}

/// A beacon that was due and not sent.
package struct UnsentRow: Hashable, Sendable {
    package var beacon: DueBeacon
    /// Wall clock of the agent, since 1970.
    package var at: Duration
    /// Else it was only observed.
    package var isSkipped: Bool
    /// A word of the closed list (TRK-14).
    package var reason: String?

    package init(beacon: DueBeacon, at: Duration, isSkipped: Bool, reason: String?) {
        self.beacon = beacon
        self.at = at
        self.isSkipped = isSkipped
        self.reason = reason
    }
}
