import Fleet

/// A process of an agent with its clock and its sessions.
struct VirtualProcess {
    var agent: FleetAgent
    var isAlive = true
    /// How fast its monotonic clock runs.
    var rate: Double
    /// How long its clock stood still.
    var stood = Duration.zero
    var standsUntil = Duration.zero
    /// Neither its calls nor its answers pass.
    var cutUntil = Duration.zero
    var sessions: [Int: VirtualSession] = [:]
    /// Up to where viewers that are about to be given were followed: what is due later is the successor's.
    var left: [Int: PlayheadReading] = [:]

    func clock(at now: Duration) -> Duration { (now - stood) * rate }
}

/// What the session of a viewer lists: metadata that is written anew for each session.
struct VirtualSession {
    var id: ViewerEpoch
    var salt: UInt64
    var shift: Duration
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

    /// What the collector takes a beacon for.
    static func truth(_ url: String) -> Substring { url.prefix { $0 != "?" } }
}
