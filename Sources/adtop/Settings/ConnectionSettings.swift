import Foundation
import Live
import Ports

/// How requests leave this computer: proxies, addresses, certificates and limits (docs/connect.md).
struct ConnectionSettings: Equatable, Sendable {
    /// What `proxy` has.
    enum Proxy: Equatable, Sendable {
        /// No proxy, not even one of the environment.
        case off
        case server(ProxyServer)
    }

    /// Nil uses the proxies of the environment.
    var proxy: Proxy?
    /// Nil uses the list of the environment.
    var noProxy: NoProxyList?
    var overrides = AddressOverrides()
    /// Nil uses both.
    var family: AddressFamily?
    var source: SourceAddress?
    var certificates = CertificateSettings()
    /// Nil leaves each request its own.
    var timeout: Duration?
    /// Requests a second.
    var maximumRate: Double?

    /// Checks what needs other settings, the environment or files. Errors name the flag or variable.
    func plan(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) -> ConnectionPlan {
        var plan = ConnectionPlan()
        plan.proxies = try proxies(environment)
        plan.overrides = overrides
        plan.family = family
        plan.source = source
        plan.tls = try certificates.tls(environment: environment)
        plan.timeout = timeout
        plan.maximumRate = maximumRate
        return plan
    }

    /// A variable of the environment that other programs know too, and that is used.
    struct Variable: Equatable, Sendable {
        var name: String
        /// The value with secrets masked.
        var shown: String
        var explanation: String
    }

    /// The variables that are used because no setting replaces them.
    func variables(in environment: [String: String]) -> [Variable] {
        var found: [Variable] = []
        if proxy == nil {
            for scheme in ["http", "https"] {
                guard let variable = ProxyChoice.variable(for: scheme, in: environment) else { continue }
                found.append(
                    Variable(
                        name: variable.name, shown: ProxyServer.masked(variable.value),
                        explanation: "proxy of \(scheme) URLs"))
            }
        }
        found += CertificateSettings.variables(in: environment)
        if noProxy == nil, let variable = ProxyChoice.noProxyVariable(in: environment) {
            found.append(
                Variable(name: variable.name, shown: variable.value, explanation: "hosts requested without a proxy"))
        }
        return found
    }

    private func proxies(_ environment: [String: String]) throws(CommandFailure) -> ProxyChoice {
        var server: ProxyServer?
        if case .server(let given)? = proxy { server = given }
        do throws(ProxyChoice.Problem) {
            return try ProxyChoice(
                proxy: server, isOff: proxy == .off, noProxy: noProxy, environment: environment)
        } catch {
            let shown = ProxyServer.masked(error.variable.value)
            throw CommandFailure(.usage, "\(error.variable.name): '\(shown)' \(error.explanation)")
        }
    }
}

