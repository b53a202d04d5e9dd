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
            A line is printed for each request: time, method, the first characters of the id, status, bytes, \
            microseconds, origin. The certificates of this computer are made on first use; a page is served over HTTPS \
            once their authority is trusted (adtop cache cert show). What no flag says, the settings cache-port, cache-tls, \
            cache-ipv6, cache-memory, cache-disk, cache-ttl, cache-max-ttl, cache-origin, cache-host, cache-write-key and \
            cache-allow-keys say (adtop config).

            Examples:
              adtop cache serve
              adtop cache serve --port 0 --no-tls --memory-only --json
              ADTOP_CACHE_WRITE_KEY=secret adtop cache serve --allow-origin https://pub.example

            Exit codes: 0 stopped by a signal, 2 wrong usage or the port is taken, 4 an unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions
    @OptionGroup var certificates: CertificateFolderOptions

    @Option(help: "Port on 127.0.0.1; 0 takes a free one, 16257 without.")
    var port: String?

    @Flag(inversion: .prefixedNo, help: "Answer HTTPS, too (the default).")
    var tls: Bool?

    @Flag(inversion: .prefixedNo, help: "Listen on ::1 as well, for resolvers that prefer it for localhost.")
    var ipv6: Bool?

    @Flag(help: "Keep nothing on disk.")
    var memoryOnly = false

    @Option(help: ArgumentHelp("Memory for creatives; 16 without.", valueName: "MiB"))
    var memory: String?

    @Option(help: ArgumentHelp("Disk for creatives; 64 without.", valueName: "MiB"))
    var disk: String?

    @Option(help: ArgumentHelp("Ask writers for this x-pbc-api-key.", valueName: "key"))
    var writeKey: String?

    @Flag(inversion: .prefixedNo, help: "Let writers choose ids.")
    var allowKeys: Bool?

    @Option(help: ArgumentHelp("Let pages of this origin write (repeatable).", valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(name: .customLong("host"), help: ArgumentHelp("Answer for this host, too (repeatable).", valueName: "name"))
    var hosts: [String] = []

    @Option(help: ArgumentHelp("any or none: pages that may read.", valueName: "who"))
    var cors = "any"

    @Flag(help: "Print JSON: where it listens, then a line a request.")
    var json = false

    func run() async throws {
        guard ["any", "none"].contains(cors) else {
            throw CommandFailure(.usage, "--cors '\(cors)' is not any or none")
        }
        let settings = try place.settings(flags: flags, flagNames: Self.flagNames)
        var rules = settings.rules
        rules.sharesWithPages = cors == "any"
        let shelf = try place.shelf(rules: rules, limits: settings.limits)
        var configuration = LoopbackServer.Configuration()
        configuration.port = rules.port
        configuration.usesIPv6 = settings.usesIPv6
        if settings.tls != .never { configuration.identity = try certificates.identity() }
        let server = LoopbackServer(shelf, configuration: configuration)
        let address = try Self.start(server)
        announce(address)
        await Self.follow(shelf, json: json)
        server.stop()
    }

    /// The settings that were given.
    private var flags: [Setting: String] {
        var flags: [Setting: String] = [:]
        flags[.cachePort] = port
        flags[.cacheTLS] = tls.map { $0 ? "yes" : "no" }
        flags[.cacheIPv6] = ipv6.map { $0 ? "yes" : "no" }
        flags[.cacheMemory] = memory
        flags[.cacheDisk] = memoryOnly ? "0" : disk
        flags[.cacheWriteKey] = writeKey
        flags[.cacheAllowKeys] = allowKeys.map { $0 ? "yes" : "no" }
        flags[.cacheOrigin] = allowOrigin.isEmpty ? nil : allowOrigin.joined(separator: ",")
        flags[.cacheHost] = hosts.isEmpty ? nil : hosts.joined(separator: ",")
        return flags
    }

    /// What errors call them.
    private static let flagNames: [Setting: String] = [
        .cachePort: "--port", .cacheMemory: "--memory", .cacheDisk: "--disk", .cacheWriteKey: "--write-key",
        .cacheOrigin: "--allow-origin", .cacheHost: "--host",
    ]

    static func start(_ server: LoopbackServer) throws(CommandFailure) -> LoopbackServer.Address {
        do throws(CreativeServerError) {
            return try server.start()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

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
            Output.line("https://localhost:\(address.port)/ID   trusted with: adtop cache cert show")
        }
    }

    /// Prints the access log, and what goes wrong on disk, until a signal comes.
    private static func follow(_ shelf: CreativeShelf, json: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var seen = 0
                // Those of the start were told there.
                var told = Set(shelf.problems)
                for await _ in shelf.changes {
                    let (records, count) = shelf.accessLog(after: seen)
                    seen = count
                    for record in records { print(record, json: json) }
                    let problems = shelf.problems
                    problems.filter { !told.contains($0) }.forEach { Output.error($0) }
                    told = Set(problems)
                }
            }
            group.addTask {
                for await _ in StopSignals.stream() { return }
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
