/// The addresses that one beacon's request was sent to, so that no redirect leads it back to where it has arrived (TRK-15).
///
/// A tracker counts each request. An address that has the request gets it again only if an answer on the way set a cookie of another value,
/// because many trackers redirect to themselves to see whether a viewer keeps cookies; and only once, because some set a new one each time.
/// What other answers set meanwhile does not count: it was not set for this request.
package struct RedirectTrail: Sendable {
    private struct Address: Hashable {
        var method: HTTPMethod
        var origin: String
        /// As it is sent: `a|b` and `a%7Cb` are one request.
        var target: String
    }

    /// The `Cookie` field of each request to an address.
    private var cookies: [Address: [String?]] = [:]
    /// Names of the cookies that answers on the way set.
    private var names: Set<Substring> = []

    package init() {}

    /// An answer on the way has these fields.
    package mutating func answered(_ fields: [HTTPField]) {
        for field in fields where field.name.lowercased() == "set-cookie" {
            names.insert(Self.name(field.value.prefix { $0 != ";" }))
        }
    }

    /// Whether the request may be sent to `url` with the given `Cookie` field; if so, it counts as sent there.
    package mutating func admits(_ method: HTTPMethod, _ url: WebURL, cookie: String? = nil) -> Bool {
        let address = Address(method: method, origin: url.origin, target: url.wireTarget)
        let earlier = cookies[address, default: []]
        guard earlier.isEmpty || earlier.count == 1 && pairs(of: earlier[0]) != pairs(of: cookie) else { return false }
        cookies[address] = earlier + [cookie]
        return true
    }

    /// The pairs of a `Cookie` field that answers on the way set.
    private func pairs(of cookie: String?) -> [Substring] {
        (cookie ?? "").split(separator: ";").map { $0.drop { $0 == " " } }.filter { names.contains(Self.name($0)) }
            .sorted()
    }

    /// A name has neither blanks nor an equals sign (RFC 6265 section 4.1.1).
    private static func name(_ pair: Substring) -> Substring {
        pair.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " }
    }
}

extension HTTPFailure {
    /// A redirect that a ``RedirectTrail`` does not admit.
    package static let redirectedBack = HTTPFailure(.badRedirect, "redirected back to an address that has the request")
}
