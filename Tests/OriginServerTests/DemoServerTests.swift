import Foundation
import Locks
import Ports
import TestSupport
import Testing

@testable import DemoOrigin
@testable import OriginServer

/// The server over real loopback sockets, with a fixed clock and without waiting.
@Suite struct DemoServerTests {
    /// The delays that the server requested.
    private final class Pauses: Sendable {
        private let asked = Locked<[Duration]>([])

        var all: [Duration] { asked.withLock { $0 } }

        func add(_ duration: Duration) { asked.withLock { $0.append(duration) } }
    }

    private func serving(
        _ name: String, pauses: Pauses = Pauses(),
        _ body: (DemoServer, LoopbackClient, DemoServer.Address) async throws -> Void
    ) async throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        let server = DemoServer(
            DemoServer.Configuration(scenario: scenario), clock: { Int64(tenOClockMs) }, pause: { pauses.add($0) })
        let address = try await server.start()
        do {
            try await body(server, LoopbackClient(port: address.port), address)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func aViewersWay() async throws {
        try await serving("rush") { server, client, address in
            #expect(address.streamURL == "http://127.0.0.1:\(address.port)/variant/v1/hls/index.m3u8")
            let start = await client.get("/variant/v1/hls/index.m3u8?initSession=true")
            let session = SessionId.make(seed: 1, index: 0)
            #expect(start.status == 200)
            #expect(start.head.lowercased().contains("content-type: application/json"))
            #expect(start.body.contains("./metadata?sessid=\(session)"))

            let stream = try #require(server.stream)
            let playlist = await client.get("/variant/v1/hls/01.m3u8?sessid=\(session)")
            #expect(playlist.body == MediaPlaylistText(stream: stream, file: "01", nowMs: tenOClockMs, root: "").text)
            #expect(playlist.head.lowercased().contains("content-length: \(playlist.body.utf8.count)"))

            let metadata = await client.get("/variant/v1/hls/metadata?sessid=\(session)")
            let origin = "http://127.0.0.1:\(address.port)"
            let expected = MetadataText(stream: stream, session: session, origin: origin).document(at: tenOClockMs)
            #expect(metadata.body == expected.text)

            let event = try #require(FirstEvent(in: expected))
            let url = event.url
            let beacon = String(url.dropFirst(origin.count))
            #expect(await client.get(beacon).status == 204)
            #expect(await client.get(beacon).status == 204)
            let receipts = await client.get("/receipts?event=\(event.name)")
            #expect(receipts.body.hasPrefix(#"{"schema":"adtop-receipts/1","count":2,"duplicates":1,"#))
            #expect(server.receipts.map(\.isDuplicate) == [false, true])
            #expect(server.receipts.map(\.userAgent) == ["test/1", "test/1"])
        }
    }

    /// A connection that is accepted and not yet taken when the server stops must not end the process.
    @Test func connectionsMayArriveWhileItStops() async throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        for _ in 0..<60 {
            let server = DemoServer(DemoServer.Configuration(scenario: scenario), clock: { Int64(tenOClockMs) })
            let client = LoopbackClient(port: try await server.start().port)
            await withTaskGroup(of: LoopbackClient.Outcome.self) { group in
                for _ in 0..<24 { group.addTask { await client.request("GET", "/receipts") } }
                _ = await group.next()
                await server.stop()
            }
            #expect(await client.request("GET", "/receipts") == .refused)
        }
    }

