import Ports

/// What was sent of beacons that are in no document now: restored from a journal, or dropped after retention. An old
/// document, or one that moved its starts a little, finds its beacons here and does not send them again. So does one that
/// names a break or an ad otherwise: see ``Ledger/places``.
struct BeaconArchive: Sendable {
    /// Beacons remembered; the oldest are forgotten first.
    static let limit = 100_000

    struct Beacon: Hashable, Sendable {
        var adStart: UnixTime
        var start: UnixTime
        var state: DeliveryState
        var round: Int
        /// An event has it, maybe one that was moved; its own moment keeps its place.
        var isTaken = false
    }

    private var beacons: [Fingerprint: [Beacon]] = [:]
    /// To the identity in `beacons`.
    private var places: [Fingerprint: Fingerprint] = [:]
    /// In order of arrival.
    private var order: [Fingerprint] = []

    var isEmpty: Bool { beacons.isEmpty }

    /// Remembers what is worth it: what was not claimed may still be sent.
    mutating func put(_ key: URLKey, state: DeliveryState, round: Int) {
        let print = Fingerprint(key)
        let beacon = Beacon(adStart: key.event.adStart, start: key.event.start, state: state, round: round)
        beacons[print, default: []].append(beacon)
        places[Fingerprint(placeOf: key)] = print
        order.append(print)
        if order.count > 2 * Self.limit { shed() }
    }

    /// Takes the beacon whose identity is `key`, starts compared with the tolerance of moved nodes.
    mutating func take(_ key: URLKey) -> Beacon? {
        let print = Fingerprint(key)
        guard let candidates = beacons[print], let nearest = Self.nearest(to: key, in: candidates) else { return nil }
        beacons[print]?[nearest].isTaken = true
        return candidates[nearest]
    }

    /// The beacon that was sent in a place, whoever has it by now.
    func namesake(at place: Fingerprint, start: UnixTime) -> Beacon? {
        guard let print = places[place] else { return nil }
        return beacons[print]?.last { $0.start == start }
    }

    private static func nearest(to key: URLKey, in candidates: [Beacon]) -> Int? {
        func distance(_ beacon: Beacon) -> Duration {
            let byAd = beacon.adStart - key.event.adStart
            let byEvent = beacon.start - key.event.start
            return max(byAd, .zero - byAd, byEvent, .zero - byEvent)
        }
        let free = candidates.indices.filter { !candidates[$0].isTaken }
        let nearest = free.min { distance(candidates[$0]) < distance(candidates[$1]) }
        return nearest.flatMap { distance(candidates[$0]) <= NodeMatch.moveTolerance ? $0 : nil }
    }

    private mutating func shed() {
        for print in order.prefix(order.count - Self.limit) {
            guard var old = beacons[print], !old.isEmpty else { continue }
            old.removeFirst()
            beacons[print] = old.isEmpty ? nil : old
        }
        order.removeFirst(order.count - Self.limit)
        places = places.filter { beacons[$0.value] != nil }
    }
}

/// A beacon's identity in 16 bytes: texts of identities would cost hundreds each.
///
/// Two hashes of 64 bits, seeded anew in every process: a collision, which would keep a beacon from being sent, is
/// out of reach even for those who choose the URLs.
struct Fingerprint: Hashable, Sendable {
    private let first: Int
    private let second: Int

    /// Without starts, which are compared apart; so names that were made up from starts do not count.
    init(_ key: URLKey) {
        self.init { hasher in
            hasher.combine(key.event.breakName.given)
            hasher.combine(key.event.adName.given)
            hasher.combine(key.event.type)
            hasher.combine(key.url)
        }
    }

    /// Of the type, the event's start and the URL alone.
    init(placeOf key: URLKey) {
        self.init { hasher in
            hasher.combine(key.event.start)
            hasher.combine(key.event.type)
            hasher.combine(key.url)
        }
    }

    private init(_ combine: (inout Hasher) -> Void) {
        func hash(salt: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(salt)
            combine(&hasher)
            return hasher.finalize()
        }
        first = hash(salt: 0)
        second = hash(salt: 1)
    }
}
