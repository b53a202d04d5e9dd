import Algorithms
import Ports

/// Matches the nodes of a new document to known nodes, one to one (TRK-16).
///
/// First by the same id and start, then by the same id and a start that moved a little. A node without an id counts as
/// moved only if it shares a tracking URL. A start that moved far makes a new node: that costs nothing before a beacon
/// is sent, and nodes that were already played do not move far.
struct NodeMatch {
    /// The identifying fields of a node.
    struct Candidate {
        var name: String?
        var start: UnixTime
        /// Computed only for nodes without an id that nothing else matches.
        var urls: () -> Set<String>
    }

    /// Largest distance a start may move.
    static let moveTolerance: Duration = .seconds(10)
    /// Maximum number of nodes of one name or URL that are compared for a move; more of them within the tolerance are an
    /// attack.
    static let candidatesLookedAt = 32

    private struct Place: Hashable {
        var name: String?
        var start: UnixTime
    }

    /// What a node that moved has in common with the known one.
    private enum Trait: Hashable {
        case name(String)
        case url(String)
    }

    /// For every new node, the index of its known node, or nil.
    static func pairs(known: [Candidate], new: [Candidate]) -> [Int?] {
        // Most polls repeat the one before: same nodes in the same order.
        if known.count == new.count, zip(known, new).allSatisfy({ $0.name == $1.name && $0.start == $1.start }) {
            return Array(new.indices)
        }
        var pairs = [Int?](repeating: nil, count: new.count)
        var isTaken = [Bool](repeating: false, count: known.count)
        var places: [Place: [Int]] = [:]
        for index in known.indices.reversed() {
            places[Place(name: known[index].name, start: known[index].start), default: []].append(index)
        }
        for index in new.indices {
            guard let match = places[Place(name: new[index].name, start: new[index].start)]?.popLast() else { continue }
            pairs[index] = match
            isTaken[match] = true
        }
        guard pairs.contains(nil) else { return pairs }
        var rest: [Trait: [Int]] = [:]
        for index in known.indices where !isTaken[index] {
            for trait in traits(of: known[index]) { rest[trait, default: []].append(index) }
        }
        for index in new.indices where pairs[index] == nil {
            guard let match = moved(new[index], among: rest, known, isTaken: isTaken) else { continue }
            pairs[index] = match
            isTaken[match] = true
        }
        return pairs
    }

    private static func traits(of node: Candidate) -> [Trait] {
        node.name.map { [.name($0)] } ?? node.urls().map { .url($0) }
    }

    /// The nearest known node that has a trait in common with a new one.
    /// - Parameter rest: indices of known nodes by trait, ordered by start.
    private static func moved(
        _ node: Candidate, among rest: [Trait: [Int]], _ known: [Candidate], isTaken: [Bool]
    ) -> Int? {
        var nearest: (distance: Duration, index: Int)?
        for trait in traits(of: node) {
            guard let group = rest[trait] else { continue }
            let first = group.partitioningIndex { known[$0].start >= node.start - moveTolerance }
            for index in group[first...].prefix(candidatesLookedAt) where !isTaken[index] {
                let distance = (known[index].start - node.start).magnitude
                guard distance <= moveTolerance, nearest.map({ (distance, index) < $0 }) ?? true else { continue }
                nearest = (distance, index)
            }
        }
        return nearest?.index
    }
}

/// Matches the URLs of an event before and after a refresh: by text, then as beacons, then by place. A URL in the place of
/// another is the same beacon with a new cache buster; additional URLs are new beacons (TRK-16).
struct URLMatch {
    /// Old and new index.
    typealias Pair = (old: Int, new: Int)

    var kept: [Pair] = []
    /// The same beacon with another value of a known cache buster, wherever it is listed.
    var renewed: [Pair] = []
    var replaced: [Pair] = []
    var added: [Int] = []
    var removed: [Int] = []

    /// - Parameters:
    ///   - oldKey: the beacon of an old URL, where it has one of its own.
    ///   - newKey: the beacon of a new URL.
    init(
        old: [String], new: [String], oldKey: (Int) -> Fingerprint? = { _ in nil },
        newKey: (Int) -> Fingerprint? = { _ in nil }
    ) {
        var (restOld, restNew) = (Array(old.indices), Array(new.indices))
        kept = Self.pair(&restOld, &restNew, { old[$0] }, { new[$0] })
        renewed = Self.pair(&restOld, &restNew, oldKey, newKey)
        replaced = zip(restOld, restNew).map { ($0, $1) }
        added = Array(restNew.dropFirst(restOld.count))
        removed = Array(restOld.dropFirst(restNew.count))
    }

    /// Takes the pairs with equal keys out of both; of several the first ones belong together.
    private static func pair<Key: Hashable>(
        _ old: inout [Int], _ new: inout [Int], _ oldKey: (Int) -> Key?, _ newKey: (Int) -> Key?
    ) -> [Pair] {
        var places: [Key: [Int]] = [:]
        for index in old.reversed() {
            if let key = oldKey(index) { places[key, default: []].append(index) }
        }
        guard !places.isEmpty else { return [] }
        var pairs: [Pair] = []
        var rest: [Int] = []
        for index in new {
            if let match = newKey(index).flatMap({ places[$0]?.popLast() }) {
                pairs.append((match, index))
            } else {
                rest.append(index)
            }
        }
        let taken = Set(pairs.map(\.old))
        old.removeAll { taken.contains($0) }
        new = rest
        return pairs
    }
}
