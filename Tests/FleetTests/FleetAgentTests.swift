import Fleet
import ModeledStore
import Testing

/// An agent against a store that answers at once, unless a case withholds answers.
@Suite struct FleetAgentTests {
    private struct Desk {
        var store = StoreModel(StoreTables(viewers: 1))
        var agent: FleetAgent
        var sent: [ClaimRequest] = []
        var unsent: [UnsentReason] = []
        var followed = 0
        var beats = 0
        /// Claims are executed and their answers do not come.
        var losesClaims = false
        /// Claims fail at once.
        var failsClaims = false
        var claimCalls = 0
        /// The number of the newest call with claims.
        var lastClaim: Int?
        var isAway = false
        var warns = false

        init(_ name: String = "a") {
            agent = FleetAgent(name: name, place: name, isSame: VirtualSession.isSame)
        }

        mutating func perform(_ effects: [AgentEffect], at now: Duration) {
            for effect in effects {
                switch effect {
                case .call(let call, let number): answer(call, number, at: now)
                case .send(let request): sent.append(request)
                case .unsent(_, let reason): unsent.append(reason)
                case .follow: followed += 1
                default: break
                }
            }
        }

        private mutating func answer(_ call: StoreCall, _ number: Int, at now: Duration) {
            if case .beat = call { beats += 1 }
            if call.isClaim { (claimCalls, lastClaim) = (claimCalls + 1, number) }
            guard !isAway else { return }
            if call.isClaim, failsClaims { return perform(agent.failed(number: number, at: now), at: now) }
            let answer = store.perform(call, at: now)
            if case .claim = call {
                if losesClaims { return }
                let effects = agent.answered(answer, number: number, hasWarning: warns, at: now)
                warns = false
                return perform(effects, at: now)
            }
            perform(agent.answered(answer, number: number, at: now), at: now)
        }

        mutating func pass(to second: Int, from: Int) {
            for tick in (from * 5)...(second * 5) {
                perform(agent.ticked(at: .milliseconds(tick * 200)), at: .milliseconds(tick * 200))
            }
        }

        mutating func lists(_ url: String, due: Int, late: Duration? = nil, hash: UInt64 = 1, at second: Int) {
            let key = ClaimKey(viewer: 1, due: .seconds(due), beacon: BeaconID(low: hash))
            let now = Duration.seconds(second)
            var beacon = DueBeacon(key: key, type: "start", url: url)
            beacon.late = late
            perform(agent.becameDue(beacon, at: now), at: now)
        }

        /// A successor at the same store, after this agent's end.
        func successor(at second: Int) -> Desk {
            var next = Desk("b")
            next.store = store
            if let id = agent.incarnation { _ = next.store.perform(.end(agent: id), at: .seconds(second)) }
            next.pass(to: second + 4, from: second)
            return next
        }
    }

    /// An agent that follows the viewer and had one beacon granted.
    private static func desk() throws -> Desk {
        var desk = Desk()
        desk.pass(to: 4, from: 0)
        try #require(desk.followed == 1)
        desk.lists("1/4?x", due: 4, at: 4)
        try #require(desk.sent.count == 1)
        return desk
    }

    @Test func unknownIsDone() throws {
        var next = try Self.desk().successor(at: 6)
        next.lists("1/4?x", due: 4, at: 11)
        #expect(next.followed == 1)
        #expect(next.sent == [])
        #expect(next.unsent == [.duplicate])
    }

    @Test func failedIsTriedAgain() throws {
        var desk = try Self.desk()
        desk.agent.ended(desk.sent[0], .failed)
        desk.pass(to: 6, from: 5)
        #expect(desk.agent.spool.isEmpty)
        var next = desk.successor(at: 6)
        next.lists("1/4?y", due: 9, hash: 2, at: 11)
        #expect(next.sent.map(\.key) == [ClaimKey(viewer: 1, due: .seconds(4), beacon: BeaconID(low: 1), attempt: 2)])
    }

    @Test func lateFailed() throws {
        let desk = try Self.desk()
        var next = desk.successor(at: 6)
        _ = next.store.perform(.outcomes([StoredClaim(request: desk.sent[0], outcome: .failed)]), at: .seconds(10))
        next.lists("1/4?x", due: 4, at: 11)
        #expect(next.sent == [])
        var last = next.successor(at: 12)
        last.lists("1/4?x", due: 4, at: 17)
        #expect(last.sent.map(\.key.attempt) == [2])
    }

