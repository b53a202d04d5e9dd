import Fleet
import Testing

/// Which viewers an agent gives, because it has more than its share or because the list changed.
@Suite struct FleetAgentListTests {
    /// An agent with four viewers, of which the even ones are of a region. Answers each call until none is left.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var want = 4
        /// The counter of changes, and what the store answers who asks for them.
        var change = 1
        var list = StoreAnswer.channels([], unwanted: [])
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
            case .beat: .beat(beat)
            case .take: .taken((1...4).map(Self.viewer))
            case .claims: .claims([])
            case .channels: list
            default: .done
            }
        }

        private var beat: StoreAnswer.Beat {
            var beat = StoreAnswer.Beat(want: want, holding: agent.holding.count, isDraining: false)
            beat.change = change
            return beat
        }

        private static func viewer(_ number: Int) -> StoreAnswer.TakenViewer {
            var viewer = StoreAnswer.TakenViewer(
                id: ViewerEpoch(viewer: number, epoch: 1), dueFrom: nil, playhead: nil)
            viewer.region = number.isMultiple(of: 2) ? "eu" : ""
            viewer.channel = FleetAgentListTests.channel(number)
            return viewer
        }
    }

    private static func channel(_ number: Int, url: String = "u", poll: String = "4s") -> FollowedChannel {
        FollowedChannel(id: number, name: "ch\(number)", url: url, options: ["poll": poll])
    }

    /// What the list does not want any more, the store reports; a channel that became another one, the agent sees.
    @Test func viewersOfChangedChannelsAreGiven() {
        var desk = Desk()
        desk.pass(at: .zero)
        desk.want = 0
        desk.change = 2
        // One that was given and taken again is another one.
        let unwanted = [ViewerEpoch(viewer: 1, epoch: 1), ViewerEpoch(viewer: 2, epoch: 3)]
        let channels = [Self.channel(2), Self.channel(3, url: "v"), Self.channel(4, poll: "2s")]
        desk.list = .channels(channels, unwanted: unwanted)
        desk.pass(at: .seconds(2))
        #expect(desk.given == [1, 3, 4])
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
