import Live
import Ports

/// What the requests of one session carry: the fields and credentials of its settings, and its jar of cookies.
struct SessionRequests: Sendable {
    /// The stream's URL without user and password: it names the session.
    let url: WebURL
    private let identity: RequestIdentity
    private let cookies: SessionCookies
    /// Nil keeps no cookies after the session.
    private let file: String?
    /// Whether they carry a login for their HTTP proxy; nil without such a proxy.
    private let hasProxyLogin: Bool?

    /// Throws if the file of cookies cannot be read.
    init(
        _ settings: RequestSettings, typed: WebURL, over plan: ConnectionPlan, time: any TimeSource
    ) throws(CommandFailure) {
        url = typed.withoutCredentials
        identity = settings.identity(typed: typed)
        file = settings.cookieJar
        let proxy = plan.proxies.proxy(for: typed)
        hasProxyLogin = proxy?.kind.isHTTP == true ? proxy?.login != nil : nil
        cookies = SessionCookies(try settings.jar(at: time.now().wall), time: time)
    }

    /// For people.
    var additions: [RequestAddition] {
        var all = identity.additions
        if let file { all.append(RequestAddition(.cookies, "Cookie: the jar \(file)")) }
        if let hasProxyLogin {
            let text = hasProxyLogin ? "Proxy-Authorization: Basic \(Redaction.mask)" : "no Proxy-Authorization"
            all.append(RequestAddition(.proxy, text))
        }
        return all
    }

    /// The client of this session, over one that many share.
    func transport(over client: LiveHTTPTransport) -> SessionTransport {
        SessionTransport(client, identity: identity, cookies: cookies)
    }

    /// Writes the jars to their files; sessions that name the same file share it. Returns a line for each problem.
    static func keepCookies(of sessions: [SessionRequests], at now: UnixTime) -> [String] {
        var (jars, paths) = ([String: CookieJar](), [String]())
        for session in sessions {
            guard let path = session.file else { continue }
            if jars[path] == nil { paths.append(path) }
            for cookie in session.cookies.contents.cookies { jars[path, default: CookieJar()].store(cookie, at: now) }
        }
        return paths.compactMap { path in
            var settings = RequestSettings()
            settings.cookieJar = path
            return settings.keep(jars[path] ?? CookieJar(), at: now)
        }
    }
}