    /// The dates of the stream stepped back behind all that may be claimed in the epoch: the viewer is given, and the next epoch begins there.
    @Test func datesBehindTheEpochBeginAnother() throws {
        var desk = try Self.desk()
        let viewer = try #require(desk.agent.holding.first)
        desk.agent.moved(viewer, to: PlayheadReading(media: .seconds(100_000), readAt: .seconds(4)))
        desk.pass(to: 6, from: 5)
        var next = desk.successor(at: 6)
        // What is late is not behind the epoch, and what has no date is not, either.
        next.lists("1/6?x", due: 6, late: .seconds(100_000), hash: 3, at: 11)
        next.lists("1/7?x", due: 7, hash: 4, at: 11)
        #expect(next.sent == [] && next.unsent == [.tooOld, .tooOld])
        next.lists("1/5?x", due: 5, late: .zero, hash: 2, at: 11)
        #expect(next.sent == [] && next.unsent.last == .lost)
        next.pass(to: 20, from: 12)
        #expect(next.followed == 2)
        next.lists("1/5?x", due: 5, late: .zero, hash: 2, at: 20)
        next.lists("1/4?x", due: 4, late: .seconds(1), at: 20)
        #expect(next.sent.map(\.key.due) == [.seconds(5)] && next.unsent.last == .duplicate)
    }

    /// The machine stands still with its clocks after a grant. What was granted leaves late, but once; the next claim finds the fence.
    @Test func frozenMachine() throws {
        var desk = try Self.desk()
        var other = Desk("b")
        other.store = desk.store
        other.pass(to: 64, from: 4)
        #expect(!other.store.tables.isAtWork(1))
        #expect(other.followed == 1)
        other.lists("1/4?y", due: 4, hash: 2, at: 64)
        #expect(other.sent == [] && other.unsent == [.duplicate])
        desk.store = other.store
        #expect(desk.agent.maySend(at: .milliseconds(4_100)))
        desk.lists("1/5?x", due: 5, at: 5)
        #expect(desk.sent.map(\.beacon.url) == ["1/4?x"])
        #expect(desk.agent.incarnation != 1 && desk.agent.holding == [])
    }

    /// A killed process that starts again at its place has its viewer within 2 s, and not only when the lease is over.
    @Test func restartAtPlace() throws {
        let desk = try Self.desk()
        var again = Desk()
        again.store = desk.store
        again.pass(to: 7, from: 5)
        #expect(!again.store.tables.isAtWork(1) && again.agent.incarnation == 2)
        #expect(again.followed == 1 && again.agent.holding == [ViewerEpoch(viewer: 1, epoch: 2)])
        again.lists("1/4?x", due: 4, at: 7)
        #expect(again.sent == [] && again.unsent == [.duplicate])
    }

    @Test func movedStart() throws {
        var next = try Self.desk().successor(at: 6)
        next.lists("1/4?cb=2", due: 13, hash: 77, at: 13)
        #expect(next.unsent == [.duplicate])
    }

