import Fleet
import Testing

/// One call never carries all that a large fleet has: what it leaves goes with the next ones, and nothing waits for ever.
@Suite struct FleetAgentBoundsTests {
    /// An agent and a store that answers at once, or not at all.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var viewers: Int
        /// Whether a reading of so many viewers, with these among them, is answered.
        var reads: ([Int]) -> Bool = { _ in true }
        /// Whether readings have an answer that no reading has.
        var isStrange = false
        /// How many claims the first viewer has.
        var claimed = 0
        /// Whether the health of viewers is not answered.
        var losesHealth = false
        /// What has changed in the list, whose channels have the ids of their viewers and the URL `u`.
        var list: [FollowedChannel] = []
        private(set) var calls: [StoreCall] = []
        private(set) var followed: [Int] = []
        /// How many claims came with a viewer.
        private(set) var known: [Int: Int] = [:]
        private var unanswered: Int?

        init(viewers: Int) {
            self.viewers = viewers
        }

        /// Time passes; a call without an answer is dropped when its time is over, or fails with the next tick.
        mutating func pass(from start: Duration = .zero, to end: Duration, isLate: Bool = false) {
            var now = start
            while now <= end {
                if let number = unanswered, !isLate {
                    unanswered = nil
                    perform(agent.failed(number: number, at: now), at: now)
                }
                perform(agent.ticked(at: now), at: now)
                now += .milliseconds(200)
            }
        }

        mutating func perform(_ effects: [AgentEffect], at now: Duration) {
            for effect in effects {
                switch effect {
                case .call(let call, let number):
                    calls.append(call)
                    if let answer = answer(call) {
                        perform(agent.answered(answer, number: number, at: now), at: now)
                    } else {
                        unanswered = number
                    }
                case .follow(let viewer, let claims):
                    followed.append(viewer.id.viewer)
                    known[viewer.id.viewer] = claims.count
                default: break
                }
            }
        }

        private func answer(_ call: StoreCall) -> StoreAnswer? {
            switch call {
            case .start: return .started(agent: 1)
            case .beat:
                let holding = agent.holding.count
                var beat = StoreAnswer.Beat(want: viewers - holding, holding: holding, isDraining: false)
                beat.change = list.count
                return .beat(beat)
            case .take(_, let count):
                let first = agent.holding.count + 1
                return .taken((first..<first + count).map(Self.taken))
            case .channels: return .channels(list, unwanted: [])
            case .claims where isStrange: return .done
            case .claims(_, let read, let key): return reads(read) ? .claims(claims(of: read, after: key)) : nil
            case .health where losesHealth: return nil
            case .claim(_, let requests): return .claimed(requests.map { _ in .granted })
            default: return .done
            }
        }

        private func claims(of read: [Int], after key: ClaimKey?) -> [StoredClaim] {
            let all = (0..<(read.contains(1) ? claimed : 0)).map { number in
                let key = ClaimKey(viewer: 1, due: .seconds(number), beacon: BeaconID(low: UInt64(number)))
                let beacon = DueBeacon(key: key, type: "start", url: "u")
                return StoredClaim(request: ClaimRequest(beacon, epoch: 1, number: number))
            }
            let rest = all.filter { claim in key.map { claim.request.key > $0 } ?? true }
            return Array(rest.prefix(StoreCall.largestPart))
        }

        private static func taken(_ viewer: Int) -> StoreAnswer.TakenViewer {
            var taken = StoreAnswer.TakenViewer(
                id: ViewerEpoch(viewer: viewer, epoch: 1), dueFrom: nil, playhead: nil)
            taken.channel = FollowedChannel(id: viewer, name: "\(viewer)", url: "u")
            return taken
        }

        /// How many viewers the calls take.
        var takes: [Int] {
            calls.compactMap { if case .take(_, let count) = $0 { count } else { nil } }
        }

        /// How many viewers the calls read.
        var readings: [Int] {
            calls.compactMap { if case .claims(_, let read, _) = $0 { read.count } else { nil } }
        }

        mutating func forgetCalls() { calls = [] }

