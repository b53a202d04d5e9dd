import Fleet
import Testing

/// Which viewers an agent gives, because it has more than its share or because the list changed.
@Suite struct FleetAgentListTests {
    /// An agent with four viewers, of which the even ones are of a region. Answers each call until none is left.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var want = 4
        private(set) var given: [Int] = []

        mutating func pass(at now: Duration) {
            var effects = agent.ticked(at: now)
            while !effects.isEmpty {
                var next: [AgentEffect] = []
                for effect in effects {
                    switch effect {
                    case .release(let id): given.append(id.viewer)
                    case .call(let call, let number):
                        next += agent.answered(answer(call), number: number, at: now)
                    default: break
                    }
                }
                effects = next
            }
        }

        private func answer(_ call: StoreCall) -> StoreAnswer {
            switch call {
            case .start: .started(agent: 1)
            case .beat: .beat(.init(want: want, holding: agent.holding.count, isDraining: false))
            case .take: .taken((1...4).map(Self.viewer))
            case .claims: .claims([])
            default: .done
            }
        }

        private static func viewer(_ number: Int) -> StoreAnswer.TakenViewer {
            var viewer = StoreAnswer.TakenViewer(
                id: ViewerEpoch(viewer: number, epoch: 1), dueFrom: nil, playhead: nil)
            viewer.region = number.isMultiple(of: 2) ? "eu" : ""
            return viewer
        }
    }

    /// FLT-17: fewer agents can take the viewers of a region.
    @Test func viewersOfAnyRegionAreGivenFirst() {
        var desk = Desk()
        desk.pass(at: .zero)
        #expect(desk.agent.viewersByPhase["following"] == 4)
        desk.want = -3
        desk.pass(at: .seconds(2))
        #expect(desk.given == [3, 1, 4])
    }
}
