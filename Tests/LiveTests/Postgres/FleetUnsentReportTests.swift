import Fleet
import Monitoring
import Ports
import ScriptedServers
import Session
import Testing

@testable import Live

/// What was due and not sent, in the report of a fleet: due is sent, observed and skipped (docs/journal.md).
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetUnsentReportTests {
    /// One was claimed; an agent observed the same, skipped a second and observed a third.
    private struct Desk {
        let fleet: FleetFixture
        let register: FleetRegister
        let due: UnixTime

        init() async throws {
            let fleet = try await FleetFixture()
            let (agent, viewer, epoch) = try await fleet.agentWithViewer()
            let due = try await fleet.midnight(0)
            _ = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: [due], on: fleet.owner)
            try await TestRoles.make(fleet.database)
            _ = try await fleet.register(for: .create).create()
            let store = PostgresStore(
                try PostgresAddress(fleet.database.address()), for: .init(name: "a1", version: "test", process: 1),
                time: ContinuousTimeSource())
            let rows = [(0, false), (1, true), (2, false)].map { seconds, isSkipped in
                let key = ClaimKey(
                    viewer: viewer, due: .microseconds((due + .seconds(seconds)).microseconds),
                    beacon: BeaconID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F))
                var beacon = DueBeacon(key: key, type: "impression", url: "https://t.example/i")
                beacon.host = "t.example"
                beacon.late = .milliseconds(300)
                beacon.ad = ClaimedAd(
                    id: 1, breakName: "=b1", name: "=spot", firstStart: .microseconds(due.microseconds))
                return UnsentRow(
                    beacon: beacon, at: key.due, isSkipped: isSkipped, reason: isSkipped ? "bad-url" : "store-away")
            }
            let reply = await store.perform(.unsent(agent: agent, beacons: rows))
            #expect(reply == .answered(.done, hasWarning: false))
            await store.close()
            (self.fleet, self.due) = (fleet, due)
            register = try fleet.register(as: "adtop_reader", for: .read)
            try await register.open()
        }
    }

    @Test func countsWhatWasDueAndNotSent() async throws {
        let desk = try await Desk()
        for channel in [nil, "a"] {
            let report = try await desk.register.report(since: nil, channel: channel)
            let totals = report.totals
            // What one agent observed and another one sent is one beacon.
            #expect([totals.due, totals.sent, totals.observed, totals.skipped] == [3, 1, 1, 1])
            #expect(totals.lateness.counts == [1, 0, 1, 0, 0, 0, 0, 0, 0])
            #expect(totals.lateness.sum == .milliseconds(310))
            #expect(report.sessions.map(\.tally) == [totals])
            #expect(report.hosts.reduce(0) { $0 + $1.tally.due } == 3)
        }
        let later = try await desk.register.report(since: desk.due + .seconds(2), channel: nil).totals
        #expect((later.due, later.observed) == (1, 1))
    }

    /// An ad of which nothing was claimed has its name, too.
    @Test func namesTheAdsOfWhatWasNotSent() async throws {
        let report = try await Desk().register.report(since: nil, channel: "a")
        let ads = report.breaks.flatMap(\.ads)
        #expect(report.breaks.map(\.name) == ["b1"] && ads.map(\.name) == ["spot"])
        #expect(ads.flatMap(\.hosts).reduce(0) { $0 + $1.tally.due } == 3)
    }

    /// A fleet of an earlier program is reported without it.
    @Test func anEarlierFleetIsReportedAsItIs() async throws {
        let desk = try await Desk()
        _ = try await desk.fleet.owner.call("DROP FUNCTION fleet.report_unsent")
        #expect(try await desk.register.report(since: nil, channel: nil).totals.due == 1)
    }
}
