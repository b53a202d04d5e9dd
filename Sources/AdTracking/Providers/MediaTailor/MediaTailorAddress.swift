package import Ports

/// What an address of AWS Elemental MediaTailor is for, and the session in it (PRV-14, PRV-15).
package struct MediaTailorAddress: Hashable, Sendable {
    package typealias Role = ServicePlace.Role

    package let role: Role
    /// Where the tracking data of the session is; nil without a session in the address.
    package let tracking: WebURL?
    /// The session in path or query; nil without one.
    package let session: String?

    private static let roles: [Substring: Role] = [
        "session": .opening, "master": .multivariant, "dash": .multivariant, "manifest": .media, "tracking": .tracking,
        "segment": .segment,
    ]
    /// Shortest account in a path: a longer hexadecimal number is no coincidence.
    private static let accountDigits = 8

    /// Nil when nothing in the address is the service's own.
    package init?(_ url: WebURL) {
        let items = QueryItems(url.query)
        let fromQuery = items["aws.sessionId"].flatMap { $0.isEmpty ? nil : $0 }
        let steps = url.path.split(separator: "/", omittingEmptySubsequences: true)
        if let place = Self.place(in: steps), let role = Self.roles[steps[place + 1]] {
            self.role = role
            let isInPath = [.media, .tracking, .segment].contains(role) && steps.count > place + 4
            session = isInPath ? String(steps[place + 4]) : fromQuery
            let front = steps[..<(place + 1)] + ["tracking"] + steps[(place + 2)...(place + 3)]
            let path = session.map { "/" + (front + [Substring($0)]).joined(separator: "/") }
            tracking = role == .opening ? nil : path.flatMap { try? url.with(path: $0, query: nil) }
            return
        }
        let host = url.host.split(separator: ".")
        // Channel Assembly makes channels and inserts no ads.
        let isHost =
            url.host.hasSuffix(".amazonaws.com") && host.contains("mediatailor") && !host.contains("channel-assembly")
        guard isHost || items.items.contains(where: { $0.name.hasPrefix("aws.") }) else { return nil }
        (role, tracking, session) = (.unknown, nil, fromQuery)
    }

    /// Index of `v1` in `v1/<role>/<account>/<configuration>/…`.
    private static func place(in steps: [Substring]) -> Int? {
        steps.indices.first { index in
            guard steps[index] == "v1", index + 4 < steps.count, roles[steps[index + 1]] != nil else { return false }
            let account = steps[index + 2]
            return account.utf8.count >= accountDigits && account.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }

    /// Whether a playlist names addresses of the service.
    package static func isNamed(in playlist: String) -> Bool {
        for part in playlist.split(separator: "/v1/", omittingEmptySubsequences: false).dropFirst() {
            let steps = part.prefix(256).split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            guard steps.count == 3, ["manifest", "segment", "i-media", "interstitials"].contains(steps[0]) else {
                continue
            }
            if steps[1].utf8.count >= accountDigits, steps[1].allSatisfy({ $0.isASCII && $0.isHexDigit }) {
                return true
            }
        }
        return false
    }
}
