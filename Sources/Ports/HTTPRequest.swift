/// The request methods that adtop uses.
package enum HTTPMethod: String, Hashable, Sendable, Codable {
    case get = "GET"
    case post = "POST"
}

/// One header field; the case of names is ignored.
package struct HTTPField: Hashable, Sendable, Codable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// A field as it arrived. White space around a value is no part of it (RFC 9110 section 5.5), and decoders leave what is behind it.
    package init(received name: String, _ value: String) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = value.utf8.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        self.init(name, rest.count == value.utf8.count ? value : String(Substring(rest)))
    }
}

extension [HTTPField] {
    /// The first value of `name`, ignoring case.
    package subscript(name: String) -> String? {
        first { $0.name.utf8.elementsEqual(name.utf8, by: { $0 | 0x20 == $1 | 0x20 }) }?.value
    }
}

/// Which addresses a request may reach; checked for the first URL and for every redirect hop, after name resolution.
package struct AddressRule: Hashable, Sendable {
    package enum Reach: Hashable, Sendable {
        case anywhere, publicOnly, loopbackOnly
    }

    private let reach: Reach
    /// Lower case; with their subdomains they may have any address.
    private let exceptions: Set<String>

    package static let anywhere = AddressRule(reach: .anywhere, exceptions: [])
    /// Neither loopback nor private addresses; applies to everything that a public stream names.
    package static let publicOnly = AddressRule(reach: .publicOnly, exceptions: [])
    /// Loopback addresses, and `localhost`; applies to the beacons of a loopback session that fires by default.
    package static let loopbackOnly = AddressRule(reach: .loopbackOnly, exceptions: [])

    /// As ``publicOnly``, apart from hosts that a person allowed by name.
    package static func publicOnly(except hosts: some Sequence<String>) -> AddressRule {
        AddressRule(reach: .publicOnly, exceptions: Set(hosts.map { $0.lowercased() }))
    }

    /// What a request to `host` may reach.
    package func reach(of host: String) -> Reach {
        RedirectRule(allowedHosts: exceptions, allowsDowngrade: true).allows(host: host) ? .anywhere : reach
    }
}

/// Addresses whose request is itself a report, so that no redirect may lead to them. A domain knows them, and the edge asks.
package protocol ReportAddresses: Sendable {
    /// Whether the request of an address reports something to its service.
    static func isReport(_ url: WebURL) -> Bool
}

/// Which redirects a request may follow. The sender judges the first URL by itself.
package struct RedirectRule: Hashable, Sendable {
    /// Hosts that may be requested, lower case, with their subdomains; nil allows all. A dot at the end makes no other name (RFC 1034
    /// section 3.1).
    package var allowedHosts: Set<String>?
    /// Whether a redirect may lead from https to http.
    package var allowsDowngrade: Bool
    /// What knows the reports to which no redirect may lead; nil allows all.
    package var reports: (any ReportAddresses.Type)?

    package static let any = RedirectRule(allowedHosts: nil, allowsDowngrade: true)

    package init(allowedHosts: Set<String>?, allowsDowngrade: Bool, reports: (any ReportAddresses.Type)? = nil) {
        self.allowedHosts = allowedHosts
        self.allowsDowngrade = allowsDowngrade
        self.reports = reports
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.allowedHosts == right.allowedHosts && left.allowsDowngrade == right.allowsDowngrade
            && left.reports == right.reports
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(allowedHosts)
        hasher.combine(allowsDowngrade)
        hasher.combine(reports.map { ObjectIdentifier($0) })
    }

    /// Whether a URL on `host` may be requested.
    package func allows(host: String) -> Bool {
        guard let allowedHosts else { return true }
        let host = Self.unrooted(host)
        return allowedHosts.contains {
            let name = Self.unrooted($0)
            return host == name || host.hasSuffix(".\(name)")
        }
    }

    private static func unrooted(_ name: String) -> Substring {
        name.utf8.last == UInt8(ascii: ".") ? name.dropLast() : name[...]
    }

    /// Why `target` is not requested after an answer from `url`; nil if it is.
    package func failure(from url: WebURL, to target: WebURL) -> HTTPFailure? {
        if url.isSecure, !target.isSecure, !allowsDowngrade {
            return HTTPFailure(.addressNotAllowed, "redirected from https to http")
        }
        guard allows(host: target.host) else {
            return HTTPFailure(
                .addressNotAllowed, "redirected to \(target.host), which --allow-host does not name")
        }
        guard let reports, reports.isReport(target) else { return nil }
        return HTTPFailure(
            .redirectToReport, "redirected to an address of \(target.host) whose request reports an ad to its service")
    }
}

/// One request as a value. `Live` sends it and follows redirects; nothing here blocks.
package struct HTTPRequest: Hashable, Sendable {
    /// Whose server a request is for. It decides what is shown to the server of what belongs to the viewer.
    package enum Audience: Hashable, Sendable {
        /// The stream: session, playlists, metadata.
        case stream
        /// Beacons and notices.
        case tracker
        case other
    }

    package var method: HTTPMethod
    package var url: WebURL
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// Time limit for resolution, TCP and TLS of each hop.
    package var connectTimeout: Duration
    /// Time limit for the whole exchange, redirects included.
    package var totalTimeout: Duration
    /// How long a server may hold the request before it answers; part of ``totalTimeout``.
    package var hold: Duration = .zero
    /// A longer answer is an error, unless `cutsLongBody`.
    package var maximumBodyBytes: Int
    /// For answers to beacons: a longer body is cut and reported as `isBodyCut`, not as an error.
    package var cutsLongBody: Bool
    package var maximumRedirects: Int
    package var addressRule: AddressRule
    /// A host that may have any address: the one that a person typed.
    package var trustedHost: String?
    package var redirectRule = RedirectRule.any
    /// Whether to fail at once when no suitable network interface is up.
    package var needsInterface = false
    /// Requests of one lane to one host are written in the order in which they were made; nil for no order.
    package var lane: String?
    /// Whose server it is for.
    package var audience = Audience.other
    /// For beacons and pings: it has a connection of its own, so that it is never written to one that its server is closing, and is not led
    /// back to an address that has it.
    package var isSentOnce = false

    package init(
        method: HTTPMethod = .get, url: WebURL, fields: [HTTPField] = [], body: [UInt8] = [],
        connectTimeout: Duration = Limits.connectTimeout, totalTimeout: Duration = Limits.requestTimeout,
        maximumBodyBytes: Int, cutsLongBody: Bool = false, maximumRedirects: Int = Limits.redirects,
        addressRule: AddressRule = .anywhere
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.maximumBodyBytes = maximumBodyBytes
        self.cutsLongBody = cutsLongBody
        self.maximumRedirects = maximumRedirects
        self.addressRule = addressRule
    }
}
