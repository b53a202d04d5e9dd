import Foundation
import Locks
import Ports
import ScriptedServers
import Testing

@testable import Live

/// `--timeout` and `--max-rate`.
@Suite struct RequestLimitTests {
    @Test func theTimeoutIsForTheWholeRequestAndTheHoldComesOnTop() throws {
        var request = HTTPRequest(url: try WebURL("http://h.example/"), maximumBodyBytes: 1)
        #expect(request.limited(by: nil) == request)
        #expect(request.limited(by: .seconds(2)).totalTimeout == .seconds(2))
        #expect(request.limited(by: .seconds(2)).connectTimeout == .seconds(2))
        #expect(request.limited(by: .seconds(60)).connectTimeout == Limits.connectTimeout)
        request.hold = .seconds(18)
        #expect(request.limited(by: .seconds(2)).totalTimeout == .seconds(20))
    }

    @Test func aSlowServerIsCutOff() async throws {
        let server = try await ScriptedServer { _ in [] }
        var plan = ConnectionPlan()
        plan.timeout = .milliseconds(200)
        let transport = LiveHTTPTransport(plan: plan)
        let exchange = await transport.send(
            HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10))
        await transport.shutdown()
        #expect(exchange.failure == HTTPFailure(.timeout, "no answer within 200 ms"))
    }

    /// With one request each 100 ms, six take half a second at least. `PaceQueueTests` have the order.
    @Test func theRateHoldsForBeaconsAndOthers() async throws {
        let server = try await ScriptedServer(hasOneThread: true) { _ in [.answer()] }
        var plan = ConnectionPlan()
        plan.maximumRate = 10
        let transport = LiveHTTPTransport(plan: plan)
        let begin = ContinuousClock.now
        let first = HTTPRequest(url: try WebURL(server.url("/first")), maximumBodyBytes: 10)
        #expect(await transport.send(first).status == 200)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                var request = first
                request.url = (try? WebURL(server.url("/\(number)"))) ?? request.url
                let order = request
                group.addTask { #expect(await transport.send(order).status == 200) }
            }
            var beacon = first
            beacon.audience = .tracker
            beacon.url = (try? WebURL(server.url("/beacon"))) ?? beacon.url
            let order = beacon
            group.addTask { #expect(await transport.send(order).status == 200) }
        }
        await transport.shutdown()
        #expect(ContinuousClock.now - begin >= .milliseconds(500))
        #expect(server.requests.count == 6)
    }

    @Test func redirectsCount() async throws {
        let server = try await ScriptedServer { request in
            request.line == "GET /" ? [.answer("302 Found", ["Location: /there"])] : [.answer()]
        }
        var plan = ConnectionPlan()
        plan.maximumRate = 5
        let transport = LiveHTTPTransport(plan: plan)
        let begin = ContinuousClock.now
        let exchange = await transport.send(HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10))
        await transport.shutdown()
        #expect(exchange.status == 200 && exchange.wasRedirected)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
    }

    @Test func aRequestThatWaitsCanBeCancelled() async throws {
        let server = try await ScriptedServer { _ in [.answer()] }
        var plan = ConnectionPlan()
        plan.maximumRate = 0.01
        let transport = LiveHTTPTransport(plan: plan)
        let request = HTTPRequest(url: try WebURL(server.url("/")), maximumBodyBytes: 10)
        #expect(await transport.send(request).status == 200)
        let task = Task { await transport.send(request) }
        task.cancel()
        #expect(await task.value.failure?.kind == .cancelled)
        await transport.shutdown()
        #expect(server.requests.count == 1)
    }
}
