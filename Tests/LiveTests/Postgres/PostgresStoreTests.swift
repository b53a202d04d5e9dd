import Fleet
import Foundation
import Monitoring
import Ports
import ScriptedServers
import Testing

@testable import Live

/// The store's transactions on a server of Debian's package, through the port of the agent: the cases of the model, with real locks.
@Suite(
    .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"),
    .timeLimit(.minutes(2)))
struct PostgresStoreTests {
    /// A fleet with one channel and two agents; the first one has the only viewer in epoch 1.
    private struct Desk {
        /// What `--store` takes.
        let address: String
        let owner: PostgresConnection
        let first: PostgresStore
        let second: PostgresStore
        let ids: [Int]
        let viewer: StoreAnswer.TakenViewer

        init(at given: String? = nil) async throws {
            if let given { address = given } else { address = try await TestDatabase().address() }
            _ = try await FleetRegister(try PostgresAddress(address), for: .create).create()
            owner = try await Self.connection(address)
            _ = try await owner.call("SELECT fleet.mode_set('fire')")
            _ = try await owner.call(
                "SELECT fleet.channels_add($1)",
                [.json([["name": "news", "url": "http://127.0.0.1/x.m3u8", "options": ["poll": "2s"]]])])
            first = try Self.store("a", address)
            second = try Self.store("b", address)
            ids = [try await Self.start(first, "a"), try await Self.start(second, "b")]
            guard case .taken(let taken) = try await Self.answer(first, .take(agent: ids[0], count: 5)) else {
                throw Strange()
            }
            viewer = try #require(taken.first)
        }

        struct Strange: Error {}

        static func connection(_ address: String) async throws -> PostgresConnection {
            let connection = PostgresConnection(
                try PostgresAddress(address), application: "adtop/tests", task: .own)
            try await connection.open()
            return connection
        }

        static func store(
            _ name: String, _ address: String, seal: SessionSeal? = nil
        ) throws -> PostgresStore {
            PostgresStore(
                try PostgresAddress(address),
                for: PostgresStore.Agent(name: name, version: "test", process: 1), time: ContinuousTimeSource(),
                seal: seal)
        }

        static func start(_ store: PostgresStore, _ name: String) async throws -> Int {
            guard case .started(let id, let terms) = try await answer(store, .start(name: name, place: name)) else {
                throw Strange()
            }
            #expect(terms == FleetTerms(lease: .seconds(8), beat: .seconds(2), isFiring: true))
            return id
        }

        static func answer(_ store: PostgresStore, _ call: StoreCall) async throws -> StoreAnswer {
            guard case .answered(let answer, false) = await store.perform(call) else { throw Strange() }
            return answer
        }

        func request(_ number: Int, due: Int = 1_000, attempt: Int = 1, epoch: Int? = nil) -> ClaimRequest {
            let key = ClaimKey(
                viewer: viewer.id.viewer, due: .seconds(due), beacon: BeaconID(high: 7, low: 9), attempt: attempt)
            var beacon = DueBeacon(key: key, type: "start", url: "http://t.example/1?a='\\\"")
            beacon.ad = ClaimedAd(id: -5, breakName: "=b", name: "=a", firstStart: .microseconds(900_000_001))
            beacon.host = "t.example"
            beacon.late = .milliseconds(12)
            return ClaimRequest(beacon, epoch: epoch ?? viewer.id.epoch, number: number)
        }

        func claim(_ request: ClaimRequest) async throws -> StoreAnswer {
            try await Self.answer(first, .claim(agent: ids[0], requests: [request]))
        }

        /// A claim of the first agent in a transaction that stays open on a connection of its own.
        func openClaim() async throws -> PostgresConnection {
            let other = try await Self.connection(address)
            _ = try await other.run(
                script: """
                    BEGIN; SELECT fleet.claim(\(ids[0]), '{\(viewer.id.viewer)}', '{1}', '{1}', '{1970-01-01 00:16:40+00}',
                    '{00000000000000070000000000000009}', '{0}', '{1}', '{-5}', '{1}', '{0}', '{start}', '{u}')
                    """)
            return other
        }

        /// Waits until a call waits for a lock, or for a standby.
        func waitUntilBlocked(_ event: String = "Lock") async throws {
            for _ in 0..<2_000 {
                let row = try await owner.call(
                    """
                    SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
                    AND (wait_event_type = $1 OR wait_event = $1)
                    """, [.text(event)]
                ).row
                if try row.integer("n") > 0 { return }
            }
            throw Strange()
        }

        /// The first agent's lease is over, and the second one may judge.
        func endLease() async throws {
            _ = try await owner.run(
                script: """
                    UPDATE fleet.agent SET lease_until = clock_timestamp() - interval '1 s' WHERE id = \(ids[0]);
                    UPDATE fleet.agent SET steady_since = steady_since - interval '1 min' WHERE id = \(ids[1])
                    """)
        }

