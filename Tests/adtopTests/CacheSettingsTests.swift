import CreativeCache
import Ports
import Testing

@testable import adtop

@Suite struct CacheSettingsTests {
    private static let flagNames: [Setting: String] = [.cachePort: "--port", .cacheWriteKey: "--write-key"]

    private func load(
        flags: [Setting: String] = [:], environment: [String: String] = [:], yaml: String? = nil
    ) throws -> CacheSettings {
        let file = try yaml.map { try ConfigFile(yaml: $0, path: "c.yaml") }
        return try Settings.cache(
            SettingTexts(flags: flags, environment: environment, file: file), flagNames: Self.flagNames)
    }

    /// The defaults in `adtop config` equal the store's sizes and times to live and the server's defaults.
    @Test func defaultsAreThoseOfTheStore() throws {
        let settings = try load()
        #expect(settings == CacheSettings() && settings.port == nil && settings.usesTLS == nil)
        #expect(settings.rules == LoopbackRules())
        var limits = StoreLimits()
        limits.diskBytes = StoreLimits.defaultDiskBytes
        #expect(settings.limits == limits)
    }

    @Test func everyKeyIsRead() throws {
        let settings = try load(
            yaml: """
                cache-port: 16300
                cache-tls: no
                cache-ipv6: yes
                cache-memory: 8
                cache-disk: 0
                cache-ttl: 1m
                cache-max-ttl: 2h
                cache-origin: ["https://Pub.example/", "http://pub.example:8080"]
                cache-host: [My-PC.local, "[::2]"]
                cache-write-key: not for you
                cache-allow-keys: yes
                """)
        #expect(settings.port == 16_300 && settings.usesTLS == false && settings.usesIPv6)
        #expect(settings.limits.memoryBytes == 8 << 20 && settings.limits.diskBytes == nil)
        #expect(settings.limits.defaultLife == .seconds(60) && settings.limits.maximumLife == .seconds(7_200))
        let rules = settings.rules
        #expect(rules.port == 16_300 && rules.allowsOwnKeys && rules.writeKey == "not for you")
        #expect(rules.allowedOrigins == ["https://pub.example", "http://pub.example:8080"])
        #expect(rules.isOwn(host: "my-pc.local:16300") && rules.isOwn(host: "[::2]:16300"))
    }

    @Test func aFlagWins() throws {
        let settings = try load(
            flags: [.cachePort: "0", .cacheTLS: "yes"],
            environment: ["ADTOP_CACHE_PORT": "1", "ADTOP_CACHE_MAX_TTL": "2m"], yaml: "cache-port: 2\ncache-tls: no")
        #expect(settings.port == 0 && settings.usesTLS == true && settings.limits.maximumLife == .seconds(120))
    }

    /// A session has the same cache settings as `adtop cache`.
    @Test func theyAreOfTheSessionToo() throws {
        let settings = try Settings(
            SettingTexts(flags: [:], environment: ["ADTOP_CACHE_MEMORY": "3", "ADTOP_CACHE": "yes"], file: nil))
        #expect(settings.servesCache && settings.cache.limits.memoryBytes == 3 << 20)
    }

    @Test(arguments: [
        ("cache-port: 65536", "c.yaml:1:13: '65536' is not a port between 0 and 65535"),
        ("cache-tls: maybe", "c.yaml:1:12: 'maybe' is neither yes nor no"),
        ("cache-memory: 0", "c.yaml:1:15: '0' is not a number of MiB between 1 and 1000000"),
        ("cache-disk: -1", "c.yaml:1:13: '-1' is not a number of MiB between 1 and 1000000"),
        ("cache-ttl: 0s", "c.yaml:1:12: '0s' is not between 1s and 24h"),
        ("cache-max-ttl: 25h", "c.yaml:1:16: '25h' is not between 1s and 24h"),
        (
            "cache-origin: https://pub.example/page",
            "c.yaml:1:15: 'https://pub.example/page' is not scheme://host or scheme://host:port"
        ),
        ("cache-host: 'pc:80'", "c.yaml:1:13: 'pc:80' is not a host name without a port"),
        ("cache-host: a/b", "c.yaml:1:13: 'a/b' is not a host name without a port"),
    ])
    func aWrongValueIsSaidWithItsPlace(yaml: String, message: String) {
        #expect(throws: CommandFailure(.usage, message)) { try load(yaml: yaml) }
    }

    @Test func anErrorNamesTheVerbsOwnFlag() {
        #expect(throws: CommandFailure(.usage, "--port: 'x' is not a port between 0 and 65535")) {
            try load(flags: [.cachePort: "x"])
        }
    }

    @Test func theWriteKeyIsShownToNobody() throws {
        let texts = SettingTexts(flags: [:], environment: ["ADTOP_CACHE_WRITE_KEY": "hush"], file: nil)
        let entry = try #require(texts[.cacheWriteKey])
        #expect(entry.shown(of: .cacheWriteKey) == Redaction.mask && entry.text == "hush")
        #expect(throws: CommandFailure(.usage, "--write-key: '***' is not a header value of printable ASCII")) {
            try load(flags: [.cacheWriteKey: "hüsh"])
        }
    }
}
