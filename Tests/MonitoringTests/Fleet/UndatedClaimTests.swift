import Fleet
import ModeledStore
import Ports
import Session
import TestSupport
import Testing

@testable import Monitoring

/// What has no media date, such as a ping, in the store of a fleet (FLT-3).
@Suite(.timeLimit(.minutes(1))) struct UndatedClaimTests {
    private static func ping(at now: UnixTime) -> JournalClaim {
        let never = UnixTime(microseconds: 0)
        let beacon = JournalBeacon(
            session: "ping", breakName: "=ping/x", adName: "=start 0", adStart: never, type: "ping", start: never,
            url: "https://t.example/p")
        return JournalClaim(number: 1, beacon: beacon, round: 0, attempt: 1, at: now)
    }

    private struct NoClaims: Error {}

    /// The dates of the stream turn out to be a month after those of the clock, or before them. The epoch of the first agent may have begun at
    /// the time of an acceptance (FLT-16).
    @Test(arguments: [-30, 30], [nil, Duration.seconds(1_000)])
    func aSuccessorReadsWhatWasClaimedBeforeTheFirstPlayhead(days: Int, dueFrom: Duration?) async throws {
        let world = FleetWorld()
        var origin = FakeOrigin()
        origin.override = { request, _, _ in FakeOrigin.status(503, request) }
        world.store.change { $0.viewers[1]?.dueFrom = dueFrom }
        let first = try world.start("a", on: origin)
        await world.pass(.seconds(4))
        let viewer = StoreAnswer.TakenViewer(id: ViewerEpoch(viewer: 1, epoch: 1), dueFrom: dueFrom, playhead: nil)
        let journal = FleetJournal(viewer, claims: [], runtime: first.runtime, lease: FleetLease(world.clock))
        let wall = world.clock.now().wall
        #expect(try await journal.writeClaims([Self.ping(at: wall)]).isEmpty)
        await world.kill(first)

        let playhead = Duration.microseconds(wall.microseconds) + .seconds(days * 86_400)
        world.store.change { $0.viewers[1]?.playhead = playhead }
        let second = try world.start("b", on: origin)
        await world.pass(.seconds(40)) { world.store.tables.viewers[1]?.owner == 2 }
        guard case .answered(.claims(let read), _) = await world.store.perform(.claims(agent: 2, viewers: [1])) else {
            throw NoClaims()
        }
        #expect(world.store.tables.viewers[1]?.dueFrom != nil)
        #expect(read.map(\.request.beacon.ad?.breakName) == ["=ping/x"])
        await world.kill(second)
    }
}