    /// Clients that send nothing more, or half a request, would use up the files of the process.
    @Test func connectionsWithoutARequestAreClosed() async throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        var configuration = DemoServer.Configuration(scenario: scenario)
        configuration.idleLimit = .milliseconds(500)
        let server = DemoServer(configuration, clock: { Int64(tenOClockMs) })
        let client = LoopbackClient(port: try await server.start().port)
        let answered = await client.request("GET", "/healthz", keepsAlive: true)
        let half = await client.request("POST", "/healthz HTTP/1.1\r\nContent-Length: 9\r\nX-Half:")
        await server.stop()
        guard case .closed(let text) = answered else {
            Issue.record("\(answered)")
            return
        }
        #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("ok\n"))
        #expect(half != .timedOut)
    }

    @Test func noProgramInheritsTheSocket() async throws {
        try await serving("rush") { _, _, address in
            #expect(ListeningSockets.closeOnExec(port: address.port) == [true])
        }
    }

    /// A reader learns of the receipts; those that came before it took the last element are one.
    @Test(.timeLimit(.minutes(1))) func readersLearnOfReceipts() async throws {
        try await serving("rush") { server, client, _ in
            var arrivals = server.receiptArrivals().makeAsyncIterator()
            await arrivals.next()
            for index in 1...3 { _ = await client.get("/beacon/rush?break=7&ad=sneakers-7&event=start&n=\(index)") }
            await arrivals.next()
            #expect(server.receipts.count == 3)
            _ = await client.get("/beacon/rush?break=7&ad=sneakers-7&event=complete&n=1")
            await arrivals.next()
            #expect(server.receipts.count == 4)
        }
    }

    @Test func segmentsComeWhole() async throws {
        try await serving("rush") { server, client, _ in
            let stream = try #require(server.stream)
            let number = stream.window(at: tenOClockMs).lowerBound
            let segment = await client.get("/variant/v1/hls/01/seg-\(number).ts")
            #expect(segment.head.lowercased().contains("content-length: 1504\r\n"))
        }
    }

    @Test func headHasNoBodyAndTheLengthOfGet() async throws {
        try await serving("rush") { _, client, _ in
            let (head, get) = (await client.get("/healthz", method: "HEAD"), await client.get("/healthz"))
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.head.lowercased().contains("content-length: \(get.body.utf8.count)"))
            #expect(get.body == "ok\n")
        }
    }

    @Test func theRedirectIsARealOne() async throws {
        try await serving("redirected-init") { _, client, _ in
            let first = await client.get("/variant/v1/hls/index.m3u8?initSession=true")
            #expect(first.status == 307)
            let session = SessionId.make(seed: 1, index: 0)
            let target = "/pmm-0/variant/v1/hls/index.m3u8?sessid=\(session)&vosad_inst_id=pmm-0&initSession=true"
            #expect(first.head.lowercased().contains("location: \(target.lowercased())"))
            #expect(await client.get(target).body.contains("\"manifestUrl\""))
        }
    }

    @Test func aSlowTrackerWaitsAsLongAsTheScenarioSays() async throws {
        let pauses = Pauses()
        try await serving("flaky-trackers", pauses: pauses) { _, client, _ in
            let answer = await client.get("/beacon/flaky-trackers?break=7&ad=busy-7&event=firstQuartile&n=1")
            #expect(answer.status == 204)
        }
        #expect(pauses.all == [.milliseconds(3_000)])
    }

    @Test func aResetIsAResetAndACloseIsAClose() async throws {
        try await serving("flaky-trackers") { server, client, _ in
            let reset = await client.request("GET", "/beacon/flaky-trackers?break=7&ad=busy-7&event=midpoint&n=1")
            #expect(reset == .reset(""))
            let closed = await client.request("GET", "/beacon/flaky-trackers?break=7&ad=broken-7&event=midpoint&n=1")
            #expect(closed == .closed(""))
            #expect(server.receipts.map(\.status) == [nil, nil])
            // The second attempt of the first beacon is accepted; the dropped connection did not harm the server.
            let again = await client.get("/beacon/flaky-trackers?break=7&ad=busy-7&event=midpoint&n=1")
            #expect(again.status == 204)
        }
    }

    @Test func stopEndsAnAnswerThatWaits() async throws {
        let scenario = try #require(try BuiltinScenarios.load("flaky-trackers")).scenario
        let (waiting, began) = AsyncStream.makeStream(of: Void.self)
        let server = DemoServer(
            DemoServer.Configuration(scenario: scenario), clock: { Int64(tenOClockMs) },
            pause: { _ in
                began.yield()
                try await Task.sleep(for: .seconds(3_600))
            })
        let client = LoopbackClient(port: try await server.start().port)
        async let slow = client.request("GET", "/beacon/flaky-trackers?break=7&ad=busy-7&event=firstQuartile&n=1")
        for await _ in waiting { break }
        await server.stop()
        #expect(await slow != .timedOut)
        #expect(await client.request("GET", "/") == .refused)
    }

    @Test func stopEndsAConnectionThatIsKeptAlive() async throws {
        let (asked, told) = AsyncStream.makeStream(of: Void.self)
        let server = DemoServer(
            DemoServer.Configuration(scenario: .twoAds),
            clock: {
                told.yield()
                return Int64(tenOClockMs)
            })
        let client = LoopbackClient(port: try await server.start().port)
        async let kept = client.request("GET", "/healthz", keepsAlive: true)
        // The clock is read once for the start and once for the request.
        var readings = asked.makeAsyncIterator()
        for _ in 0..<2 { await readings.next() }
        await server.stop()
        let outcome = await kept
        #expect(outcome != .timedOut && outcome != .refused)
    }

    @Test func aServerStartsOnce() async throws {
        try await serving("rush") { server, _, _ in
            await #expect(throws: DemoServerError.alreadyStarted) { try await server.start() }
        }
    }

    @Test func twoServersCannotShareAPort() async throws {
        try await serving("rush") { server, _, address in
            var configuration = DemoServer.Configuration(scenario: try #require(server.stream).scenario)
            configuration.port = address.port
            let second = DemoServer(configuration, clock: { 0 })
            let taken = DemoServerError.cannotListen(ListenProblem(port: address.port, code: EADDRINUSE))
            await #expect(throws: taken) { try await second.start() }
            #expect("\(taken)".hasPrefix("port \(address.port) is taken on 127.0.0.1; "))
        }
    }

    @Test(arguments: [
        "0.0.0.0", "192.168.1.1", "example.com", "::", "128.0.0.1", "127.0.0", "127.0.0.1.1", "127.0.0.+1", "",
    ])
    func onlyLoopbackIsBound(host: String) async {
        var configuration = DemoServer.Configuration(scenario: .twoAds)
        configuration.host = host
        let server = DemoServer(configuration, clock: { 0 })
        await #expect(throws: DemoServerError.notLoopback(host)) { try await server.start() }
    }

    @Test func loopbackHasSeveralNames() {
        #expect(LoopbackHost.address("localhost") == "127.0.0.1")
        #expect(LoopbackHost.address("127.8.9.10") == "127.8.9.10")
        #expect(LoopbackHost.address("::1") == "::1")
        #expect(LoopbackHost.address("[::1]") == "::1")
    }

    @Test func aPortIsSixteenBits() async {
        var configuration = DemoServer.Configuration(scenario: .twoAds)
        configuration.port = 65_536
        let server = DemoServer(configuration, clock: { 0 })
        await #expect(throws: DemoServerError.badPort(65_536)) { try await server.start() }
    }
}
