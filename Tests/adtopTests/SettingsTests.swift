import AdFormats
import AdTracking
import ArgumentParser
import Dashboard
import HLS
import Ports
import Session
import Testing

@testable import adtop

@Suite struct SettingsTests {
    private func load(
        flags: [Setting: String] = [:], environment: [String: String] = [:], yaml: String? = nil
    ) throws -> Settings {
        let file = try yaml.map { try ConfigFile(yaml: $0, path: "c.yaml") }
        return try Settings(SettingTexts(flags: flags, environment: environment, file: file), file: file)
    }

    @Test func defaultsAreSafe() throws {
        let settings = try load()
        #expect(settings.session.mode == nil)
        #expect(settings.session.poll == .seconds(4))
        #expect(settings.session.keep == .seconds(7_200))
        #expect(settings.session.isInitRequest)
        #expect(settings.session.renews)
        #expect(settings.journal.isKept)
        #expect(!settings.session.isReadonly)
        #expect(settings.session.start == .standard)
        #expect(settings.session.variant == .best)
    }

    @Test func theCacheOfASessionIsASettingLikeOthers() throws {
        #expect(try load().servesCache == false && load().cache == CacheSettings())
        let settings = try load(yaml: "cache: yes\ncache-port: 16300\nauction: auction.json")
        #expect(settings.servesCache && settings.cache.port == 16_300 && settings.auction == "auction.json")
        #expect(try load(environment: ["ADTOP_CACHE_PORT": "auto"]).cache.port == nil)
        #expect(throws: CommandFailure.self) { try load(yaml: "cache-port: 65536") }
    }

    @Test func theDeviceIsASettingLikeOthers() throws {
        #expect(try load().adSpaces.device == .phone && load(yaml: "profile: tablet").adSpaces.device == .tablet)
        #expect(try load(flags: [.profile: "tv"], environment: ["ADTOP_PROFILE": "tablet"]).adSpaces.device == .tv)
        #expect(throws: CommandFailure.self) { try load(yaml: "profile: watch") }
    }

    @Test func flagsBeatEnvironmentBeatsFileBeatsDefaults() {
        let file = try? ConfigFile(yaml: "poll: 7s\ntheme: paper\nrate: 2", path: "c.yaml")
        let texts = SettingTexts(
            flags: [.poll: "5s"], environment: ["ADTOP_POLL": "6s", "ADTOP_THEME": "mono", "ADTOP_ALLOW_HOST": "a,b"],
            file: file)
        #expect(texts[.poll] == .init(text: "5s", source: .flag))
        #expect(texts[.theme] == .init(text: "mono", source: .environment("ADTOP_THEME")))
        #expect(texts[.rate] == .init(text: "2", source: .file(FilePosition(path: "c.yaml", line: 3, column: 7))))
        #expect(texts[.allowHost] == .init(text: "a,b", source: .environment("ADTOP_ALLOW_HOST")))
        #expect(texts[.keep] == .init(text: "2h", source: .defaultValue))
        #expect(texts[.logFile] == nil)
    }

