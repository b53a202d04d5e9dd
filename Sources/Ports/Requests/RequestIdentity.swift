/// What a person's settings add to the requests of a session, and to which: header fields and credentials
/// (docs/connect.md). It is at the edge only: no part of a session sees it, so no snapshot or recording can hold it.
package struct RequestIdentity: Hashable, Sendable {
    /// A field for the requests to one host, whatever they are for.
    package struct HostField: Hashable, Sendable {
        package var host: HostPattern
        package var field: HeaderField

        package init(_ host: HostPattern, _ field: HeaderField) {
            self.host = host
            self.field = field
        }
    }

    /// The URL that the person typed. Credentials belong to its scheme, host and port.
    package var typed: WebURL?
    /// For all requests of the stream.
    package var streamFields: [HeaderField] = []
    package var hostFields: [HostField] = []
    package var basic: BasicCredentials?
    package var bearer: String?
    /// `name=value` pairs.
    package var cookies: [String] = []
    /// Whether ``streamFields`` go to the typed origin also with requests that are not of a stream: for tools that make
    /// ad calls.
    package var addsToTyped = false

    package init(typed: WebURL? = nil) {
        self.typed = typed
    }

    /// Fields that a redirect to another server must not carry.
    private static let credentialNames: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    /// Fields of ``streamFields`` that belong to the typed origin: credentials, and the name of its host.
    private static let originNames = credentialNames.union(["host"])

    static func isOfOrigin(_ field: HeaderField) -> Bool { originNames.contains(field.name.lowercased()) }

    /// The fields of one hop.
    /// - Parameters:
    ///   - own: the fields of the program for this request.
    ///   - first: the URL that the request was made for; a redirect elsewhere loses the program's own credentials.
    ///   - kept: the cookies of the jar for `url`, in the order of the field.
    package func fields(
        of own: [HTTPField], for audience: HTTPRequest.Audience, at url: WebURL, first: WebURL, kept: [Cookie] = []
    ) -> [HTTPField] {
        var fields = FieldList(own)
        if url.origin != first.origin { for name in Self.credentialNames { fields.remove(name) } }
        let isTyped = url.origin == typed?.origin
        if let value = cookieField(kept, isTyped: isTyped) { fields.set([HeaderField("Cookie", value)]) }
        if let value = authorization(at: url, isTyped: isTyped) { fields.set([HeaderField("Authorization", value)]) }
        if audience == .stream || addsToTyped && isTyped && audience != .tracker {
            fields.set(streamFields.filter { isTyped || !Self.isOfOrigin($0) })
        }
        fields.set(hostFields.filter { $0.host.port == nil && $0.host.matches(url) }.map(\.field))
        fields.set(hostFields.filter { $0.host.port != nil && $0.host.matches(url) }.map(\.field))
        return fields.fields
    }

    /// A URL that has user and password itself is asked with them, as a person's own.
    private func authorization(at url: WebURL, isTyped: Bool) -> String? {
        if let credentials = BasicCredentials(of: url) { return credentials.fieldValue }
        guard isTyped else { return nil }
        return bearer.map { "Bearer \($0)" } ?? basic?.fieldValue
    }

    /// A cookie that the server set replaces the given one of the same name: the given one has been renewed.
    private func cookieField(_ kept: [Cookie], isTyped: Bool) -> String? {
        let names = Set(kept.map(\.name))
        let given = isTyped ? cookies.filter { !names.contains(String($0.prefix { $0 != "=" })) } : []
        let pairs = kept.map { "\($0.name)=\($0.value)" } + given
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
}

/// Header fields while settings change them.
private struct FieldList {
    var fields: [HTTPField]

    init(_ fields: [HTTPField]) {
        self.fields = fields
    }

    mutating func remove(_ name: String) {
        fields.removeAll { $0.name.lowercased() == name }
    }

    /// Replaces the fields of these names; a name that repeats is sent as often.
    mutating func set(_ given: [HeaderField]) {
        for name in Set(given.map { $0.name.lowercased() }) { remove(name) }
        fields += given.compactMap { field in field.value.map { HTTPField(field.name, $0) } }
    }
}
