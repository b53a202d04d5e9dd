import AsyncHTTPClient
import Locks
import NIOCore
import Ports
import ScriptedServers
import Testing

@testable import Live

/// HTTP/2 (RFC 9113), for the documents of a stream and for nothing else.
@Suite(.enabled(if: CertificateFolder.openssl != nil, "there is no openssl program")) struct HTTP2Tests {
    private func transport(
        trusting folder: CertificateFolder, _ change: (inout ConnectionPlan) throws -> Void = { _ in }
    ) throws -> LiveHTTPTransport {
        var plan = ConnectionPlan()
        try plan.tls.trust(file: folder.file("ca.pem"))
        try change(&plan)
        return LiveHTTPTransport(plan: plan)
    }

    private func request(_ url: String, _ audience: HTTPRequest.Audience) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        request.audience = audience
        return request
    }

    @Test func documentsOfAStreamShareAConnection() async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder)
        let transport = try transport(trusting: folder)
        for path in ["/a", "/caf%E9%25?b=%2525"] {
            let exchange = await transport.send(try request(server.url(path), .stream))
            #expect(exchange.failure == nil)
            #expect(String(decoding: exchange.body, as: UTF8.self) == "answer to \(path)")
            #expect(exchange.version == .two)
            #expect(exchange.timings.wait != nil && exchange.timings.connect != nil)
        }
        #expect(server.requests == ["GET /a 2", "GET /caf%E9%25?b=%2525 2"])
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }

    /// A beacon has its connection, so it is known whether it was written, and no playlist delays it.
    @Test(arguments: [HTTPRequest.Audience.tracker, .other]) func nothingElseUsesIt(_ audience: HTTPRequest.Audience)
        async throws
    {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder)
        let transport = try transport(trusting: folder)
        _ = await transport.send(try request(server.url("/list"), .stream))
        let exchange = await transport.send(try request(server.url("/beacon"), audience))
        #expect(exchange.version == .one)
        #expect(server.requests == ["GET /list 2", "GET /beacon 1"])
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }

    /// The library secures only the connections that it opens itself.
    @Test func aChosenAddressUsesHTTP1() async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder)
        let transport = try transport(trusting: folder) { plan in
            try plan.overrides.addConnection("localhost:443:127.0.0.1:\(server.port)")
        }
        let exchange = await transport.send(try request("https://localhost/list", .stream))
        #expect(exchange.version == .one)
        await transport.shutdown()
    }

    @Test(arguments: [HTTP2Server.Reply.resetStream, .closeConnection])
    func aStreamThatEndsEarlyIsAFailure(_ reply: HTTP2Server.Reply) async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder) { path in path == "/bad" ? reply : .body("good") }
        let transport = try transport(trusting: folder)
        let bad = await transport.send(try request(server.url("/bad"), .stream))
        #expect(bad.failure != nil && bad.status == nil)
        ErrorTextTests.expectOurs(bad.failure?.message ?? "", of: "\(reply)")
        var good = await transport.send(try request(server.url("/good"), .stream))
        // The pool may give out a closed connection, before it hears that it has gone.
        for _ in 0..<5 where good.failure != nil {
            good = await transport.send(try request(server.url("/good"), .stream))
        }
        #expect(good.status == 200 && good.version == .two)
        await transport.shutdown()
    }

    /// A document that was lost with the connection that had brought another is requested on a new one, in the same version.
    @Test func aLostDocumentIsRequestedAgain() async throws {
        let folder = try CertificateFolder()
        let losses = Locked(1)
        let server = try await HTTP2Server(folder) { path in
            guard path == "/lost" else { return .body("kept") }
            return losses.withLock { losses in
                defer { losses -= 1 }
                return losses > 0 ? .closeConnection : .body("good")
            }
        }
        let transport = try transport(trusting: folder)
        #expect(await transport.send(try request(server.url("/kept"), .stream)).status == 200)
        let exchange = await transport.send(try request(server.url("/lost"), .stream))
        #expect(exchange.failure == nil && exchange.body == Array("good".utf8) && exchange.version == .two)
        #expect(server.requests == ["GET /kept 2", "GET /lost 2", "GET /lost 2"])
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }

    /// After a change of the network nothing comes over a connection that is still open. One that carries other answers is kept.
    @Test(arguments: [false, true]) func aSilentConnectionIsLeft(hasOtherAnswers: Bool) async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder) { path in
            path == "/silent" ? (hasOtherAnswers ? .silence : .deafness) : .body("good")
        }
        let transport = try transport(trusting: folder)
        let good = try request(server.url("/good"), .stream)
        var silent = try request(server.url("/silent"), .stream)
        silent.totalTimeout = .milliseconds(1_300)
        #expect(await transport.send(good).status == 200)
        let order = silent
        async let given = transport.send(order)
        if hasOtherAnswers {
            repeat { _ = await transport.send(good) } while !server.requests.contains("GET /silent 2")
            _ = await transport.send(good)
        }
        let failed = await given
        #expect(failed.failure?.kind == .timeout)
        var next = await transport.send(good)
        // The pool may give out a closed connection, before it hears that it has gone.
        for _ in 0..<5 where next.failure != nil { next = await transport.send(good) }
        #expect(next.status == 200 && next.version == .two)
        #expect(server.connectionCount == (hasOtherAnswers ? 1 : 2))
        await transport.shutdown()
    }

    /// A server that holds two requests has nothing to send, and its connection is sound: one that is given up on leaves the other.
    @Test func aHeldRequestKeepsItsConnection() async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder) { path in path == "/held" ? .silence : .body("good") }
        let transport = try transport(trusting: folder)
        let good = try request(server.url("/good"), .stream)
        #expect(await transport.send(good).status == 200)
        var (short, long) = (try request(server.url("/held"), .stream), try request(server.url("/held"), .stream))
        short.totalTimeout = .milliseconds(1_300)
        // Longer than the first one and the time for an answer.
        long.totalTimeout = .milliseconds(2_900)
        let (first, second) = (short, long)
        async let other = transport.send(second)
        let failed = await transport.send(first)
        let held = await other
        #expect(failed.failure?.kind == .timeout && held.failure?.kind == .timeout, "\(held)")
        #expect(await transport.send(good).status == 200)
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }

    /// The check of the peer holds for both protocols: the name leads here only after it was resolved.
    @Test func aPeerHereIsNotPublic() async throws {
        let folder = try CertificateFolder()
        let server = try await HTTP2Server(folder)
        let transport = try transport(trusting: folder)
        var request = try request(server.url("/list"), .stream)
        let plain = transport.parts.plain
        let client = plain.client(for: request, .kept, reach: .publicOnly)
        #expect(client !== plain.client(for: request, .kept, reach: .anywhere))
        request.addressRule = .publicOnly
        let exchange = await transport.send(request)
        #expect(exchange.failure?.kind == .addressNotAllowed)
        await #expect(throws: HTTPFailure.self) {
            _ = try await client.get(url: request.url.text).get()
        }
        #expect(server.requests.isEmpty)
        await transport.shutdown()
    }
}
