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
            once their authority is trusted (adtop cache cert show).

            Examples:
              adtop cache serve
              adtop cache serve --port 0 --no-tls --memory-only --json
              adtop cache serve --allow-origin https://pub.example --write-key secret

            Exit codes: 0 stopped by a signal, 2 wrong usage or the port is taken, 4 an unusable folder.
            """)

    @OptionGroup var place: CacheFolderOptions
    @OptionGroup var certificates: CertificateFolderOptions

    @Option(help: "Port on 127.0.0.1; 0 takes a free one.")
    var port = LoopbackRules.defaultPort

    @Flag(inversion: .prefixedNo, help: "Answer HTTPS, too.")
    var tls = true

    @Flag(help: "Listen on ::1 as well, for resolvers that prefer it for localhost.")
    var ipv6 = false

    @Flag(help: "Keep nothing on disk.")
    var memoryOnly = false

    @Option(help: ArgumentHelp("Memory for creatives.", valueName: "MiB"))
    var memory = StoreLimits().memoryBytes >> 20

    @Option(help: ArgumentHelp("Disk for creatives.", valueName: "MiB"))
    var disk = StoreLimits.defaultDiskBytes >> 20

    @Option(help: ArgumentHelp("Ask writers for this x-pbc-api-key.", valueName: "key"))
    var writeKey: String?

    @Flag(help: "Let writers choose ids.")
    var allowKeys = false

    @Option(help: ArgumentHelp("Let pages of this origin write (repeatable).", valueName: "origin"))
    var allowOrigin: [String] = []

    @Option(name: .customLong("host"), help: ArgumentHelp("Answer for this host, too (repeatable).", valueName: "name"))
    var hosts: [String] = []

    @Option(help: ArgumentHelp("any or none: pages that may read.", valueName: "who"))
    var cors = "any"

    @Flag(help: "Print JSON: where it listens, then a line a request.")
    var json = false

    func run() async throws {
        let shelf = try place.shelf(rules: try rules(), limits: try limits())
        var configuration = LoopbackServer.Configuration()
        configuration.port = port
        configuration.usesIPv6 = ipv6
        if tls { configuration.identity = try certificates.identity() }
        let server = LoopbackServer(shelf, configuration: configuration)
        let address = try Self.start(server)
        announce(address)
        await Self.follow(shelf, json: json)
        server.stop()
    }

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

    private func rules() throws(CommandFailure) -> LoopbackRules {
        guard (0...65_535).contains(port) else { throw CommandFailure(.usage, "--port \(port) is not 0 to 65535") }
        guard ["any", "none"].contains(cors) else {
            throw CommandFailure(.usage, "--cors '\(cors)' is not any or none")
        }
        var rules = LoopbackRules(port: port)
        rules.sharesWithPages = cors == "any"
        rules.writeKey = writeKey
        rules.allowsOwnKeys = allowKeys
        rules.allowedOrigins = Set(try allowOrigin.map(Self.origin))
        rules.extraHosts = Set(hosts.map { $0.lowercased() })
        return rules
    }

    /// As a browser writes it: scheme, host and port in lower case, nothing behind them. An origin of any other form would
    /// never match.
    private static func origin(_ text: String) throws(CommandFailure) -> String {
        let origin = (text.hasSuffix("/") ? String(text.dropLast()) : text).lowercased()
        let isWeb = (try? WebURL(origin)) != nil
        guard isWeb, !origin.dropFirst("https://".count).contains(where: { "/?#@".contains($0) }) else {
            throw CommandFailure(.usage, "--allow-origin '\(text)' is not scheme://host or scheme://host:port")
        }
        return origin
    }

    private func limits() throws(CommandFailure) -> StoreLimits {
        let range = 1...(1 << 20)
        guard range.contains(memory), range.contains(disk) else {
            throw CommandFailure(.usage, "--memory and --disk are 1 to \(range.upperBound) MiB")
        }
        var limits = StoreLimits()
        limits.memoryBytes = memory << 20
        limits.diskBytes = memoryOnly ? nil : disk << 20
        return limits
    }
}
