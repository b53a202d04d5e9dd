import AdTracking
import DemoOrigin
import Ports
import Testing

@testable import Simulation

@Suite struct BeaconAccountTests {
    private static let url = "http://127.0.0.1/b"
    private static let first = BeaconAccount.Life(viewer: 0, number: 0)
    private static let second = BeaconAccount.Life(viewer: 0, number: 1)

    /// A beacon arrives, its answer is received or not, and the beacon arrives again.
    private static func again(
        status: Int, isSeen: Bool, isLost: Bool = false, from life: BeaconAccount.Life = first
    ) -> BeaconAccount {
        var account = BeaconAccount()
        account.arrived(url, ClaimID(1), from: first, status: status, isLost: isLost)
        if isSeen { account.answered(ClaimID(1), to: first) }
        account.arrived(url, ClaimID(2), from: life, status: 204, isLost: false)
        return account
    }

    @Test func oneArrivalIsFine() {
        var account = BeaconAccount()
        account.arrived(Self.url, ClaimID(1), from: Self.first, status: 204, isLost: false)
        #expect(!account.hasViolations)
        #expect(account.distinct == 1)
    }

    @Test func everySecondArrivalIsAViolation() {
        #expect(
            Self.again(status: 204, isSeen: true).violations
                == ["\(Self.url) was sent again after it was answered with 204"])
        #expect(
            Self.again(status: 404, isSeen: true, from: Self.second).violations
                == ["\(Self.url) was sent again after it was answered with 404"])
        #expect(
            Self.again(status: 503, isSeen: true).violations
                == ["\(Self.url) was sent again after it was answered with 503"])
        #expect(
            Self.again(status: 204, isSeen: false, isLost: true).violations
                == ["\(Self.url) was sent again after its answer was lost"])
        #expect(
            Self.again(status: 204, isSeen: false).violations == ["\(Self.url) was sent twice before it was answered"])
        #expect(
            Self.again(status: 503, isSeen: false, from: Self.second).violations
                == ["\(Self.url) was sent again after a restart, although its outcome was unknown"])
    }

    /// A tracker that ends the connection has the request.
    @Test func aBeaconThatIsSentAgainAfterAResetIsFound() throws {
        let scenario = try #require(try BuiltinScenarios.load("flaky-trackers")).scenario
        let now = Moment(wall: UnixTime(milliseconds: 1_790_000_000_000), uptime: .seconds(1))
        var network = SimulatedNetwork(scenario, seed: 1, start: now)
        let target = "/beacon/flaky-trackers?sessid=s&break=7&ad=busy-7&event=midpoint&n=1"
        let request = HTTPRequest(url: try SimulatedNetwork.url(target), maximumBodyBytes: 1_000)
        let first = network.reply(to: request, for: .beacon(ClaimID(1)), at: now)
        #expect(first.exchange.failure?.kind == .reset && !network.beacons.hasViolations)
        _ = network.reply(to: request, for: .beacon(ClaimID(2)), at: now)
        #expect(network.beacons.violations.map { $0.hasSuffix("was sent again after its answer was lost") } == [true])
    }

    /// A client that follows a redirect back to an address that has the beacon is found; one that does not is not.
    @Test(arguments: [false, true]) func aBeaconThatIsLedBackIsFound(isSentOnce: Bool) throws {
        let scenario = try #require(try BuiltinScenarios.load("flaky-trackers")).scenario
        let now = Moment(wall: UnixTime(milliseconds: 1_790_000_000_000), uptime: .seconds(1))
        var network = SimulatedNetwork(scenario, seed: 1, start: now)
        let loop = "/beacon/flaky-trackers?sessid=s&break=7&ad=broken-7&event=start&n=1"
        var request = HTTPRequest(url: try SimulatedNetwork.url(loop), maximumBodyBytes: 1_000)
        request.isSentOnce = isSentOnce
        _ = network.reply(to: request, for: .beacon(ClaimID(1)), at: now)
        #expect(network.beacons.hasViolations == !isSentOnce)
    }
}
