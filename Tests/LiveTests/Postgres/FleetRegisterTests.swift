import Fleet
import Ports
import ScriptedServers
import Session
import Testing

@testable import Live

/// The list, the status and the report of a fleet, on a server of Debian's package.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetRegisterTests {
    private static let channels = [
        FleetChannel(
            name: "a\"\\,{}", url: "https://a.example/1", options: ["poll": "4s"], labels: ["news, uk", "\""],
            regions: ["eu", "us"], viewers: 2),
        FleetChannel(name: "b", url: "https://a.example/2"),
    ]

    @Test func keepsTheListAsItIsGiven() async throws {
        let fleet = try await FleetFixture()
        let register = try fleet.register()
        try await register.open()
        #expect(try await register.add(Self.channels).added == Self.channels)
        #expect(try await register.channels() == Self.channels)
        #expect(try await register.add(Self.channels).unchanged == 2)
        var changed = Self.channels[0]
        changed.regions = ["eu"]
        #expect(try await register.add([changed]).changed == [changed])
        #expect(try await register.overview(by: SystemTimeSource()).viewers.count == 3)
        #expect(try await register.remove(["b", "none"]) == 1)
        #expect(try await register.channels() == [changed])
    }

    /// A fleet of the same version gets the functions and views of the program that runs `init`, and keeps its rows.
    @Test func initReplacesFunctionsThatAreOthers() async throws {
        let fleet = try await FleetFixture()
        let register = try fleet.register(for: .create)
        _ = try await register.create()
        _ = try await register.add(Self.channels)
        #expect(try await register.create().replaced == 0)
        try await fleet.owner.run(
            script: """
                CREATE OR REPLACE FUNCTION fleet.viewers_of(p_agent bigint) RETURNS TABLE (viewer int, epoch int)
                    LANGUAGE sql AS 'SELECT 1, 1';
                DROP FUNCTION fleet.report_ads; DROP VIEW fleet.pictures
                """)
        let made = try await register.create()
        #expect(!made.isNew && made.replaced == 3)
        #expect(try await fleet.owner.call("SELECT * FROM fleet.viewers_of(1)").count == 0)
        #expect(try await register.create().replaced == 0)
        #expect(try await register.channels() == Self.channels)
    }

    /// The functions of a later version stay as they are, and the next attempt begins in order.
    @Test func initLeavesALaterSchemaAlone() async throws {
        let fleet = try await FleetFixture()
        try await fleet.owner.run(script: "UPDATE fleet.store SET schema_version = 2; DROP FUNCTION fleet.report_ads")
        let register = try fleet.register(for: .create)
        for _ in 0..<2 { #expect(try await storeProblem { try await register.create() } == .newerSchema(2)) }
        #expect(try await fleet.count("pg_proc WHERE proname = 'report_ads'") == 0)
    }

    @Test func initLeavesAForeignSchemaAlone() async throws {
        let database = try await TestDatabase()
        try await database.connection().run(script: "CREATE SCHEMA fleet")
        let register = FleetRegister(try PostgresAddress(database.address()), for: .create)
        let words = "database '\(database.name)' has a schema 'fleet' that adtop did not make; use another database"
        #expect(
            try await storeProblem { try await register.create() } == .failed(state: "42P06", words: words))
    }

    @Test func twoAtOnceMakeOneFleet() async throws {
        let database = try await TestDatabase()
        let address = try PostgresAddress(database.address())
        async let one = FleetRegister(address, for: .create).create()
        async let other = FleetRegister(address, for: .create).create()
        let made = try await [one, other]
        #expect(made.count { $0.isNew } == 1)
    }

    /// A channel that is kept in the list without viewers is one of its channels.
    @Test func countsTheChannelsOfTheList() async throws {
        let fleet = try await FleetFixture()
        let register = try fleet.register()
        try await register.open()
        _ = try await register.add(
            Self.channels + [FleetChannel(name: "idle", url: "https://a.example/idle", viewers: 0)])
        #expect(try await register.overview(by: SystemTimeSource()).viewers.channels == 3)
        #expect(try await register.channels().count == 3)
        // A store that an earlier version made counts those with viewers.
        try await fleet.owner.run(
            script: """
                DROP VIEW fleet.stores;
                CREATE VIEW fleet.stores AS SELECT s.*, u.at AS upkeep_at, u.said AS upkeep_said FROM fleet.store s, fleet.upkeep u
                """)
        #expect(try await register.overview(by: SystemTimeSource()).viewers.channels == 2)
    }

    @Test func countsViewersByRegion() async throws {
        let fleet = try await FleetFixture()
        let register = try fleet.register()
        try await register.open()
        _ = try await register.add(Self.channels)
        let overview = try await register.overview(by: SystemTimeSource())
        #expect(
            overview.regions == [
                FleetOverview.Region(name: "", viewers: 1, waiting: 1),
                FleetOverview.Region(name: "eu", viewers: 2, waiting: 2),
                FleetOverview.Region(name: "us", viewers: 2, waiting: 2),
            ])
        #expect(overview.viewers.channels == 2)
        #expect(overview.problems.filter { $0.code == .noAgentInRegion }.count == 3)
        #expect(overview.store.isTomorrowThere)
        #expect(overview.store.upkeepAge.map { $0 < .seconds(60) } == true)
        #expect(overview.store.clockSkew.inMilliseconds.magnitude < 1_000)
        #expect(overview.store.days.count == 4)
    }

    @Test func anAgentOfTheNameIsDrained() async throws {
        let fleet = try await FleetFixture()
        let register = try fleet.register()
        try await register.open()
        #expect(try await register.drain("a1", isOn: true) == nil)
        _ = try await fleet.agentWithViewer()
        #expect(try await register.drain("a1", isOn: true) == 1)
        #expect(try await register.agents().map(\.state) == [.draining])
        #expect(try await register.drain("a1", isOn: false) == 1)
        #expect(try await register.agents().map(\.state) == [.alive])
    }

    @Test func acceptsTheServerThatItIs() async throws {
        let fleet = try await FleetFixture()
        _ = try await fleet.owner.call("UPDATE fleet.store SET timeline = '000000FF', system_id = '1'")
        let register = try fleet.register(for: .own)
        try await register.open()
        #expect(try await register.acceptServer() == "00000001")
        _ = try await fleet.start()
    }

    /// FLT-16: whoever still works is fenced and saves nothing more, and no viewer continues; nothing due before that moment is claimed.
    @Test func noViewerContinuesOnAnAcceptedServer() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        func save() async throws {
            _ = try await fleet.owner.call(
                "SELECT fleet.sessions_save($1, ARRAY[$2::int], ARRAY[$3::int], 1::smallint, false, ARRAY['x'::bytea])",
                [.integer(agent), .integer(viewer), .integer(epoch)])
            _ = try await fleet.owner.call(
                "SELECT fleet.playheads_save($1, ARRAY[$2::int], ARRAY[$3::int], ARRAY[now()], '{0}', '{1}')",
                [.integer(agent), .integer(viewer), .integer(epoch)])
        }
        try await save()
        #expect(try await fleet.count("fleet.session, fleet.playhead") == 1)
        let before = try await fleet.owner.call("SELECT \(PostgresSQL.microseconds("at")) FROM (SELECT now() AS at) n")
            .row.time("at")
        let register = try fleet.register(for: .own)
        try await register.open()
        _ = try await register.acceptServer()
        try await save()
        #expect(try await fleet.count("fleet.session") == 0)
        #expect(try await fleet.count("fleet.playhead") == 0)
        let beat = try await storeProblem {
            try await fleet.owner.call("SELECT fleet.agent_beat($1, NULL)", [.integer(agent)])
        }
        #expect(beat == .fenced)
        let successor = try await fleet.start()
        let row = try await fleet.owner.call(
            """
            SELECT epoch, \(PostgresSQL.microseconds("due_from")) FROM fleet.viewers_take($1, 1, 1::smallint)
            """, [.integer(successor)]
        ).row
        #expect(try row.time("due_from") >= before)
        #expect(
            try await FleetFixture.claim(
                successor, viewer: viewer, epoch: try row.integer("epoch"), due: [before, before + .seconds(600)],
                on: fleet.owner) == [3, 0])
    }

    /// Whoever accepts again, or takes the viewer in between, does not move the moment to the clock where the media has other dates (FLT-16).
    @Test(arguments: [false, true]) func acceptingAgainKeepsTheDatesOfTheMedia(isTaken: Bool) async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        _ = try await fleet.owner.call(
            "SELECT fleet.playheads_save($1, ARRAY[$2::int], ARRAY[$3::int], ARRAY['1970-01-01T01:00:00Z'::timestamptz], '{0}', '{1}')",
            [.integer(agent), .integer(viewer), .integer(epoch)])
        let register = try fleet.register(for: .own)
        try await register.open()
        _ = try await register.acceptServer()
        if isTaken {
            _ = try await fleet.owner.call(
                "SELECT FROM fleet.viewers_take($1, 1, 1::smallint)", [.integer(try await fleet.start())])
        }
        _ = try await register.acceptServer()
        let from = try await fleet.owner.call(
            "SELECT \(PostgresSQL.microseconds("due_from")) FROM fleet.viewer WHERE id = $1", [.integer(viewer)]
        ).row.time("due_from")
        #expect(from >= UnixTime(milliseconds: 3_600_000) && from < UnixTime(milliseconds: 7_200_000))
    }

    /// From then on each commit waits for a standby that is not there.
    private func nameAMissingStandby(_ owner: PostgresConnection, _ address: PostgresAddress) async throws {
        _ = try await owner.call("ALTER SYSTEM SET synchronous_standby_names = '*'")
        _ = try await owner.call("SELECT pg_reload_conf()")
        let probe = PostgresConnection(address, application: "adtop/tests", task: .own)
        try await probe.open()
        // The server takes a moment to wait for standbys.
        while try await storeProblem({
            try await probe.call("UPDATE fleet.upkeep SET said = 'probe'", within: .init(time: .milliseconds(500)))
        }) == nil {}
    }

    /// A standby that is gone is the reason to set these; all other commits wait for it.
    @Test func modeAndDurabilityDoNotWaitForAStandby() async throws {
        // A server of its own: its settings are those of all its databases.
        let server = try PrivatePostgres()
        defer { server.stop() }
        try await server.waitUntilReady()
        let address = try PostgresAddress(server.address())
        let register = FleetRegister(address, for: .own)
        _ = try await register.create()
        let owner = PostgresConnection(address, application: "adtop/tests", task: .own)
        try await owner.open()
        _ = try await owner.call("UPDATE fleet.store SET durability = 'strict', mode = 'fire'")
        try await nameAMissingStandby(owner, address)
        try await register.setMode("observe")
        try await register.setDurability("trusted")
        let row = try await owner.call("SELECT mode, durability FROM fleet.store").row
        #expect(try row.text("mode") == "observe")
        #expect(try row.text("durability") == "trusted")
    }

    /// A standby that is named and not there: everything would wait for it. Nothing is changed, and nothing is left locked.
    @Test func strictNeedsAStandbyThatConfirms() async throws {
        // A server of its own: its settings are those of all its databases.
        let server = try PrivatePostgres()
        defer { server.stop() }
        try await server.waitUntilReady()
        let address = try PostgresAddress(server.address())
        _ = try await FleetRegister(address, for: .create).create()
        let owner = PostgresConnection(address, application: "adtop/tests", task: .own)
        try await owner.open()
        try await nameAMissingStandby(owner, address)
        let register = FleetRegister(address, for: .own)
        try await register.open()
        #expect(try await register.setDurability("strict", patience: .milliseconds(300)) == .rejected)
        #expect(try await owner.call("SELECT durability FROM fleet.store").row.text("durability") == "single")
        let other = FleetRegister(address, for: .own)
        try await other.open()
        #expect(try await other.setDurability("trusted") == .made)
        #expect(try await FleetRegister(address, for: .create).create().isNew == false)
    }

    /// A name that is used again is another break; one whose start moved a little is the same. Where no start was listed, the first ad has it.
    @Test func aNameThatIsUsedAgainIsAnotherBreak() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = try await fleet.midnight(0)
        let ads: [(id: Int64, start: UnixTime, breakStart: UnixTime?)] = [
            (1, due, due), (2, due + .seconds(30), due + .seconds(9)), (3, due + .seconds(900), due + .seconds(900)),
            (4, due + .seconds(20_000), nil), (5, due + .seconds(20_030), nil), (6, due + .seconds(40_000), nil),
        ]
        let rows = ads.map { ad -> JSONValue in
            [
                "viewer": .integer(Int64(viewer)), "first_start": .string(ad.start.iso8601), "id": .integer(ad.id),
                "ad": .string("=\(ad.id)"), "break": "=b", "break_start": .optional(ad.breakStart?.iso8601),
            ]
        }
        _ = try await fleet.owner.call("SELECT fleet.ads_add($1, $2)", [.integer(agent), .json(.array(rows))])
        _ = try await FleetFixture.claim(
            agent, viewer: viewer, epoch: epoch, due: ads.map(\.start), on: fleet.owner)
        _ = try await fleet.owner.call("UPDATE fleet.claim SET ad = number")
        let register = try fleet.register(for: .read)
        try await register.open()
        let breaks = try await register.report(since: nil, channel: "a").breaks
        #expect(breaks.map { $0.ads.map(\.name) } == [["1", "2"], ["3"], ["4", "5"], ["6"]])
        #expect(breaks.map(\.start) == [due, due + .seconds(900), due + .seconds(20_000), due + .seconds(40_000)])
        #expect(Set(breaks.map(\.name)) == ["b"])
    }

    /// Pings have no date, whatever date their claims have: in the report they are beside the stream.
    @Test func whatHasNoDateIsBesideTheStream() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = try await fleet.midnight(0)
        let ad: JSONValue = [
            "viewer": .integer(Int64(viewer)), "first_start": "1970-01-01 00:00:00+00", "id": 1, "ad": "=start 0",
            "break": "=ping/x",
        ]
        _ = try await fleet.owner.call("SELECT fleet.ads_add($1, $2)", [.integer(agent), .json([ad])])
        _ = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: [due], on: fleet.owner)
        let register = try fleet.register(for: .read)
        try await register.open()
        for since in [nil, due] {
            let breaks = try await register.report(since: since, channel: "a").breaks
            #expect(breaks.map(\.name) == ["ping/x"] && breaks.allSatisfy(\.isBesideStream))
            #expect(breaks.flatMap(\.ads).map(\.name) == ["start 0"])
        }
    }

    /// Claims of pings have a date beyond all others until the viewer has a place: in a report of a period those that were made in it count.
    @Test func whatWasClaimedBeyondAllDatesCountsWhenItWasClaimed() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let yesterday = try await fleet.midnight(-1)
        let beyond = [0, 1].map { yesterday + .seconds(10_000 * 366 * 86_400 + $0) }
        _ = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: beyond, on: fleet.owner)
        _ = try await fleet.owner.call(
            "UPDATE fleet.claim SET claimed_at = claimed_at - interval '2 days' WHERE number = 1")
        let register = try fleet.register(for: .read)
        try await register.open()
        for channel in [nil, "a"] {
            #expect(try await register.report(since: nil, channel: channel).totals.due == 2)
            #expect(try await register.report(since: yesterday, channel: channel).totals.due == 1)
        }
    }

    /// What an agent writes of viewers names who inserts their ads; an agent of an earlier version does not, and takes nothing away.
    @Test func reportsNameTheProviderAndItsMode() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = try await fleet.midnight(0)
        _ = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: [due], on: fleet.owner)
        let register = try fleet.register(for: .read)
        try await register.open()
        func service() async throws -> [String?] {
            let (all, one) = (
                try await register.report(since: nil, channel: nil),
                try await register.report(since: nil, channel: "a")
            )
            return (all.sessions + one.sessions).map(\.service)
        }
        func write(_ provider: String?, _ mode: String?) async throws {
            let row: JSONValue = [
                "viewer": .integer(Int64(viewer)), "phase": "running", "due": 1, "sent": 1, "acknowledged": 0,
                "failed": 0, "unknown": 1, "provider": .optional(provider), "service_mode": .optional(mode),
            ]
            _ = try await fleet.owner.call("SELECT fleet.health_save($1, $2)", [.integer(agent), .json([row])])
        }
        #expect(try await service() == [nil, nil], "no agent has written yet")
        for mode in [nil, "client", "hybrid", "pings", "server"] as [String?] {
            try await write("mediatailor", mode)
            let name = "mediatailor" + (mode.map { " (\($0))" } ?? "")
            #expect(try await service() == [name, name])
        }
        try await write(nil, nil)
        #expect(try await service() == ["mediatailor (server)", "mediatailor (server)"])
    }

    /// What a former owner wrote is not shown as the news of the present one, nor as that of nobody.
    @Test func aTakenViewerStartsWithoutTheFormerRow() async throws {
        let fleet = try await FleetFixture()
        let (first, viewer, _) = try await fleet.agentWithViewer()
        let second = try await fleet.start(name: "a2")
        let register = try fleet.register(for: .read)
        try await register.open()
        func write(by agent: Int, due: Int) async throws {
            let row: JSONValue = [
                "viewer": .integer(Int64(viewer)), "phase": "running", "problem": "x", "due": .integer(Int64(due)),
                "sent": 0, "acknowledged": 0, "failed": 0, "unknown": 0, "provider": "dai",
            ]
            _ = try await fleet.owner.call("SELECT fleet.health_save($1, $2)", [.integer(agent), .json([row])])
        }
        func expect(_ phase: String, due: Int?) async throws {
            let shown = try #require(try await register.viewers().first)
            #expect(shown.phase == phase && shown.beacons?.due == due)
            #expect((shown.problem == nil, shown.healthAge == nil) == (due == nil, due == nil))
            let overview = try await register.overview(by: SystemTimeSource())
            #expect(overview.viewers.failingChannels == (due == nil ? 0 : 1))
        }
        try await expect("starting", due: nil)
        try await write(by: first, due: 7)
        try await expect("running", due: 7)
        // To another agent, and from it back to itself.
        for (giver, taker) in [(first, second), (second, second)] {
            try await fleet.give(1, of: "", by: giver)
            try await expect("waiting", due: nil)
            #expect(try await fleet.take(1, by: taker) == [""])
            try await expect("starting", due: nil)
            let provider = try await fleet.owner.call("SELECT provider FROM fleet.viewers").row.text("provider")
            #expect(provider == "dai")
            try await write(by: taker, due: 2)
            try await expect("running", due: 2)
        }
    }

    /// A store that an earlier version made is reported as it is, and gets its columns from the next `fleet init`.
    @Test func storesOfEarlierVersionsAreReported() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = try await fleet.midnight(0)
        _ = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: [due], on: fleet.owner)
        _ = try await fleet.owner.call("DROP VIEW fleet.viewers")
        _ = try await fleet.owner.call("ALTER TABLE fleet.health DROP COLUMN provider, DROP COLUMN service_mode")
        _ = try await fleet.owner.call(
            """
            CREATE VIEW fleet.viewers AS SELECT v.id AS viewer, c.name AS channel, v.region, v.number
            FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel
            """)
        let register = try fleet.register(for: .read)
        try await register.open()
        #expect(try await register.report(since: nil, channel: "a").sessions.map(\.service) == [nil])
        _ = try await fleet.owner.call("DROP VIEW fleet.viewers")
        let maker = try fleet.register(for: .create)
        #expect(try await maker.create().isNew == false)
        _ = try await fleet.owner.call(
            """
            INSERT INTO fleet.health (viewer, agent, at, phase, due, sent, acknowledged, failed, unknown, provider)
            VALUES ($1, $2, now(), 'running', 1, 1, 0, 0, 1, 'dai')
            """, [.integer(viewer), .integer(agent)])
        #expect(try await register.report(since: nil, channel: nil).sessions.map(\.service) == ["dai"])
    }

    /// As the report of a journal: each rule once, the worst first, with the words of the newest.
    @Test func reportsFindings() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, _) = try await fleet.agentWithViewer()
        let at = try await fleet.midnight(0)
        func note(_ second: Int, _ level: String, _ rule: String?, _ words: String) -> JSONValue {
            [
                "at": .string((at + .seconds(second)).iso8601), "viewer": .integer(Int64(viewer)),
                "kind": rule == nil ? "log" : "finding", "level": .string(level), "rule": .optional(rule),
                "words": .string(words),
            ]
        }
        let notes = [
            note(1, "warning", "L35", "late by 1 s"), note(2, "warning", "L35", "late by 2 s"),
            note(3, "error", "P01", "no session"), note(4, "warning", nil, "a line of the log"),
        ]
        _ = try await fleet.owner.call("SELECT fleet.notes_add($1, $2)", [.integer(agent), .json(.array(notes))])
        let register = try fleet.register(for: .read)
        try await register.open()
        for channel in [nil, "a"] {
            let findings = try await register.report(since: nil, channel: channel).findings
            #expect(findings.map(\.rule) == ["P01", "L35"])
            #expect(findings.map(\.message) == ["no session", "late by 2 s"])
            #expect(findings.map(\.count) == [1, 2])
            #expect(findings.last.map { [$0.firstAt, $0.lastAt] } == [at + .seconds(1), at + .seconds(2)])
        }
        #expect(try await register.report(since: at + .seconds(3), channel: "a").findings.map(\.rule) == ["P01"])
        #expect(try await register.report(since: nil, channel: "none").findings == [])
        _ = try await fleet.owner.call("DROP FUNCTION fleet.report_findings")
        #expect(try await register.report(since: nil, channel: nil).findings == [])
    }

    @Test func reportsEachBeaconOnce() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = try await fleet.midnight(0)
        _ = try await fleet.owner.call(
            "SELECT fleet.ads_add($1, $2)",
            [
                .integer(agent),
                .json([
                    [
                        "viewer": .integer(Int64(viewer)), "first_start": .string(due.iso8601), "id": 1, "ad": "=spot",
                        "duration_ms": 15_000, "break": "=b1", "break_start": .string(due.iso8601), "break_ms": 60_000,
                        "source": "metadata",
                    ]
                ]),
            ])
        #expect(
            try await FleetFixture.claim(
                agent, viewer: viewer, epoch: epoch, due: [due, due + .seconds(1), due + .seconds(2)], on: fleet.owner)
                == [0, 0, 0])
        _ = try await fleet.owner.call("UPDATE fleet.claim SET state = 'a' WHERE number = 1")
        _ = try await fleet.owner.call("UPDATE fleet.claim SET state = 'r', late_ms = 40000 WHERE number = 2")
        let register = try fleet.register(for: .read)
        try await register.open()
        let all = try await register.report(since: nil, channel: nil)
        #expect(all.totals.acknowledged == 1)
        #expect(all.totals.failed == 1)
        #expect(all.totals.unknown == 1)
        #expect(all.totals.lateness.counts == [2, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(all.totals.lateness.sum == .milliseconds(40_020))
        #expect(all.sessions.map(\.key) == ["a"])
        #expect(all.breaks.isEmpty)
        let one = try await register.report(since: due + .seconds(1), channel: "a")
        #expect(one.sessions.map(\.name) == ["a viewer 1"])
        #expect(one.totals.due == 2)
        let adBreak = try #require(one.breaks.first)
        #expect(adBreak.name == "b1")
        #expect(adBreak.duration == .seconds(60))
        #expect(adBreak.ads.map(\.name) == ["spot"])
        #expect(adBreak.ads.first?.start == due)
        #expect(adBreak.tally == one.totals)
        #expect(try await register.report(since: nil, channel: "none").totals.due == 0)
        // What is removed is known as long as its claims are there.
        #expect(try await register.namesOfChannels() == ["a"])
        #expect(try await !register.knows("none"))
        _ = try await fleet.owner.call("SELECT fleet.channels_remove('{a}')")
        #expect(try await register.namesOfChannels().isEmpty)
        #expect(try await register.knows("a"))
        _ = try await fleet.owner.call("DELETE FROM fleet.claim")
        #expect(try await !register.knows("a"))
    }
}
