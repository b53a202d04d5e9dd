import AdTracking
import Fleet
import Locks
import ModeledStore
import Monitoring
import Ports
import Session
import TestSupport
import Testing

/// Agents at work with real sessions, judged at a collector that counts by true beacon (docs/rules/fleet.md). The world begins at 95 s of the
/// stream; a viewer is 12 s behind its end.
@Suite(.timeLimit(.minutes(2))) struct FleetRuntimeTests {
    private static let events = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// A stream with one ad from 100 s to 160 s.
    /// - Parameters:
    ///   - moved: how much later the ad is said to start, in milliseconds.
    ///   - salt: changes ids and the cache buster; nil for URLs without one.
    private static func origin(
        moved: Int64 = 0, salt: String? = "1", again: Int64? = nil, session: String = "S1", parameter: String = "cb"
    ) -> FakeOrigin {
        func adBreak(_ start: Int64, _ number: Int) -> FakeOrigin.Break {
            var ad = FakeOrigin.Ad("a\(number)-\(salt ?? "")", start: start + moved, duration: 60_000)
            for index in ad.events.indices {
                let buster = salt.map { "&\(parameter)=\($0)" } ?? ""
                ad.events[index].urls = [FakeOrigin.beacon("a1", ad.events[index].name) + buster]
            }
            return FakeOrigin.Break(id: "b\(number)-\(salt ?? "")", ads: [ad])
        }
        var origin = FakeOrigin(breaks: [adBreak(100_000, 1)] + (again.map { [adBreak($0, 2)] } ?? []))
        origin.override = { request, _, _ in
            guard session != "S1", request.url.query?.contains("initSession=true") == true else { return nil }
            let addresses =
                #"{"manifestUrl":"/s/index.m3u8?sessid=\#(session)","trackingUrl":"/s/metadata?sessid=\#(session)"}"#
            return FakeOrigin.text(addresses, type: "application/json", of: request)
        }
        return origin
    }

    private static func arrivals(_ events: [String], times: Int = 1) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: events.map { ("ad=a1 e=\($0)", times) })
    }

    @Test func anAgentClaimsAndSendsEveryBeaconOnce() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(90))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.end(agent)
        #expect(world.store.claims.map(\.outcome) == Array(repeating: .acknowledged, count: 6))
        #expect(world.store.tables.free == [1])
        #expect(world.store.tables.viewers[1]?.playhead != nil)
        #expect(world.store.health[1]?.provider == "harmonic" && world.store.health[1]?.serviceMode == "client")
    }

    /// The answer is lost, the claim is asked again under its number, and there is one row.
    @Test func sameClaimAgain() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(10))
        world.store.loseClaims(2)
        await world.pass(.seconds(80))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        #expect(world.store.claims.count == 6)
        await world.kill(agent)
    }

    @Test func warningIsNoGrant() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(10))
        world.store.warnClaims(1)
        await world.pass(.seconds(80))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        #expect(world.store.claims.count == 6)
        await world.kill(agent)
    }

    /// The killed owner leaves claims without an outcome; the successor, which continues within the ad, sends what is left, and late what was
    /// due while no agent had the viewer.
    @Test func unknownIsDone() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin())
        await world.pass(.seconds(5))
        let second = try world.start("b", on: Self.origin())
        await world.pass(.seconds(25))
        #expect(world.collector.arrivals == Self.arrivals(Array(Self.events.prefix(2))))
        await world.kill(first)
        world.store.change { tables in for key in tables.claims.keys { tables.claims[key]?.outcome = nil } }
        await world.pass(.seconds(70))
        #expect(world.store.tables.isAtWork(1) == false)
        #expect(world.collector.doubled == [])
        // The first quartile is due before the successor has the viewer.
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.kill(second)
    }

    /// Other ids, another cache buster, starts that moved by 9 s.
    @Test func movedStart() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin())
        await world.pass(.seconds(5))
        let second = try world.start("b", on: Self.origin(moved: 9_000, salt: "2"))
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 3 }
        #expect(world.collector.arrivals == Self.arrivals(Array(Self.events.prefix(3))))
        await world.end(first)
        await world.pass(.seconds(75))
        #expect(world.collector.doubled == [])
        // The first quartile at 124 s was due once more for the successor, and is known.
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.kill(second)
    }

    @Test func cacheBuster() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin(salt: "83520761"))
        await world.pass(.seconds(5))
        let second = try world.start("b", on: Self.origin(salt: "19350284"))
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 3 }
        await world.end(first)
        await world.pass(.seconds(75))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.kill(second)
    }

    /// The same ad with the same URLs airs again later: that is another showing.
    @Test func sameAdLater() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin(again: 230_000))
        await world.pass(.seconds(5))
        let second = try world.start("b", on: Self.origin(again: 230_000))
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 3 }
        await world.end(first)
        await world.pass(.seconds(190))
        #expect(world.collector.arrivals == Self.arrivals(Self.events, times: 2))
        await world.kill(second)
    }

    /// No connection was made from the first agent: the successor tries again, as the next attempt of that very claim.
    @Test func failedIsTriedAgain() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin(), retry: .never, refusesBeacons: true)
        await world.pass(.seconds(5))
        let second = try world.start("b", on: Self.origin(moved: 9_000, salt: "2"))
        await world.pass(.seconds(20))
        #expect(world.store.claims.map(\.outcome).allSatisfy { $0 == .failed })
        #expect(world.store.claims.contains { $0.request.beacon.type == "impression" })
        await world.end(first)
        await world.pass(.seconds(90))
        let impressions = world.store.claims.filter { $0.request.beacon.type == "impression" }.map(\.request.key)
        #expect(impressions.map(\.attempt) == [1, 2])
        #expect(Set(impressions.map(\.due)).count == 1 && Set(impressions.map(\.beacon)).count == 1)
        #expect(world.collector.arrivals["ad=a1 e=impression"] == 1)
        #expect(world.collector.doubled == [])
        await world.kill(second)
    }

    /// The successor continues the session, asks for none, and sends what became due while nobody followed the viewer.
    @Test(arguments: [27, 29, 30, 31, 32, 33, 46]) func aDrainedViewerContinues(seconds: Int) async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin())
        await world.pass(.seconds(seconds))
        let opened = Locked(0)
        var origin = Self.origin(moved: 900, salt: "2")
        origin.override = { request, _, _ in
            if request.url.query?.contains("initSession=true") == true { opened.withLock { $0 += 1 } }
            return nil
        }
        let second = try world.start("b", on: origin)
        world.store.change { $0.agents[1]?.isDraining = true }
        await world.pass(.seconds(100 - seconds))
        #expect(await first.runtime.status.holding == 0)
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        #expect(opened.withLock { $0 } == 0)
        await world.kill(first)
        await world.kill(second)
    }

    /// The successor has to open a new session with other URLs: nothing up to what was claimed is sent (FLT-13).
    @Test func newSessionFloor() async throws {
        let world = FleetWorld()
        let first = try world.start("a", on: Self.origin(salt: "S1", parameter: "sessid"))
        await world.pass(.seconds(5))
        var origin = Self.origin(salt: "S2", session: "S2", parameter: "sessid")
        let opening = origin.override
        origin.override = { request, now, count in
            let isRejected = request.url.query?.contains("sessid=S1") == true && !request.url.path.hasSuffix("/b")
            return isRejected ? FakeOrigin.status(410, request) : opening?(request, now, count)
        }
        let second = try world.start("b", on: origin)
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 3 }
        #expect(world.collector.arrivals == Self.arrivals(Array(Self.events.prefix(3))))
        await world.end(first)
        await world.pass(.seconds(75))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.kill(second)
    }

    /// An ad whose dates are a day back, as those of its media.
    private static func dayBack(_ start: Int64, session: String) -> FakeOrigin.Break {
        var ad = FakeOrigin.Ad("a2", start: start - 86_400_000, duration: 16_000)
        for index in ad.events.indices { ad.events[index].urls[0] += "&sessid=\(session)" }
        return FakeOrigin.Break(id: "back-\(session)", ads: [ad])
    }

    private static let arrivalsOfDayBack = Dictionary(uniqueKeysWithValues: events.map { ("ad=a2 e=\($0)", 1) })

    /// The dates stepped back by a day before the new session: what the former one reached is dated otherwise (FLT-13).
    @Test func newSessionBehindADayBack() async throws {
        let world = FleetWorld()
        var former = Self.origin(salt: "S1", parameter: "sessid")
        var origin = Self.origin(salt: "S2", session: "S2", parameter: "sessid")
        former.dateStep = (180_000, -86_400_000)
        origin.dateStep = former.dateStep
        former.breaks.append(Self.dayBack(232_000, session: "S1"))
        origin.breaks.append(Self.dayBack(232_000, session: "S2"))
        let first = try world.start("a", on: former)
        await world.pass(.seconds(5))
        let opening = origin.override
        origin.override = { request, now, count in
            let isRejected = request.url.query?.contains("sessid=S1") == true && !request.url.path.hasSuffix("/b")
            return isRejected ? FakeOrigin.status(410, request) : opening?(request, now, count)
        }
        let second = try world.start("b", on: origin)
        await world.pass(.seconds(100))
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.end(first)
        await world.pass(.seconds(75))
        #expect(world.collector.doubled == [])
        #expect(world.collector.arrivals == Self.arrivals(Self.events).merging(Self.arrivalsOfDayBack) { $1 })
        await world.kill(second)
    }

    /// The dates step back by a day after a take, behind all that may be claimed in that epoch: the viewer is taken again (FLT-3).
    @Test func aDayBackAfterATake() async throws {
        let world = FleetWorld()
        var origin = FakeOrigin(breaks: [Self.dayBack(140_000, session: "S1")])
        origin.dateStep = (120_000, -86_400_000)
        let first = try world.start("a", on: origin)
        await world.pass(.seconds(6))
        let second = try world.start("b", on: origin)
        await world.end(first)
        await world.pass(.seconds(95))
        #expect(world.collector.arrivals == Self.arrivalsOfDayBack)
        #expect(world.store.tables.free == [])
        await world.kill(second)
    }

    /// Beats are not answered: nothing is sent after lease - 1 s, it is observed with a reason, and never sent afterwards.
    @Test func ownClockStops() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(25))
        #expect(world.collector.arrivals == Self.arrivals(Array(Self.events.prefix(2))))
        world.store.setAway(true)
        await world.pass(.seconds(15))
        let status = await agent.runtime.status
        #expect(status.header?.hasPrefix("OBSERVE store away ") == true)
        #expect(world.collector.arrivals == Self.arrivals(Array(Self.events.prefix(2))))
        let ad = await agent.monitors.last?.snapshot().breaks.first?.ads.first
        let quartile = try #require(ad?.events.first { $0.event == "firstQuartile" })
        #expect(quartile.urls.map(\.state) == [.observed])
        #expect(quartile.urls.map(\.reason) == [.storeAway])
        world.store.setAway(false)
        await world.pass(.seconds(60))
        #expect(await agent.runtime.status.header == nil)
        #expect(world.collector.arrivals == Self.arrivals(Self.events.filter { $0 != "firstQuartile" }))
        await world.kill(agent)
    }

    /// The disk of the store is full: beats, which change a row in its place, are answered, and claims are not.
    @Test func claimsFailAndBeatsDoNot() async throws {
        let world = FleetWorld()
        let log = NotedLines()
        let agent = try world.start("a", on: Self.origin(), log: log)
        await world.pass(.seconds(25))
        world.store.failClaims(.diskFull)
        await world.pass(.seconds(20))
        let status = await agent.runtime.status
        #expect(status.header?.hasPrefix("OBSERVE store away ") == true && status.leaseLeft != nil)
        #expect(status.load.silence?.words == StoreProblem.diskFull.sentence)
        #expect(log.lines.filter { $0.contains("answers no claim (\(StoreProblem.diskFull.sentence))") }.count == 1)
        world.store.failClaims(nil)
        await world.pass(.seconds(50))
        let last = await agent.runtime.status
        #expect(last.header == nil && last.load.silence == nil)
        #expect(log.lines.filter { $0.contains("answers claims again") }.count == 1)
        #expect(world.collector.arrivals == Self.arrivals(Self.events.filter { $0 != "firstQuartile" }))
        await world.kill(agent)
    }

    /// Another agent fenced this one: it stops its viewers, begins again, and what it claimed before is known to it.
    @Test func aFencedAgentBeginsAgain() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(37))
        world.store.change { $0.agents[1]?.isFenced = true }
        await world.pass(.seconds(60))
        #expect(await agent.runtime.status.incarnation == 2)
        #expect(world.store.tables.viewers[1]?.epoch == 2)
        #expect(world.collector.doubled == [])
        #expect(world.collector.arrivals == Self.arrivals(Self.events))
        await world.kill(agent)
    }

    /// People find in the store what happened to a viewer.
    @Test func notesOfSessionsReachTheStore() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(20))
        let polls = world.store.notes.filter { $0.kind == "poll" && $0.viewer == 1 }
        #expect(polls.contains { $0.words.contains("+1 break") }, "\(world.store.notes)")
        await world.kill(agent)
    }

    /// Where a service is away, all viewers poll in vain all the time.
    @Test func aPollThatFailsAsTheOneBeforeIsNoNote() async throws {
        let world = FleetWorld()
        let (isAway, failures) = (Locked(false), Locked(0))
        var origin = Self.origin()
        origin.override = { request, _, _ in
            guard request.url.path.hasSuffix("/metadata"), isAway.withLock({ $0 }) else { return nil }
            failures.withLock { $0 += 1 }
            return FakeOrigin.status(503, request)
        }
        let agent = try world.start("a", on: origin)
        await world.pass(.seconds(10))
        for count in 1...2 {
            isAway.withLock { $0 = true }
            await world.pass(.seconds(60))
            #expect(failures.withLock { $0 } >= 2 * count)
            #expect(world.store.notes.count { $0.kind == "poll" && $0.level == "warning" } == count)
            isAway.withLock { $0 = false }
            await world.pass(.seconds(60))
        }
        await world.kill(agent)
    }

    /// A fence is neither a give nor undoes the take before it; the ordered end gives what the agent has.
    @Test func takesGivesAndFencesAreCounted() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        func counts() async -> [Int] {
            let counters = await agent.runtime.status.counters
            return [counters.takes, counters.gives, counters.fenced]
        }
        #expect(await counts() == [0, 0, 0])
        await world.pass(.seconds(5))
        #expect(await counts() == [1, 0, 0])
        world.store.change { $0.agents[1]?.isFenced = true }
        await world.pass(.seconds(5))
        #expect(await counts() == [2, 0, 1])
        await world.end(agent)
        #expect(await counts() == [2, 1, 1])
    }

    /// Outcomes that the store did not take, of a process that is gone: the next one at its place delivers them, once.
    @Test func spool() async throws {
        let world = FleetWorld()
        let disk = MemorySpool()
        let first = try world.start("a", on: Self.origin(), disk: disk)
        await world.pass(.seconds(5))
        world.store.withholdRows(true)
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 2 }
        await world.pass(.seconds(1))
        #expect(disk.rows.outcomes.map(\.outcome) == [.acknowledged, .acknowledged])
        #expect(world.store.claims.map(\.outcome) == [nil, nil])
        await world.kill(first)
        world.store.withholdRows(false)
        let second = try world.start("a", on: Self.origin(), disk: disk)
        await world.pass(.seconds(2))
        #expect(world.store.claims.map(\.outcome) == [.acknowledged, .acknowledged])
        #expect(world.store.deliveredOutcomes == 2)
        #expect(disk.rows.isEmpty)
        #expect(await second.runtime.status.load.spoolBytes == 0)
        await world.pass(.seconds(75))
        #expect(world.collector.doubled == [])
        await world.kill(second)
    }

    /// What a full disk did not take is there once it has room, though nothing more has come.
    @Test func whatAFullDiskDidNotTakeFollows() async throws {
        let world = FleetWorld()
        let (disk, log) = (MemorySpool(), NotedLines())
        let agent = try world.start("a", on: Self.origin(), disk: disk, log: log)
        await world.pass(.seconds(5))
        world.store.withholdRows(true)
        disk.setFull(true)
        await world.pass(.seconds(60)) { world.collector.arrivals.count == 2 }
        await world.pass(.seconds(1))
        #expect(disk.rows.isEmpty)
        disk.setFull(false)
        await world.pass(.seconds(6))
        #expect(disk.rows.outcomes.map(\.outcome) == [.acknowledged, .acknowledged])
        #expect(log.lines.count { $0.contains("the spool is not written (no space left)") } == 1)
        await world.kill(agent)
    }

    /// Each try may write as much as the disk has room for, and remove it again: tries are 5, 10, 20, 40 and then 60 s apart.
    @Test func aFullDiskIsTriedLessAndLessOften() async throws {
        let world = FleetWorld()
        let disk = MemorySpool()
        let agent = try world.start("a", on: Self.origin(), disk: disk)
        await world.pass(.seconds(5))
        world.store.withholdRows(true)
        disk.setFull(true)
        await world.pass(.seconds(60)) { disk.refusals == 1 }
        await world.pass(.seconds(100))
        #expect(disk.refusals == 5)
        await world.pass(.seconds(100))
        #expect(disk.refusals == 7)
        disk.setFull(false)
        await world.pass(.seconds(61))
        #expect(!disk.rows.isEmpty)
        await world.kill(agent)
    }

    /// A disk that hangs keeps nothing, and stops nothing: the agent keeps its lease and sends.
    @Test func aDiskThatHangsStopsNothing() async throws {
        let world = FleetWorld()
        let disk = HangingSpool()
        let agent = try world.start("a", on: Self.origin(), disk: disk)
        await world.pass(.seconds(5))
        world.store.withholdRows(true)
        await world.pass(.seconds(60)) { disk.isHanging }
        let sent = world.collector.arrivals.count
        await world.pass(.seconds(30))
        #expect(disk.isHanging && world.collector.arrivals.count > sent)
        let status = await agent.runtime.status
        #expect(status.storeAway == nil && (status.leaseLeft ?? .zero) > .zero)
        disk.release()
        await world.kill(agent)
    }

    /// Notes and what was not sent fill the spool: the log says so once, and notes make room.
    @Test func aFullSpoolIsAFinding() async throws {
        let world = FleetWorld()
        let log = NotedLines()
        let agent = try world.start("a", on: Self.origin(), spoolLimit: 2_500, log: log)
        await world.pass(.seconds(5))
        world.store.setAway(true)
        await world.pass(.seconds(90))
        #expect(await agent.runtime.status.dropped.unsent > 0)
        #expect(log.lines.filter { $0.hasPrefix("fleet: spool-full: ") }.count == 1)
        await world.kill(agent)
    }

    /// A viewer that becomes free is taken at once where the store hints at it, and with the next beat otherwise (FLT-14).
    @Test(arguments: [true, false]) func aHintMakesTheBeatComeEarlier(isHinted: Bool) async throws {
        let world = FleetWorld()
        world.store.change { $0.viewers[1]?.isRemoved = true }
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.milliseconds(4_800))
        world.store.change { $0.viewers[1]?.isRemoved = false }
        if isHinted { world.store.hint() }
        await world.pass(.milliseconds(200))
        #expect(world.store.tables.free == (isHinted ? [] : [1]))
        await world.pass(.seconds(2))
        #expect(world.store.tables.free == [])
        await world.kill(agent)
    }

    /// In a fleet that observes nothing is claimed.
    @Test func anObservingFleetClaimsNothing() async throws {
        let world = FleetWorld()
        world.store.change { $0.isFiring = false }
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(60))
        #expect(world.store.claims.isEmpty && world.collector.arrivals.isEmpty)
        #expect(await agent.runtime.status.header == "OBSERVE the fleet observes")
        await world.kill(agent)
    }

    /// Two agents with one name: the second is told so and ends.
    @Test func aNameInUseEndsTheAgent() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(4))
        let other = world.run(
            FleetRuntime(
                FleetAgent(name: "a", place: "elsewhere", isSame: nil), store: world.store, time: world.time,
                on: world.executor
            ) { _, _ in nil })
        await world.pass(.seconds(2))
        await other.task.value
        #expect(await other.runtime.refusal == .nameInUse)
        await world.kill(agent)
    }

    /// An agent that begins while the store is away waits for it, and the log has one line about that.
    @Test func anAgentWaitsForTheStoreAtItsStart() async throws {
        let world = FleetWorld()
        let log = NotedLines()
        let refused = StoreProblem.unreachable(place: "db:5432", clause: "connection refused")
        world.store.failStarts(
            Array(repeating: refused, count: 6) + [
                .unreachable(place: "db:5432", clause: "no such host"), .noSlots(nil), .away(state: "57P03"),
                .noHandshake(place: "db:5432", words: "server closed the connection unexpectedly"),
            ])
        let agent = try world.start("a", on: Self.origin(), log: log)
        await world.pass(.seconds(90))
        #expect(log.lines.filter { $0.hasPrefix("fleet: the store is away (\(refused.sentence))") }.count == 1)
        #expect(log.lines.filter { $0.hasPrefix("fleet: the store is back") }.count == 1)
        #expect(!world.collector.arrivals.isEmpty && world.collector.doubled.isEmpty)
        #expect(await agent.runtime.problem == nil)
        await world.kill(agent)
    }

    /// What only a person can change ends an agent at its start, also after it has waited.
    @Test(arguments: [
        StoreProblem.passwordRejected(user: "anna"), .noRights(user: "anna", task: .agent), .newerSchema(3),
        .serverTooOld(version: "12.4"), .noFleet(database: "adtop"),
    ])
    func aLastingProblemEndsTheStart(_ problem: StoreProblem) async throws {
        let world = FleetWorld()
        world.store.failStarts([.away(state: "57P03"), problem])
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(2))
        await agent.task.value
        #expect(await agent.runtime.problem == problem)
        #expect(world.store.calls == 2)
    }

    /// A refusal is an answer, and the log has its sentence, too.
    @Test func theLogSaysWhyTheStoreRefuses() async throws {
        let world = FleetWorld()
        let log = NotedLines()
        world.store.failStarts(Array(repeating: .notDurable, count: 5))
        let agent = try world.start("a", on: Self.origin(), log: log)
        await world.pass(.seconds(20))
        let why = StoreProblem.notDurable.sentence
        #expect(log.lines.filter { $0.hasPrefix("fleet: the store is away (\(why))") }.count == 1)
        #expect(await agent.runtime.status.incarnation != nil)
        await world.kill(agent)
    }

    /// The same problems are waited out by an agent that was admitted: a person who changes a password must not stop a fleet.
    @Test func anAdmittedAgentWaitsForEverything() async throws {
        let world = FleetWorld()
        let agent = try world.start("a", on: Self.origin())
        await world.pass(.seconds(4))
        world.store.failStarts(Array(repeating: .passwordRejected(user: "anna"), count: 6))
        world.store.change { $0.agents[1]?.isFenced = true }
        await world.pass(.seconds(60))
        #expect(await agent.runtime.status.incarnation == 2)
        #expect(await agent.runtime.problem == nil)
        await world.kill(agent)
    }
}
