import Live
import Ports

/// The requests of one run of a tool: its connections, its cookies, and what the user's settings add (docs/connect.md).
struct ToolRequests: Sendable {
    private let settings: ToolSettings
    private let client: LiveHTTPTransport
    private let time: any TimeSource
    let cookies: SessionCookies

    /// Throws if the file of cookies cannot be read.
    init(_ settings: ToolSettings, time: any TimeSource = SystemTimeSource()) throws(CommandFailure) {
        self.settings = settings
        self.time = time
        cookies = SessionCookies(try settings.requests.jar(at: time.now().wall), time: time)
        client = LiveHTTPTransport(plan: settings.plan)
    }

    /// The User-Agent for requests of a verb that has one of its own.
    func agent(or own: String) -> String { settings.agent ?? own }

    /// Fields of the program for a request of a verb without a User-Agent of its own.
    var agentFields: [HTTPField] { settings.agent.map { [HTTPField("User-Agent", $0)] } ?? [] }

    /// For the document at `typed`, as the user wrote it, with what it names.
    func documents(typed: WebURL?) -> SessionTransport {
        SessionTransport(client, identity: settings.requests.identity(typed: typed), cookies: cookies)
    }

    /// For ad calls and creatives: the fields of the stream go to host and port of `typed` only.
    func adCalls(typed: WebURL? = nil) -> SessionTransport {
        var identity = settings.requests.identity(typed: typed)
        identity.addsToTyped = true
        return SessionTransport(client, identity: identity, cookies: cookies)
    }

    /// The proxy that may have given an answer itself: some require a login with 401, as servers do. In a tunnel it is known.
    func doubtfulProxy(for exchange: HTTPExchange) -> ProxyServer? {
        guard exchange.status == 401, let url = exchange.finalURL.flatMap({ try? WebURL($0) }), !url.isSecure,
            let proxy = settings.plan.proxies.proxy(for: url), proxy.kind.isHTTP
        else { return nil }
        return proxy
    }

    /// Closes the connections and writes the file of cookies; a file that cannot be written is one line on stderr.
    func end() async {
        await client.shutdown()
        if let problem = settings.requests.keep(cookies.contents, at: time.now().wall) { Output.error(problem) }
    }
}

extension RequestSettings {
    /// The cookies of the file; empty without one.
    func jar(at now: UnixTime) throws(CommandFailure) -> CookieJar {
        guard let cookieJar else { return CookieJar() }
        do throws(FileProblem) {
            return try CookieJarFile.read(cookieJar, at: now)
        } catch {
            throw CommandFailure(.usage, "--cookie-jar: \(error)")
        }
    }

    /// Writes the cookies to the file, if there is one. Returns a line for a problem.
    func keep(_ jar: CookieJar, at now: UnixTime) -> String? {
        guard let cookieJar else { return nil }
        do throws(FileProblem) {
            try CookieJarFile.write(jar, to: cookieJar, at: now)
            return nil
        } catch {
            return "--cookie-jar: \(error); the cookies of this run are lost"
        }
    }
}