extension SettingSection {
    static let connection = SettingSection(
        title: "Connection",
        settings: [
            SettingSpec(
                .proxy,
                "proxy of all requests: URL with scheme http, https, socks5 or socks5h, user and password if it has a login; empty uses none (default: http_proxy, https_proxy, all_proxy)",
                \.connection.proxy, optional: SettingType(read: ConnectionText.proxy)),
            SettingSpec(
                .noProxy, "hosts, networks or * to request without a proxy, comma-separated (default: no_proxy)",
                list: .commas("a host name"), \.connection.noProxy,
                optional: SettingType { text throws(SettingProblem) in NoProxyList(text) }),
            SettingSpec(
                .resolve, "addresses to use for a host and port, as HOST:PORT:ADDRESS[,ADDRESS]; one a line",
                list: .lines("HOST:PORT:ADDRESS")
            ) { settings, text throws(SettingProblem) in
                try ConnectionText.addResolves(text, to: &settings.connection.overrides)
            },
            SettingSpec(
                .connectTo, "host and port to connect to instead, as HOST1:PORT1:HOST2:PORT2; one a line",
                list: .lines("HOST1:PORT1:HOST2:PORT2")
            ) { settings, text throws(SettingProblem) in
                try ConnectionText.addConnections(text, to: &settings.connection.overrides)
            },
            SettingSpec(
                .ipVersion, "version of the Internet protocol to use: 4, 6 or any", default: "any",
                \.connection.family, SettingType(read: ConnectionText.family)),
            SettingSpec(
                .interface, "network interface or address of this computer to connect from", \.connection.source,
                optional: SettingType(read: ConnectionText.source)),
            SettingSpec(
                .trustedCertificates, "PEM file of certificates to trust besides those of the system",
                \.connection.certificates.trusted, optional: .nonempty),
            SettingSpec(
                .certificate,
                "PEM file with the client certificate for servers of the stream that ask for one; trackers and ad servers never get it",
                \.connection.certificates.certificate, optional: .nonempty),
            SettingSpec(
                .certificateKey,
                "PEM file with the private key of the client certificate (default: the file of the certificate)",
                \.connection.certificates.key, optional: .nonempty),
            SettingSpec(
                .keyPassphrase, "environment variable with the passphrase of the private key, if the key is encrypted",
                \.connection.certificates.passphraseVariable, optional: .nonempty),
            SettingSpec(
                .insecure, "accept any certificate of a server: yes or no", default: "no",
                \.connection.certificates.isInsecure, .flag),
            SettingSpec(
                .fireAnyway,
                "send beacons to public hosts in spite of insecure, and those that another party may report too, which may then count twice: yes or no",
                default: "no",
                \.connection.certificates.firesAnyway, .flag),
            SettingSpec(
                .timeout,
                "time limit of each request with its redirects, 100ms to 1h; a blocking playlist reload gets the time that the server may hold it in addition (default: 5s to 30s, by kind of request)",
                \.connection.timeout, optional: .duration(.milliseconds(100) ... .seconds(3_600))),
            SettingSpec(
                .maximumRate,
                "most requests a second of the whole process, 0.01/s to 100000/s; beacons leave first, and are late where the limit is too low (default: no limit)",
                \.connection.maximumRate, optional: SettingType(read: ConnectionText.rate)),
        ])
}

/// Reads the texts of the connection's settings.
enum ConnectionText {
    @Sendable static func proxy(_ text: String) throws(SettingProblem) -> ConnectionSettings.Proxy {
        if text.isEmpty { return .off }
        do throws(ProxyServer.Problem) {
            return .server(try ProxyServer(text))
        } catch {
            throw SettingProblem(error.explanation)
        }
    }

    static func addResolves(_ text: String, to overrides: inout AddressOverrides) throws(SettingProblem) {
        try add(text) { line throws(AddressOverrides.Problem) in try overrides.addResolve(line) }
    }

    static func addConnections(_ text: String, to overrides: inout AddressOverrides) throws(SettingProblem) {
        try add(text) { line throws(AddressOverrides.Problem) in try overrides.addConnection(line) }
    }

    private static func add(
        _ text: String, _ body: (String) throws(AddressOverrides.Problem) -> Void
    ) throws(SettingProblem) {
        // Without one, requests would reach the host itself, which was not meant.
        guard text.contains(where: { $0 != "\n" }) else { throw SettingProblem("is empty; give one, or omit it") }
        for line in text.split(separator: "\n") {
            do throws(AddressOverrides.Problem) {
                try body(String(line))
            } catch {
                throw SettingProblem(error.explanation)
            }
        }
    }

    @Sendable static func family(_ text: String) throws(SettingProblem) -> AddressFamily? {
        switch text {
        case "any": nil
        case "4": .ipv4
        case "6": .ipv6
        default: throw SettingProblem("is not 4, 6 or any")
        }
    }

    /// `5/s` or `0.5/s`.
    @Sendable static func rate(_ text: String) throws(SettingProblem) -> Double {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        guard let rate = Double(number), rate >= 0.01, rate <= 100_000 else {
            throw SettingProblem("is not a rate such as 5/s, between 0.01/s and 100000/s")
        }
        return rate
    }

    @Sendable static func source(_ text: String) throws(SettingProblem) -> SourceAddress {
        guard let source = NetworkInterfaces.source(text) else {
            let names = NetworkInterfaces.names.joined(separator: ", ")
            throw SettingProblem("is neither an interface with an address nor an address of this computer (\(names))")
        }
        return source
    }
}
