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

    /// Lower case.
    private static let knownNames: Set<String> = [
        "cb", "cachebuster", "cachebusting", "cache_buster", "cache-buster", "cachebust", "cbuster", "buster",
        "nocache", "no_cache", "rnd", "rand", "random", "randnum", "ord", "correlator", "nonce",
    ]
    /// Names that mean a time or a random number only where the value is one.
    private static let likelyNames: Set<String> = ["ts", "timestamp", "time", "t", "r", "n", "z", "_", "cbid", "uniq"]

    /// By place: what is constant of the URL before its query, with the name or the place in the path.
    private var learned: Set<Int> = []
    private var changes: [Int: Int] = [:]
    private var hosts = TurningHosts()
    private var sessions: [String] = []

    /// Calls `body` with each part of `url` that identifies the beacon; names of cache busters stay, their values do not.
    func eachPart(of url: String, _ body: (Substring.UTF8View) -> Void) {
        let parts = parts(of: url)
        body(parts.base)
        for pair in parts.pairs {
            body(isBuster(pair, in: parts) ? pair.name : pair.whole)
        }
    }

    /// The viewer has a session of this name. What was identified before stays as it was.
    mutating func noteSession(_ name: String) {
        guard name.utf8.count >= Self.shortestSession, !sessions.contains(name) else { return }
        if sessions.count == Self.sessionLimit { sessions.removeFirst() }
        sessions.append(name)
    }

    /// Takes note of one event that came back with `new` in the place of `old`.
    /// - Parameter constants: places whose values did not change elsewhere. A URL that differs there is another one, or damaged.
    /// - Returns: whether a parameter is now known that was not before.
    mutating func learn(from old: String, to new: String, constants: Set<Int> = []) -> Bool {
        let (old, new) = (parts(of: old), parts(of: new))
        if let turn = hostTurn(from: old, to: new) { return turn && hosts.join(new.base, to: old.base) }
        guard let differing = Self.difference(old, new),
            !differing.contains(where: { constants.contains(new.place(of: $0.1)) })
        else { return false }
        var isNew = false
        for (before, after) in differing where !isBuster(after, in: new) {
            let place = new.place(of: after)
            let count = changes[place, default: 0] + 1
            guard learned.count < Self.learnedLimit else { break }
            if count >= Self.changesThatTeach || before.looksGenerated && after.looksGenerated {
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
            guard before.looksGenerated, after.looksGenerated, names?.contains(after.nameHash) ?? true,
                !constants.contains(right.place(of: after))
            else { return nil }
            count += 1
        }
        return count
    }

    /// Where a URL has its values: its parameters, and the parts of its path.
    func places(of url: String) -> [Int] {
        let parts = parts(of: url)
        return parts.pairs.map(parts.place)
    }

    /// Hashes of the values of a URL with their places.
    func values(of url: String) -> [Int] {
        let parts = parts(of: url)
        return parts.pairs.map(parts.value)
    }

    /// Hashes of the values of a URL, each with that of its server and its name or its place in the path; none of cache busters.
    func marks(of url: String) -> [(place: Int, value: Int)] {
        let parts = parts(of: url)
        return parts.pairs.filter { !isBuster($0, in: parts) }.map { pair in
            var hasher = Hasher()
            hasher.combine(parts.base)
            hasher.combine(pair.nameHash)
            let place = hasher.finalize()
            hasher.combine(pair.whole)
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
        var values: [Int: Substring.UTF8View] = [:]
        var varying: Set<Int> = []
        for pair in urls.lazy.flatMap({ URLParts($0).pairs }) {
            let name = pair.nameHash
            if let first = values[name] {
                if !first.elementsEqual(pair.whole) { varying.insert(name) }
            } else {
                values[name] = pair.whole
            }
        }
        return varying
    }

    /// Hashes of the names that have one value in the URLs of all ads: that is no number of an ad, but may be a token.
    /// - Parameter ads: the URLs of each ad, at least two.
    static func commonNames(in ads: some Sequence<[String]>) -> Set<Int> {
        let urls = ads.lazy.flatMap(\.self)
        let all = Set(urls.flatMap { URLParts($0).pairs.map(\.nameHash) })
        return all.subtracting(varyingNames(in: urls))
    }

    /// What URLs have in common of which one may have replaced the other: everything but the host and the values that look generated.
    static func skeleton(of url: String) -> Int {
        var hasher = Hasher()
        let parts = URLParts(url)
        for pair in parts.pairs { hasher.combine(pair.looksGenerated ? pair.name : pair.whole) }
        return hasher.finalize()
    }

    /// Whether the servers differ, and are not known to take turns.
    func haveOtherHosts(_ left: String, _ right: String) -> Bool {
        !parts(of: left).base.elementsEqual(parts(of: right).base)
    }

    /// With the server that stands for those that take turns with it.
    private func parts(of url: String) -> URLParts {
        var parts = URLParts(url)
        parts.base = hosts.representative(of: parts.base)
        return parts
    }

    /// Whether `right` is `left` at a host that takes turns with its own: all that identifies the beacon is the same, and there is
    /// enough of it. Nil where the host is the same.
    private func hostTurn(from left: URLParts, to right: URLParts) -> Bool? {
        guard !left.base.elementsEqual(right.base) else { return nil }
        var right = right
        // What was learned of the server holds for the one that takes turns with it.
        right.base = left.base
        guard left.pairs.count >= Self.partsOfOneBeacon, let differing = Self.difference(left, right) else {
            return false
        }
        return differing.allSatisfy { isBuster($0.1, in: right) }
    }

    private func isBuster(_ pair: URLParts.Pair, in parts: URLParts) -> Bool {
        if sessions.contains(where: { pair.value.elementsEqual($0.utf8) }) { return true }
        if pair.isOfPath {
            guard !learned.isEmpty, pair.looksGenerated else { return false }
        } else {
            let name = String(Substring(pair.name)).lowercased()
            if Self.knownNames.contains(name) { return true }
            if Self.likelyNames.contains(name), pair.looksGenerated { return true }
        }
        return !learned.isEmpty && learned.contains(parts.place(of: pair))
    }

    /// The pairs with different values; nil where the URLs differ in more than values.
    private static func difference(_ left: URLParts, _ right: URLParts) -> [(URLParts.Pair, URLParts.Pair)]? {
        guard left.pairs.count == right.pairs.count, left.base.elementsEqual(right.base) else { return nil }
        var differing: [(URLParts.Pair, URLParts.Pair)] = []
        for (before, after) in zip(left.pairs, right.pairs) {
            guard before.hasName(of: after) else { return nil }
            guard !before.whole.elementsEqual(after.whole) else { continue }
            // Another path is another beacon, but where its parts look made for each answer.
            guard !after.isOfPath || before.looksGenerated && after.looksGenerated else { return nil }
            differing.append((before, after))
        }
        return differing
    }
}

/// A URL in its normal form, cut at the marks of its parameters. Parameters are those of the query, those that ad servers
/// append to the path (`/activity;src=1;ord=4711?`), and the parts of the path that look generated.
private struct URLParts {
    struct Pair {
        /// Empty for a part of the path.
        var name: Substring.UTF8View
        /// Name, equals sign and value; a part of the path with the slash before it.
        var whole: Substring.UTF8View
        /// Place of a part of the path; 0 for parameters.
        var index = 0

        var isOfPath: Bool { index > 0 }

        var nameHash: Int {
            var hasher = Hasher()
            hasher.combine(name)
            hasher.combine(index)
            return hasher.finalize()
        }

        var value: Substring.UTF8View { whole.dropFirst(name.count + 1) }

        func hasName(of other: Self) -> Bool { index == other.index && name.elementsEqual(other.name) }

        /// A value that a generator makes: six digits or more, or eight letters and digits mixed. A word with a few digits behind it
        /// is a name.
        var looksGenerated: Bool {
            var digits = 0
            var others = 0
            var runsOfDigits = 0
            var wasDigit = false
            for byte in value {
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                if isDigit, !wasDigit { runsOfDigits += 1 }
                wasDigit = isDigit
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"), UInt8(ascii: "."):
                    others += 1
                default: return false
                }
            }
            guard others > 0, runsOfDigits > 1 else { return digits >= 6 }
            return digits >= 2 && digits + others >= 8
        }
    }

    /// Scheme and host.
    var base: Substring.UTF8View
    /// The path up to its first parameter, part by part, then the parameters by name: a server that keeps them in a table without
    /// order writes them in another one each time.
    var pairs: [Pair]

    init(_ url: String) {
        let url = URLNormalForm.of(url)
        let text = url[...].utf8.prefix { $0 != UInt8(ascii: "#") }
        let address = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: ";") }
        let scheme = address.prefix { $0 != UInt8(ascii: ":") }
        let host = address.dropFirst(scheme.count).drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        let path = host.drop { $0 != UInt8(ascii: "/") }
        base = text[..<path.startIndex]
        pairs = Self.parts(of: path)
        let parameters = text[address.endIndex...].split(whereSeparator: Self.separates)
            .map { Pair(name: $0.prefix { $0 != UInt8(ascii: "=") }, whole: $0) }
        pairs += parameters.sortedStably { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Where `pair` is: what is constant before the query, and its name.
    func place(of pair: Pair) -> Int {
        var hasher = Hasher()
        hasher.combine(base)
        for part in pairs where part.isOfPath && !part.looksGenerated { hasher.combine(part.whole) }
        hasher.combine(pair.nameHash)
        return hasher.finalize()
    }

    /// A value and its place.
    func value(of pair: Pair) -> Int {
        var hasher = Hasher()
        hasher.combine(place(of: pair))
        hasher.combine(pair.whole)
        return hasher.finalize()
    }

    private static func parts(of path: Substring.UTF8View) -> [Pair] {
        var parts: [Pair] = []
        var rest = path
        while !rest.isEmpty {
            let part = rest.prefix(1 + rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }.count)
            parts.append(Pair(name: part.prefix(0), whole: part, index: parts.count + 1))
            rest = rest[part.endIndex...]
        }
        return parts
    }

    private static func separates(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
    }
}

extension Hasher {
    /// The bytes and their number, so that two parts cannot run into each other.
    mutating func combine(_ part: Substring.UTF8View) {
        combine(part.count)
        if part.withContiguousStorageIfAvailable({ combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in part { combine(byte) }
        }
    }
}
