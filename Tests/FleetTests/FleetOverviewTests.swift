import Fleet
import Ports
import Testing

struct FleetOverviewTests {
    private static let at = UnixTime(milliseconds: 1_795_355_628_000)

    /// A fleet without a problem.
    private static var well: FleetOverview {
        let store = FleetOverview.Store(
            schemaVersion: 1, protocols: ProtocolRange(lowest: 1, highest: 1), stateVersion: 1, mode: "fire",
            durability: "strict", serverVersion: 150_018, systemID: "7710992011362665102", timeline: "00000001",
            standbys: 1, namesStandbys: true, latency: .microseconds(800), clockSkew: .milliseconds(12),
            bytes: 73_400_320_000, days: ["2026-11-15", "2026-11-24"], upkeepAge: .seconds(41))
        var overview = FleetOverview(at: at, store: store)
        overview.agents = [
            FleetOverview.Agent(name: "a1", id: 1, state: .alive, version: "1.4.0", region: "eu", holding: 3),
            FleetOverview.Agent(name: "a0", id: 0, state: .ended, version: "1.3.0", region: "us"),
        ]
        overview.viewers.channels = 2
        overview.viewers.count = 3
        overview.regions = [FleetOverview.Region(name: "eu", viewers: 3, waiting: 0)]
        return overview
    }

    private static func codes(_ change: (inout FleetOverview) -> Void) -> [String] {
        var overview = well
        change(&overview)
        return overview.problems.map(\.code.rawValue)
    }

    @Test func aFleetThatIsWellHasNoFault() {
        #expect(Self.well.problems.isEmpty)
        #expect(Self.well.exitCode == 0)
    }