        /// What the calls save, without beats.
        var saved: [String] {
            calls.compactMap { call in
                switch call {
                case .sessions(_, let states, _): "sessions \(states.count)"
                case .outcomes(let outcomes): "outcomes \(outcomes.count)"
                case .playheads(_, let heads, _): "playheads \(heads.count)"
                case .health(_, let rows): "health \(rows.count)"
                case .give(_, let viewers): "give \(viewers.count)"
                default: nil
                }
            }
        }
    }

    private static func id(_ viewer: Int) -> ViewerEpoch { ViewerEpoch(viewer: viewer, epoch: 1) }

    /// Sessions for four calls and outcomes for three: each kind has its turn, and a playhead waits for its session only.
    @Test func sessionsGoInPartsAndHoldNothingElseUp() {
        var desk = Desk(viewers: 40)
        desk.pass(to: .zero)
        desk.forgetCalls()
        for viewer in 1...40 {
            desk.agent.noteSession(Array(repeating: 7, count: 100 << 10), of: Self.id(viewer))
            desk.agent.moved(Self.id(viewer), to: PlayheadReading(media: .seconds(9), readAt: .zero))
        }
        for number in 1...1_200 {
            let key = ClaimKey(viewer: 1, due: .seconds(number), beacon: BeaconID(low: UInt64(number)))
            let beacon = DueBeacon(key: key, type: "start", url: "u")
            desk.agent.ended(ClaimRequest(beacon, epoch: 1, number: number), .acknowledged)
        }
        desk.pass(from: .milliseconds(200), to: .milliseconds(200))
        #expect(
            desk.saved == [
                "sessions 10", "outcomes 500", "playheads 10", "sessions 10", "outcomes 500", "playheads 10",
                "sessions 10", "outcomes 200", "playheads 10", "sessions 10", "playheads 10",
            ])
        #expect((1...40).allSatisfy { desk.agent.hasSavedSession(of: Self.id($0)) })
    }

    /// Hundreds of claims may come between two ticks: what the store does not have of all viewers is looked for with the tick, except where a
    /// session waits for it.
    @Test func aClaimLooksForNothingElse() {
        var desk = Desk(viewers: 40)
        desk.pass(to: .zero)
        desk.forgetCalls()
        desk.agent.moved(Self.id(40), to: PlayheadReading(media: .seconds(9), readAt: .zero))
        let key = ClaimKey(viewer: 1, due: .seconds(1), beacon: BeaconID(low: 1))
        let effects = desk.agent.becameDue(DueBeacon(key: key, type: "start", url: "u"), at: .milliseconds(100))
        desk.perform(effects, at: .milliseconds(100))
        #expect(desk.calls.map(\.isClaim) == [true])
        desk.pass(from: .milliseconds(200), to: .milliseconds(200))
        #expect(desk.calls.map(\.isClaim) == [true, false] && desk.saved == ["playheads 1"])
        desk.agent.noteSession([7], of: Self.id(40))
        desk.perform(desk.agent.ticked(at: .milliseconds(300)), at: .milliseconds(300))
        #expect(desk.saved == ["playheads 1", "sessions 1"])
    }

    /// One that has more than a call should carry goes alone.
    @Test func aLargeSessionGoesAlone() {
        var desk = Desk(viewers: 3)
        desk.pass(to: .zero)
        desk.forgetCalls()
        for (viewer, bytes) in [(1, 10), (2, 2 << 20), (3, 10)] {
            desk.agent.noteSession(Array(repeating: 7, count: bytes), of: Self.id(viewer))
        }
        desk.pass(from: .milliseconds(200), to: .milliseconds(200))
        #expect(desk.saved == ["sessions 1", "sessions 1", "sessions 1"])
    }

    @Test func rowsOfManyViewersGoInParts() {
        var desk = Desk(viewers: 1_200)
        desk.pass(to: .zero)
        desk.forgetCalls()
        for viewer in 1...1_200 {
            desk.agent.moved(Self.id(viewer), to: PlayheadReading(media: .seconds(9), readAt: .zero))
            desk.agent.noteHealth(ViewerHealth(viewer: viewer, phase: "running"), of: Self.id(viewer))
        }
        desk.pass(from: .milliseconds(200), to: .milliseconds(200))
        #expect(
            desk.saved == [
                "playheads 500", "health 500", "playheads 500", "health 500", "playheads 200", "health 200",
            ])
        desk.forgetCalls()
        // A drain: all are given once their sessions have ended, or have had time to.
        desk.viewers = 0
        desk.pass(from: .seconds(2), to: .seconds(2))
        for viewer in 1...1_200 {
            desk.agent.moved(Self.id(viewer), to: PlayheadReading(media: .seconds(11), readAt: .seconds(2)))
        }
        desk.pass(from: .milliseconds(3_600), to: .milliseconds(3_600))
        #expect(
            desk.saved == [
                "playheads 500", "playheads 500", "playheads 200", "give 500", "give 500", "give 200",
            ])
        #expect(desk.agent.holding.isEmpty)
    }

    /// Each viewer comes with its session: what a store orders at once may be more than an answer can have.
    @Test func viewersAreTakenInParts() {
        var desk = Desk(viewers: 250)
        desk.pass(to: .zero)
        #expect(desk.takes == [100, 100, 50])
        #expect(desk.followed.count == 250)
    }

    /// Nothing of a viewer is claimed before all of its claims were read, however many there are.
    @Test func aViewerWithManyClaimsIsReadInParts() {
        var desk = Desk(viewers: 3)
        desk.claimed = 2 * StoreCall.largestPart + 1
        desk.pass(to: .zero)
        #expect(desk.readings == [3, 1, 1])
        #expect(desk.followed == [2, 3, 1])
        #expect(desk.known == [1: desk.claimed, 2: 0, 3: 0])
    }

    /// What the store did not take is sent again within seconds, and not when its usual time has come.
    @Test func aHealthThatWasNotSavedIsSentAgain() {
        var desk = Desk(viewers: 1)
        desk.pass(to: .zero)
        desk.forgetCalls()
        desk.losesHealth = true
        desk.agent.noteHealth(ViewerHealth(viewer: 1, phase: "running"), of: Self.id(1))
        desk.pass(from: .milliseconds(200), to: .milliseconds(400))
        #expect(desk.saved == ["health 1"])
        desk.losesHealth = false
        desk.pass(from: .milliseconds(600), to: .seconds(5))
        #expect(desk.saved == ["health 1", "health 1"])
    }

    @Test func claimsAreReadInParts() {
        var desk = Desk(viewers: 40)
        desk.reads = { !$0.contains(17) }
        desk.pass(to: .zero)
        // Those whose claims were read play, and no others.
        #expect(desk.readings == [16, 16])
        #expect(desk.followed == Array(1...16))
        #expect(desk.agent.viewersByPhase["reading"] == 24)
    }

    /// A store that answers only small readings: each call is half of the one before, and grows back by one.
    @Test func aReadingThatFailsIsDivided() {
        var desk = Desk(viewers: 16)
        desk.reads = { $0.count <= 5 }
        desk.pass(to: .seconds(10))
        #expect(Array(desk.readings.prefix(6)) == [16, 8, 4, 5, 6, 3])
        #expect(desk.followed.sorted() == Array(1...16))
    }

    @Test func aLateReadingIsDivided() {
        var desk = Desk(viewers: 4)
        desk.reads = { $0.count <= 2 }
        desk.pass(to: .milliseconds(1_800), isLate: true)
        #expect(desk.readings == [4])
        desk.pass(from: .seconds(2), to: .seconds(3), isLate: true)
        #expect(desk.readings == [4, 2, 2])
        #expect(desk.followed.sorted() == [1, 2, 3, 4])
    }

    /// The claims of one viewer may take longer, and the lease is kept meanwhile.
    @Test func theClaimsOfOneViewerMayTakeLonger() {
        var desk = Desk(viewers: 1)
        desk.reads = { _ in false }
        desk.pass(to: .milliseconds(1_800), isLate: true)
        #expect(desk.readings == [1])
        desk.pass(from: .seconds(2), to: .milliseconds(6_800), isLate: true)
        #expect(desk.readings == [1, 1])
        #expect(desk.agent.maySend(at: .milliseconds(6_800)))
        var isKept = true
        for tick in 0..<300 {
            let now = Duration.seconds(7) + .milliseconds(200 * tick)
            desk.pass(from: now, to: now, isLate: true)
            if !desk.agent.maySend(at: now) { isKept = false }
        }
        #expect(isKept)
        #expect(desk.readings.count < 10)
    }

    @Test func aViewerThatCannotBeReadIsGiven() {
        var desk = Desk(viewers: 40)
        desk.reads = { !$0.contains(1) }
        desk.pass(to: .seconds(20))
        desk.viewers = 0
        desk.pass(from: .milliseconds(20_200), to: .seconds(25))
        #expect(desk.agent.holding == [])
    }

    /// Its claims are still to be read when the list changes: the agent that takes it reads the list again.
    @Test func aViewerThatIsNotReadYetIsGivenWhenItsChannelChanges() {
        var desk = Desk(viewers: 2)
        desk.reads = { _ in false }
        desk.pass(to: .seconds(1))
        desk.list = [FollowedChannel(id: 2, name: "2", url: "v")]
        desk.pass(from: .milliseconds(1_200), to: .seconds(5))
        #expect(desk.saved == ["give 1"])
    }

    /// One of them is always ready to be read again, and each reading takes long: orders of the store have their turn.
    @Test func viewersThatCannotBeReadHoldNoOrderUp() {
        var desk = Desk(viewers: 6)
        desk.reads = { _ in false }
        desk.pass(to: .seconds(40), isLate: true)
        desk.list = [FollowedChannel(id: 2, name: "2", url: "v")]
        desk.pass(from: .milliseconds(40_200), to: .seconds(60), isLate: true)
        #expect(desk.saved == ["give 1"])
        desk.viewers = 0
        desk.pass(from: .milliseconds(60_200), to: .seconds(80), isLate: true)
        #expect(desk.agent.holding == [])
    }

    /// It is as no answer, and not asked for without a pause.
    @Test func anAnswerOfAnotherCallIsNone() {
        var desk = Desk(viewers: 1)
        desk.isStrange = true
        desk.pass(to: .seconds(10))
        #expect(desk.readings == [1, 1] && desk.followed == [])
        desk.isStrange = false
        desk.pass(from: .milliseconds(10_200), to: .seconds(12))
        #expect(desk.followed == [1])
    }

    /// A viewer that can never be read holds nothing else up.
    @Test func aViewerThatCannotBeReadHoldsNoOtherUp() {
        var desk = Desk(viewers: 40)
        desk.reads = { !$0.contains(1) }
        desk.pass(to: .seconds(20))
        #expect(desk.followed.sorted() == Array(2...40))
        desk.forgetCalls()
        desk.pass(from: .milliseconds(20_200), to: .seconds(60))
        #expect((1...5).contains(desk.readings.count))
        desk.reads = { _ in true }
        desk.pass(from: .milliseconds(60_200), to: .seconds(80))
        #expect(desk.followed.sorted() == Array(1...40))
    }
}
