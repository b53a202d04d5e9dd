import CreativeCache
import CreativeServer
import Foundation
import Locks
import Ports
import TestSupport
import Testing

/// Tests over real sockets; the vectors run in adtopConformanceTests, plain and over TLS.
@Suite final class LoopbackServerTests {
    private let server: LoopbackServer
    private let shelf: CreativeShelf
    private let address: LoopbackServer.Address
    private let loops = ProbeLoops()

    init() throws {
        shelf = CreativeShelf(
            limits: StoreLimits(), rules: LoopbackRules(), wallClock: { UnixTime(milliseconds: 1_800_000_000_000) })
        shelf.put(
            CachedCreative(
                id: try #require(CreativeID("a")), kind: .banner,
                content: CachedCreative.Content(body: Array("one".utf8))))
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        server = LoopbackServer(shelf, configuration: configuration)
        address = try server.start()
    }

    deinit {
        loops.stop()
        server.stop()
    }

    private func probe() throws -> LoopbackProbe {
        try LoopbackProbe(port: address.port, scheme: .plain, on: loops)
    }

    private func request(_ line: String, _ fields: String = "", body: String = "") -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: localhost:\(address.port)\r\n\(fields)\r\n\(body)".utf8)
    }

    @Test func aConnectionIsKept() throws {
        let probe = try probe()
        for _ in 0..<3 {
            let answer = try probe.exchange(request("GET /a"))
            #expect(answer.body == Array("one".utf8) && answer.fields["connection"] == "keep-alive")
        }
        #expect(try probe.exchange(request("GET /unknown")).status == 404)
        let last = try probe.exchange(request("GET /a", "Connection: close\r\n"))
        #expect(last.fields["connection"] == "close" && probe.isClosed(within: .seconds(5)))
    }

    /// A connection that is accepted while the server stops must not end the process.
    @Test func connectionsMayArriveWhileItStops() async throws {
        for _ in 0..<60 {
            var configuration = LoopbackServer.Configuration()
            configuration.port = 0
            let server = LoopbackServer(shelf, configuration: configuration)
            let client = LoopbackClient(port: try server.start().port)
            await withTaskGroup(of: LoopbackClient.Outcome.self) { group in
                for _ in 0..<24 { group.addTask { await client.request("GET", "/a") } }
                _ = await group.next()
                server.stop()
            }
            #expect(await client.request("GET", "/a") == .refused)
        }
    }

    @Test func aBodyEndsWhereTheNextRequestBegins() throws {
        let probe = try probe()
        let body = #"{"puts":[]}"#
        let write = request("POST /cache", "Content-Length: \(body.utf8.count)\r\n", body: body)
        let answer = try probe.exchange(write + request("get /a"))
        #expect(answer.status == 200)
        // The answer to the second request arrived with the first one, or arrives now with the third.
        #expect(try probe.exchange(request("GET /unknown")).status == 200)
    }

    @Test func piecesMakeARequest() throws {
        let probe = try probe()
        let bytes = request("GET /a")
        // Half a head gets no answer; the exchange that completes it does.
        let half = bytes.count / 2
        let answer = try probe.exchange(Array(bytes[..<half]) + Array(bytes[half...]))
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        ("GET /a", "X: \(String(repeating: "x", count: 9_000))\r\n", 431),
        ("POST /cache", "Content-Length: 10485760\r\n", 413), ("POST /cache", "Transfer-Encoding: chunked\r\n", 400),
        ("GET /a", "X: a\r\n b\r\n", 400), ("GET /a", "Upgrade: websocket\r\nConnection: upgrade\r\n", 400),
        ("POST /cache", "Content-Length: -1\r\n", 400), ("GET /a", "Bad Header: x\r\n", 400),
        ("POST /cache", "Content-Length: 5\r\nContent-Length: 6\r\n", 400), ("CONNECT localhost:1", "", 400),
    ])
    func refusedFramingEndsTheConnection(_ line: String, _ fields: String, _ status: Int) throws {
        let probe = try probe()
        #expect(try probe.exchange(request(line, fields)).status == status)
        #expect(probe.isClosed(within: .seconds(10)))
    }

    /// Requests that no HTTP library sends: each with its status, on its own connection.
    @Test(arguments: [
        ("GET http://localhost:PORT/a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET //localhost/a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a#b HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /%252e%252e HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /..%5c..%5ca HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a%00 HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a%0d%0aX:%20y HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /%61 HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT.\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: localhost.:PORT\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: localhost:0PORT\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:PORT\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: 127.1:PORT\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: 2130706433:PORT\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT, evil.example\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: LocalHost:PORT\r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\nHost: [::1]:PORT\r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\nHost:   localhost:PORT  \r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\n\r\n", 400), ("GET /a HTTP/1.0\r\n\r\n", 200),
        ("GET /a HTTP/1.0\r\nHost: evil.example\r\n\r\n", 403),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nHost : localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\n Host: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1\nHost: localhost:PORT\n\n", 400),
        ("GET /a HTTP/2.0\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.2\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a http/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a\r\n\r\n", 400), ("GET  /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        (" /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1 x\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET\t/a\tHTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("\r\n\r\nGET /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 200),
        ("\r\n\r\n\r\n\r\n\r\nGET /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nX: a\u{0}b\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nX: a\rb\r\n\r\n", 400),
        ("TRACE /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("DELETE /a HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("PUT /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\n\r\nx", 400),
        ("POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\n\r\nx", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("OPTIONS * HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nRange: bytes=0-0\r\n\r\n", 200),
        ("GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nIf-None-Match: *\r\n\r\n", 200),
        (
            "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nIf-Modified-Since: Sun, 22 Nov 2099 00:00:00 GMT\r\n\r\n", 200
        ),
        ("POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: null\r\nContent-Length: 2\r\n\r\n{}", 403),
        ("POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1048577\r\n\r\n", 413),
        (
            "POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 99999999999999999999\r\n\r\n", 400
        ),
        ("POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: +2\r\n\r\n{}", 400),
        ("POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 0x2\r\n\r\n{}", 400),
        (
            "POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
            400
        ),
        (
            "POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
            400
        ),
        ("POST /cache HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n", 400),
    ])
    func whatNoLibrarySends(_ request: String, _ status: Int) throws {
        let bytes = Array(request.replacingOccurrences(of: "PORT", with: "\(address.port)").utf8)
        let answer = try probe().exchange(bytes)
        #expect(answer.status == status)
        if status == 200 { #expect(answer.body == Array("one".utf8)) }
        #expect((answer.fields["access-control-allow-origin"] == nil) == (status == 403))
        #expect(answer.fields["cache-control"] == "no-store" && answer.fields["x-content-type-options"] == "nosniff")
        #expect(answer.fields["access-control-allow-credentials"] == nil && answer.fields["location"] == nil)
    }

    /// The longest id has 128 characters, the longest head 8192 bytes.
    @Test func bordersAreExact() throws {
        let longest = String(repeating: "z", count: 128)
        #expect(try probe().exchange(request("GET /\(longest)")).status == 404)
        #expect(try probe().exchange(request("GET /\(longest)z")).status == 400)
        let room = LoopbackRules.maximumHeaderBytes - request("GET /a", "X: \r\n").count
        #expect(try probe().exchange(request("GET /a", "X: \(String(repeating: "x", count: room))\r\n")).status == 200)
        let over = String(repeating: "x", count: room + 1)
        #expect(try probe().exchange(request("GET /a", "X: \(over)\r\n")).status == 431)
        // The answer does not need the end of the head.
        #expect(try probe().exchange(Array("GET /a HTTP/1.1\r\nX: \(over)\(over)".utf8)).status == 431)
    }

    /// The decoder limits the number of fields, too: a map of thousands costs more than their bytes.
    @Test(arguments: [(50, 200), (2_000, 400)]) func manyFieldsAreRefused(_ count: Int, _ status: Int) throws {
        let fields = String(repeating: "a:\r\n", count: count)
        #expect(try probe().exchange(request("GET /a", fields)).status == status)
    }

    /// Sixteen clients write and read at once: each gets its own creative, and none waits for ever.
    @Test func clientsDoNotMixTheirCreatives() throws {
        let (address, loops) = (address, loops)
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { client in
            do {
                let probe = try LoopbackProbe(port: address.port, scheme: .plain, on: loops)
                for round in 0..<20 {
                    let value = #"{"client":\#(client),"round":\#(round)}"#
                    let put = #"{"puts":[{"type":"json","value":\#(value)}]}"#
                    let head =
                        "POST /cache HTTP/1.1\r\nHost: localhost:\(address.port)\r\nContent-Length: \(put.utf8.count)"
                    let written = try probe.exchange(Array("\(head)\r\n\r\n\(put)".utf8))
                    let id =
                        try JSONReader.read(written.body)["responses"]?.arrayValue?.first?["uuid"]?.stringValue ?? ""
                    let read = try probe.exchange(
                        Array("GET /cache?uuid=\(id) HTTP/1.1\r\nHost: localhost:\(address.port)\r\n\r\n".utf8))
                    if read.body != Array(value.utf8) {
                        failures.withLock { $0.append("\(client) \(round) \(read.status)") }
                    }
                }
            } catch {
                failures.withLock { $0.append("\(client): \(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func headGetsNoBodyWhateverIsAnswered() throws {
        for (line, fields, status) in [
            ("HEAD /a", "", 200), ("HEAD /unknown", "", 404), ("HEAD /cache", "", 400), ("HEAD /status", "", 204),
            ("HEAD /a", "Transfer-Encoding: chunked\r\n", 400), ("HEAD /a", "Content-Length: 9999999\r\n", 413),
        ] {
            let probe = try probe()
            #expect(try probe.exchange(request(line, fields), isHead: true).status == status)
            // A body would be parsed as the start of the next answer.
            if status < 405, fields.isEmpty { #expect(try probe.exchange(request("GET /a")).status == 200) }
        }
    }

    @Test func aPreflightIsAllowedAndTheWriteBehindItIsNot() throws {
        let probe = try probe()
        let preflight = try probe.exchange(
            request(
                "OPTIONS /cache",
                "Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
                    + "Access-Control-Request-Private-Network: true\r\n"))
        #expect(preflight.fields["transfer-encoding"] == nil && preflight.fields["content-length"] == nil)
        #expect(preflight.status == 204 && preflight.fields["access-control-allow-private-network"] == "true")
        #expect(preflight.fields["access-control-allow-methods"] == "GET, HEAD, POST, OPTIONS")
        let write = try probe.exchange(
            request("POST /cache", "Origin: https://evil.example\r\nContent-Length: 11\r\n", body: #"{"puts":[]}"#))
        #expect(write.status == 403 && write.fields["access-control-allow-origin"] == nil)
        // A foreign host name is rejected even here.
        let rebound = try probe.exchange(
            Array(
                "OPTIONS /a HTTP/1.1\r\nHost: evil.example:\(address.port)\r\nAccess-Control-Request-Private-Network: true\r\n\r\n"
                    .utf8))
        #expect(rebound.status == 403 && rebound.fields["access-control-allow-private-network"] == nil)
    }

    @Test func aHundredRequestsAtOnceAreAnsweredInTheirOrder() throws {
        let probe = try probe()
        let many = (0..<100).flatMap { request($0 % 3 == 0 ? "GET /a" : "GET /unknown") }
        var answers = [try probe.exchange(many)]
        for _ in 1..<100 { answers.append(try probe.exchange([])) }
        #expect(answers.map(\.status) == (0..<100).map { $0 % 3 == 0 ? 200 : 404 })
    }

    @Test func aClientThatSendsTenMegabytesGetsItsAnswer() throws {
        let head = request("POST /cache", "Content-Length: 10485760\r\n")
        let answer = try probe().exchange(head + [UInt8](repeating: 0x61, count: 10 << 20))
        #expect(answer.status == 413 && answer.reason == "Content Too Large")
    }

    @Test func whoExpectsToContinueMay() throws {
        let answer = try probe().exchange(
            request("POST /cache", "Content-Length: 11\r\nExpect: 100-continue\r\n", body: #"{"puts":[]}"#))
        #expect(answer.status == 200)
    }

    @Test func idleConnectionsAreClosed() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        configuration.idleLimit = .milliseconds(200)
        let hasty = LoopbackServer(shelf, configuration: configuration)
        let port = try hasty.start().port
        defer { hasty.stop() }
        #expect(try LoopbackProbe(port: port, scheme: .plain, on: loops).isClosed(within: .seconds(10)))
    }

    @Test func tlsWithoutACertificateIsClosed() throws {
        #expect(throws: LoopbackProbe.Problem.self) {
            try LoopbackProbe(port: address.port, scheme: .secure(authority: "", name: "localhost"), on: loops)
        }
    }

    /// A program that is started, as for the backtrace of a crash, does not keep the port.
    @Test func noProgramInheritsTheSockets() {
        let sockets = ListeningSockets.closeOnExec(port: address.port)
        #expect(!sockets.isEmpty && sockets.allSatisfy { $0 })
    }

    @Test func thereAreSixtyFourConnectionsAtMost() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        // No connection may be closed as idle while the others are being made.
        configuration.idleLimit = .seconds(600)
        let patient = LoopbackServer(shelf, configuration: configuration)
        let port = try patient.start().port
        defer { patient.stop() }
        func probe() throws -> LoopbackProbe { try LoopbackProbe(port: port, scheme: .plain, on: loops) }
        let request = Array("GET /a HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)
        let probes = try (0..<LoopbackRules.maximumConnections).map { _ in try probe() }
        for probe in probes { #expect(try probe.exchange(request).status == 200) }
        let surplus = try probe().exchange(request)
        #expect(surplus.status == 503)
        #expect(String(decoding: surplus.body, as: UTF8.self) == "Too many connections")
        #expect(try #require(probes.last).exchange(request).status == 200)
    }

    @Test func startingAgainChangesNothingAndAStoppedServerStaysStopped() throws {
        #expect(try server.start() == address)
        let other = LoopbackServer(shelf, configuration: LoopbackServer.Configuration())
        other.stop()
        other.stop()
        #expect(throws: CreativeServerError.self) { try other.start() }
    }

    @Test func aTakenPortIsSaid() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = address.port
        #expect(throws: CreativeServerError.cannotListen(ListenProblem(port: address.port, code: EADDRINUSE))) {
            try LoopbackServer(shelf, configuration: configuration).start()
        }
    }
}
