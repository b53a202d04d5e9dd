/// The cookies of a session (RFC 6265 section 5.3). A value: each call gets the time from its caller.
package struct CookieJar: Hashable, Sendable {
    /// Most cookies kept (section 6.1): expired ones are dropped first, then those used longest ago.
    package static let maximumCookies = 3_000
    /// Most cookies of one domain; the one used longest ago is dropped first.
    package static let maximumOfDomain = 50
    /// Longest Cookie field of a request: more than servers accept as one line. What does not fit is not sent.
    package static let maximumFieldBytes = 8_190

    private struct Kept: Hashable, Sendable {
        var cookie: Cookie
        /// Its place in the order of creation; it stays when the value is replaced.
        var creation: UInt64
        /// The newer of its creation and its last use, in the same count.
        var use: UInt64
    }

    private var domains: [String: [Kept]] = [:]
    private var count = 0
    /// Counts creations and uses.
    private var turn: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// All cookies, in the order of their creation.
    package var cookies: [Cookie] {
        domains.values.joined().sorted { $0.creation < $1.creation }.map(\.cookie)
    }

    /// Stores the cookies of all answers of an exchange, redirects included.
    package mutating func store(from exchange: HTTPExchange, at now: UnixTime) {
        for hop in exchange.hops {
            guard let url = try? WebURL(hop.url) else { continue }  // a hop without a valid URL was never requested
            store(hop.fields, from: url, at: now)
        }
    }

    /// Stores the cookies of the Set-Cookie fields of an answer from `url`.
    package mutating func store(_ fields: [HTTPField], from url: WebURL, at now: UnixTime) {
        for field in fields where field.name.lowercased() == "set-cookie" {
            guard let cookie = Cookie(setCookie: field.value, from: url, at: now) else { continue }
            store(cookie, at: now)
        }
    }

    /// Stores one cookie; it replaces one of the same name, domain and path, and deletes it if it has expired.
    package mutating func store(_ cookie: Cookie, at now: UnixTime) {
        turn += 1
        var kept = domains[cookie.domain] ?? []
        let before = kept.count
        let place = kept.firstIndex { $0.cookie.name == cookie.name && $0.cookie.path == cookie.path }
        if let place, cookie.hasExpired(at: now) {
            kept.remove(at: place)
        } else if let place {
            kept[place].cookie = cookie
            kept[place].use = turn
        } else if !cookie.hasExpired(at: now) {
            kept.append(Kept(cookie: cookie, creation: turn, use: turn))
        }
        if kept.count > Self.maximumOfDomain {
            kept.removeAll { $0.cookie.hasExpired(at: now) }
            if kept.count > Self.maximumOfDomain { Self.dropOldest(of: &kept) }
        }
        domains[cookie.domain] = kept.isEmpty ? nil : kept
        count += kept.count - before
        if count > Self.maximumCookies { makeRoom(at: now) }
    }

    /// The value of the Cookie field of a request to `url` (section 5.4): longer paths first, of equal ones the older
    /// cookie; nil when there is none.
    package mutating func field(for url: WebURL, at now: UnixTime) -> String? {
        let pairs = pairs(for: url, at: now)
        return pairs.isEmpty ? nil : pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The cookies of a request to `url`, in the order of its field.
    package mutating func pairs(for url: WebURL, at now: UnixTime) -> [Cookie] {
        guard count > 0 else { return [] }
        turn += 1
        let path = url.path.isEmpty ? "/" : url.path
        var found: [Kept] = []
        for domain in Self.domains(of: url.host) {
            // Taken out while it changes: a copy would cost more than the rest.
            guard var kept = domains.removeValue(forKey: domain) else { continue }
            let before = kept.count
            kept.removeAll { $0.cookie.hasExpired(at: now) }
            for index in kept.indices
            where kept[index].cookie.applies(isHost: domain == url.host, isSecure: url.isSecure, path: path) {
                kept[index].use = turn
                found.append(kept[index])
            }
            count -= before - kept.count
            if !kept.isEmpty { domains[domain] = kept }
        }
        found.sort { ($1.cookie.path.utf8.count, $0.creation) < ($0.cookie.path.utf8.count, $1.creation) }
        var room = Self.maximumFieldBytes
        return found.map(\.cookie).filter { cookie in
            let size = cookie.name.utf8.count + cookie.value.utf8.count + 3
            guard size <= room else { return false }
            room -= size
            return true
        }
    }

    /// The host and every domain above it.
    private static func domains(of host: String) -> [String] {
        guard NetworkAddress(host) == nil, host.utf8.count <= PublicSuffix.longestName else { return [host] }
        var names = [host]
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: dot)...]
            names.append(String(rest))
        }
        return names
    }

    private mutating func makeRoom(at now: UnixTime) {
        for (domain, kept) in domains {
            let valid = kept.filter { !$0.cookie.hasExpired(at: now) }
            if valid.count < kept.count { domains[domain] = valid.isEmpty ? nil : valid }
        }
        count = domains.values.reduce(0) { $0 + $1.count }
        guard count > Self.maximumCookies else { return }
        // Each domain has its oldest use; the oldest of all is among them.
        let oldest = domains.min { Self.oldestUse($0.value) < Self.oldestUse($1.value) }
        guard let (domain, all) = oldest else { return }
        var kept = all
        Self.dropOldest(of: &kept)
        domains[domain] = kept.isEmpty ? nil : kept
        count -= 1
    }

    private static func oldestUse(_ kept: [Kept]) -> UInt64 { kept.map(\.use).min() ?? .max }

    private static func dropOldest(of kept: inout [Kept]) {
        guard let oldest = kept.indices.min(by: { (kept[$0].use, $0) < (kept[$1].use, $1) }) else { return }
        kept.remove(at: oldest)
    }
}
