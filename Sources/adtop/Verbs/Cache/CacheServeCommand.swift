import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache serve`
struct CacheServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the loopback server: HTTP and HTTPS on one port of 127.0.0.1.",
        discussion: """
            The command prints a line for each request: time, method, start of the id, status, bytes, microseconds, \
            origin. It creates local certificates on first use; browsers accept HTTPS once you trust their authority \
            (adtop cache cert show). Without a flag, the settings cache-port, cache-tls, cache-ipv6, cache-memory, \
            cache-disk, cache-ttl, cache-max-ttl, cache-origin, cache-host, cache-write-key and cache-allow-keys \
            apply (adtop config).

            Examples:
              adtop cache serve
              adtop cache serve --port 0 --no-tls --memory-only --json
              ADTOP_CACHE_WRITE_KEY=key adtop cache serve --allow-origin https://a.example

            Exit codes: 0 stopped by a signal, 2 usage error or port in use, 4 unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions
    @OptionGroup var certificates: CertificateFolderOptions

    @Option(help: "Port on 127.0.0.1; 0 selects a free port (default 16257).")
    var port: String?

    @Flag(inversion: .prefixedNo, help: "Serve HTTPS on the same port (default yes).")
    var tls: Bool?

    @Flag(inversion: .prefixedNo, help: "Listen on ::1 too, for resolvers that prefer it for localhost (default no).")
    var ipv6: Bool?

    @Flag(help: "Keep creatives in memory only.")
    var memoryOnly = false

    @Option(help: .of(.cacheMemory, "MiB"))
    var memory: String?

    @Option(help: .of(.cacheDisk, "MiB"))
    var disk: String?

    @Option(help: .of(.cacheWriteKey, "key"))
    var writeKey: String?

    @Flag(inversion: .prefixedNo, help: "Accept ids that writers choose (default no).")
    var allowKeys: Bool?

    @Option(help: ArgumentHelp("Accept writes from pages of this origin (repeatable).", valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp("Further host name to answer for (repeatable).", valueName: "name"))
    var hosts: [String] = []

    @Option(
        help: ArgumentHelp("Pages that may read creatives: any or none.", valueName: "who"),
        completion: .list(["any", "none"]))
    var cors = "any"

    @Flag(help: "Print JSON: the address, then one line for each request.")
    var json = false

    mutating func validate() throws {
        if memoryOnly, disk != nil {
            throw ValidationError("--memory-only and --disk exclude each other; give one")
        }
    }

    func run() async throws {
        guard ["any", "none"].contains(cors) else {
            throw CommandFailure(.usage, "--cors: '\(cors)' is not any or none")
        }
        let settings = try place.settings(flags: flags, flagNames: Self.flagNames)
        var rules = settings.rules
        rules.sharesWithPages = cors == "any"
        let shelf = try place.shelf(rules: rules, limits: settings.limits)
        var configuration = LoopbackServer.Configuration()
        configuration.port = rules.port
        configuration.usesIPv6 = settings.usesIPv6
        if settings.usesTLS != false { configuration.identity = try certificates.identity() }
        let server = LoopbackServer(shelf, configuration: configuration)
        let signals = StopSignals.stream()
        let address = try server.startForCommand()
        announce(address)
        await Self.follow(shelf, until: signals, json: json)
        server.stop()
    }

    /// The settings given as flags.
    private var flags: [Setting: String] {
        var flags: [Setting: String] = [:]
        flags[.cachePort] = port
        flags[.cacheTLS] = tls.map { $0 ? "yes" : "no" }
        flags[.cacheIPv6] = ipv6.map { $0 ? "yes" : "no" }
        flags[.cacheMemory] = memory
        flags[.cacheDisk] = memoryOnly ? "0" : disk
        flags[.cacheWriteKey] = writeKey
        flags[.cacheAllowKeys] = allowKeys.map { $0 ? "yes" : "no" }
        flags.give(.cacheOrigin, allowOrigin)
        flags.give(.cacheHost, hosts)
        return flags
    }

    /// The flag names for error lines.
    private static let flagNames: [Setting: String] = [
        .cachePort: "--port", .cacheMemory: "--memory", .cacheDisk: "--disk", .cacheWriteKey: "--write-key",
        .cacheOrigin: "--allow-origin", .cacheHost: "--host",
    ]

    private func announce(_ address: LoopbackServer.Address) {
        if json {
            let value: JSONValue = [
                "schema": "adtop-cache-serve/1", "port": .integer(Int64(address.port)),
                "secure": .bool(address.isSecure), "certificateEndMs": .optional(address.certificateEnd?.milliseconds),
            ]
            Output.write(value.text() + "\n")
            return
        }
        Output.line("http://localhost:\(address.port)/ID    http://localhost:\(address.port)/cache?uuid=ID")
        if address.isSecure {
            Output.line("https://localhost:\(address.port)/ID   to trust it: adtop cache cert show")
        }
    }

    /// Prints the access log and the problems of the disk until a signal arrives.
    private static func follow(_ shelf: CreativeShelf, until signals: AsyncStream<Int32>, json: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var seen = 0
                // The problems at the start are already reported.
                var reported = Set(shelf.problems)
                for await _ in shelf.changes {
                    let (records, count) = shelf.accessLog(after: seen)
                    seen = count
                    for record in records { print(record, json: json) }
                    let problems = shelf.problems
                    problems.filter { !reported.contains($0) }.forEach { Output.error($0) }
                    reported = Set(problems)
                }
            }
            group.addTask {
                for await _ in signals { return }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static func print(_ record: AccessRecord, json: Bool) {
        if json {
            Output.write(record.json.text() + "\n")
        } else {
            Output.line("\(CivilTime(record.at).clockTime) \(record.text)")
        }
    }
}