        func isFenced() async throws -> Bool {
            try await owner.call(
                "SELECT fenced_at IS NOT NULL AS is_fenced FROM fleet.agent WHERE id = $1", [.integer(ids[0])]
            ).row.flag("is_fenced")
        }

        func claims() async throws -> Int {
            try await owner.call("SELECT count(*) AS n FROM fleet.claim").row.integer("n")
        }
    }

    /// FLT-14: the list, the mode, a drain and viewers that became free, also over the connection that follows a broken one.
    @Test func changesAreHintedAt() async throws {
        let desk = try await Desk()
        var hints = desk.second.hints.makeAsyncIterator()
        _ = try await desk.owner.call("SELECT fleet.mode_set('observe')")
        await hints.next()
        _ = try await desk.owner.call("SELECT fleet.agent_drain('b', false)")
        await hints.next()
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        await hints.next()
        desk.second.drop(claims: false)
        _ = try await Desk.answer(desk.second, .beat(agent: desk.ids[1]))
        _ = try await desk.owner.call("SELECT fleet.channels_remove('{news}')")
        await hints.next()
        await desk.second.close()
        await desk.first.close()
    }

    @Test func aBeatCarriesTheLoad() async throws {
        let desk = try await Desk()
        var load = AgentLoad(queue: 3, spoolBytes: 0, failing: 1)
        load.usage = AgentUsage(cores: 0.714, residentBytes: 64 << 20, claimP99: .microseconds(7_100))
        load.silence = ClaimSilence(.milliseconds(1_200), words: "store: no space")
        _ = try await Desk.answer(desk.first, .beat(agent: desk.ids[0], load: load))
        let register = FleetRegister(try PostgresAddress(desk.address), for: .read)
        try await register.open()
        let agent = try #require(try await register.agents().first { $0.name == "a" })
        #expect(agent.load.cores == 0.71)
        #expect(agent.load.residentBytes == 64 << 20)
        #expect(agent.load.claimP99 == .microseconds(7_100))
        #expect(agent.load.queue == 3)
        #expect(agent.load.failing == 1)
        #expect(agent.load.silence == load.silence)
        // Else no ad without a day would ever end (`fleet.keep_up`).
        let naming = try await desk.owner.call(
            "SELECT coalesce(load ? 'namesAdsAgain', false) AS is_named FROM fleet.agent WHERE id = $1",
            [.integer(desk.ids[0])])
        #expect(try naming.row.flag("is_named"))
    }

