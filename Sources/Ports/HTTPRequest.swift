/// The request methods that adtop uses.
package enum HTTPMethod: String, Hashable, Sendable, Codable {
    case get = "GET"
    case post = "POST"
}

/// One header field; names compare without case.
package struct HTTPField: Hashable, Sendable, Codable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPField] {
    /// The first value of `name`, compared without case.
    package subscript(name: String) -> String? {
        first { $0.name.utf8.elementsEqual(name.utf8, by: { $0 | 0x20 == $1 | 0x20 }) }?.value
    }
}

/// Which addresses a request may reach; checked for the first URL and for every redirect hop, after name resolution.
package enum AddressRule: Hashable, Sendable {
    case anywhere
    /// Neither loopback nor private addresses: what a public session's beacons may reach.
    case publicOnly
}

/// One request as a value. `Live` turns it into bytes and follows redirects; nothing in here blocks.
package struct HTTPRequest: Hashable, Sendable {
    package var method: HTTPMethod
    package var url: WebURL
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// For resolution, TCP and TLS of each hop.
    package var connectTimeout: Duration
    /// For everything together, redirects included.
    package var totalTimeout: Duration
    /// The answer is an error beyond this size, unless `cutsLongBody`.
    package var maximumBodyBytes: Int
    /// Beacon answers: a longer body is read no further and reported as `isBodyCut`, not as an error.
    package var cutsLongBody: Bool
    package var maximumRedirects: Int
    package var addressRule: AddressRule
    /// Fails at once where no network interface is up that could carry it.
    package var needsInterface = false
    /// Sent along, and added to by each redirect on the way; nil keeps cookies out of it.
    package var cookies: CookieJar?

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