    /// A setting may have a flag for each value.
    @Test func theOriginIsTheFlagThatWasTyped() {
        let texts = SettingTexts(
            flags: [.mode: "observe", .ipVersion: "6", .poll: "5s", .lowLatency: "no"],
            environment: ["ADTOP_RATE": "2"],
            file: nil)
        let settings: [Setting] = [.mode, .ipVersion, .poll, .lowLatency, .rate, .keep]
        #expect(
            settings.map { texts[$0]?.origin(of: $0) } == [
                "--observe", "-6", "--poll", "--no-low-latency", "ADTOP_RATE", "default",
            ])
    }

    @Test func ownAdsComeFromOnePlace() throws {
        let tag = "https://ads.example/v?d=[BREAKMAXDURATION]"
        #expect(try load(flags: [.vast: tag]).clientSide.vast == tag)
        #expect(try load(flags: [.vmap: "breaks.xml"]).clientSide.vmap == "breaks.xml")
        #expect(throws: CommandFailure(.usage, "--vast and ADTOP_VMAP exclude each other; give one")) {
            try load(flags: [.vast: tag], environment: ["ADTOP_VMAP": "breaks.xml"])
        }
        #expect(throws: CommandFailure(.usage, "--vast: 'ads.example' is not absolute: it has no http:// or https://"))
        {
            try load(flags: [.vast: "ads.example"])
        }
    }

    @Test func macrosAreNamesAndValues() throws {
        #expect(try load(flags: [.macro: "A=1\nB=x=y,z\nA=2"]).clientSide.macros == ["A": "2", "B": "x=y,z"])
        #expect(
            try load(yaml: "macro: [IFA=1, DOMAIN=a.example]").clientSide.macros == ["IFA": "1", "DOMAIN": "a.example"])
        #expect(throws: CommandFailure(.usage, "--macro: '=1' is not NAME=VALUE")) { try load(flags: [.macro: "=1"]) }
    }

    @Test func requestsHaveFieldsForHosts() throws {
        let settings = try load(
            flags: [.header: "X-A: 1\nX-B:", .cookie: "a=1; b=2\nc=3", .bearerEnv: "T", .userAgent: "roku"],
            environment: ["T": "abc", "ADTOP_HEADER_FOR": "h.test:81 X-C: 2"],
            yaml:
                "origin: https://w.test/\nreferer: https://u:p@w.test/x\nforwarded-for: 2001:db8::1\ncookie-jar: c.txt")
        let requests = settings.requests
        #expect(requests.headers == [HeaderField("X-A", "1"), HeaderField("X-B", nil)])
        #expect(requests.hostHeaders == [.init(HostPattern(host: "h.test", port: 81), HeaderField("X-C", "2"))])
        #expect(requests.cookies == ["a=1", "b=2", "c=3"] && requests.bearer == "abc" && requests.cookieJar == "c.txt")
        #expect(requests.origin == "https://w.test" && requests.referer == "https://w.test/x")
        #expect(settings.session.userAgent?.hasPrefix("Roku/DVP-") == true)
        let identity = requests.identity(typed: try WebURL("https://u:p%40@h.test/x"))
        #expect(
            identity.typed?.text == "https://h.test/x" && identity.basic == BasicCredentials(user: "u", password: "p@"))
        #expect(identity.streamFields.map(\.name) == ["X-Forwarded-For", "Referer", "Origin", "X-A", "X-B"])
    }

    @Test func anExplicitHeaderReplacesItsShortForm() throws {
        let requests = try load(flags: [.header: "referer: https://a.test/", .referer: "https://b.test/"]).requests
        #expect(requests.identity(typed: nil).streamFields == [HeaderField("referer", "https://a.test/")])
    }

    @Test func headersOfTheConfigFileAreOneLineEach() throws {
        #expect(try load(yaml: "header: ['X: 1', 'Y: 2']").requests.headers.count == 2)
        #expect(throws: CommandFailure(.usage, "c.yaml:1:10: expected 'Name: value' on one line")) {
            try load(yaml: "header: [\"X: 1\\nY: 2\"]")
        }
    }

    @Test func theHostOfAHeaderIsAnArgumentOfItsOwn() {
        #expect(
            IdentityOptions.joined(["--header-for", "h.test", "X: 1", "http://u/", "--header-for", "h X: 2"])
                == ["--header-for", "h.test X: 1", "http://u/", "--header-for", "h X: 2"])
        #expect(IdentityOptions.joined(["--header-for", "h.test"]) == ["--header-for", "h.test"])
        #expect(IdentityOptions.joined(["--", "--header-for", "a", "b"]) == ["--", "--header-for", "a", "b"])
    }

    @Test func playersHaveUserAgentsThatAreFieldValues() throws {
        for agent in PlayerAgent.allCases { #expect(try Settings.fieldValue(agent.text) == agent.text) }
        #expect(Set(PlayerAgent.allCases.map(\.text)).count == PlayerAgent.allCases.count)
    }

    @Test func readsEveryKind() throws {
        let settings = try load(
            flags: [
                .provider: "none", .mode: "fire", .start: "-30s", .color: "256", .ascii: "yes", .mouse: "off",
                .readonly: "true",
                .seed: "7", .view: "playlist", .userAgent: "x/1", .allowHost: "a.example, b.example",
                .initRequest: "no", .variant: "720p",
            ])
        #expect(settings.session.variant == .height(720))
        #expect(settings.session.provider == .none)
        #expect(settings.session.mode == .fire)
        #expect(settings.session.start == .behindEdge(.seconds(30)))
        #expect(settings.screen.color == .indexed256)
        #expect(settings.screen.isASCII == true)
        #expect(!settings.screen.usesMouse)
        #expect(settings.session.isReadonly)
        #expect(settings.session.seed == 7)
        #expect(settings.screen.view == .playlist)
        #expect(settings.session.userAgent == "x/1")
        #expect(settings.session.allowHosts == ["a.example", "b.example"])
        #expect(!settings.session.isInitRequest)
        #expect(
            try load(flags: [.start: "2027-01-01T00:00:00Z"]).session.start
                == .date(UnixTime(milliseconds: 1_798_761_600_000)))
    }

    @Test(arguments: [
        (Setting.poll, "4x", "--poll: '4x' is not a duration like 4s, 500ms, 2h or 1m30s"),
        (
            .theme, "nope",
            "--theme: 'nope' is neither a file nor one of \(ThemeName.all.joined(separator: ", "))"
        ),
        (.poll, "1ms", "--poll: '1ms' is not between 500ms and 1h"),
        (.mode, "shoot", "--mode: 'shoot' is not one of observe, fire, auto"),
        (
            .provider, "x",
            "--provider: 'x' is not one of auto, mediatailor, dai, uplynk, broadpeak, yospace, primetime, vmap, harmonic, none"
        ),
        (.rate, "0", "--rate: '0' is not a rate between 0.1 and 16"),
        (.rate, "nan", "--rate: 'nan' is not a rate between 0.1 and 16"),
        (.ascii, "maybe", "--ascii: 'maybe' is neither yes nor no"),
        (.userAgent, "a\r\nX: y", "--user-agent: 'a\r\nX: y' is not a header value of printable ASCII"),
        (.view, "slots", "--view: 'slots' is not one of breaks, playlist, creative, auction, formats, cache, findings"),
        (
            .variant, "a b",
            "--variant: 'a b' is not best, worst, a height such as 720, a bandwidth in bit/s or the end of a variant's URI"
        ),
        (.seed, "-1", "--seed: '-1' is not a whole number from 0 to 18446744073709551615"),
        (.logFile, "", "--log-file: '' is empty; name one, or omit it"),
        (.trustedCertificates, "", "--cacert: '' is empty; name one, or omit it"),
        (.openCommand, "", "--open-cmd: '' is empty; name one, or omit it"),
        (.openCommand, "a=b", "--open-cmd: 'a=b' is not the name of a program"),
        (.resolve, "", "--resolve: '' is empty; give one, or omit it"),
        (.connectTo, "", "--connect-to: '' is empty; give one, or omit it"),
        (
            .allowHost, "a.test,*.b.test",
            "--allow-host: 'a.test,*.b.test' is not a list of host names such as t.example.com, which include their subdomains"
        ),
        (
            .allowHost, "http://x/",
            "--allow-host: 'http://x/' is not a list of host names such as t.example.com, which include their subdomains"
        ),
        (
            .slot, "a=b",
            "--slot: 'a=b' is not NAME=TYPE:ZONE[:SIZE], then @PLUGIN if wanted, with a type of banner, screenBanner, interstitial, rewarded or native"
        ),
        (.allowHost, "", "--allow-host: '' is empty; name a host, or omit it"),
        (.color, "red", "--color: 'red' is not one of auto, never, 16, 256, truecolor"),
        (
            .start, "30s",
            "--start: '30s' is not 'live', a duration such as -30s, or a date such as 2027-01-01T00:00:00Z"
        ),
    ])
    func namesTheFlagAndTheReason(setting: Setting, text: String, message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try load(flags: [setting: text]) }
    }

    /// Errors are masked where a password may be; their own words are not taken for one.
    @Test(arguments: Setting.allCases) func itsOwnWordsAreNotMasked(_ setting: Setting) {
        for text in ["", "x", "a=b", "a:b", "-1", "http://["] {
            do {
                _ = try load(flags: [setting: text])
            } catch let failure as CommandFailure {
                #expect(Redaction.credentials(in: failure.message, isBare: true) == failure.message)
            } catch {
                Issue.record("\(setting.rawValue): \(error)")
            }
        }
    }

    /// A duration before the edge begins with a minus sign, as an option does.
    @Test(arguments: [["--start", "-30s"], ["--start=-30s"]]) func aNegativeStartIsNoOption(_ words: [String]) throws {
        #expect(try StreamOptions.parse(words).start == "-30s")
    }

    @Test func namesTheVariableOrThePlaceInTheFile() {
        #expect(throws: CommandFailure(.usage, "ADTOP_POLL: 'x' is not a duration like 4s, 500ms, 2h or 1m30s")) {
            try load(environment: ["ADTOP_POLL": "x"])
        }
        #expect(throws: CommandFailure(.usage, "c.yaml:2:7: 'x' is not a duration like 4s, 500ms, 2h or 1m30s")) {
            try load(yaml: "theme: paper\npoll: x")
        }
    }
}
