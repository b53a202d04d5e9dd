/// Which parameters of tracking URLs are cache busters: values that change with every answer of a server and say
/// nothing about the beacon. URLs that differ in nothing else are one URL.
///
/// Well-known names count from the start, and so do the names of the viewer's sessions, wherever they are a value: a session that takes the
/// place of another asks for the same beacons in its own name. Others are learned where the same event comes back with another value, and so
/// are the hosts that take turns.
struct CacheBusters: Sendable {
    /// Names learned in one session at most; a server that needs more is making names up.
    static let learnedLimit = 256
    /// Changes of one parameter that make it a cache buster whatever its values look like.
    static let changesThatTeach = 2
    /// Parts of path and query of a URL that may name one beacon; a bare path of one part is that of many pixels.
    static let partsOfOneBeacon = 2
    /// Sessions of one viewer whose names are known; a server that ends one each minute is followed for an hour.
    static let sessionLimit = 64
    /// Shortest name of a session that is nothing else in a URL.
    static let shortestSession = 6

    private static let knownNames: ParameterNames = [
        "cb", "cachebuster", "cachebusting", "cache_buster", "cache-buster", "cachebust", "cbuster", "buster",
        "nocache", "no_cache", "rnd", "rand", "random", "randnum", "ord", "correlator", "nonce",
    ]
    /// Names that mean a time or a random number only where the value is one.
    private static let likelyNames: ParameterNames = [
        "ts", "timestamp", "time", "t", "r", "n", "z", "_", "cbid", "uniq",
    ]

    /// By place: what is constant of the URL before its query, with the name or the place in the path.
    private var learned: Set<Int> = []
    private var changes: [Int: Int] = [:]
    private var hosts = TurningHosts()
    private var sessions: [String] = []

    /// Gives a hash each part of `url` that identifies the beacon; names of cache busters stay, their values do not.
    func combine(_ url: String, into hasher: inout Hasher) {
        let parts = URLParts(url, hosts: hosts, asksForPlaces: !learned.isEmpty)
        parts.combine(into: &hasher) { isBuster($0, in: parts) }
    }

    /// The viewer has a session of this name. What was identified before stays as it was.
    mutating func noteSession(_ name: String) {
        guard name.utf8.count >= Self.shortestSession, !sessions.contains(name) else { return }
        if sessions.count == Self.sessionLimit { sessions.removeFirst() }
        sessions.append(name)
    }

    /// Whether one event that came back with `new` in the place of `old` may teach anything: most differ in nothing but known cache busters.
    func mayTeach(from old: String, to new: String) -> Bool {
        let (old, new) = (parts(of: old), parts(of: new))
        guard old.base == new.base else { return true }
        return Self.difference(old, new)?.contains { !isBuster($0.1, in: new) } ?? false
    }

    /// Takes note of one event that came back with `new` in the place of `old`.
    /// - Parameter constants: places whose values did not change elsewhere. A URL that differs there is another one, or damaged.
    /// - Returns: whether a parameter is now known that was not before.
    mutating func learn(from old: String, to new: String, constants: Set<Int> = []) -> Bool {
        let (old, new) = (parts(of: old), parts(of: new))
        if let turn = hostTurn(from: old, to: new) { return turn && hosts.join(new.base, to: old.base) }
        guard let differing = Self.difference(old, new),
            !differing.contains(where: { constants.contains(new.placeHash(of: $0.1)) })
        else { return false }
        var isNew = false
        for (before, after) in differing where !isBuster(after, in: new) {
            let place = new.placeHash(of: after)
            let count = changes[place, default: 0] + 1
            guard learned.count < Self.learnedLimit else { break }
            if count >= Self.changesThatTeach || old.mayBeGenerated(before) && new.mayBeGenerated(after) {
                learned.insert(place)
                changes[place] = nil
                isNew = true
            } else if changes.count < Self.learnedLimit {
                changes[place] = count
            }
        }
        return isNew
    }

    /// The number of parameters in which URLs differ that have the same parts and differ only in values that look
    /// generated, or only in their host; nil for other URLs.
    /// - Parameters:
    ///   - names: hashes of the names whose values may differ; nil allows all.
    ///   - constants: places whose values may not differ.
    func differences(
        _ left: String, _ right: String, varying names: Set<Int>? = nil, constants: Set<Int> = []
    ) -> Int? {
        let (left, right) = (parts(of: left), parts(of: right))
        if let turn = hostTurn(from: left, to: right) { return turn && names == nil ? 1 : nil }
        guard let differing = Self.difference(left, right) else { return nil }
        var count = 0
        for (before, after) in differing where !isBuster(after, in: right) {
            guard left.mayBeGenerated(before), right.mayBeGenerated(after),
                names?.contains(right.nameHash(of: after)) ?? true,
                !constants.contains(right.placeHash(of: after))
            else { return nil }
            count += 1
        }
        return count
    }

    /// Where a URL has its values: its parameters, and the parts of its path.
    func places(of url: String) -> [Int] {
        let parts = parts(of: url)
        return parts.pairs.map(parts.placeHash)
    }

