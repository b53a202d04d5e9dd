/// What a person's settings add to requests, for people: the name of a field and where it goes, never its value.
package struct RequestAddition: Hashable, Sendable {
    /// Which requests carry it.
    package enum Scope: Hashable, Sendable {
        /// All requests of the stream, wherever a host is.
        case stream
        /// Requests to the host and port of the URL that was typed.
        case typed
        /// All requests to one host.
        case host(HostPattern)
        /// What the rules of cookies allow (RFC 6265).
        case cookies
        /// Requests on their way through an HTTP proxy, which keeps it. There is one for each such way, also if it is empty.
        case proxy
    }

    package var scope: Scope
    /// Such as `X-Device: ***` or `Authorization: Bearer ***`; `no Proxy-Authorization` for a proxy without a login.
    package var text: String

    package init(_ scope: Scope, _ text: String) {
        self.scope = scope
        self.text = text
    }

    /// The requests of ``scope`` in words.
    package var place: String {
        switch scope {
        case .stream: "hosts of the stream, not trackers"
        case .typed: "host and port of the URL"
        case .host(let host): "\(host), trackers too"
        case .cookies: "by the rules of cookies"
        case .proxy: "the proxy alone"
        }
    }
}

extension RequestIdentity {
    /// All that it adds, in the order of who gets it. Values are masked.
    package var additions: [RequestAddition] {
        var additions = streamFields.map { field in
            RequestAddition(Self.isOfOrigin(field) ? .typed : .stream, field.masked)
        }
        let hasOwn = streamFields.contains { $0.name.lowercased() == "authorization" }
        if !hasOwn, bearer != nil {
            additions.append(RequestAddition(.typed, "Authorization: Bearer \(Redaction.mask)"))
        } else if !hasOwn, basic != nil {
            additions.append(RequestAddition(.typed, "Authorization: Basic \(Redaction.mask)"))
        }
        if !cookies.isEmpty {
            let pairs = cookies.map { $0.prefix { $0 != "=" } + "=\(Redaction.mask)" }
            additions.append(RequestAddition(.typed, "Cookie: \(pairs.joined(separator: "; "))"))
        }
        return additions + hostFields.map { RequestAddition(.host($0.host), $0.field.masked) }
    }
}

extension HeaderField {
    /// The field as people see it: `Name: ***`, `Name:` for one that is removed, `Name;` for an empty one.
    package var masked: String {
        switch value {
        case nil: "\(name):"
        case "": "\(name);"
        case .some: "\(name): \(Redaction.mask)"
        }
    }
}
