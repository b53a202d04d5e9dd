import Ports

/// Beacons that were sent and are in no current document: restored from a journal, or removed after retention. When an
/// old document, or one with slightly moved starts, lists them again, they are found here and not sent again. The same
/// holds when a document gives a break or an ad another name: see ``Ledger/places``.
struct BeaconArchive: Sendable {
    /// Maximum number of beacons kept; the oldest are dropped first.
    static let limit = 100_000

    struct Beacon: Hashable, Sendable {
        var adStart: UnixTime
        var start: UnixTime
        var state: DeliveryState
        var round: Int
        /// Whether an event uses this beacon, possibly one that was moved; the original place stays occupied.
        var isTaken = false
    }

    private var beacons: [Fingerprint: [Beacon]] = [:]
    /// The identity in `beacons` of each place.
    private var places: [Fingerprint: Fingerprint] = [:]
    /// Identities in order of arrival.
    private var order: [Fingerprint] = []

    var isEmpty: Bool { beacons.isEmpty }

    /// Archives a beacon that was claimed; call it only for those, because others may still be sent.
    mutating func put(_ key: URLKey, state: DeliveryState, round: Int) {
        let print = Fingerprint(key)
        let beacon = Beacon(adStart: key.event.adStart, start: key.event.start, state: state, round: round)
        beacons[print, default: []].append(beacon)
        places[Fingerprint(placeOf: key)] = print
        order.append(print)
        if order.count > 2 * Self.limit { shed() }
    }

    /// Takes the beacon with the identity `key`; starts are compared with the tolerance for moved nodes.
    mutating func take(_ key: URLKey) -> Beacon? {
        let print = Fingerprint(key)
        guard let candidates = beacons[print], let nearest = Self.nearest(to: key, in: candidates) else { return nil }
        beacons[print]?[nearest].isTaken = true
        return candidates[nearest]
    }

    /// The beacon that was sent at a place, whether or not an event uses it by now.
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

/// A beacon's identity in 16 bytes; as text it would take hundreds of bytes.
///
/// Two hashes of 64 bits with new seeds in every process: a collision would suppress a beacon, and even someone who
/// chooses the URLs cannot produce one.
struct Fingerprint: Hashable, Sendable {
    private let first: Int
    private let second: Int

    /// Hashes everything but the starts, which are compared separately, and the names synthesized from starts.
    init(_ key: URLKey) {
        self.init { hasher in
            hasher.combine(key.event.breakName.given)
            hasher.combine(key.event.adName.given)
            hasher.combine(key.event.type)
            hasher.combine(key.url)
        }
    }

    /// Hashes only the type, the event's start and the URL.
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
