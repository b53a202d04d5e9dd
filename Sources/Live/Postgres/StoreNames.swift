import Fleet
import Locks
import Ports

/// The numbers of hosts, each asked for once, and the ads that the store is known to have.
final class StoreNames: Sendable {
    /// How many hosts, and how many ads, are remembered at most; beyond it everything is asked again.
    private let limit: Int
    /// After how long ads are named again: the store keeps those that belong to no day only while they are.
    private static let adInterval = Duration.seconds(12 * 3_600)

    private struct AdPlace: Hashable {
        var viewer: Int
        var ad: Int64
    }

    private struct State {
        var hosts: [String: Int] = [:]
        var ads: Set<AdPlace> = []
        var adsUntil = Duration.zero
    }

    private let state = Locked(State())

    init(limit: Int = 100_000) {
        self.limit = limit
    }

    /// The numbers of all hosts of one call; asks for those that are not known. Another call may make room meanwhile.
    func numbers(
        of hosts: [String], _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> HostNumbers {
        let asked = Set(hosts.map(HostNumbers.name))
        let known = state.withLock { state in
            asked.reduce(into: [String: Int]()) { $0[$1] = state.hosts[$1] }
        }
        guard known.count < asked.count else { return HostNumbers(numbers: known) }
        let unknown = asked.subtracting(known.keys).sorted()
        let rows = try connection.call("SELECT id, name FROM fleet.hosts($1)", [.array(unknown.map { .text($0) })])
        var new: [String: Int] = [:]
        for row in rows.rows {
            let (name, id) = (try row.text("name"), try row.integer("id", as: Int.self))
            new[name] = id
        }
        state.withLock { [new] state in
            if state.hosts.count + new.count > limit { state.hosts = [:] }
            state.hosts.merge(new) { $1 }
        }
        return HostNumbers(numbers: known.merging(new) { $1 })
    }

    /// The ads that beacons name and that the store may not have, or not heard of lately; nil for none.
    func newAds(of beacons: [DueBeacon], at now: Duration) -> PostgresParameter? {
        var named: [AdPlace: ClaimedAd] = [:]
        for beacon in beacons {
            guard let ad = beacon.ad else { continue }
            named[AdPlace(viewer: beacon.key.viewer, ad: ad.id)] = ad
        }
        let new = state.withLock { [named] state in
            if now >= state.adsUntil { (state.ads, state.adsUntil) = ([], now + Self.adInterval) }
            return Set(named.keys).subtracting(state.ads)
        }
        guard !new.isEmpty else { return nil }
        let rows = new.sorted { ($0.viewer, $0.ad) < ($1.viewer, $1.ad) }.compactMap { place in
            named[place].map { Self.row($0, of: place.viewer) }
        }
        return .json(.array(rows))
    }

    /// Claims were answered: the store has the ads that they name. Before, nothing is known of them; and it takes no ads of a viewer that the
    /// agent has lost.
    func hasAds(of requests: [ClaimRequest]) {
        let places = requests.compactMap { request in
            request.beacon.ad.map { AdPlace(viewer: request.key.viewer, ad: $0.id) }
        }
        state.withLock { state in
            if state.ads.count >= limit { state.ads = [] }
            state.ads.formUnion(places)
        }
    }

    /// A column whose value is not known is left out.
    private static func row(_ ad: ClaimedAd, of viewer: Int) -> JSONValue {
        [
            "viewer": .integer(Int64(viewer)), "id": .integer(ad.id),
            "first_start": .string(timestamp(ad.firstStart)), "ad": .string(ad.name), "break": .string(ad.breakName),
            "duration_ms": .optional(ad.listing.map { StoreWriting.milliseconds($0.duration) }),
            "break_start": .optional(ad.listing?.breakStart.map(timestamp)),
            "break_ms": .optional(ad.listing?.breakDuration.map(StoreWriting.milliseconds)),
            "source": .optional(ad.listing?.source),
        ]
    }

    /// The arguments of a claim after the agent, column by column.
    static func columns(of requests: [ClaimRequest], _ hosts: HostNumbers) -> [PostgresParameter] {
        func column(_ value: (ClaimRequest) -> PostgresParameter) -> PostgresParameter { .array(requests.map(value)) }
        return [
            column { .integer($0.key.viewer) }, column { .integer($0.epoch) }, column { .integer($0.number) },
            column { .time(StoreWriting.date($0.key.due)) }, column { .identity(StoreWriting.bytes($0.key.beacon)) },
            column { .integer($0.key.round) }, column { .integer($0.key.attempt) },
            column { .integer($0.beacon.ad?.id ?? 0) }, column { .integer(hosts[$0.beacon.host]) },
            column { .optional($0.beacon.late.map(StoreWriting.milliseconds)) }, column { .text($0.beacon.type) },
            column { .text($0.beacon.url) },
        ]
    }

    /// The rows of what was not sent.
    static func unsent(_ rows: [UnsentRow], _ hosts: HostNumbers) -> PostgresParameter {
        .json(
            .array(
                rows.map { row in
                    [
                        "due_at": .string(Self.timestamp(row.beacon.key.due)), "at": .string(Self.timestamp(row.at)),
                        "ad": .integer(row.beacon.ad?.id ?? 0),
                        "beacon": .string(StoreWriting.hex(row.beacon.key.beacon)),
                        "viewer": .integer(Int64(row.beacon.key.viewer)),
                        "host": .integer(Int64(hosts[row.beacon.host])),
                        "late_ms": .optional(row.beacon.late.map(StoreWriting.milliseconds)),
                        "state": .string(row.isSkipped ? "s" : "o"), "reason": .optional(row.reason),
                        "type": .string(row.beacon.type), "url": .string(row.beacon.url),
                    ]
                }))
    }

    private static func timestamp(_ time: Duration) -> String { PostgresParameter.timestamp(StoreWriting.date(time)) }
}

/// The numbers that the store has for hosts of one call.
struct HostNumbers: Hashable, Sendable {
    var numbers: [String: Int] = [:]

    /// 0 for one that the store does not know.
    subscript(host: String) -> Int { numbers[Self.name(host)] ?? 0 }

    /// The host as the store keeps it.
    static func name(_ host: String) -> String { String(host.unicodeScalars.prefix(300)) }
}
