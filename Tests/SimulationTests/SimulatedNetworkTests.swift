import AdTracking
import DemoOrigin
import Ports
import Testing

@testable import Simulation

@Suite struct SimulatedNetworkTests {
    /// The answer of a tracker that redirects three times, to a beacon that may go to these hosts.
    private func answer(allowed: Set<String>?) throws -> HTTPExchange {
        let scenario = try #require(try BuiltinScenarios.load("flaky-trackers")).scenario
        let now = Moment(wall: UnixTime(milliseconds: 1_790_000_000_000), uptime: .seconds(1))
        var network = SimulatedNetwork(scenario, seed: 1, start: now)
        let target = "/beacon/flaky-trackers?sessid=s&break=7&ad=busy-7&event=impression&n=2"
        var request = HTTPRequest(url: try SimulatedNetwork.url(target), maximumBodyBytes: 1_000)
        request.redirectRule = RedirectRule(allowedHosts: allowed, allowsDowngrade: false)
        return network.reply(to: request, for: .beacon(ClaimID(1)), at: now).exchange
    }

    @Test func redirectsAreFollowed() throws {
        let exchange = try answer(allowed: ["127.0.0.1"])
        #expect(exchange.hops.count == 4 && exchange.isSuccess, "\(exchange)")
    }

    /// As a client on a real network.
    @Test func aRedirectThatARequestMayNotFollowIsNotFollowed() throws {
        let exchange = try answer(allowed: ["tracker.test"])
        #expect(exchange.hops.map(\.status) == [302] && exchange.failure?.kind == .addressNotAllowed, "\(exchange)")
    }
}
