package import Ports

/// How a fleet is, as its store has it: schema `adtop-fleet-status/1` (docs/fleet.md). Values that the role may not see are nil.
package struct FleetOverview: Hashable, Sendable {
    /// The store and its server.
    package struct Store: Hashable, Sendable {
        package var schemaVersion: Int
        package var protocols: ProtocolRange
        package var stateVersion: Int
        /// `fire` or `observe`.
        package var mode: String
        /// `strict`, `trusted` or `single`.
        package var durability: String
        /// 150018
        package var serverVersion: Int
        package var systemID: String?
        package var timeline: String?
        /// Standbys that are connected.
        package var standbys: Int
        /// Whether `synchronous_standby_names` names any.
        package var namesStandbys: Bool
        /// Whether this server is a standby itself: what it has may be a moment old.
        package var isStandby: Bool
        package var latency: Duration
        /// How far the store's clock is ahead of ours.
        package var clockSkew: Duration
        /// Size of the database.
        package var bytes: Int64
        /// First and last day (UTC) that has a partition of claims: `2026-11-24`.
        package var days: [String]
        /// The days whose partition is older than the retention and still there.
        package var keptDays: [String]
        package var isTomorrowThere: Bool
        /// Nil where partitions were never looked after.
        package var upkeepAge: Duration?

        package init(
            schemaVersion: Int, protocols: ProtocolRange, stateVersion: Int, mode: String, durability: String,
            serverVersion: Int, systemID: String? = nil, timeline: String? = nil, standbys: Int = 0,
            namesStandbys: Bool = false, isStandby: Bool = false, latency: Duration = .zero,
            clockSkew: Duration = .zero, bytes: Int64 = 0, days: [String] = [], keptDays: [String] = [],
            isTomorrowThere: Bool = true, upkeepAge: Duration? = nil
        ) {
            self.schemaVersion = schemaVersion
            self.protocols = protocols
            self.stateVersion = stateVersion
            self.mode = mode
            self.durability = durability
            self.serverVersion = serverVersion
            self.systemID = systemID
            self.timeline = timeline
            self.standbys = standbys
            self.namesStandbys = namesStandbys
            self.isStandby = isStandby
            self.latency = latency
            self.clockSkew = clockSkew
            self.bytes = bytes
            self.days = days
            self.keptDays = keptDays
            self.isTomorrowThere = isTomorrowThere
            self.upkeepAge = upkeepAge
        }
    }

    /// An incarnation that is at work, or ended within an hour.
    package struct Agent: Hashable, Sendable {
        /// What the store knows of it by its lease.
        package enum State: String, Hashable, Sendable {
            case alive, draining
            /// Its lease is over; it is not fenced yet.
            case silent
            case fenced, ended
        }

        package var name: String
        package var id: Int64
        package var state: State
        package var version: String
        package var protocolVersion: Int
        /// Empty without one.
        package var region: String
        package var place: String
        package var pid: Int
        package var capacity: Int
        package var holding: Int
        package var beatAge: Duration
        package var uptime: Duration
        /// What it reports about itself.
        package var load: Load

        package var isAtWork: Bool { state == .alive || state == .draining || state == .silent }

        package init(
            name: String, id: Int64, state: State, version: String = "", protocolVersion: Int = 1, region: String = "",
            place: String = "", pid: Int = 0, capacity: Int = 2_000, holding: Int = 0, beatAge: Duration = .zero,
            uptime: Duration = .zero, load: Load = Load()
        ) {
            self.name = name
            self.id = id
            self.state = state
            self.version = version
            self.protocolVersion = protocolVersion
            self.region = region
            self.place = place
            self.pid = pid
            self.capacity = capacity
            self.holding = holding
            self.beatAge = beatAge
            self.uptime = uptime
            self.load = load
        }
    }

    /// The load that an agent writes with its beats; nil is not known.
    package struct Load: Hashable, Sendable {
        package var cores: Double?
        package var residentBytes: Int64?
        package var claimP99: Duration?
        package var queue: Int64?
        package var spoolBytes: Int64?
        package var failing: Int64?
        /// The newest version of saved sessions that it knows.
        package var stateVersion: Int64?
        /// How long none of its claims was answered; nil while they are.
        package var silence: ClaimSilence?

        package init() {}

        /// Reads what an agent wrote, which may be of another version.
        package init(_ value: JSONValue?) {
            let object = value?.objectValue
            cores = object?["cores"]?.doubleValue
            residentBytes = object?["residentBytes"]?.integerValue
            // More than 292 years are no duration of a claim.
            claimP99 = object?["claimP99Ms"]?.doubleValue.flatMap { $0.magnitude < 9e12 ? .milliseconds($0) : nil }
            queue = object?["queue"]?.integerValue
            spoolBytes = object?["spoolBytes"]?.integerValue
            failing = object?["failing"]?.integerValue
            stateVersion = object?["stateVersion"]?.integerValue
            silence = object?["claimsSilentMs"]?.integerValue.flatMap { milliseconds in
                let words = object?["claimsProblem"]?.stringValue.map(StoreProblem.line)
                return (0..<9_000_000_000_000).contains(milliseconds)
                    ? ClaimSilence(.milliseconds(milliseconds), words: words) : nil
            }
        }
    }

    /// The viewers that ask for a region.
    package struct Region: Hashable, Sendable {
        /// Empty for viewers of any region.
        package var name: String
        package var viewers: Int
        package var waiting: Int
        /// With a fenced owner.
        package var orphaned: Int

        package init(name: String, viewers: Int, waiting: Int, orphaned: Int = 0) {
            self.name = name
            self.viewers = viewers
            self.waiting = waiting
            self.orphaned = orphaned
        }
    }

    /// Counts over all viewers.
    package struct Viewers: Hashable, Sendable {
        package var channels = 0
        package var count = 0
        /// Without an owner.
        package var waiting = 0
        /// With a fenced owner. Those of ``FleetOverview/lostAgents`` come to them.
        package var orphaned = 0
        package var longestWait: Duration = .zero
        package var longestOrphaned: Duration = .zero
        /// Channels with a viewer that reports a problem.
        package var failingChannels = 0

        package init() {}
    }

    package var at: UnixTime
    package var store: Store
    package var viewers: Viewers
    package var claimsPerSecond: Double?
    package var unknownLastHour: Int64?
    /// By name.
    package var regions: [Region]
    /// By name, then by id.
    package var agents: [Agent]

    package init(
        at: UnixTime, store: Store, viewers: Viewers = Viewers(), claimsPerSecond: Double? = nil,
        unknownLastHour: Int64? = nil, regions: [Region] = [], agents: [Agent] = []
    ) {
        self.at = at
        self.store = store
        self.viewers = viewers
        self.claimsPerSecond = claimsPerSecond
        self.unknownLastHour = unknownLastHour
        self.regions = regions
        self.agents = agents
    }

    /// Agents that are silent for longer than a takeover lasts: no other agent is there to fence them, or to take their viewers.
    package var lostAgents: [Agent] { agents(.silent).filter { $0.beatAge > Self.patience } }

    /// Viewers with an owner that does not follow them.
    package var orphaned: Int { viewers.orphaned + lostAgents.reduce(0) { $0 + $1.holding } }

    package var longestOrphaned: Duration {
        max(viewers.longestOrphaned, lostAgents.filter { $0.holding > 0 }.map(\.beatAge).max() ?? .zero)
    }

    /// Viewers that are followed, as far as the store knows. An agent may still have viewers that the list has no longer.
    package var followed: Int { max(0, viewers.count - viewers.waiting - orphaned) }

    package func agents(_ state: Agent.State) -> [Agent] { agents.filter { $0.state == state } }

    /// Agents at work in a region.
    package func agents(in region: String) -> [Agent] { agents.filter { $0.isAtWork && $0.region == region } }
}
