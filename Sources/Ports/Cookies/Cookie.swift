/// A cookie as a user agent stores it (RFC 6265 section 5.3).
package struct Cookie: Hashable, Sendable {
    package var name: String
    package var value: String
    /// A host name in lower case, without a dot before it.
    package var domain: String
    /// Whether only the host `domain` itself gets it, not the hosts below.
    package var isHostOnly: Bool
    package var path: String
    package var isSecure: Bool
    /// Scripts do not see it; of no consequence here, kept for the files of other programs.
    package var isHTTPOnly: Bool
    /// Nil for a cookie that ends with its session.
    package var expiry: UnixTime?

    package init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        isSecure: Bool = false, isHTTPOnly: Bool = false, expiry: UnixTime? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expiry = expiry
    }

    func hasExpired(at now: UnixTime) -> Bool { expiry.map { $0 <= now } ?? false }

    /// Whether a request to a host of its domain carries it (section 5.4, step 1).
    /// - Parameter isHost: whether the host is the domain itself.
    func applies(isHost: Bool, isSecure: Bool, path requested: String) -> Bool {
        (isHost || !isHostOnly) && (isSecure || !self.isSecure) && Self.isPath(requested, below: path)
    }

    /// `domain-match` (section 5.1.3).
    static func isDomain(_ host: String, within domain: String) -> Bool {
        host == domain || (host.hasSuffix("." + domain) && NetworkAddress(host) == nil)
    }

    /// `path-match` (section 5.1.4).
    static func isPath(_ path: String, below prefix: String) -> Bool {
        let (path, prefix) = (path.utf8, prefix.utf8)
        guard path.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return path.count == prefix.count || prefix.last == slash || path.dropFirst(prefix.count).first == slash
    }

    /// `default-path` (section 5.1.4): up to the last slash, without it.
    static func defaultPath(of path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }
}

extension Cookie {
    /// Longest name and value with all attributes (section 6.1); a longer cookie is ignored.
    package static let maximumBytes = 4_096

    /// The cookie of a Set-Cookie field of an answer from `url` (section 5.2 and steps 1 to 9 of 5.3); nil if it is
    /// ignored. As other clients do, one with a control character is ignored.
    init?(setCookie text: String, from url: WebURL, at now: UnixTime) {
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).makeIterator()
        guard let pair = parts.next(), let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = Self.trimmed(pair[..<equals])
        let value = Self.trimmed(pair[pair.index(after: equals)...])
        var size = name.utf8.count + value.utf8.count
        guard !name.isEmpty, !Self.hasControls(text) else { return nil }
        var attributes = Attributes()
        while let part = parts.next() {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let (key, value) = (Self.trimmed(name).lowercased(), Self.trimmed(part.dropFirst(name.count + 1)))
            size += key.utf8.count + value.utf8.count
            attributes.take(key, value, at: now)
        }
        guard size <= Self.maximumBytes, let place = attributes.place(on: url.host) else { return nil }
        self.init(
            name: name, value: value, domain: place.domain, isHostOnly: place.isHostOnly,
            path: attributes.path ?? Self.defaultPath(of: url.path), isSecure: attributes.isSecure,
            isHTTPOnly: attributes.isHTTPOnly, expiry: attributes.maxAge ?? attributes.expires)
    }

    /// The last attribute of each name counts.
    private struct Attributes {
        var expires: UnixTime?
        var maxAge: UnixTime?
        var domain = ""
        var path: String?
        var isSecure = false
        var isHTTPOnly = false

        mutating func take(_ name: String, _ value: String, at now: UnixTime) {
            switch name {
            case "expires": if let date = CookieDate.read(value) { expires = date }
            case "max-age": if let date = Self.date(maxAge: value, at: now) { maxAge = date }
            case "domain" where !value.isEmpty:
                domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value.hasPrefix("/") ? value : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }

        /// Section 5.2.2: digits, after a minus sign or none.
        private static func date(maxAge text: String, at now: UnixTime) -> UnixTime? {
            let isNegative = text.hasPrefix("-")
            let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let seconds = digits.reduce(Int64(0)) { $0.multipliedSaturating(by: 10).addingSaturating(Int64($1 & 0x0F)) }
            guard !isNegative, seconds > 0 else { return UnixTime(microseconds: .min) }
            return UnixTime(
                microseconds: now.microseconds.addingSaturating(seconds.multipliedSaturating(by: 1_000_000)))
        }

        /// Section 5.3, steps 5 and 6; nil for a domain that the host may not set.
        func place(on host: String) -> (domain: String, isHostOnly: Bool)? {
            guard !domain.isEmpty else { return (host, true) }
            guard domain.utf8.count <= PublicSuffix.longestName else { return nil }
            if PublicSuffix.contains(domain) { return domain == host ? (host, true) : nil }
            return Cookie.isDomain(host, within: domain) ? (domain, false) : nil
        }
    }

    /// Without blanks and tabs around it.
    private static func trimmed(_ text: Substring.UTF8View) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(Substring(text))
    }

    /// A tab ends a value only, so that it may lie around a name.
    static func hasControls(_ text: some StringProtocol) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}
