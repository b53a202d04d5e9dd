package import Ports

/// Which page of the tracking data to request (PRV-18).
package struct MediaTailorPages: Hashable, Sendable {
    /// The service accepts a token for a day; some time is left for the request.
    static let tokenLife: Duration = .seconds(23 * 3_600)
    /// Longest token that is sent back; the documented ones have about a hundred bytes.
    private static let longestToken = 16 << 10

    /// Whether pages are requested with tokens; false asks for the whole window each time.
    package var usesTokens: Bool
    /// The newest token, as written.
    package private(set) var token: String?
    /// Uptime at which ``token`` was first listed.
    private(set) var tokenSince: Duration = .zero
    /// The token of the newest request.
    private var sent: String?
    /// Whether a request was answered with tracking data.
    private var isAccepted = false
    /// Whether GET was tried after the service rejected the first POST.
    private var hasTriedGET = false
    /// Whether the service has ended the session.
    package private(set) var isGone = false

    package init(usesTokens: Bool) {
        self.usesTokens = usesTokens
    }

    /// The body of the next request, which is then a POST; nil for a GET.
    package mutating func body(at now: Duration) -> JSONValue? {
        guard usesTokens else { return nil }
        if token != nil, now - tokenSince > Self.tokenLife { token = nil }
        sent = token
        return token.map { ["NextToken": .string($0)] } ?? [:]
    }

    /// An answer with that token arrived; nil for none.
    package mutating func arrived(token stated: String?, at now: Duration) -> Finding? {
        let stated = stated.flatMap { $0.isEmpty || $0.utf8.count > Self.longestToken ? nil : $0 }
        defer { sent = nil }
        isAccepted = true
        if stated != token { (token, tokenSince) = (stated, now) }
        guard usesTokens, sent != nil, stated == nil else { return nil }
        return ProviderRule.token.finding(
            "the answer has no NextToken any more: the whole window is requested", path: "")
    }

    /// An answer with another status than 2xx.
    /// - Returns: whether the request is repeated at once, and what to report.
    package mutating func failed(status: Int) -> (isRepeated: Bool, finding: Finding?) {
        defer { sent = nil }
        if status == 400, sent != nil {
            token = nil
            return (true, ProviderRule.token.finding("the NextToken was rejected with 400", path: ""))
        }
        guard [400, 403, 404, 410].contains(status) else { return (false, nil) }
        if status != 410, !isAccepted, triesOtherMethod() { return (false, nil) }
        isGone = true
        return (
            false, ProviderRule.sessionGone.finding("the session is over: the service answered \(status)", path: "")
        )
    }

    /// A cache in front of the service may answer a POST as if there were no session, where no request was accepted yet: GET is tried once in its
    /// place. Returns whether that is to be done.
    private mutating func triesOtherMethod() -> Bool {
        if hasTriedGET { usesTokens = true }
        guard usesTokens, !hasTriedGET else { return false }
        (hasTriedGET, usesTokens) = (true, false)
        return true
    }
}
