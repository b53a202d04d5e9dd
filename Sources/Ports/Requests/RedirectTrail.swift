/// The addresses that one beacon's request was sent to, so that no redirect leads it back to where it has arrived (TRK-15).
///
/// A tracker counts each request. An address that has the request gets it again only if a cookie was set since, because many trackers
/// redirect to themselves to see whether a viewer keeps cookies; and only once, because some set a new one each time.
package struct RedirectTrail: Sendable {
    private struct Address: Hashable {
        var method: HTTPMethod
        var origin: String
        var path: String
        var query: String?
    }

    /// The `Cookie` field of each request to an address.
    private var cookies: [Address: [String?]] = [:]

    package init() {}

    /// Whether the request may be sent to `url` with the given `Cookie` field; if so, it counts as sent there.
    package mutating func admits(_ method: HTTPMethod, _ url: WebURL, cookie: String? = nil) -> Bool {
        let address = Address(
            method: method, origin: url.origin, path: url.path.isEmpty ? "/" : url.path, query: url.query)
        let earlier = cookies[address, default: []]
        guard earlier.isEmpty || earlier.count == 1 && earlier[0] != cookie else { return false }
        cookies[address] = earlier + [cookie]
        return true
    }
}

extension HTTPFailure {
    /// A redirect that a ``RedirectTrail`` does not admit.
    package static let redirectedBack = HTTPFailure(.badRedirect, "redirected back to an address that has the request")
}
