import Fleet

/// A process of an agent with its clocks, its connections, its disk and its sessions.
struct VirtualProcess {
    /// From the process to another party, or from that to the process.
    enum Direction: CaseIterable {
        case there, back
    }

    var agent: FleetAgent
    var isAlive = true
    /// The newest version of saved sessions that it knows.
    var version = 1
    /// How fast its monotonic clock runs.
    var rate: Double
    /// How long its clock stood still.
    var stood = Duration.zero
    var standsUntil = Duration.zero
    /// How far its wall clock is off, and whether the agent is given that one: a guard that is left out.
    var wallOffset = Duration.zero
    var usesWallClock = false
    /// Neither its calls nor its answers pass, or only those of one direction.
    var cutUntil = Duration.zero
    var cuts: [Direction: Duration] = [:]
    /// The same between it and the tracker, and between it and the origin.
    var trackerCut: (direction: Direction, until: Duration)?
    var originCutUntil = Duration.zero
    /// How many effects it carries out before it is killed; nil for no such fault.
    var effectsLeft: Int?
    /// The server at the other end of each connection: of that for claims, and of the other.
    var lines: [Bool: Int] = [:]
    /// The numbers of the last calls on each.
    var lastCalls: [Bool: Int] = [:]
    /// When beats were asked for, and the last one that was answered: without the time for which the machine stood still.
    var beatsAsked: [Int: Duration] = [:]
    var leasedAt: Duration?
    /// What the disk of its place has.
    var disk = SpooledRows()
    var sessions: [Int: VirtualSession] = [:]
    /// Up to where viewers that are about to be given were followed: what is due later is the successor's.
    var left: [Int: PlayheadReading] = [:]

    init(agent: FleetAgent, rate: Double, stood: Duration) {
        (self.agent, self.rate, self.stood) = (agent, rate, stood)
    }

    /// The clock of the agent.
    func clock(at now: Duration) -> Duration { usesWallClock ? wall(at: now) : (now - stood) * rate }
    /// The wall clock, which began hours ago.
    func wall(at now: Duration) -> Duration { .seconds(36_000) + now + wallOffset }

    func isCut(_ direction: Direction, at now: Duration) -> Bool {
        cutUntil > now || cuts[direction].map { $0 > now } ?? false
    }

    /// The connection of a call is dropped.
    mutating func drop(_ number: Int) {
        for (line, call) in lastCalls where call == number { lines[line] = nil }
    }

    /// What waits for the store is kept on the disk.
    mutating func keepSpool() {
        switch agent.nextSpoolChange() {
        case .append(let rows): disk.append(rows)
        case .replace(let rows): disk = rows
        case .clear: disk = SpooledRows()
        case nil: break
        }
    }
}

/// What the session of a viewer lists: metadata that is written anew for each session.
struct VirtualSession {
    var id: ViewerEpoch
    var salt: UInt64
    var shift: Duration
    /// The address of its channel; empty in runs without changes of the list.
    var address = ""
    var listed: Set<Int> = []
    /// Nothing due up to then is listed.
    var from = Duration.seconds(-1)

    /// The beacons of a viewer are due once a second, the same for all sessions; start, ids and cache busters are not.
    func beacon(_ index: Int) -> DueBeacon {
        let hash = (UInt64(id.viewer) << 32 | UInt64(index)) ^ salt
        return DueBeacon(
            key: ClaimKey(viewer: id.viewer, due: .seconds(index) + shift, beacon: BeaconID(low: hash)),
            type: "impression",
            url: "\(id.viewer)/\(index)?\(salt)")
    }

    /// The judgement of a ledger: the same URL without its cache buster.
    static func isSame(_ claim: ClaimRequest, _ beacon: DueBeacon) -> Bool {
        truth(claim.beacon.url) == truth(beacon.url)
    }

    /// What the collector takes a beacon for. Bytes are looked through: a run asks it of each beacon for every claim that is known.
    static func truth(_ url: String) -> Substring {
        url[..<(url.utf8.firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex)]
    }
}
