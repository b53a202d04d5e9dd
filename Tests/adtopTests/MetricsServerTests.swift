import Foundation
import Ports
import TestSupport
import Testing

@testable import adtop

@Suite struct MetricsServerTests {
    @Test func servesTheTextOfTheMomentOnLoopback() async throws {
        let server = MetricsServer(port: 0) { "adtop_test 1\n" }
        let port = try await server.start()
        guard case .closed(let answer) = await LoopbackClient(port: port).request("GET", "/metrics") else {
            Issue.record("no answer")
            return
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.lowercased().contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
        #expect(answer.hasSuffix("adtop_test 1\n"))
        await server.stop()
    }

    /// RFC 9110 section 9.1: a server that has GET has HEAD.
    @Test func headHasTheFieldsAlone() async throws {
        let server = MetricsServer(port: 0) { "adtop_test 1\n" }
        let port = try await server.start()
        let answer = await LoopbackClient(port: port).get("/metrics", method: "HEAD")
        await server.stop()
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.head.lowercased().contains("content-length: 13"))
    }

    @Test func stoppedBeforeItsStartItDoesNotListen() async throws {
        let server = MetricsServer(port: 0) { "" }
        await server.stop()
        await #expect(throws: ListenProblem(port: 0, code: nil)) { try await server.start() }
    }

    @Test func noProgramInheritsTheSocket() async throws {
        let server = MetricsServer(port: 0) { "" }
        let port = try await server.start()
        #expect(ListeningSockets.closeOnExec(port: port) == [true])
        await server.stop()
    }

    @Test func anotherNameOfThisMachineIsRefused() async throws {
        let server = MetricsServer(port: 0) { "adtop_test 1\n" }
        let port = try await server.start()
        let answer = await LoopbackClient(port: port, host: "metrics.attacker.example").get("/metrics")
        await server.stop()
        #expect(answer.status == 403 && !answer.body.contains("adtop_test"))
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        let first = MetricsServer(port: 0) { "" }
        let port = try await first.start()
        let second = MetricsServer(port: port) { "" }
        do throws(ListenProblem) {
            _ = try await second.start()
            Issue.record("two servers on one port")
        } catch {
            #expect(error == ListenProblem(port: port, code: EADDRINUSE))
        }
        await second.stop()
        await first.stop()
    }
}