    /// The store gets a playhead up to which all claims were answered: after a kill the successor claims what is due later (FLT-15).
    @Test func aSavedPlayheadIsBeforeWhatIsUndecided() throws {
        var desk = try Self.desk()
        let id = try #require(desk.agent.holding.first)
        desk.losesClaims = true
        desk.lists("1/5?x", due: 5, at: 5)
        desk.agent.moved(id, to: PlayheadReading(media: .seconds(6), readAt: .seconds(6)))
        desk.pass(to: 6, from: 6)
        let saved = try #require(desk.store.tables.viewers[1])
        #expect(saved.playhead == .seconds(5) - .microseconds(1) && saved.playheadAt == saved.playhead)
        _ = desk.store.perform(.end(agent: try #require(desk.agent.incarnation)), at: .seconds(7))
        _ = desk.store.perform(.start(name: "b", place: "b"), at: .seconds(7))
        guard case .taken(let taken) = desk.store.perform(.take(agent: 2, count: 1), at: .seconds(9)) else {
            throw NotTaken()
        }
        #expect(taken.map(\.playhead) == [.seconds(9)])
        #expect(taken.map { $0.watchedFrom(leftAt: nil, isContinued: true) } == [.seconds(5) - .microseconds(1)])
    }

    /// What has no date of its own is claimed where the viewer is, as far as that is known, and never before the epoch.
    @Test func aViewerHasAMediaDate() throws {
        var desk = try Self.desk()
        let id = try #require(desk.agent.holding.first)
        #expect(desk.agent.mediaDate(of: id, at: .seconds(5)) == nil)
        desk.agent.moved(id, to: PlayheadReading(media: .seconds(100_000), readAt: .seconds(5)))
        desk.pass(to: 6, from: 5)
        #expect(desk.agent.mediaDate(of: id, at: .seconds(8)) == .seconds(100_003))
        desk.agent.moved(id, to: PlayheadReading(media: .seconds(100_004), readAt: .seconds(6), rate: 0))
        #expect(desk.agent.mediaDate(of: id, at: .seconds(8)) == .seconds(100_004))
        #expect(desk.agent.mediaDate(of: ViewerEpoch(viewer: 1, epoch: 9), at: .seconds(8)) == nil)
        var next = desk.successor(at: 6)
        let later = try #require(next.agent.holding.first)
        let taken = try #require(next.agent.mediaDate(of: later, at: .seconds(11)))
        #expect(taken >= .seconds(100_001))
        next.agent.moved(later, to: PlayheadReading(media: .seconds(7), readAt: .seconds(11)))
        #expect(next.agent.mediaDate(of: later, at: .seconds(11)) == next.store.tables.viewers[1]?.dueFrom)
        next.lists("1/ping?x", due: 100_002, hash: 5, at: 11)
        #expect(next.sent.count == 1)
    }

    /// A playhead whose call failed is sent again, and not 20 s later: as it is, or where the viewer is by then.
    @Test(arguments: [nil, PlayheadReading(media: .seconds(106), readAt: .seconds(6))])
    func aPlayheadThatWasNotSavedIsSentAgain(newer: PlayheadReading?) throws {
        var desk = try Self.desk()
        let id = try #require(desk.agent.holding.first)
        let first = PlayheadReading(media: .seconds(105), readAt: .seconds(5))
        desk.agent.moved(id, to: first)
        let effects = desk.agent.ticked(at: .seconds(5))
        guard case .call(.playheads(_, let heads, _), let number)? = effects.first else { throw NotTaken() }
        #expect(heads == [id: first])
        if let newer { desk.agent.moved(id, to: newer) }
        desk.perform(desk.agent.failed(number: number, at: .milliseconds(5_100)), at: .milliseconds(5_100))
        desk.pass(to: 6, from: 5)
        #expect(desk.store.tables.viewers[1]?.playhead == (newer ?? first).media)
    }

    private struct NotTaken: Error {}

    /// A successor must not send what was observed before the fleet fired: its playheads are saved at once.
    @Test func playheadsAreSavedWhenTheFleetBeginsToFire() throws {
        var desk = try Self.desk()
        let id = try #require(desk.agent.holding.first)
        desk.store.tables.isFiring = false
        desk.pass(to: 8, from: 5)
        desk.agent.moved(id, to: PlayheadReading(media: .seconds(8), readAt: .seconds(8)))
        desk.pass(to: 9, from: 8)
        desk.agent.moved(id, to: PlayheadReading(media: .seconds(10), readAt: .seconds(10)))
        desk.pass(to: 10, from: 10)
        #expect(desk.store.tables.viewers[1]?.playhead == .seconds(8))
        desk.store.tables.isFiring = true
        desk.pass(to: 13, from: 10)
        #expect(desk.store.tables.viewers[1]?.playhead == .seconds(10))
    }

    /// The lease counts from before the beat was asked for, and its last second is not used (FLT-12).
    @Test func ownClockStops() throws {
        var desk = try Self.desk()
        let effects = desk.agent.ticked(at: .seconds(6))
        desk.perform(effects, at: .seconds(7))
        #expect(desk.agent.sendsUntil == .seconds(13))
        desk.isAway = true
        desk.pass(to: 12, from: 8)
        #expect(desk.agent.maySend(at: .milliseconds(12_999)))
        desk.pass(to: 13, from: 13)
        #expect(!desk.agent.maySend(at: .seconds(13)))
        desk.lists("1/13?x", due: 13, at: 13)
        #expect(desk.unsent == [.storeAway])
        #expect(desk.sent.count == 1)
    }

    @Test func lostAnswerIsAskedUnderItsNumber() throws {
        var desk = try Self.desk()
        desk.losesClaims = true
        desk.lists("1/5?x", due: 5, at: 5)
        desk.losesClaims = false
        desk.pass(to: 9, from: 5)
        #expect(desk.sent.map(\.number) == [1, 2])
        #expect(desk.store.tables.claims.count == 2)
    }

    /// Beats are answered and claims are not: what has waited for as long as a lease would let it is never sent.
    @Test func overdueClaimsAreWithdrawn() throws {
        var desk = try Self.desk()
        desk.losesClaims = true
        desk.lists("1/5?x", due: 5, at: 5)
        desk.pass(to: 10, from: 5)
        desk.lists("1/10?x", due: 10, hash: 2, at: 10)
        #expect(desk.unsent == [] && desk.agent.claimSilence(at: .seconds(10)) == .seconds(5))
        desk.pass(to: 13, from: 10)
        #expect(desk.unsent == [.storeAway] && desk.agent.maySend(at: .seconds(13)))
        desk.losesClaims = false
        desk.pass(to: 16, from: 13)
        #expect(desk.sent.map(\.beacon.url) == ["1/4?x", "1/10?x"])
        let skipped = desk.store.tables.claims.values.filter { $0.outcome == .skipped }
        #expect(skipped.map(\.request.key.due) == [.seconds(5)])
        #expect(desk.agent.claimSilence(at: .seconds(16)) == nil)
    }

    /// A grant that comes so late is not used.
    @Test func anOverdueGrantIsNotUsed() throws {
        var desk = try Self.desk()
        desk.losesClaims = true
        desk.lists("1/5?x", due: 5, at: 5)
        desk.pass(to: 12, from: 5)
        let number = try #require(desk.lastClaim)
        #expect(desk.unsent == [])
        desk.perform(desk.agent.answered(.claimed([.granted]), number: number, at: .seconds(12)), at: .seconds(12))
        #expect(desk.sent.count == 1 && desk.unsent == [.storeAway])
    }

    /// The answer to the beat that each new connection begins with does not shorten the pauses.
    @Test func failedClaimsAreAskedLessAndLessOften() throws {
        var desk = try Self.desk()
        desk.failsClaims = true
        let before = desk.claimCalls
        desk.lists("1/5?x", due: 5, at: 5)
        desk.pass(to: 11, from: 5)
        #expect(desk.claimCalls - before == 7)
    }

    @Test func warningIsNoGrant() throws {
        var desk = try Self.desk()
        desk.warns = true
        desk.lists("1/5?x", due: 5, at: 5)
        #expect(desk.sent.map(\.number) == [1, 2])
        #expect(desk.store.tables.claims.count == 2)
    }

    @Test func fencedAgentBeginsAgain() throws {
        var desk = try Self.desk()
        _ = desk.store.perform(.end(agent: 1), at: .seconds(5))
        desk.lists("1/5?x", due: 5, at: 5)
        #expect(desk.sent.count == 1)
        desk.pass(to: 9, from: 5)
        #expect(desk.agent.incarnation == 2)
        #expect(desk.agent.holding == [ViewerEpoch(viewer: 1, epoch: 2)])
    }

    /// FLT-14: not earlier than half a second after the beat before, and one beat for many hints.
    @Test func hintsMakeOneEarlyBeat() throws {
        var desk = try Self.desk()
        let before = desk.beats
        for _ in 0..<3 { desk.perform(desk.agent.hinted(at: .milliseconds(4_300)), at: .milliseconds(4_300)) }
        #expect(desk.beats == before)
        desk.pass(to: 5, from: 4)
        #expect(desk.beats == before + 1)
    }

    /// The store may have answered the beat under way before it changed.
    @Test func aHintDuringABeatCountsForTheNext() throws {
        var desk = try Self.desk()
        let effects = desk.agent.ticked(at: .seconds(6))
        let before = desk.beats
        _ = desk.agent.hinted(at: .seconds(6))
        desk.perform(effects, at: .seconds(6))
        desk.pass(to: 7, from: 6)
        #expect(desk.beats == before + 2)
    }

    @Test func drainGivesEveryViewer() throws {
        var desk = try Self.desk()
        desk.store.tables.agents[1]?.isDraining = true
        desk.pass(to: 8, from: 5)
        #expect(desk.agent.holding == [])
        #expect(desk.store.tables.viewers[1]?.owner == nil)
    }
}
