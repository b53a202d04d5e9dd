import Fleet
import Testing

/// Which viewers an agent gives where the store orders it to give some: first those that cost least (FLT-17).
@Suite struct GivenViewersTests {
    struct Viewer: Sendable {
        var id: Int
        var region = ""
        /// Whether its claims were read, so that it is followed.
        var isRead = true
        var isOnAir = false
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var viewers: [Viewer]
        /// In which they are given.
        var order: [Int]
    }

    static let cases = [
        Case(
            testDescription: "the newest first", viewers: (1...4).map { Viewer(id: $0) }, order: [4, 3, 2, 1]),
        Case(
            testDescription: "those of any region before those of one",
            viewers: [Viewer(id: 1), Viewer(id: 2, region: "eu"), Viewer(id: 3), Viewer(id: 4, region: "eu")],
            order: [3, 1, 4, 2]),
        Case(
            testDescription: "those without a session before those with one",
            viewers: [Viewer(id: 1, isRead: false), Viewer(id: 2), Viewer(id: 3, isRead: false), Viewer(id: 4)],
            order: [3, 1, 4, 2]),
        Case(
            testDescription: "those without an ad on air before those with one",
            viewers: [Viewer(id: 1), Viewer(id: 2), Viewer(id: 3, isOnAir: true), Viewer(id: 4, isOnAir: true)],
            order: [2, 1, 4, 3]),
        Case(
            testDescription: "the region counts most, then the session, then the ad",
            viewers: [
                Viewer(id: 1, isOnAir: true), Viewer(id: 2, region: "eu"), Viewer(id: 3, region: "eu", isRead: false),
                Viewer(id: 4, isRead: false), Viewer(id: 5, region: "eu", isOnAir: true), Viewer(id: 6),
            ], order: [4, 6, 1, 3, 2, 5]),
    ]

    @Test(arguments: cases) func theOrderIsThatOfTheCost(_ given: Case) {
        for count in 0...given.viewers.count + 1 {
            var desk = Desk(given.viewers)
            desk.order([-count])
            #expect(desk.given == Set(given.order.prefix(count)), "\(count) ordered")
        }
    }

    /// What is about to be given counts: another beat, before their sessions have ended, does not order more.
    @Test func whatIsUnderWayCounts() {
        var desk = Desk((1...6).map { Viewer(id: $0) })
        (desk.endsSessions, desk.isHinted) = (false, true)
        desk.order([-2, -2])
        #expect(desk.given == [5, 6])
    }

    /// An agent with viewers, and a store that orders.
    private struct Desk {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        private(set) var given: Set<Int> = []
        /// Whether sessions that are released end at once.
        var endsSessions = true
        /// Whether beats come as early as they may.
        var isHinted = false
        private var free: [Viewer] = []
        private var answersReadings = true
        /// What the next beats order.
        private var wants: [Int] = []
        private var now = Duration.zero

        init(_ viewers: [Viewer]) {
            take(viewers.filter(\.isRead))
            for viewer in viewers {
                agent.noteHealth(
                    ViewerHealth(viewer: viewer.id, phase: "running"), isOnAir: viewer.isOnAir, of: Self.id(viewer))
            }
            answersReadings = false
            take(viewers.filter { !$0.isRead })
        }

        /// The next beats order these numbers of viewers, to be given where they are negative.
        mutating func order(_ wants: [Int]) {
            self.wants = wants
            pass(.seconds(8))
        }

        private mutating func take(_ viewers: [Viewer]) {
            free = viewers
            order([viewers.count])
        }

        private mutating func pass(_ span: Duration) {
            let end = now + span
            while now < end {
                now += .milliseconds(200)
                perform(isHinted ? agent.hinted(at: now) : agent.ticked(at: now))
            }
        }

        private mutating func perform(_ effects: [AgentEffect]) {
            for effect in effects {
                switch effect {
                case .call(let call, let number):
                    if let answer = answer(call) {
                        perform(agent.answered(answer, number: number, at: now))
                    } else {
                        perform(agent.failed(number: number, at: now))
                    }
                case .release(let id): if endsSessions { agent.stopped(id) }
                default: break
                }
            }
        }

        private mutating func answer(_ call: StoreCall) -> StoreAnswer? {
            switch call {
            case .start: return .started(agent: 1)
            case .beat:
                let want = wants.isEmpty ? 0 : wants.removeFirst()
                return .beat(.init(want: want, holding: agent.holding.count, isDraining: false))
            case .take:
                defer { free = [] }
                return .taken(
                    free.map { viewer in
                        var taken = StoreAnswer.TakenViewer(id: Self.id(viewer), dueFrom: nil, playhead: nil)
                        taken.region = viewer.region
                        return taken
                    })
            case .claims: return answersReadings ? .claims([]) : nil
            case .give(_, let viewers):
                given.formUnion(viewers.map(\.viewer))
                return .done
            default: return .done
            }
        }

        private static func id(_ viewer: Viewer) -> ViewerEpoch { ViewerEpoch(viewer: viewer.id, epoch: 1) }
    }
}