    /// Places whose values `new` has as `old` had them, where the two differ in values alone; none of other URLs.
    func places(of new: String, keptFrom old: String) -> [Int] {
        let (old, new) = (parts(of: old), parts(of: new))
        guard let differing = Self.difference(old, new) else { return [] }
        let changed = Set(differing.map { new.placeHash(of: $0.1) })
        return new.pairs.map(new.placeHash).filter { !changed.contains($0) }
    }

    /// Hashes of the values of a URL with their places.
    func values(of url: String) -> [Int] {
        let parts = parts(of: url)
        return parts.pairs.map(parts.valueHash)
    }

    /// Hashes of the values of a URL, each with that of its server and its name or its place in the path; none of cache busters.
    func marks(of url: String) -> [(place: Int, value: Int)] {
        let parts = parts(of: url)
        return parts.pairs.filter { !isBuster($0, in: parts) }.map { pair in
            var hasher = Hasher()
            hasher.combine(parts.base)
            hasher.combine(parts.nameHash(of: pair))
            let place = hasher.finalize()
            hasher.combine(parts.whole(of: pair))
            return (place, hasher.finalize())
        }
    }

    /// Those values that another URL has not; none of URLs that differ in their host, because that is all that changed.
    func values(of url: String, unlike other: String) -> [Int] {
        guard !haveOtherHosts(url, other) else { return [] }
        let others = Set(values(of: other))
        return values(of: url).filter { !others.contains($0) }
    }

    /// Hashes of the names that have several values among `urls`: in the URLs of one ad that is no number of the ad.
    static func varyingNames(in urls: some Sequence<String>) -> Set<Int> {
        var values: [Int: ArraySlice<UInt8>] = [:]
        var varying: Set<Int> = []
        for parts in urls.lazy.map({ URLParts($0) }) {
            for pair in parts.pairs {
                let (name, value) = (parts.nameHash(of: pair), parts.whole(of: pair))
                let first = values[name] ?? value
                if first != value { varying.insert(name) }
                values[name] = first
            }
        }
        return varying
    }

    /// Hashes of the names that have one value in the URLs of all ads: that is no number of an ad, but may be a token.
    /// - Parameter ads: the URLs of each ad, at least two.
    static func commonNames(in ads: some Sequence<[String]>) -> Set<Int> {
        let urls = ads.lazy.flatMap(\.self)
        var all: Set<Int> = []
        for parts in urls.lazy.map({ URLParts($0) }) { all.formUnion(parts.pairs.lazy.map(parts.nameHash)) }
        return all.subtracting(varyingNames(in: urls))
    }

    /// What URLs have in common of which one may have replaced the other: everything but the host and the values that look generated.
    static func skeleton(of url: String) -> Int {
        var hasher = Hasher()
        let parts = URLParts(url)
        for pair in parts.pairs {
            hasher.combine(parts.mayBeGenerated(pair) ? parts.name(of: pair) : parts.whole(of: pair))
        }
        return hasher.finalize()
    }

    /// Whether the servers differ, and are not known to take turns.
    func haveOtherHosts(_ left: String, _ right: String) -> Bool {
        parts(of: left).base != parts(of: right).base
    }

    /// With the server that stands for those that take turns with it.
    private func parts(of url: String) -> URLParts { URLParts(url, hosts: hosts, asksForPlaces: true) }

    /// Whether `right` is `left` at a host that takes turns with its own: all that identifies the beacon is the same, and there is
    /// enough of it. Nil where the host is the same.
    private func hostTurn(from left: URLParts, to right: URLParts) -> Bool? {
        guard left.base != right.base else { return nil }
        // What was learned of the server holds for the one that takes turns with it.
        let right = right.at(left.base)
        guard left.pairs.count >= Self.partsOfOneBeacon, let differing = Self.difference(left, right) else {
            return false
        }
        return differing.allSatisfy { isBuster($0.1, in: right) }
    }

    private func isBuster(_ pair: URLParts.Pair, in parts: URLParts) -> Bool {
        if sessions.contains(where: { parts.value(of: pair, is: $0) }) { return true }
        if pair.isOfPath {
            guard !learned.isEmpty, parts.looksGenerated(pair) else { return false }
        } else if let name = parts.nameNumber(of: pair) {
            if Self.knownNames.contains(name) { return true }
            if Self.likelyNames.contains(name), parts.looksGenerated(pair) { return true }
        }
        return !learned.isEmpty && learned.contains(parts.placeHash(of: pair))
    }

    /// The pairs with different values; nil where the URLs differ in more than values.
    private static func difference(_ left: URLParts, _ right: URLParts) -> [(URLParts.Pair, URLParts.Pair)]? {
        guard left.pairs.count == right.pairs.count, left.base == right.base else { return nil }
        var differing: [(URLParts.Pair, URLParts.Pair)] = []
        for (before, after) in zip(left.pairs, right.pairs) {
            guard before.index == after.index, left.name(of: before) == right.name(of: after) else { return nil }
            guard left.whole(of: before) != right.whole(of: after) else { continue }
            // Another path is another beacon, but where its parts look made for each answer.
            guard !after.isOfPath || left.looksGenerated(before) && right.looksGenerated(after) else { return nil }
            differing.append((before, after))
        }
        return differing
    }
}
