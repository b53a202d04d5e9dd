import Fleet
import Testing

/// Pictures go to the store with what is for people, and only of viewers that the agent has and somebody looks at.
@Suite struct FleetAgentPictureTests {
    private static let viewer = ViewerEpoch(viewer: 7, epoch: 2)

    /// An agent with one viewer. Answers each call until none is left; returns the calls.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var watched: [Int] = [7, 8]
        private(set) var calls: [StoreCall] = []

        mutating func pass(at now: Duration) {
            calls = []
            var effects = agent.ticked(at: now)
            while case .call(let call, let number)? = effects.first(where: {
                if case .call = $0 { true } else { false }
            }) {
                calls.append(call)
                effects = agent.answered(answer(call), number: number, at: now)
            }
        }

        private func answer(_ call: StoreCall) -> StoreAnswer {
            switch call {
            case .start: return .started(agent: 1)
            case .beat:
                let holding = agent.holding.count
                var beat = StoreAnswer.Beat(want: holding == 0 ? 1 : 0, holding: holding, isDraining: false)
                beat.watched = watched
                return .beat(beat)
            case .take: return .taken([.init(id: FleetAgentPictureTests.viewer, dueFrom: nil, playhead: nil)])
            case .claims: return .claims([])
            default: return .done
            }
        }
    }

    private static func pictures(_ calls: [StoreCall]) -> [String] {
        calls.compactMap { if case .picture(1, 7, let text) = $0 { text } else { nil } }
    }

    @Test func aWatchedViewerHasPictures() {
        var desk = Desk()
        desk.pass(at: .zero)
        #expect(desk.agent.holding == [Self.viewer])
        #expect(desk.agent.watched == [Self.viewer])
        desk.agent.notePicture("one", of: Self.viewer)
        desk.agent.notePicture("two", of: Self.viewer)
        desk.agent.notePicture("other", of: ViewerEpoch(viewer: 7, epoch: 1))
        desk.pass(at: .milliseconds(200))
        #expect(Self.pictures(desk.calls) == ["two"])
        desk.pass(at: .milliseconds(400))
        #expect(Self.pictures(desk.calls) == [])
        desk.watched = []
        desk.pass(at: .seconds(3))
        #expect(desk.agent.watched == [])
    }
}
