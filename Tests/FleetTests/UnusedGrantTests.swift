import Fleet
import Testing

/// A viewer is given while the store takes long to answer a claim of it: what is granted too late for its session is its successor's (FLT-5, FLT-6).
@Suite struct UnusedGrantTests {
    @Test func aGrantWithoutASessionFailsBeforeTheViewerIsGiven() throws {
        var desk = Desk()
        desk.pass(.seconds(3))
        try #require(desk.agent.holding.count == 1)
        desk.claim()
        desk.want = -1
        desk.pass(.seconds(3))
        // The store has not answered the claim, so that the viewer is not given.
        #expect(desk.isReleased && desk.calls == [])
        try desk.grant()
        desk.pass(.seconds(1))
        #expect(desk.calls == ["failed", "give"])
    }

    /// An agent with a viewer; the store answers everything but claims at once.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var want = 1
        private(set) var isReleased = false
        /// Outcomes and gives, in their order.
        private(set) var calls: [String] = []
        private var asked: Int?
        private var now = Duration.zero

        mutating func pass(_ span: Duration) {
            let end = now + span
            while now < end {
                now += .milliseconds(200)
                perform(agent.ticked(at: now))
            }
        }

        mutating func claim() {
            let key = ClaimKey(viewer: 1, due: .seconds(1), beacon: BeaconID(low: 1))
            perform(agent.becameDue(DueBeacon(key: key, type: "start", url: "u"), at: now))
        }

        mutating func grant() throws {
            let number = try #require(asked)
            perform(agent.answered(.claimed([.granted]), number: number, at: now))
        }

        private mutating func perform(_ effects: [AgentEffect]) {
            for effect in effects {
                switch effect {
                case .call(.claim, let number): asked = number
                case .call(let call, let number):
                    note(call)
                    perform(agent.answered(answer(call), number: number, at: now))
                case .release(let id):
                    isReleased = true
                    agent.stopped(id)
                // Its session has ended.
                case .send(let request): agent.unused(request, at: now)
                default: break
                }
            }
        }

        private mutating func note(_ call: StoreCall) {
            switch call {
            case .outcomes(let rows): calls += rows.compactMap(\.outcome).map { "\($0)" }
            case .give: calls.append("give")
            default: break
            }
        }

        private mutating func answer(_ call: StoreCall) -> StoreAnswer {
            switch call {
            case .start: return .started(agent: 1)
            case .beat:
                defer { want = 0 }
                return .beat(.init(want: want, holding: agent.holding.count, isDraining: false))
            case .take:
                return .taken([.init(id: ViewerEpoch(viewer: 1, epoch: 1), dueFrom: nil, playhead: nil)])
            case .claims: return .claims([])
            default: return .done
            }
        }
    }
}