    /// `regionEmpty` of the sheet: viewers ask for a region in which no agent is at work.
    @Test func regionEmpty() {
        var overview = Self.well
        overview.viewers.waiting = 2
        overview.regions.append(FleetOverview.Region(name: "us", viewers: 2, waiting: 2))
        #expect(
            overview.problems == [
                FleetProblem(
                    .noAgentInRegion, "region 'us' has no agent for 2 viewers; start one with --region us",
                    of: "us")
            ])
        #expect(overview.exitCode == 1)
    }

    /// The last agent of a region died: its viewers are not moved elsewhere, and the region is named at once.
    @Test func regionWhoseLastAgentDied() {
        var overview = Self.well
        overview.agents[0].state = .fenced
        overview.regions[0].orphaned = 3
        overview.viewers.orphaned = 3
        overview.viewers.longestOrphaned = .seconds(1)
        #expect(
            overview.problems == [
                FleetProblem(
                    .noAgentInRegion, "region 'eu' has no agent for 3 viewers; start one with --region eu", of: "eu")
            ])
        overview.agents[0].state = .alive
        #expect(overview.problems.isEmpty)
    }

    @Test func viewersMayWaitForATakeOver() {
        let wait: (Duration) -> [String] = { span in
            Self.codes { overview in
                overview.viewers.waiting = 1
                overview.viewers.longestWait = span
                overview.viewers.orphaned = 1
                overview.viewers.longestOrphaned = span
            }
        }
        #expect(wait(.seconds(15)).isEmpty)
        var overview = Self.well
        overview.viewers.waiting = 1
        overview.viewers.longestWait = .milliseconds(2_869_659)
        #expect(
            overview.problems.map(\.words)
                == ["1 viewer without an agent for 47m49s; add capacity in region eu"])
        #expect(wait(.seconds(16)) == ["viewers-orphaned", "viewers-waiting"])
    }

    /// An agent that was alone and died is never fenced: after a while its viewers count as orphaned all the same.
    @Test(arguments: [(Duration.seconds(15), 0), (.seconds(16), 3)])
    func viewersOfALostAgentAreOrphaned(silence: Duration, orphaned: Int) {
        var overview = Self.well
        overview.agents[0].state = .silent
        overview.agents[0].beatAge = silence
        #expect(overview.orphaned == orphaned && overview.followed == 3 - orphaned)
        #expect(overview.problems.map(\.code) == (orphaned > 0 ? [.viewersOrphaned] : []) + [.agentSilent])
        let viewers = [
            FleetViewer(id: 1, channel: "a", agent: "a1", phase: "running"),
            FleetViewer(id: 2, channel: "b", agent: "a2", phase: "running"),
        ]
        let reading = FleetReading(overview: overview, viewers: viewers)
        #expect(reading.viewers.map(\.phase) == [orphaned > 0 ? "orphaned" : "running", "running"])
        #expect(reading.viewers[0].aloneFor == (orphaned > 0 ? silence : nil))
        let totals = reading.json["totals"]
        #expect(totals?["orphaned"] == JSONValue.integer(Int64(orphaned)))
        #expect(totals?["owned"] == JSONValue.integer(Int64(3 - orphaned)))
    }

    @Test func agentsAreFaulty() {
        #expect(Self.codes { $0.agents[0].state = .silent } == ["agent-silent"])
        #expect(Self.codes { $0.agents[0].load.claimP99 = .milliseconds(1_001) } == ["agent-behind"])
        #expect(Self.codes { $0.agents[0].load.claimP99 = .milliseconds(1_000) } == [])
        #expect(Self.codes { $0.agents[0].load.queue = 1_001 } == ["agent-behind"])
        #expect(Self.codes { $0.agents[0].load.silence = ClaimSilence(.seconds(1)) } == ["agent-behind"])
        #expect(Self.codes { $0.agents[0].load.spoolBytes = 33 << 20 } == ["spool"])
        let versions = Self.codes { overview in
            for version in ["1.2", "1.3"] {
                overview.agents.append(FleetOverview.Agent(name: version, id: 9, state: .draining, version: version))
            }
        }
        #expect(versions == ["versions"])
    }

    @Test func theStoreIsFaulty() {
        #expect(Self.codes { $0.store.namesStandbys = false } == ["durability"])
        #expect(Self.codes { $0.store.standbys = 0 } == ["no-standby"])
        #expect(
            Self.codes { overview in
                (overview.store.isStandby, overview.store.namesStandbys, overview.store.standbys) = (true, false, 0)
            } == [])
        #expect(Self.codes { $0.store.isTomorrowThere = false } == ["partition-missing"])
        #expect(Self.codes { $0.store.keptDays = ["2026-11-01"] } == ["partition-kept"])
        #expect(Self.codes { $0.store.upkeepAge = .seconds(601) } == ["upkeep"])
        #expect(Self.codes { $0.store.upkeepAge = nil } == ["upkeep"])
        #expect(Self.codes { $0.viewers.failingChannels = 1 } == ["failing-channels"])
    }

    @Test func informationIsNoProblem() {
        var overview = Self.well
        overview.store.mode = "observe"
        overview.store.clockSkew = .milliseconds(-2_001)
        #expect(overview.problems.map(\.code) == [.clockSkew, .modeObserve])
        #expect(overview.exitCode == 0)
    }

    @Test func hasAllMembersInJSON() throws {
        var overview = Self.well
        overview.claimsPerSecond = 1_812.4
        overview.unknownLastHour = 3
        overview.agents[0].load = FleetOverview.Load([
            "cores": 0.7, "residentBytes": 512_000_000, "claimP99Ms": 7.1, "queue": 0, "spoolBytes": 0, "failing": 2,
        ])
        let object = try #require(overview.json.objectValue)
        #expect(object["schema"] == "adtop-fleet-status/1")
        #expect(object["store"]?.objectValue?["latencyMs"] == 0.8)
        #expect(object["store"]?.objectValue?["oldestDay"] == "2026-11-15")
        #expect(object["totals"]?.objectValue?["owned"] == 3)
        #expect(
            object["regions"] == [["region": "eu", "agents": 1, "capacity": 2_000, "viewers": 3, "waiting": 0]])
        let agent = try #require(object["agents"]?.arrayValue?.first?.objectValue)
        #expect(agent["claimP99Ms"] == 7.1)
        #expect(agent["failing"] == 2)
        #expect(object["problems"] == [])
    }

    @Test func anAgentWithoutClaimsHasTheWordsOfTheStore() {
        var overview = Self.well
        overview.agents[0].load = FleetOverview.Load([
            "claimsSilentMs": 42_900, "claimsProblem": "store: no space left on the server\nx", "claimP99Ms": 9_000,
        ])
        #expect(
            overview.problems.map(\.words) == [
                "agent 'a1' has had no answer to its claims for 42s (store: no space left on the server x)"
            ])
    }

    /// An agent of another version, or one with rights of its own, writes what it wants.
    @Test func readsAnyLoad() {
        let strange: JSONValue = ["queue": "x", "claimP99Ms": 1e300, "spoolBytes": 1.5, "claimsSilentMs": -1]
        for value: JSONValue in [nil, [], "x", strange] {
            #expect(FleetOverview.Load(value) == FleetOverview.Load())
        }
        #expect(FleetOverview.Load(nil) == FleetOverview.Load())
    }

    @Test func addingChangesOnlyWhatDiffers() {
        let known = [
            FleetChannel(name: "a", url: "https://a.example/1"), FleetChannel(name: "b", url: "https://a.example/2"),
        ]
        var changed = known[1]
        changed.viewers = 3
        let change = ListChange(
            adding: [known[0], changed, FleetChannel(name: "c", url: "https://a.example/3")], to: known)
        #expect(change.changed == [changed])
        #expect(change.added.map(\.name) == ["c"])
        #expect(change.words == "1 added, 1 changed, 1 as they were")
    }
}
