import AdTracking
import Foundation
import Locks
import Ports
import ScriptedServers
import Testing

@testable import Live

/// The transport's contract over real loopback sockets against hand-written bytes.
@Suite struct LiveHTTPTransportTests {
    /// Runs `body` with a transport and a server, and ends both.
    private func withServer(
        greeting: [ScriptedServer.Step] = [],
        _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step],
        _ body: (LiveHTTPTransport, ScriptedServer) async throws -> Void
    ) async throws {
        let transport = LiveHTTPTransport()
        let server = try await ScriptedServer(greeting: greeting, script: script)
        do {
            try await body(transport, server)
        } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
        try await server.stop()
    }

    private func request(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL(url), maximumBodyBytes: 1 << 20)
        change(&request)
        return request
    }

    private func beacon(_ url: String) throws -> HTTPRequest {
        try request(url) { ($0.audience, $0.isSentOnce) = (.tracker, true) }
    }

    @Test func anAnswerHasStatusFieldsBodyAndPhases() async throws {
        try await withServer { _ in
            [.answer("404 Not Found", ["Content-Type: text/plain"], body: "gone")]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/a?b=c|d")) { $0.fields = [HTTPField("User-Agent", "adtop/x")] })
            #expect(exchange.status == 404)
            #expect(!exchange.isSuccess)
            #expect(exchange.failure == nil)
            #expect(exchange.contentType == "text/plain")
            #expect(exchange.body == Array("gone".utf8))
            #expect(exchange.bodyBytes == 4)
            #expect(exchange.finalURL == server.url("/a?b=c|d"))
            #expect(exchange.timings.resolve != nil && exchange.timings.connect != nil && exchange.timings.wait != nil)
            let head = try #require(server.requests.first?.head)
            #expect(head.contains("User-Agent: adtop/x"))
            #expect(head.contains("Accept-Encoding: gzip, deflate"))
        }
    }

    /// What is encoded is never encoded twice, whatever else a URL contains (RFC 3986 section 2.4).
    @Test(arguments: [
        ("/a%20b|c?u=a%20b|c", "/a%20b%7Cc?u=a%20b%7Cc"), ("/?v[]=%2F&w={x}", "/?v%5B%5D=%2F&w=%7Bx%7D"),
        ("/?u=%zz%2", "/?u=%25zz%252"), ("/a?b=c%7Cd&e='f'/?:@!$(,;)*+-._~#g", "/a?b=c%7Cd&e='f'/?:@!$(,;)*+-._~"),
        ("?u=%41", "/?u=%41"), ("/a//b/../c;d=1", "/a//b/../c;d=1"), ("/caf%E9/%fc?a=%E9", "/caf%E9/%fc?a=%E9"),
        ("/%00", "/%00"), ("/100%25/%2525?%25", "/100%25/%2525?%25"), ("/caf%C3%A9", "/caf%C3%A9"),
    ]) func escapesArriveAsTheyAre(_ written: String, _ sent: String) async throws {
        try await withServer { _ in
            [.answer()]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url(written)))
            #expect(exchange.status == 200)
            #expect(server.requests.map(\.line) == ["GET \(sent)"])
        }
    }

    @Test func connectionsGrowWithTheSessionsAndLeaveRoom() {
        let one = LiveHTTPTransport.connectionsPerHost
        #expect(LiveHTTPTransport.connections(sessions: 1, openFiles: 20_000) == one)
        #expect(LiveHTTPTransport.connections(sessions: 500, openFiles: 20_000) == one + 998)
        #expect(LiveHTTPTransport.connections(sessions: 500, openFiles: 1_024) == 512)
        #expect(LiveHTTPTransport.connections(sessions: .max, openFiles: .max) == .max / 2)
        #expect(LiveHTTPTransport.connections(sessions: 0, openFiles: 0) == one)
    }

    @Test func withoutAJarNoCookieGoesAnywhere() async throws {
        try await withServer { request in
            request.head.hasPrefix("GET /first")
                ? [.answer("302 Found", ["Set-Cookie: id=7", "Location: /second"])] : [.answer()]
        } _: { transport, server in
            _ = await transport.send(try request(server.url("/first")))
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { !$0.head.contains("Cookie:") })
        }
    }

    @Test func postSendsItsBody() async throws {
        try await withServer { _ in
            [.answer(body: "{}")]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/p")) {
                    $0.method = .post
                    $0.body = Array("x=1".utf8)
                })
            #expect(exchange.status == 200)
            #expect(server.requests.map(\.line) == ["POST /p"])
            #expect(server.requests.map(\.body) == ["x=1"])
        }
    }

    @Test func absoluteAndRelativeRedirectsAreFollowedAndRecorded() async throws {
        try await withServer { request in
            let port =
                request.head.split(separator: "\r\n").first { $0.hasPrefix("Host:") || $0.hasPrefix("host:") }?.split(
                    separator: ":"
                ).last ?? "0"
            switch request.line {
            case "GET /one":
                return [.answer("302 Found", ["Location: http://127.0.0.1:\(port)/dir/two?x=1"], body: "moved")]
            case "GET /dir/two?x=1": return [.answer("307 Temporary Redirect", ["Location: three"])]
            default: return [.answer(body: "here")]
            }
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/one")))
            #expect(exchange.hops.map(\.status) == [302, 307, 200])
            #expect(
                exchange.hops.map(\.url) == [server.url("/one"), server.url("/dir/two?x=1"), server.url("/dir/three")])
            #expect(exchange.body == Array("here".utf8))
            #expect(exchange.wasRedirected)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: [(303, "GET /next"), (302, "GET /next"), (307, "POST /next"), (308, "POST /next")])
    func onlySomeRedirectsKeepTheMethod(status: Int, expected: String) async throws {
        try await withServer { request in
            request.line == "POST /" ? [.answer("\(status) Redirect", ["Location: /next"])] : [.answer()]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/")) {
                    $0.method = .post
                    $0.fields = [HTTPField("Content-Type", "a/b"), HTTPField("Accept", "c/d")]
                    $0.body = [0x31]
                })
            #expect(exchange.status == 200)
            #expect(server.requests.last?.line == expected)
            #expect(server.requests.last?.body == (status >= 307 ? "1" : ""))
            #expect(server.requests.last?.head.contains("Content-Type: a/b") == (status >= 307))
            #expect(server.requests.last?.head.contains("Accept: c/d") == true)
        }
    }

    @Test func redirectLoopsEnd() async throws {
        try await withServer { _ in
            [.answer("301 Moved", ["Location: /again"])]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/again")))
            #expect(exchange.failure == HTTPFailure(.tooManyRedirects, "more than 5 redirects"))
            #expect(exchange.hops.count == 6)
            #expect(server.requests.count == 6)
            #expect(exchange.status == nil)
        }
    }

    /// Directly, and by way of another address; a ping is a beacon for the service of the stream.
    @Test(arguments: [["/a"], ["/b", "/a"]], [HTTPRequest.Audience.tracker, .stream])
    func aBeaconIsNotLedBackToWhereItArrived(_ course: [String], _ audience: HTTPRequest.Audience) async throws {
        let left = Locked(course)
        try await withServer { _ in
            [.answer("302 Found", ["Location: \(left.withLock { $0.isEmpty ? "/a" : $0.removeFirst() })"])]
        } _: { transport, server in
            var beacon = try beacon(server.url("/a"))
            beacon.audience = audience
            let exchange = await transport.send(beacon)
            #expect(exchange.failure == .redirectedBack)
            #expect(exchange.hops.count == course.count)
            #expect(server.requests.map(\.line).filter { $0 == "GET /a" }.count == 1)
        }
    }

    @Test func fiveRedirectsAreStillFollowed() async throws {
        try await withServer { request in
            let number = Int(request.line.dropFirst(5)) ?? 0
            return number < 5 ? [.answer("302 Found", ["Location: /\(number + 1)"])] : [.answer(body: "end")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/0")))
            #expect(exchange.status == 200)
            #expect(exchange.hops.count == 6)
        }
    }

    @Test func redirectsToOtherSchemesAreRejected() async throws {
        try await withServer { _ in
            [.answer("302 Found", ["Location: ftp://x/y"])]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure?.kind == .badRedirect)
            #expect(
                exchange.failure?.message == "redirected to an address that has the scheme 'ftp', not http or https")
        }
    }

    @Test func aRedirectWithoutLocationIsTheAnswer() async throws {
        try await withServer { _ in
            [.answer("302 Found", body: "?")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.status == 302)
            #expect(exchange.failure == nil)
        }
    }

    @Test func whiteSpaceBehindAFieldIsNoPartOfIt() async throws {
        try await withServer { request in
            request.line == "GET /next"
                ? [.answer("503 Service Unavailable", ["Retry-After: 7\t "])]
                : [.answer("302 Found", ["Location: \t/next  "])]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(server.requests.map(\.line) == ["GET /", "GET /next"])
            #expect(exchange.status == 503 && exchange.fields["retry-after"] == "7")
        }
    }

    @Test func aSilentServerTimesOut() async throws {
        try await withServer { _ in
            []
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")) { $0.totalTimeout = .seconds(1) })
            #expect(exchange.failure == HTTPFailure(.timeout, "no answer within 1 s"))
            #expect(exchange.timings.connect != nil)
            #expect(exchange.timings.wait == nil)
        }
    }

    @Test func anEndlessBodyTimesOut() async throws {
        try await withServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")) { $0.totalTimeout = .seconds(1) })
            #expect(exchange.failure == HTTPFailure(.timeout, "body did not end within 1 s"))
            #expect(exchange.hops.map(\.status) == [200])
            #expect(exchange.body == Array("half".utf8))
        }
    }

    @Test func aResetBeforeTheHeadIsAFailure() async throws {
        try await withServer { _ in
            [.reset]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure?.kind == .reset)
            #expect(exchange.hops.isEmpty)
        }
    }

    @Test func aResetInTheBodyIsAFailureThatKnowsItsStatus() async throws {
        try await withServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure == HTTPFailure(.reset, "connection closed in the middle of the body"))
            #expect(exchange.hops.map(\.status) == [200])
        }
    }

    /// A tracker has counted when it answers. What a service answers to a ping is read to its end.
    @Test(
        arguments: [
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close],
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")],
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), .close],
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n")],
        ] as [[ScriptedServer.Step]])
    func aBeaconIsAnsweredHoweverTheBodyEnds(_ answer: [ScriptedServer.Step]) async throws {
        try await withServer { _ in
            answer
        } _: { transport, server in
            var beacon = try beacon(server.url("/"))
            beacon.totalTimeout = .seconds(1)
            let counted = await transport.send(beacon)
            #expect(counted.status == 200 && counted.failure == nil)
            beacon.audience = .stream
            let ping = await transport.send(beacon)
            #expect(ping.status == nil && ping.failure != nil && ping.hops.map(\.status) == [200])
        }
    }

    /// The body of a redirect has no reader either.
    @Test func aRedirectOfABeaconIsFollowedHoweverItsBodyEnds() async throws {
        try await withServer { request in
            request.line == "GET /there"
                ? [.answer("404 Not Found")]
                : [.text("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 9\r\n\r\nhalf"), .close]
        } _: { transport, server in
            let exchange = await transport.send(try beacon(server.url("/")))
            #expect(exchange.hops.map(\.status) == [302, 404] && exchange.failure == nil)
        }
    }

    @Test func chunkedBodiesAreJoined() async throws {
        try await withServer { _ in
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.body == Array("abcde".utf8))
            #expect(exchange.failure == nil)
        }
    }

    @Test func aBodyWithoutLengthEndsWithTheConnection() async throws {
        try await withServer { _ in
            [.text("HTTP/1.0 200 OK\r\n\r\nall of it"), .close]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure == nil)
            #expect(exchange.body == Array("all of it".utf8))
        }
    }

    @Test func aLongBodyIsRejectedByItsLength() async throws {
        try await withServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure == HTTPFailure(.bodyTooLarge, "body is longer than 1048576 bytes"))
            #expect(exchange.hops.map(\.status) == [200])
            #expect(exchange.body.isEmpty)
        }
    }

    @Test func aLongBodyWithoutLengthIsReadNoFurther() async throws {
        let megabytes = String(repeating: "x", count: 20 << 20)
        try await withServer { _ in
            [.text("HTTP/1.0 200 OK\r\n\r\n" + megabytes), .close]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure?.kind == .bodyTooLarge)
            #expect(exchange.body.count == 1 << 20)
            #expect(exchange.bodyBytes < 8 << 20)
        }
    }

    @Test func aBeaconAnswerIsCutAndStillAnAnswer() async throws {
        let page = String(repeating: "y", count: 300_000)
        try await withServer { _ in
            [.answer(body: page)]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/")) {
                    $0.maximumBodyBytes = 1_000
                    $0.cutsLongBody = true
                })
            #expect(exchange.status == 200)
            #expect(exchange.isBodyCut)
            #expect(exchange.body.count == 1_000)
            #expect(exchange.bodyBytes > 1_000)
            #expect(server.requests.first?.head.contains("Accept-Encoding: identity") == true)
        }
    }

    /// The old name of gzip, several members, and deflate without the header of zlib (RFC 9110 section 8.4.1.3, RFC 1952 section 2.2).
    @Test(
        arguments: [
            ("gzip", helloGzip, 1), ("X-GZip", helloGzip, 1), ("gzip", helloGzip + helloGzip, 2),
            ("deflate", helloZlib, 1), ("deflate", Array(helloGzip[10..<20]), 1), ("gzip", [], 0),
        ] as [(String, [UInt8], Int)])
    func compressedBodiesAreInflated(coding: String, body: [UInt8], count: Int) async throws {
        try await withServer { _ in
            Self.compressedAnswer(body, coding: coding)
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            let text = String(repeating: "hello hello hello", count: count)
            #expect(exchange.failure == nil)
            #expect(String(decoding: exchange.body, as: UTF8.self) == text && exchange.bodyBytes == text.utf8.count)
            #expect(exchange.fields["content-encoding"] == coding)
        }
    }

    /// To ask again without compression would request an ad decision twice.
    @Test func aBodyThatCompressesWellIsRequestedOnce() async throws {
        let zeros = try #require(try await Self.gzip(zeros: 4 << 20))
        try await withServer { _ in
            Self.compressedAnswer(zeros)
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")) { $0.maximumBodyBytes = 8 << 20 })
            #expect(exchange.failure == nil)
            #expect(exchange.body == [UInt8](repeating: 0, count: 4 << 20))
            #expect(server.requests.count == 1)
        }
    }

    @Test func aCompressionBombIsRejected() async throws {
        let bomb = try #require(try await Self.gzip(zeros: 64 << 20))
        try await withServer { _ in
            Self.compressedAnswer(bomb)
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")) { $0.maximumBodyBytes = 8 << 20 })
            #expect(exchange.failure?.kind == .bodyTooLarge)
            #expect(exchange.body.count <= 8 << 20)
            #expect(server.requests.count == 1)
        }
    }

    /// The answer to a beacon has no reader: what arrived of it is one.
    @Test(
        arguments: [
            Array("this is not gzip at all".utf8), Array(helloGzip.dropLast()), helloGzip + [0x20], [0x1F],
        ], [false, true]) func brokenCompressionIsReported(body: [UInt8], isCut: Bool) async throws
    {
        try await withServer { _ in
            Self.compressedAnswer(body)
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")) { $0.cutsLongBody = isCut })
            #expect(exchange.status == (isCut ? 200 : nil))
            let broken = HTTPFailure(.protocolError, "compressed body is broken")
            #expect(exchange.failure == (isCut ? nil : broken))
        }
    }

    /// Where they differ the end of the answer is not known (RFC 9112 section 6.3); equal ones are one.
    @Test(arguments: ["", "Transfer-Encoding: chunked\r\n", "Server: a\n"]) func twoLengthsAreNamed(field: String)
        async throws
    {
        try await withServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\(field)\r\nok")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure == HTTPFailure(.protocolError, "answer has more than one Content-Length"))
        }
    }

    /// Some servers compress whatever a client accepts; others put words of their own before plain bodies. The answer to a beacon has no
    /// reader.
    @Test(
        arguments: [
            ("br", "br"), ("ZSTD", "zstd"), ("utf-8", nil), ("aws-chunked", nil), ("identity", nil), ("", nil),
        ] as [(String, String?)])
    func aCodingThatWasNotAskedForIsNamed(coding: String, named: String?) async throws {
        for audience in [HTTPRequest.Audience.stream, .tracker] {
            try await withServer { _ in
                [
                    .text("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 2\r\n\r\n"), .text("ok"),
                ]
            } _: { transport, server in
                let exchange = await transport.send(try request(server.url("/")) { $0.audience = audience })
                let message = named.map { "body has the content coding '\($0)', which was not asked for" }
                #expect(exchange.failure?.message == (audience == .tracker ? nil : message))
            }
        }
    }

    /// Half a playlist must not be taken for the whole one.
    @Test(arguments: [
        ("bytes 0-1/2", false, true), ("bytes 0-1/*", false, true), ("bytes 0-1/9", false, false),
        ("bytes 0-1/9", true, true),
    ])
    func aPartThatWasNotAskedForIsAFailure(range: String, isAskedFor: Bool, isTaken: Bool) async throws {
        try await withServer { _ in
            [.text("HTTP/1.1 206 Partial Content\r\nContent-Range: \(range)\r\nContent-Length: 2\r\n\r\nok")]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/")) { if isAskedFor { $0.fields.append(HTTPField("Range", "bytes=0-1")) } })
            #expect((exchange.failure == nil) == isTaken)
            #expect(isTaken || exchange.failure?.message == "answer is a part (206) that was not asked for")
        }
    }

    @Test func connectionsAreUsedAgain() async throws {
        try await withServer { _ in
            [.answer(body: "x")]
        } _: { transport, server in
            let request = try request(server.url("/"))
            for _ in 0..<5 { #expect(await transport.send(request).status == 200) }
            #expect(server.connectionCount == 1)
            #expect(server.requests.count == 5)
        }
    }

    /// What is written to a connection that its server closes is lost, and many servers close after an answer without saying so.
    @Test func noBeaconIsLostWhereAServerClosesAfterEachAnswer() async throws {
        try await withServer { _ in
            [.answer(body: "x"), .close]
        } _: { transport, server in
            let request = try beacon(server.url("/"))
            let answered = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<60 { group.addTask { await transport.send(request).status == 200 } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(answered == 60)
            #expect(server.requests.count == 60)
        }
    }

    @Test func aBeaconSharesItsConnectionWithNothing() async throws {
        try await withServer { _ in
            [.answer(body: "x")]
        } _: { transport, server in
            let (document, beacon) = (try request(server.url("/")), try beacon(server.url("/")))
            for request in [document, beacon, beacon] { #expect(await transport.send(request).status == 200) }
            #expect(server.requests.map(\.connection) == [0, 1, 2])
            #expect(server.requests.map { $0.head.contains("Connection: close") } == [false, true, true])
        }
    }

    @Test(arguments: [20, 100_000]) func interimAnswersAreBounded(_ count: Int) async throws {
        try await withServer { _ in
            let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: count)
            return [.text(interim), .answer(body: "x")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.status == (count == 20 ? 200 : nil))
            #expect(exchange.failure?.message == (count == 20 ? nil : "more than 64 interim answers (1xx)"))
        }
    }

    @Test func manyRequestsRunAtOnce() async throws {
        try await withServer { _ in
            [.answer(body: "x")]
        } _: { transport, server in
            let request = try request(server.url("/"))
            let good = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<200 { group.addTask { await transport.send(request).status == 200 } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(good == 200)
            #expect(server.connectionCount <= LiveHTTPTransport.connectionsPerHost)
        }
    }

    @Test func cancellingGivesACancelledFailure() async throws {
        try await withServer { _ in
            []
        } _: { transport, server in
            let request = try request(server.url("/"))
            let task = Task { await transport.send(request) }
            try await server.wait(for: "the request") { !$0.isEmpty }
            task.cancel()
            #expect(await task.value.failure?.kind == .cancelled)
        }
    }

    @Test func aRefusedConnectionIsReportedImmediately() async throws {
        let transport = LiveHTTPTransport()
        let server = try await ScriptedServer { _ in [] }
        let url = server.url("/")
        try await server.stop()
        let exchange = await transport.send(try request(url))
        #expect(exchange.failure == HTTPFailure(.connect, "connection refused"))
        await transport.shutdown()
    }

    @Test func unknownHostsAreReported() async throws {
        let transport = LiveHTTPTransport()
        let exchange = await transport.send(try request("http://no-such-host.invalid/"))
        #expect(exchange.failure?.kind == .resolve)
        await transport.shutdown()
    }

    @Test func textThatIsNotHTTPIsReported() async throws {
        // In answer to the request: a text that comes before it may close the connection first, which is another failure.
        try await withServer { _ in
            [.text("500 Syntax error, command unrecognized\r\n")]
        } _: { transport, server in
            let exchange = await transport.send(try request(server.url("/")))
            #expect(exchange.failure == HTTPFailure(.protocolError, "answer is not HTTP"))
        }
    }

    @Test func aServerWithoutTLSIsReported() async throws {
        try await withServer(greeting: [.text("HTTP/1.1 400 Bad Request\r\n\r\n")]) { _ in
            []
        } _: { transport, server in
            let exchange = await transport.send(try request("https://127.0.0.1:\(server.port)/"))
            #expect(exchange.failure?.kind == .tls)
            #expect(exchange.failure?.message == "server does not speak TLS")
        }
    }

    /// One connection that fails takes along all requests that wait for one to the host. Nothing of them was written.
    @Test func aConnectionLostInTheHandshakeTakesNoBeaconAlong() async throws {
        try await withServer(greeting: [.reset]) { _ in
            []
        } _: { transport, server in
            let request = try beacon("https://127.0.0.1:\(server.port)/")
            let failures = await withTaskGroup(of: HTTPFailure?.self) { group in
                for _ in 0..<10 { group.addTask { await transport.send(request).failure } }
                return await group.reduce(into: [HTTPFailure?]()) { $0.append($1) }
            }
            #expect(failures.count == 10)
            #expect(failures.allSatisfy { $0?.kind == .tls || $0?.kind == .connect }, "\(failures)")
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func publicRequestsNeverReachLoopback(host: String) async throws {
        try await withServer { _ in
            [.answer()]
        } _: { transport, server in
            let exchange = await transport.send(
                try request("http://\(host):\(server.port)/") { $0.addressRule = .publicOnly })
            #expect(exchange.failure?.kind == .addressNotAllowed)
            #expect(server.requests.isEmpty)
            #expect(server.connectionCount == 0)
        }
    }

    /// Beacons of a loopback session that fires by default: collectors on this machine are reached, by address and by name.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func loopbackRequestsReachThisMachine(host: String) async throws {
        try await withServer { _ in
            [.answer()]
        } _: { transport, server in
            let exchange = await transport.send(
                try request("http://\(host):\(server.port)/") { $0.addressRule = .loopbackOnly })
            #expect(exchange.failure == nil && exchange.status == 200)
            #expect(server.requests.count == 1)
        }
    }

    /// A name that resolves to loopback may resolve otherwise for the connection, so names other than `localhost` are not
    /// requested; a redirect leads nowhere else either.
    @Test(arguments: ["192.0.2.1", "10.0.0.1", "tracker.example"])
    func loopbackRequestsReachNothingElse(host: String) async throws {
        try await withServer { request in
            [.answer("302 Found", ["Location: http://\(host):\(request.line.dropFirst(6))/there"])]
        } _: { transport, server in
            transport.resolver.remember([.v4(0x7F00_0001)], for: "tracker.example")
            let direct = await transport.send(
                try request("http://\(host):\(server.port)/there") { $0.addressRule = .loopbackOnly })
            #expect(direct.failure?.kind == .addressNotAllowed)
            #expect(direct.failure?.message == "\(host) is not on this machine; --fire sends to it")
            #expect(server.requests.isEmpty)
            let redirected = await transport.send(
                try request(server.url("/?\(server.port)")) { $0.addressRule = .loopbackOnly })
            #expect(redirected.failure?.kind == .addressNotAllowed)
            #expect(server.requests.map(\.line) == ["GET /?\(server.port)"])
        }
    }

    /// The gate of a beacon judges every hop: another host and http after https are not requested.
    @Test(arguments: [(["127.0.0.1"], false), (["localhost"], true), (nil, true)] as [(Set<String>?, Bool)])
    func redirectsStayWithinTheAllowedHosts(_ allowed: Set<String>?, _ isFollowed: Bool) async throws {
        try await withServer { request in
            request.line == "GET /there"
                ? [.answer()]
                : [.answer("302 Found", ["Location: http://localhost:\(request.line.dropFirst(6))/there"])]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/?\(server.port)")) {
                    $0.redirectRule = RedirectRule(allowedHosts: allowed, allowsDowngrade: false)
                })
            #expect(exchange.failure?.kind == (isFollowed ? nil : .addressNotAllowed))
            #expect(server.requests.count == (isFollowed ? 2 : 1))
        }
    }

    @Test func httpsNeverFallsToHTTP() throws {
        let rule = RedirectRule(allowedHosts: nil, allowsDowngrade: false)
        let (secure, plain) = (try WebURL("https://t.example/a"), try WebURL("http://t.example/a"))
        #expect(
            rule.failure(from: secure, to: plain) == HTTPFailure(.addressNotAllowed, "redirected from https to http"))
        #expect(rule.failure(from: plain, to: secure) == nil && rule.failure(from: plain, to: plain) == nil)
        #expect(RedirectRule.any.failure(from: secure, to: plain) == nil)
    }

    /// An ad segment of a service that reports by it: the address that leads there is requested, the segment is not.
    @Test(arguments: [true, false]) func noRedirectLeadsToAReport(isRuled: Bool) async throws {
        let target = "/v1/segment/9f8e7d6c5b4a3928/cfg/s/0/1"
        try await withServer { request in
            request.line == "GET /seg1.ts" ? [.answer("302 Found", ["Location: \(target)"])] : [.answer()]
        } _: { transport, server in
            let exchange = await transport.send(
                try request(server.url("/seg1.ts")) { if isRuled { $0.redirectRule.reports = ProviderTable.self } })
            #expect(exchange.failure?.kind == (isRuled ? .redirectToReport : nil))
            #expect(server.requests.map(\.line) == ["GET /seg1.ts"] + (isRuled ? [] : ["GET \(target)"]))
        }
    }

    /// The host that a person typed may have any address; what it redirects to may not.
    @Test(arguments: ["127.0.0.1", "localhost"]) func aTypedHostIsTrustedByItself(_ target: String) async throws {
        try await withServer { request in
            request.line == "GET /there"
                ? [.answer()]
                : [.answer("302 Found", ["Location: http://\(target):\(request.line.dropFirst(6))/there"])]
        } _: { transport, server in
            let exchange = await transport.send(
                try request("http://127.0.0.1:\(server.port)/?\(server.port)") {
                    $0.addressRule = .publicOnly
                    $0.trustedHost = "127.0.0.1"
                })
            #expect(exchange.failure?.kind == (target == "127.0.0.1" ? nil : .addressNotAllowed))
        }
    }

    /// A host that a person allowed may have any address; what it redirects to may not.
    @Test(arguments: ["127.0.0.1", "localhost"]) func anAllowedHostMayBePrivate(_ target: String) async throws {
        try await withServer { request in
            request.line == "GET /there"
                ? [.answer()]
                : [.answer("302 Found", ["Location: http://\(target):\(request.line.dropFirst(6))/there"])]
        } _: { transport, server in
            let exchange = await transport.send(
                try request("http://localhost:\(server.port)/?\(server.port)") {
                    $0.addressRule = .publicOnly(except: ["LocalHost"])
                })
            #expect(exchange.failure?.kind == (target == "localhost" ? nil : .addressNotAllowed))
            #expect(server.requests.count == (target == "localhost" ? 2 : 1))
        }
    }

    /// DNS rebinding: the name resolved to a public address when it was checked, and to loopback when connecting.
    @Test func thePeerOfAPublicRequestIsCheckedToo() async throws {
        try await withServer { _ in
            [.answer()]
        } _: { transport, server in
            transport.resolver.remember([.v4(0x0808_0808)], for: "localhost")
            let exchange = await transport.send(
                try request("http://localhost:\(server.port)/") { $0.addressRule = .publicOnly })
            #expect(exchange.failure?.kind == .addressNotAllowed)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aFailedRequestDoesNotSpoilTheNext() async throws {
        try await withServer { request in
            request.line == "GET /bad" ? [.reset] : [.answer(body: "fine")]
        } _: { transport, server in
            let (bad, good) = (try request(server.url("/bad")), try request(server.url("/good")))
            #expect(await transport.send(bad).failure != nil)
            #expect(await transport.send(good).status == 200)
        }
    }

    private static func compressedAnswer(_ body: [UInt8], coding: String = "gzip") -> [ScriptedServer.Step] {
        [
            .text("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"),
            .send(body),
        ]
    }

    /// `hello hello hello`
    private static let helloGzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9,
        0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00, 0x80, 0x88, 0xF9, 0xE5, 0x11, 0x00, 0x00, 0x00,
    ]

    /// The same with the header and checksum of zlib.
    private static let helloZlib: [UInt8] = [0x78, 0x9C] + helloGzip[10..<20] + [0x3A, 0x2E, 0x06, 0x7D]

    /// Zeros compressed by the gzip program; nil if it is not installed.
    private static func gzip(zeros count: Int) async throws -> [UInt8]? {
        try await Tool.run("/bin/sh", ["-c", "head -c \(count) /dev/zero | gzip -9"])
    }
}
