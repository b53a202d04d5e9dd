/// Which proxy a URL is requested through, decided as curl 8 decides it.
///
/// A proxy of the setting serves every URL. Without one the environment has a proxy for each scheme: `http_proxy` (lower
/// case only, because a CGI server sets `HTTP_PROXY` from a request's field `Proxy`: RFC 3875 section 4.1.18),
/// `https_proxy` or `HTTPS_PROXY`, and for both `all_proxy` or `ALL_PROXY`. An empty variable is as good as none. Hosts of
/// the list without proxy are requested directly, those on this computer only if they are listed.
package struct ProxyChoice: Hashable, Sendable {
    /// A variable of the environment that is used, for `adtop config`.
    package struct Variable: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// A variable that is not a proxy.
    package struct Problem: Error, Hashable, Sendable {
        package let variable: Variable
        package let explanation: String
    }

    private var http: ProxyServer?
    private var https: ProxyServer?
    private var excluded = NoProxyList()

    /// No proxy for any URL.
    package init() {}

    /// - Parameters:
    ///   - proxy: the text of the setting; empty switches all proxies off, nil uses the environment.
    ///   - noProxy: the hosts without proxy; nil uses the environment.
    ///   - environment: the variables of the process.
    package init(
        proxy: ProxyServer?, isOff: Bool = false, noProxy: NoProxyList? = nil, environment: [String: String]
    ) throws(Problem) {
        if let proxy {
            (http, https) = (proxy, proxy)
        } else if !isOff {
            http = try Self.server(Self.variable(for: "http", in: environment))
            https = try Self.server(Self.variable(for: "https", in: environment))
        }
        excluded = noProxy ?? NoProxyList(Self.noProxyVariable(in: environment)?.value ?? "")
    }

    /// The proxy for a URL; nil requests it directly.
    package func proxy(for url: WebURL) -> ProxyServer? {
        guard let proxy = url.isSecure ? https : http, !excluded.contains(url.host) else { return nil }
        return proxy
    }

    /// Whether any URL is requested through a proxy.
    package var hasProxy: Bool { http != nil || https != nil }

    /// The variable with the proxy for URLs of `scheme`, `http` or `https`.
    package static func variable(for scheme: String, in environment: [String: String]) -> Variable? {
        let own = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        return first(of: own + ["all_proxy", "ALL_PROXY"], in: environment)
    }

    /// The variable with the hosts without proxy.
    package static func noProxyVariable(in environment: [String: String]) -> Variable? {
        first(of: ["no_proxy", "NO_PROXY"], in: environment)
    }

    private static func first(of names: [String], in environment: [String: String]) -> Variable? {
        for name in names {
            if let value = environment[name], !value.isEmpty { return Variable(name: name, value: value) }
        }
        return nil
    }

    private static func server(_ variable: Variable?) throws(Problem) -> ProxyServer? {
        guard let variable else { return nil }
        do throws(ProxyServer.Problem) {
            return try ProxyServer(variable.value)
        } catch {
            throw Problem(variable: variable, explanation: error.explanation)
        }
    }
}
