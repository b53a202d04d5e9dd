import CreativeCache
import CreativeServer
import Foundation
import Ports
import TestSupport
import Testing

/// Over real sockets; the vectors run in adtopConformanceTests, plain and over TLS.
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
        configuration.idleLimit = .milliseconds(200)
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

    @Test func aBodyEndsWhereTheNextRequestBegins() throws {
        let probe = try probe()
        let body = #"{"puts":[]}"#
        let write = request("POST /cache", "Content-Length: \(body.utf8.count)\r\n", body: body)
        let answer = try probe.exchange(write + request("get /a"))
        #expect(answer.status == 200)
        // The answer to the second came with the first, or comes now with that to the third.
        #expect(try probe.exchange(request("GET /unknown")).status == 200)
    }

    @Test func piecesMakeARequest() throws {
        let probe = try probe()
        let bytes = request("GET /a")
        // Nothing is answered to half a head: the exchange that completes it gets the answer.
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
        #expect(try probe().isClosed(within: .seconds(10)))
    }

    @Test func tlsWithoutACertificateIsClosed() throws {
        #expect(throws: LoopbackProbe.Problem.self) {
            try LoopbackProbe(port: address.port, scheme: .secure(authority: "", name: "localhost"), on: loops)
        }
    }

    @Test func thereAreSixtyFourConnectionsAtMost() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = 0
        // None of them may be closed for being idle while the others are made.
        configuration.idleLimit = .seconds(600)
        let patient = LoopbackServer(shelf, configuration: configuration)
        let port = try patient.start().port
        defer { patient.stop() }
        func probe() throws -> LoopbackProbe { try LoopbackProbe(port: port, scheme: .plain, on: loops) }
        let request = Array("GET /a HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n".utf8)
        let probes = try (0..<LoopbackRules.maximumConnections).map { _ in try probe() }
        for probe in probes { #expect(try probe.exchange(request).status == 200) }
        #expect(throws: LoopbackProbe.Problem.self) { try probe().exchange(request) }
        #expect(try #require(probes.last).exchange(request).status == 200)
    }

    @Test func aTakenPortIsSaid() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.port = address.port
        #expect(throws: CreativeServerError.portTaken(address.port)) {
            try LoopbackServer(shelf, configuration: configuration).start()
        }
    }
}
