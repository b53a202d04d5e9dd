import Ports

/// What requests carry, and which hosts get it (docs/connect.md).
struct RequestSettings: Equatable, Sendable {
    var headers: [HeaderField] = []
    var hostHeaders: [RequestIdentity.HostField] = []
    /// `name=value` pairs.
    var cookies: [String] = []
    /// The file that is read at the start and written at the end.
    var cookieJar: String?
    /// The environment variable that holds the token.
    var bearerVariable: String?
    /// The token itself.
    var bearer: String?
    var forwardedFor: String?
    var referer: String?
    var origin: String?

    /// Reads the token from the environment. Throws if the variable is absent or cannot be a token.
    mutating func readBearer(_ texts: SettingTexts) throws(CommandFailure) {
        guard let name = bearerVariable else { return }
        let place = texts[.bearerEnv]?.source.description(of: .bearerEnv) ?? "--bearer-env"
        guard let token = texts.environment[name] else {
            throw CommandFailure(.usage, "\(place): there is no environment variable \(name); export it first")
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                .usage, "\(place): the value of \(name) is empty or has blanks or line breaks; a token has neither")
        }
        bearer = token
    }

    /// What is added to the requests of a session on `url`, which may have user and password.
    func identity(typed url: WebURL?) -> RequestIdentity {
        var identity = RequestIdentity(typed: url?.withoutCredentials)
        let named = Set(headers.map { $0.name.lowercased() })
        let short = [("X-Forwarded-For", forwardedFor), ("Referer", referer), ("Origin", origin)]
        identity.streamFields = short.compactMap { name, value in
            value == nil || named.contains(name.lowercased()) ? nil : HeaderField(name, value)
        }
        identity.streamFields += headers
        identity.hostFields = hostHeaders
        identity.basic = url.flatMap { BasicCredentials(of: $0) }
        identity.bearer = bearer
        identity.cookies = cookies
        return identity
    }
}

extension SettingSection {
    static let requests = SettingSection(
        title: "Requests",
        settings: [
            SettingSpec(
                .userAgent, "User-Agent of all requests: a text, or a player: \(PlayerAgent.choices)", scope: .session,
                \.session.userAgent, optional: .userAgent),
            SettingSpec(
                .header, "header field for all hosts of the stream, never for trackers: 'Name: value'", scope: .session,
                list: .lines("'Name: value'"), \.requests.headers, .headers),
            SettingSpec(
                .headerFor, "header field for all requests to one host, trackers too: HOST[:PORT] 'Name: value'",
                scope: .session, list: .lines("HOST 'Name: value'"), \.requests.hostHeaders, .hostHeaders),
            SettingSpec(
                .cookie, "cookie for the host and port of the URL: NAME=VALUE", scope: .session,
                list: .lines("NAME=VALUE"), \.requests.cookies, .cookies),
            SettingSpec(
                .cookieJar,
                "file of cookies in Netscape format, as curl writes it; read at the start, replaced at the end (default: cookies are not kept)",
                scope: .session, \.requests.cookieJar, optional: .nonempty),
            SettingSpec(
                .bearerEnv, "environment variable with a bearer token for the host and port of the URL",
                scope: .session, \.requests.bearerVariable, optional: .variable),
            SettingSpec(
                .forwardedFor, "X-Forwarded-For of the stream's requests: an IP address", scope: .session,
                \.requests.forwardedFor, optional: .address),
            SettingSpec(
                .referer, "Referer of the stream's requests: a URL", scope: .session, \.requests.referer,
                optional: .referer),
            SettingSpec(
                .origin, "Origin of the stream's requests: https://HOST[:PORT]", scope: .session, \.requests.origin,
                optional: .origin),
        ])
}
