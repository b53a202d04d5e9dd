import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache bench`
struct CacheBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the loopback server and compare it with published figures and a remote cache.",
        discussion: """
            The command starts its own server on a free port and requests one creative: over a kept connection, over \
            new connections, and after new TLS handshakes. With --remote, a fifth as many requests, at most 20, go to \
            that URL.

            Examples:
              adtop cache bench
              adtop cache bench --n 1000 --size 4096 --json
              adtop cache bench --remote 'https://prebid.example/cache?uuid=…'

            Exit codes: 0 success, 2 usage error, 3 the remote cache does not answer, 4 the measurement failed.
            """)

    @Option(name: .customLong("n"), help: ArgumentHelp("Number of requests of each kind.", valueName: "count"))
    var count = 200

    @Option(help: ArgumentHelp("Size of the creative.", valueName: "bytes"))
    var size = 20_480

    @Option(help: ArgumentHelp("URL of a creative on a remote cache, to compare with.", valueName: "url"))
    var remote: String?

    @Flag(help: "Print JSON (schema adtop-cache-bench/1).")
    var json = false

    private static let maximumCount = 100_000
    private static let remoteShare = 5
    private static let maximumRemote = 20

    @OptionGroup var fetch: FetchOptions

    func run() async throws {
        let place = try remotePlace()
        let rows: [BenchRow]
        do {
            rows = try LoopbackBench(count: count, size: size).run()
        } catch let problem as LoopbackProbe.Problem {
            throw CommandFailure(.unreadable, "the measurement failed: \(problem)")
        } catch let problem as CreativeServerError {
            throw CommandFailure(.unreadable, "the measurement failed: \(problem)")
        } catch {
            throw CommandFailure(.unreadable, "the measurement failed: \(ForeignErrorText.clause(error))")
        }
        var remoteRow: BenchRow?
        if let place { remoteRow = try await measure(place) }
        if json {
            let value: JSONValue = [
                "schema": "adtop-cache-bench/1", "requests": .integer(Int64(count)), "bytes": .integer(Int64(size)),
                "rows": .array((rows + [remoteRow].compactMap { $0 }).map(\.json)),
            ]
            Output.write(value.text(indented: true) + "\n")
            return
        }
        Output.line(BenchRow.heading)
        rows.forEach { Output.line($0.line) }
        if let remoteRow {
            Output.line(remoteRow.line)
            for row in rows {
                let saved = remoteRow.median - row.median
                Output.line("saved per request compared with \(row.name): \(BenchRow.milliseconds(saved)) ms")
            }
        } else {
            Output.line(
                "published: 70-250 ms saved on a wired line, 120-400 ms on 4G; --remote URL measures your cache")
        }
    }

    /// What is wrong is reported before anything is measured.
    private func remotePlace() throws(CommandFailure) -> WebURL? {
        for (flag, number, most) in [("--n", count, Self.maximumCount), ("--size", size, StoreLimits().entryBytes)] {
            guard (1...most).contains(number) else {
                throw CommandFailure(.usage, "\(flag): '\(number)' is not 1 to \(most)")
            }
        }
        guard let remote else { return nil }
        do throws(WebURLProblem) {
            return try WebURL(remote)
        } catch {
            throw CommandFailure(.usage, "--remote: '\(remote)' \(error.explanation)")
        }
    }

    private func measure(_ web: WebURL) async throws -> BenchRow {
        let requests = try fetch.input.requests()
        let transport = requests.adCalls(typed: web)
        let request = HTTPRequest(
            url: web.withoutCredentials, fields: requests.agentFields, maximumBodyBytes: StoreLimits().entryBytes)
        var samples: [Int64] = []
        for _ in 0..<max(1, min(Self.maximumRemote, count / Self.remoteShare)) {
            let exchange = await transport.send(request)
            guard exchange.isSuccess else {
                await requests.end()
                let reason = exchange.failure?.message ?? "the server answered \(exchange.status ?? 0)"
                throw CommandFailure(.network, "\(web.withoutCredentials.text): \(reason)")
            }
            samples.append(exchange.timings.total)
        }
        await requests.end()
        return BenchRow(name: "remote cache", published: "", target: "", samples: samples)
    }
}

/// The measurement of one kind of request.
struct BenchRow {
    let name: String
    /// The figure published for this kind of request (CACHE-12).
    let published: String
    /// The limit that adtop sets itself.
    let target: String
    /// Microseconds, sorted.
    let samples: [Int64]

    init(name: String, published: String, target: String, samples: [Int64]) {
        self.name = name
        self.published = published
        self.target = target
        self.samples = samples.sorted()
    }

    var median: Int64 { at(0.5) }
    var p95: Int64 { at(0.95) }

    private func at(_ share: Double) -> Int64 {
        samples.isEmpty ? 0 : samples[min(samples.count - 1, Int(Double(samples.count) * share))]
    }

    static let heading = "                            p50 ms   p95 ms   published (phone, 2020)   target"

    var line: String {
        let figures = [median, p95].map { Self.milliseconds($0).padding(to: 9) }.joined()
        return name.padding(to: 28) + figures + published.padding(to: 26) + target
    }

    var json: JSONValue {
        [
            "name": .string(name), "medianUs": .integer(median), "p95Us": .integer(p95),
            "published": .string(published), "target": .string(target),
        ]
    }

    static func milliseconds(_ microseconds: Int64) -> String {
        String(format: "%.2f", Double(microseconds) / 1_000)
    }
}

/// Runs the loopback server and a client in this process.
struct LoopbackBench {
    let count: Int
    let size: Int

    func run() throws -> [BenchRow] {
        let clock = { @Sendable in SystemTimeSource().now().wall }
        let folder = NSTemporaryDirectory() + "adtop-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = try LocalCertificates(folder: folder, wallClock: clock).identity()
        guard let shelf = shelf(clock) else { return [] }
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        configuration.identity = identity
        let server = LoopbackServer(shelf, configuration: configuration)
        let port = try server.start().port
        let loops = ProbeLoops()
        defer {
            loops.stop()
            server.stop()
        }
        let secure = LoopbackProbe.Scheme.secure(authority: identity.authority, name: LocalCertificates.name)
        let request = Array("GET /bench HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)
        func connect(_ scheme: LoopbackProbe.Scheme) throws -> LoopbackProbe {
            try LoopbackProbe(port: port, scheme: scheme, on: loops)
        }
        func kept(_ scheme: LoopbackProbe.Scheme) throws -> [Int64] {
            let probe = try connect(scheme)
            _ = try probe.exchange(request)
            return try times { _ = try probe.exchange(request) }
        }
        func fresh(_ scheme: LoopbackProbe.Scheme) throws -> [Int64] {
            try times {
                let probe = try connect(scheme)
                _ = try probe.exchange(request)
                probe.close()
            }
        }
        return [
            BenchRow(name: "plain, kept connection", published: "", target: "p95 1 ms", samples: try kept(.plain)),
            BenchRow(
                name: "plain, new connection", published: "about 5 ms", target: "p95 5 ms", samples: try fresh(.plain)),
            BenchRow(name: "TLS, kept connection", published: "", target: "p95 1 ms", samples: try kept(secure)),
            BenchRow(
                name: "TLS, new handshake", published: "35-40 ms", target: "p95 5 ms", samples: try fresh(secure)),
        ]
    }

    /// A store with the one creative that is requested.
    private func shelf(_ clock: @escaping @Sendable () -> UnixTime) -> CreativeShelf? {
        guard let id = CreativeID("bench") else { return nil }
        let shelf = CreativeShelf(limits: StoreLimits(), rules: LoopbackRules(), wallClock: clock)
        let body = Array(repeating: UInt8(ascii: "x"), count: size)
        shelf.put(
            CachedCreative(id: id, kind: .banner, content: CachedCreative.Content(body: body)), life: .seconds(3_600))
        return shelf
    }

    private func times(_ body: () throws -> Void) rethrows -> [Int64] {
        let clock = ContinuousClock()
        var times: [Int64] = []
        for _ in 0..<count { times.append(try clock.measure(body).inMicroseconds) }
        return times
    }
}
