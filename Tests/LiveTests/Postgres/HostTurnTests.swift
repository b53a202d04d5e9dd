import Testing

@testable import Live

@Suite struct HostTurnTests {
    private static func places(_ turn: HostTurn, of count: Int) -> [Int] { turn.trials(of: count).map(\.place) }

    @Test func hostsAreTriedInOrder() {
        #expect(Self.places(HostTurn(), of: 3) == [0, 1, 2])
        #expect(Self.places(HostTurn(), of: 1) == [0])
    }

    @Test func theHostThatAnsweredComesFirst() {
        let turn = HostTurn()
        turn.answered(HostTurn.Trial(place: 2, count: 3))
        #expect(Self.places(turn, of: 3) == [2, 0, 1])
    }

    /// Also where both connections of a store have tried it.
    @Test func theHostThatFailedComesLast() {
        let turn = HostTurn()
        for _ in 0..<2 { turn.failed(HostTurn.Trial(place: 0, count: 3)) }
        #expect(Self.places(turn, of: 3) == [1, 2, 0])
        for place in 1..<3 { turn.failed(HostTurn.Trial(place: place, count: 3)) }
        #expect(Self.places(turn, of: 3) == [0, 1, 2])
        turn.failed(HostTurn.Trial(place: 0, count: 1))
        #expect(Self.places(turn, of: 1) == [0])
    }
}
