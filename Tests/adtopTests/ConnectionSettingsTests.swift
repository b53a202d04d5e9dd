import AdTracking
import Live
import Ports
import Session
import Testing

@testable import adtop

@Suite struct ConnectionSettingsTests {
    private func plan(
        flags: [Setting: String] = [:], environment: [String: String] = [:], yaml: String? = nil
    ) throws -> ConnectionPlan {
        let file = try yaml.map { try ConfigFile(yaml: $0, path: "c.yaml") }
        let texts = SettingTexts(flags: flags, environment: environment, file: file)
        return try Settings.connection(texts).plan(environment: environment)
    }

    private func host(_ plan: ConnectionPlan, _ url: String = "http://h.example/") throws -> String? {
        plan.proxies.proxy(for: try WebURL(url))?.host
    }

    @Test func theSettingComesBeforeTheEnvironment() throws {
        let environment = ["http_proxy": "env.example", "no_proxy": "direct.example"]
        #expect(try host(plan(environment: environment)) == "env.example")
        #expect(try host(plan(flags: [.proxy: "flag.example"], environment: environment)) == "flag.example")
        #expect(
            try host(plan(environment: environment.merging(["ADTOP_PROXY": "own.example"]) { $1 })) == "own.example")
        #expect(try host(plan(environment: environment, yaml: "proxy: file.example")) == "file.example")
        #expect(try host(plan(flags: [.proxy: ""], environment: environment)) == nil)
        #expect(try host(plan(environment: environment), "http://direct.example/") == nil)
        let replaced = try plan(flags: [.noProxy: ""], environment: environment)
        #expect(try host(replaced, "http://direct.example/") == "env.example")
    }

    @Test func overridesAreLists() throws {
        let plan = try plan(
            flags: [.resolve: "a.example:80:192.0.2.1\nb.example:80:192.0.2.2", .ipVersion: "6"],
            yaml: "connect-to: [\"a.example:80:c.example:81\", \"::d.example:\"]")
        #expect(plan.overrides.addresses(of: .init(host: "b.example", port: 80)) == [.v4(0xC000_0202)])
        #expect(plan.overrides.target(of: .init(host: "a.example", port: 80)) == .init(host: "c.example", port: 81))
        #expect(plan.overrides.target(of: .init(host: "x.example", port: 80)).host == "d.example")
        #expect(plan.family == .ipv6)
    }

    @Test(arguments: [
        (
            Setting.proxy, "ftp://u:word@h",
            "--proxy: 'ftp://***@h' has the scheme 'ftp'; use http, https, socks5 or socks5h"
        ),
        (
            .resolve, "h.example",
            "--resolve: 'h.example' is not HOST:PORT:ADDRESS; write host.example:443:192.0.2.1"
        ),
        (
            .resolve, "h.example:1:name",
            "--resolve: 'h.example:1:name' has 'name', which is not an IP address; --connect-to takes host names"
        ),
        (
            .connectTo, "h.example:1",
            "--connect-to: 'h.example:1' is not HOST1:PORT1:HOST2:PORT2; write host.example:443:edge.example:8443"
        ),
        (.ipVersion, "5", "--ip-version: '5' is not 4, 6 or any"),
    ])
    func badValuesNameTheFlag(setting: Setting, text: String, message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try plan(flags: [setting: text]) }
    }

    @Test func aBadVariableIsNamed() {
        let message = "ALL_PROXY: 'gopher://***@h' has the scheme 'gopher'; use http, https, socks5 or socks5h"
        #expect(throws: CommandFailure(.usage, message)) { try plan(environment: ["ALL_PROXY": "gopher://u:p@h"]) }
    }

    @Test func anInterfaceMustExist() {
        #expect {
            try plan(flags: [.interface: "none0"])
        } throws: { error in
            (error as? CommandFailure)?.message.hasPrefix("--interface: 'none0' is neither an interface") == true
        }
    }

    @Test func configNamesTheVariablesThatAreUsed() throws {
        let environment = ["HTTPS_PROXY": "http://u:word@p.example:1", "NO_PROXY": "a.example", "HTTP_PROXY": "x"]
        #expect(
            ConnectionSettings().variables(in: environment).map { [$0.name, $0.shown] } == [
                ["HTTPS_PROXY", "http://***@p.example:1"], ["NO_PROXY", "a.example"],
            ])
        var settings = ConnectionSettings()
        (settings.proxy, settings.noProxy) = (.off, NoProxyList())
        #expect(settings.variables(in: environment).isEmpty)
    }

    @Test func thePasswordOfAProxyIsMasked() {
        let texts = SettingTexts(flags: [.proxy: "http://user:word@p.example:1"], environment: [:], file: nil)
        #expect(texts[.proxy]?.shown(of: .proxy) == "http://***@p.example:1")
    }

    @Test func certificatesAreChecked() throws {
        #expect(throws: CommandFailure(.usage, "--cacert: /no/such.pem: no such file; check the name")) {
            try plan(flags: [.trustedCertificates: "/no/such.pem"])
        }
        #expect(throws: CommandFailure(.usage, "--key: there is no certificate for it; add --cert FILE")) {
            try plan(flags: [.certificateKey: "k.pem"])
        }
        #expect(throws: CommandFailure(.usage, "--cert: /no/such.pem: no such file; check the name")) {
            try plan(flags: [.certificate: "/no/such.pem"])
        }
        #expect(throws: CommandFailure(.usage, "SSL_CERT_FILE: /no/such.pem: no such file; check the name")) {
            try plan(environment: ["SSL_CERT_FILE": "/no/such.pem"])
        }
        #expect(throws: CommandFailure(.usage, "SSL_CERT_DIR: /no/such: no such file; check the name")) {
            try plan(environment: ["SSL_CERT_DIR": "/no/such"])
        }
    }

    @Test func limitsAreRead() throws {
        let plan = try plan(flags: [.timeout: "2s", .maximumRate: "0.5/s", .insecure: "yes"])
        #expect(plan.timeout == .seconds(2) && plan.maximumRate == 0.5 && plan.tls.isInsecure)
        let plain = try self.plan()
        #expect(plain.timeout == nil && plain.maximumRate == nil && !plain.tls.isInsecure)
        for text in ["0", "-1/s", "nan", "inf", "5/m", "/s"] {
            #expect(throws: CommandFailure.self) { try self.plan(flags: [.maximumRate: text]) }
        }
    }

    @Test func insecureNeedsASecondFlagForBeacons() throws {
        var certificates = CertificateSettings()
        let (near, far) = (try WebURL("https://127.0.0.1/"), try WebURL("https://h.example/"))
        #expect(certificates.mayFire(for: far))
        certificates.isInsecure = true
        #expect(certificates.mayFire(for: near) && !certificates.mayFire(for: far))
        #expect(try certificates.mayFire(for: WebURL("https://10.0.0.1/")))
        #expect(throws: CommandFailure.self) { try certificates.check(.fire, far) }
        #expect(throws: CommandFailure.self) { try certificates.checkNotices() }
        try certificates.check(.observe, far)
        // What is armed later would fire, too.
        var settings = Settings()
        settings.connection.certificates = certificates
        let run = SessionRun(settings: settings, dump: nil, recording: nil)
        #expect(try run.configuration(for: far).sending.isReadonly)
        #expect(try !run.configuration(for: near).sending.isReadonly)
        settings.connection.certificates.firesAnyway = true
        let anyway = SessionRun(settings: settings, dump: nil, recording: nil)
        #expect(try !anyway.configuration(for: far).sending.isReadonly)
        try settings.connection.certificates.check(.fire, far)
    }
}