    @Test func takenViewerHasItsChannel() async throws {
        let desk = try await Desk()
        #expect(desk.viewer.id.epoch == 1 && desk.viewer.dueFrom == nil && desk.viewer.playhead == nil)
        #expect(
            desk.viewer.channel
                == FollowedChannel(
                    id: desk.viewer.channel?.id ?? 0, name: "news", url: "http://127.0.0.1/x.m3u8",
                    options: ["poll": "2s"]))
        guard case .beat(let beat) = try await Desk.answer(desk.first, .beat(agent: desk.ids[0])) else {
            throw Desk.Strange()
        }
        #expect(beat.holding == 1 && beat.isFiring && !beat.isDraining && beat.want <= 0)
    }

    /// Whatever the change of the list was: the regions of a channel are not compared by agents.
    @Test(arguments: [
        "channels_add('[{\"name\": \"news\", \"url\": \"http://127.0.0.1/x.m3u8\", \"regions\": [\"us\"]}]')",
        "channels_add('[{\"name\": \"news\", \"url\": \"http://127.0.0.1/x.m3u8\", \"viewers\": 0}]')",
        "channels_remove('{news}')",
    ]) func aViewerThatIsNotWantedIsReported(change: String) async throws {
        let desk = try await Desk()
        _ = try await desk.owner.call("SELECT fleet.\(change)")
        let lists = [
            try await Desk.answer(desk.first, .channels(agent: desk.ids[0], since: 1)),
            try await Desk.answer(desk.second, .channels(agent: desk.ids[1], since: 1)),
        ]
        let unwanted = lists.map { list -> [ViewerEpoch] in
            if case .channels(_, let unwanted) = list { unwanted } else { [] }
        }
        #expect(unwanted == [[desk.viewer.id], []])
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        #expect(try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5)) == .taken([]))
    }

    @Test func claimGrantedOnce() async throws {
        let desk = try await Desk()
        #expect(try await desk.claim(desk.request(1)) == .claimed([.granted]))
        #expect(try await desk.claim(desk.request(2)) == .claimed([.taken]))
    }

    @Test func sameClaimAgain() async throws {
        let desk = try await Desk()
        #expect(try await desk.claim(desk.request(1)) == .claimed([.granted]))
        #expect(try await desk.claim(desk.request(1)) == .claimed([.granted]))
        #expect(try await desk.claims() == 1)
        let outcome = StoredClaim(
            request: desk.request(1), outcome: .acknowledged, status: 204, took: .milliseconds(3))
        #expect(try await Desk.answer(desk.first, .outcomes([outcome])) == .done)
        #expect(try await desk.claim(desk.request(1)) == .claimed([.taken]))
    }

    /// What a successor reads is what was claimed, to the microsecond and the last character.
    @Test func claimComesBackAsItWas() async throws {
        let desk = try await Desk()
        _ = try await desk.claim(desk.request(1))
        let outcome = StoredClaim(request: desk.request(1), outcome: .rejected, status: 503)
        _ = try await Desk.answer(desk.first, .outcomes([outcome]))
        let read = try await Desk.answer(desk.first, .claims(agent: desk.ids[0], viewers: [desk.viewer.id.viewer]))
        var expected = outcome
        (expected.request.beacon.host, expected.request.beacon.late) = ("", nil)
        #expect(read == .claims([expected]))
    }

    /// A stream may date an ad before all dates of the server: its claims are read nevertheless.
    @Test func anAdBeforeAllDatesIsRead() async throws {
        let desk = try await Desk()
        var request = desk.request(1)
        request.beacon.ad?.firstStart = .seconds(-1_000_000_000_000)
        #expect(try await desk.claim(request) == .claimed([.granted]))
        let viewers = [desk.viewer.id.viewer]
        guard case .claims(let read) = try await Desk.answer(desk.first, .claims(agent: desk.ids[0], viewers: viewers))
        else { throw Desk.Strange() }
        #expect(read.map(\.request.beacon.ad?.id) == [-5])
    }

    /// A ping has no date: its claim has the date where the viewer was, and comes back as that of a ping, so that the successor does not send it.
    @Test func whatHasNoDateIsReadAfterATake() async throws {
        let desk = try await Desk()
        var ping = desk.request(1, due: 1_795_000_000)
        ping.beacon.ad = ClaimedAd(id: 21, breakName: "=ping/x", name: "=start 0", firstStart: .zero)
        #expect(try await desk.claim(ping) == .claimed([.granted]))
        let head = PlayheadReading(media: .seconds(1_795_000_005), readAt: ContinuousTimeSource().now().uptime)
        _ = try await Desk.answer(desk.first, .playheads(agent: desk.ids[0], heads: [desk.viewer.id: head], number: 1))
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        guard case .taken(let taken) = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 1)),
            let viewer = taken.first,
            case .claims(let read) = try await Desk.answer(
                desk.second, .claims(agent: desk.ids[1], viewers: [viewer.id.viewer]))
        else { throw Desk.Strange() }
        #expect(viewer.dueFrom == .seconds(1_795_000_005 - 3 * 3_600))
        #expect(read.map(\.request.beacon.ad) == [ping.beacon.ad])
    }

    /// A viewer may have claimed more than one answer should have; none of it is left out.
    @Test func claimsComeInParts() async throws {
        let desk = try await Desk()
        let count = StoreCall.largestPart + 2
        _ = try await desk.owner.call(
            """
            INSERT INTO fleet.claim (due_at, claimed_at, ad, beacon, viewer, epoch, number, host, round, attempt, type, url)
            SELECT to_timestamp(n / 4), now(), 0, md5(n::text)::uuid, $1::int, 1, n, 0, 0, 1, 'start', 'u' || n
            FROM generate_series(1, $2::int) n
            """, [.integer(desk.viewer.id.viewer), .integer(count)])
        var read: [StoredClaim] = []
        var parts: [Int] = []
        while parts.last.map({ $0 == StoreCall.largestPart }) ?? true {
            let call = StoreCall.claims(
                agent: desk.ids[0], viewers: [desk.viewer.id.viewer], after: read.map(\.request.key).max())
            guard case .claims(let part) = try await Desk.answer(desk.first, call) else { throw Desk.Strange() }
            read += part
            parts.append(part.count)
        }
        #expect(parts == [StoreCall.largestPart, 2])
        #expect(Set(read.map(\.request.number)) == Set(1...count))
    }

    /// Of the ads of a day, those come back that the claims name.
    @Test func onlyAdsThatClaimsNameAreRead() async throws {
        let desk = try await Desk()
        var other = desk.request(1, due: 2_000)
        other.beacon.ad = ClaimedAd(id: 12, breakName: "=c", name: "=d", firstStart: .seconds(2_000))
        _ = try await desk.claim(other)
        _ = try await desk.claim(desk.request(2))
        let viewers = [desk.viewer.id.viewer]
        guard case .claims(let all) = try await Desk.answer(desk.first, .claims(agent: desk.ids[0], viewers: viewers))
        else { throw Desk.Strange() }
        #expect(Set(all.map(\.request.beacon.ad)) == [other.beacon.ad, desk.request(2).beacon.ad])
        _ = try await desk.owner.call("DELETE FROM fleet.claim WHERE ad = -5")
        guard case .claims(let one) = try await Desk.answer(desk.first, .claims(agent: desk.ids[0], viewers: viewers))
        else { throw Desk.Strange() }
        #expect(one.map(\.request.beacon.ad) == [other.beacon.ad])
    }

    /// For reports.
    @Test func anAdIsAddedWithWhatWasListed() async throws {
        let desk = try await Desk()
        var request = desk.request(1)
        var listing = AdListing(duration: .seconds(15))
        listing.breakStart = .seconds(890)
        listing.breakDuration = .seconds(60)
        listing.source = "metadata"
        request.beacon.ad?.listing = listing
        _ = try await desk.claim(request)
        let row = try await desk.owner.call(
            """
            SELECT duration_ms, break_ms, source, \(PostgresSQL.microseconds("break_start")) FROM fleet.ad
            """
        ).row
        #expect(try row.integer("duration_ms") == 15_000 && row.integer("break_ms") == 60_000)
        #expect(try row.text("source") == "metadata")
        #expect(try row.time("break_start") == UnixTime(microseconds: 890_000_000))
    }

    /// A claim does not wait for a transaction of its own that adds the ad.
    @Test func anAdIsAddedWithTheClaimThatNamesIt() async throws {
        let desk = try await Desk()
        #expect(try await desk.claim(desk.request(1)) == .claimed([.granted]))
        let together = "SELECT count(*) AS n FROM fleet.ad a JOIN fleet.claim c ON a.xmin = c.xmin"
        #expect(try await desk.owner.call(together).row.integer("n") == 1)
        #expect(try await desk.claim(desk.request(2, due: 1_001)) == .claimed([.granted]))
        #expect(try await desk.owner.call(together).row.integer("n") == 1)
    }

    /// What makes room forgets nothing that the same call needs: neither what it has just asked for, nor what was known before.
    @Test func aCallHasTheNumbersOfAllItsHosts() async throws {
        let desk = try await Desk()
        let names = StoreNames(limit: 3)
        var seen: [String: Int] = [:]
        for hosts in [["a", "b"], ["c"], ["a", "c", "d"], ["a", "b", "c", "d", "e"], ["e"]] {
            let numbers = try await names.numbers(of: hosts, desk.owner)
            #expect(numbers.numbers.keys.sorted() == hosts)
            for host in hosts {
                #expect(numbers[host] > 0)
                #expect(seen[host] == nil || seen[host] == numbers[host])
                seen[host] = numbers[host]
            }
        }
        #expect(Set(seen.values).count == 5)
    }

    /// Else the store could not know whether claims name it.
    @Test func anAdIsNamedAgainAfterHalfADay() {
        let names = StoreNames()
        let key = ClaimKey(viewer: 1, due: .zero, beacon: BeaconID(low: 1))
        var beacon = DueBeacon(key: key, type: "ping", url: "u")
        beacon.ad = ClaimedAd(id: 21, breakName: "=ping/x", name: "=start 0", firstStart: .zero)
        let requests = [ClaimRequest(beacon, epoch: 1, number: 1)]
        #expect(names.newAds(of: requests.map(\.beacon), at: .seconds(5)) != nil)
        names.hasAds(of: requests)
        #expect(names.newAds(of: requests.map(\.beacon), at: .seconds(12 * 3_600)) == nil)
        #expect(names.newAds(of: requests.map(\.beacon), at: .seconds(12 * 3_600 + 5)) != nil)
    }

    /// The store takes no ad of a viewer that the agent has lost; once it has the viewer again, the ad comes with the next claim.
    @Test func anAdIsAddedUntilItsClaimIsAnswered() async throws {
        let desk = try await Desk()
        func ads() async throws -> Int {
            try await desk.owner.call("SELECT count(*) AS n FROM fleet.ad").row.integer("n")
        }
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        #expect(try await desk.claim(desk.request(1)) == .claimed([.notOwner]))
        #expect(try await ads() == 0)
        guard case .taken(let taken) = try await Desk.answer(desk.first, .take(agent: desk.ids[0], count: 1)),
            let viewer = taken.first
        else { throw Desk.Strange() }
        #expect(try await desk.claim(desk.request(1, epoch: viewer.id.epoch)) == .claimed([.granted]))
        #expect(try await ads() == 1)
    }

    @Test func claimAfterGive() async throws {
        let desk = try await Desk()
        let state: [UInt8] = [0, 1, 255]
        let head = PlayheadReading(media: .seconds(5_000), readAt: ContinuousTimeSource().now().uptime, rate: 0)
        _ = try await Desk.answer(desk.first, .sessions(agent: desk.ids[0], states: [desk.viewer.id: state], number: 1))
        _ = try await Desk.answer(desk.first, .playheads(agent: desk.ids[0], heads: [desk.viewer.id: head], number: 1))
        #expect(try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id])) == .done)
        #expect(try await desk.claim(desk.request(1)) == .claimed([.notOwner]))
        guard case .taken(let taken) = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5)) else {
            throw Desk.Strange()
        }
        #expect(taken.map(\.session) == [state])
        #expect(taken.map(\.playhead) == [.seconds(5_000)])
        #expect(taken.map(\.dueFrom) == [.seconds(5_000 - 3 * 3_600)])
        #expect(taken.map(\.id.epoch) == [3])
    }

    /// A call that is executed late saves nothing over what a later one of the same owner saved.
    @Test func aLateCallSavesNoSession() async throws {
        let desk = try await Desk()
        for (number, session) in [(7, 1), (9, 2), (7, 3), (9, 4)] as [(Int, UInt8)] {
            let states = [desk.viewer.id: [session]]
            _ = try await Desk.answer(desk.first, .sessions(agent: desk.ids[0], states: states, number: number))
        }
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        guard case .taken(let taken) = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5)),
            let next = taken.first
        else { throw Desk.Strange() }
        #expect(next.session == [4])
        _ = try await Desk.answer(desk.second, .sessions(agent: desk.ids[1], states: [next.id: [5]], number: 1))
        let row = try await desk.owner.call("SELECT encode(state, 'hex') AS bytes FROM fleet.session").row
        #expect(try row.optionalBytes("bytes") == [5])
    }

    /// Likewise of a playhead: the viewer of a successor does not go back.
    @Test func aLateCallSavesNoPlayhead() async throws {
        let desk = try await Desk()
        func save(_ store: PostgresStore, _ agent: Int, _ id: ViewerEpoch, _ media: Int, number: Int) async throws {
            let head = PlayheadReading(
                media: .seconds(media), readAt: ContinuousTimeSource().now().uptime, rate: 0)
            _ = try await Desk.answer(store, .playheads(agent: agent, heads: [id: head], number: number))
        }
        for (number, media) in [(7, 1_000), (9, 2_000), (7, 3_000), (9, 4_000)] {
            try await save(desk.first, desk.ids[0], desk.viewer.id, media, number: number)
        }
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        guard case .taken(let taken) = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5)),
            let next = taken.first
        else { throw Desk.Strange() }
        #expect(next.playhead == .seconds(4_000))
        try await save(desk.second, desk.ids[1], next.id, 5_000, number: 1)
        let row = try await desk.owner.call("SELECT \(PostgresSQL.microseconds("media")) FROM fleet.playhead").row
        #expect(try row.time("media") == UnixTime(microseconds: 5_000_000_000))
    }

    /// The store has nothing but the key's id in clear; an agent without the key begins without the session.
    @Test func aSealedSessionIsOpenedWithItsKey() async throws {
        let desk = try await Desk()
        let seal = try #require(SessionSeal(Array(repeating: 7, count: SessionSeal.keyBytes)))
        let keyed = try Desk.store("a", desk.address, seal: seal)
        let state = Array("https://a.example/live.m3u8?sessid=S1".utf8)
        _ = try await Desk.answer(keyed, .sessions(agent: desk.ids[0], states: [desk.viewer.id: state], number: 1))
        let row = try await desk.owner.call("SELECT sealed, encode(state, 'hex') AS bytes FROM fleet.session").row
        let stored = try #require(try row.optionalBytes("bytes"))
        #expect(try row.flag("sealed") && seal.open(stored, of: desk.viewer.id.viewer) == state)
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        guard case .taken(let taken) = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5)),
            let other = taken.first
        else { throw Desk.Strange() }
        #expect(other.session == [] && other.sealedWith == SessionSeal.keyID(of: stored))
        _ = try await Desk.answer(desk.second, .give(agent: desk.ids[1], viewers: [other.id]))
        guard case .taken(let opened) = try await Desk.answer(keyed, .take(agent: desk.ids[0], count: 5)) else {
            throw Desk.Strange()
        }
        #expect(opened.map(\.session) == [state] && opened.allSatisfy { $0.sealedWith == nil })
        await keyed.close()
    }

    /// Agents of an earlier version are at work until an upgrade is finished, and read what this one saves.
    @Test(arguments: [(0, 0), (7, StoreProblem.ownStateVersion)])
    func aSessionIsSavedInTheVersionOfTheFleet(fleet: Int, saved: Int) async throws {
        let desk = try await Desk()
        _ = try await Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        _ = try await desk.owner.call("UPDATE fleet.store SET state_version = $1", [.integer(fleet)])
        let id = try await Desk.start(desk.first, "c")
        guard case .taken(let taken) = try await Desk.answer(desk.first, .take(agent: id, count: 1)),
            let viewer = taken.first
        else { throw Desk.Strange() }
        _ = try await Desk.answer(desk.first, .sessions(agent: id, states: [viewer.id: [1]], number: 1))
        #expect(try await desk.owner.call("SELECT version FROM fleet.session").row.integer("version") == saved)
    }

    @Test func tooOld() async throws {
        let desk = try await Desk()
        func claimEverything(from date: String) async throws {
            _ = try await desk.owner.call("UPDATE fleet.viewer SET due_from = '\(date)'")
        }
        try await claimEverything(from: "1970-01-01 00:16:40.000001+00")
        #expect(try await desk.claim(desk.request(1, due: 1_000)) == .claimed([.tooOld]))
        try await claimEverything(from: "1970-01-01 00:16:40+00")
        #expect(try await desk.claim(desk.request(2, due: 1_000)) == .claimed([.granted]))
    }

    @Test func fenceWaitsForClaim() async throws {
        let desk = try await Desk()
        try await desk.endLease()
        let open = try await desk.openClaim()
        _ = try await Desk.answer(desk.second, .beat(agent: desk.ids[1]))
        #expect(try await !desk.isFenced())
        _ = try await open.run(script: "COMMIT")
        _ = try await Desk.answer(desk.second, .beat(agent: desk.ids[1]))
        #expect(try await desk.isFenced())
        _ = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5))
        let viewers = [desk.viewer.id.viewer]
        guard case .claims(let read) = try await Desk.answer(desk.second, .claims(agent: desk.ids[1], viewers: viewers))
        else { throw Desk.Strange() }
        #expect(read.map(\.request.number) == [1])
        #expect(try await desk.claim(desk.request(2, due: 2_000)) == .refused(.fenced))
    }

    @Test func claimWaitsForFence() async throws {
        let desk = try await Desk()
        let fence = try await Desk.connection(desk.address)
        _ = try await fence.run(
            script: "BEGIN; UPDATE fleet.agent SET fenced_at = clock_timestamp() WHERE id = \(desk.ids[0])")
        async let answer = desk.claim(desk.request(1))
        try await desk.waitUntilBlocked()
        _ = try await fence.run(script: "COMMIT")
        #expect(try await answer == .refused(.fenced))
        #expect(try await desk.claim(desk.request(2)) == .refused(.fenced))
        #expect(try await desk.claims() == 0)
    }

    @Test func giveWaitsForClaim() async throws {
        let desk = try await Desk()
        let open = try await desk.openClaim()
        async let given = Desk.answer(desk.first, .give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        try await desk.waitUntilBlocked()
        _ = try await open.run(script: "COMMIT")
        #expect(try await given == .done)
        _ = try await Desk.answer(desk.second, .take(agent: desk.ids[1], count: 5))
        let viewers = [desk.viewer.id.viewer]
        guard case .claims(let read) = try await Desk.answer(desk.second, .claims(agent: desk.ids[1], viewers: viewers))
        else { throw Desk.Strange() }
        #expect(read.map(\.request.number) == [1])
    }

    /// A call that waits for a lock ends at the server before its agent drops it: no backend is left behind, and nothing is done. The same claim
    /// is granted later.
    @Test func aCallBehindALockEnds() async throws {
        let desk = try await Desk()
        let other = try await Desk.connection(desk.address)
        _ = try await other.run(script: "BEGIN; SELECT FROM fleet.agent WHERE id = \(desk.ids[0]) FOR UPDATE")
        let calls: [StoreCall] = [
            .beat(agent: desk.ids[0]), .take(agent: desk.ids[0], count: 1),
            .claim(agent: desk.ids[0], requests: [desk.request(1)]),
            .give(agent: desk.ids[0], viewers: [desk.viewer.id]), .start(name: "a", place: "a"),
        ]
        for call in calls {
            guard case .failed(let problem) = await desk.first.perform(call) else { throw Desk.Strange() }
            #expect(problem.state == "55P03", "\(call)")
        }
        _ = try await other.run(script: "COMMIT")
        #expect(try await desk.claims() == 0)
        #expect(try await desk.claim(desk.request(1)) == .claimed([.granted]))
    }

    /// A former primary lives on: a commit there waits for the standby and holds a lock, so that each further call ends with that. The agent
    /// finds the promoted server all the same.
    @Test func anOldPrimaryThatLivesOnIsPassedOver() async throws {
        let primary = try PrivatePostgres()
        defer { primary.stop() }
        try await primary.waitUntilReady()
        let desk = try await Desk(at: primary.address())
        _ = try await desk.owner.call("UPDATE fleet.store SET durability = 'trusted'")
        let standby = try PrivatePostgres(standbyOf: primary)
        defer { standby.stop() }
        try await standby.waitUntilReady()
        let agent = try Desk.store("a", "\(primary.address()),\(standby.folder)")
        _ = try await desk.owner.run(script: "BEGIN; SELECT FROM fleet.agent WHERE id = \(desk.ids[0]) FOR UPDATE")
        for _ in 0..<2 {
            guard case .failed(let problem) = await agent.perform(.beat(agent: desk.ids[0])) else {
                throw Desk.Strange()
            }
            #expect(problem.state == "55P03")
            agent.drop(claims: false)
        }
        standby.promote()
        try await standby.waitUntilReady()
        guard case .beat(let beat) = try await Desk.answer(agent, .beat(agent: desk.ids[0])) else {
            throw Desk.Strange()
        }
        #expect(beat.holding == 1)
        await agent.close()
    }

    /// The wait for a standby is cancelled: the command succeeds with a warning, and the commit is not durable. The same claim, asked again,
    /// inserts nothing and waits as well.
    @Test func warningIsNoGrant() async throws {
        // A server of its own: its settings are those of all its databases.
        let server = try PrivatePostgres()
        defer { server.stop() }
        try await server.waitUntilReady()
        let desk = try await Desk(at: server.address())
        _ = try await desk.owner.call("UPDATE fleet.store SET durability = 'trusted'")
        _ = try await desk.owner.call("SELECT fleet.mode_set('fire')")
        func setStandbys(_ names: String) async throws {
            _ = try await desk.owner.call("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
            _ = try await desk.owner.call("SELECT pg_reload_conf()")
        }
        func cancel() async throws {
            try await desk.waitUntilBlocked("SyncRep")
            _ = try await desk.owner.call(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        }
        // Its host and its ad are known then: the claim is the only call that waits.
        _ = try await desk.claim(desk.request(1, due: 500))
        _ = try await desk.owner.call("SET synchronous_commit = off")
        try await setStandbys("*")
        // The server takes a moment to wait for standbys.
        let probe = try await Desk.connection(desk.address)
        func write() async throws {
            while try await probe.call("UPDATE fleet.upkeep SET said = 'probe'").warning == nil {}
        }
        async let written: Void = write()
        try await cancel()
        try await written
        _ = try await desk.owner.call("UPDATE fleet.store SET durability = 'strict'")
        for _ in 0..<2 {
            async let reply = desk.first.perform(.claim(agent: desk.ids[0], requests: [desk.request(2)]))
            try await cancel()
            #expect(await reply == .answered(.claimed([.granted]), hasWarning: true))
        }
        #expect(try await desk.claims() == 2)
        try await setStandbys("")
    }

    /// A standby that was promoted is another server in `single`: nothing is granted there, and no beat succeeds. Once it is accepted, no
    /// agent continues what it had, because this server may have forgotten claims (FLT-16).
    @Test func otherTimeline() async throws {
        let primary = try PrivatePostgres()
        defer { primary.stop() }
        try await primary.waitUntilReady()
        let before = try await Desk(at: primary.address())
        let head = PlayheadReading(media: .seconds(5_000), readAt: ContinuousTimeSource().now().uptime)
        _ = try await Desk.answer(
            before.first, .sessions(agent: before.ids[0], states: [before.viewer.id: [1]], number: 1))
        _ = try await Desk.answer(
            before.first, .playheads(agent: before.ids[0], heads: [before.viewer.id: head], number: 1))
        let standby = try PrivatePostgres(standbyOf: primary)
        defer { standby.stop() }
        try await standby.waitUntilReady()
        primary.crash()
        standby.promote()
        try await standby.waitUntilReady()
        let owner = try await Desk.connection(standby.address())
        let store = try Desk.store("a", standby.address())
        #expect(
            await store.perform(.beat(agent: before.ids[0])) == .answered(.refused(.otherServer), hasWarning: false))
        let claim = StoreCall.claim(agent: before.ids[0], requests: [before.request(1)])
        #expect(await store.perform(claim) == .answered(.refused(.otherServer), hasWarning: false))
        #expect(try await owner.call("SELECT count(*) AS n FROM fleet.claim").row.integer("n") == 0)
        _ = try await owner.call("SELECT fleet.server_accept('single')")
        #expect(await store.perform(claim) == .answered(.refused(.fenced), hasWarning: false))
        let agent = try await Desk.start(store, "a")
        guard case .taken(let taken) = try await Desk.answer(store, .take(agent: agent, count: 5)),
            let viewer = taken.first
        else { throw Desk.Strange() }
        #expect(viewer.session == [] && viewer.playhead == nil)
        // The moment of acceptance by the dates of this stream, which are those of 1970.
        let floor = try #require(viewer.dueFrom)
        #expect(floor > .seconds(5_000) && floor < .seconds(5_120))
        let requests = [4_999, 5_000, 9_000].enumerated().map {
            before.request($0.offset + 1, due: $0.element, epoch: viewer.id.epoch)
        }
        let again = StoreCall.claim(agent: agent, requests: requests)
        #expect(try await Desk.answer(store, again) == .claimed([.tooOld, .tooOld, .granted]))
    }

    /// A connection that is dropped while a call waits: nothing is known of the call, and the next one goes over a new connection.
    @Test func aDroppedCallFails() async throws {
        let desk = try await Desk()
        let open = try await desk.openClaim()
        async let reply = desk.first.perform(.give(agent: desk.ids[0], viewers: [desk.viewer.id]))
        try await desk.waitUntilBlocked()
        desk.first.drop(claims: false)
        guard case .failed = await reply else { throw Desk.Strange() }
        _ = try await open.run(script: "COMMIT")
        guard case .beat = try await Desk.answer(desk.first, .beat(agent: desk.ids[0])) else { throw Desk.Strange() }
    }

    /// An agent that ends does not wait for a server that is silent.
    @Test func aCancelledCallFails() async throws {
        let silent = try await ScriptedServer { _ in [] }
        let store = try Desk.store("a", "postgres://owner@127.0.0.1:\(silent.port)/adtop")
        let call = Task { await store.perform(.start(name: "a", place: "a")) }
        while silent.connectionCount < 1 { await Task.yield() }
        let start = ContinuousClock.now
        call.cancel()
        guard case .failed = await call.value else { throw Desk.Strange() }
        #expect(ContinuousClock.now - start < .seconds(3))
        await store.close()
        try await silent.stop()
    }

    /// The call of a connection that was dropped while it was made is never executed, and both connections begin with the other host.
    @Test func aSilentHostIsPassedOver() async throws {
        let database = try await TestDatabase()
        _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
        let silent = try await ScriptedServer { _ in [] }
        let hosts = "host=127.0.0.1,\(database.server.folder)&port=\(silent.port),5432"
        let store = try Desk.store("a", "postgres://owner@/\(database.name)?\(hosts)")
        async let reply = store.perform(.start(name: "a", place: "dropped"))
        while silent.connectionCount < 1 { await Task.yield() }
        store.drop(claims: false)
        #expect(await reply == .failed(.unreachable(place: "127.0.0.1:\(silent.port)", clause: "no answer in time")))
        let start = ContinuousClock.now
        guard case .started(let id, _) = try await Desk.answer(store, .start(name: "a", place: "a")) else {
            throw Desk.Strange()
        }
        let claim = StoreCall.claim(agent: id, requests: [])
        #expect(await store.perform(claim) == .answered(.refused(.observing), hasWarning: false))
        // Less than one silent host costs.
        #expect(ContinuousClock.now - start < .seconds(5))
        let row = try await Desk.connection(database.address()).call("SELECT count(*) AS n FROM fleet.agent").row
        #expect(try row.integer("n") == 1)
        await store.close()
        try await silent.stop()
    }

    @Test func restsOfTheProtocolAreAccepted() async throws {
        let desk = try await Desk()
        var health = ViewerHealth(viewer: desk.viewer.id.viewer, phase: "running", problem: "x")
        health.worstLate = .milliseconds(7)
        #expect(try await Desk.answer(desk.first, .health(agent: desk.ids[0], rows: [health])) == .done)
        let row = UnsentRow(beacon: desk.request(1).beacon, at: .seconds(2_000), isSkipped: false, reason: "store-away")
        #expect(try await Desk.answer(desk.first, .unsent(agent: desk.ids[0], beacons: [row])) == .done)
        #expect(try await desk.owner.call("SELECT count(*) AS n FROM fleet.unsent").row.integer("n") == 1)
        let note = NoteRow(
            viewer: desk.viewer.id.viewer, at: .seconds(2_000), kind: "finding", level: "warning", rule: "L35",
            words: "late \"by\" 3 s")
        #expect(try await Desk.answer(desk.first, .notes(agent: desk.ids[0], rows: [note, note])) == .done)
        let notes = try await desk.owner.call(
            """
            SELECT viewer, agent, kind, level, rule, words, \(PostgresSQL.microseconds("at")) FROM fleet.note
            """
        ).rows
        let kept = try #require(notes.first)
        #expect(notes.count == 2)
        #expect(try kept.integer("viewer") == desk.viewer.id.viewer && kept.integer("agent") == desk.ids[0])
        #expect(try kept.text("kind") == "finding" && kept.text("level") == "warning" && kept.text("rule") == "L35")
        #expect(try kept.text("words") == note.words && kept.time("at") == UnixTime(milliseconds: 2_000_000))
        #expect(
            try await Desk.answer(desk.first, .owned(agent: desk.ids[0])) == .owned([desk.viewer.id]))
        #expect(try await Desk.answer(desk.first, .keepUp) == .done)
        let list = try await Desk.answer(desk.first, .channels(agent: desk.ids[0], since: 0))
        #expect(list == .channels([try #require(desk.viewer.channel)], unwanted: []))
        #expect(try await Desk.answer(desk.first, .end(agent: desk.ids[0])) == .done)
        #expect(try await desk.isFenced())
        let other = try Desk.store("b", desk.address)
        #expect(
            await other.perform(.start(name: "b", place: "elsewhere"))
                == .answered(.refused(.nameInUse), hasWarning: false))
    }
}
