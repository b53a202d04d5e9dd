import Testing

@testable import Fleet

/// Notes are for people: they are sent once, and hold nothing else up.
@Suite struct NoteRowTests {
    private static func notes(_ numbers: ClosedRange<Int>) -> [NoteRow] {
        numbers.map { NoteRow(viewer: 1, at: .seconds($0), kind: "log", level: "warning", words: "\($0)") }
    }

    @Test func theOldestAreDropped() {
        var waiting = WaitingNotes()
        waiting.add(Self.notes(1...WaitingNotes.limit))
        let sent = waiting.prefix(500)
        waiting.add(Self.notes(WaitingNotes.limit + 1...WaitingNotes.limit + 100))
        #expect(waiting.count == WaitingNotes.limit)
        #expect(waiting.prefix(1) == Self.notes(101...101))
        // Those that were dropped meanwhile are not removed twice.
        waiting.remove(sent)
        #expect(waiting.count == WaitingNotes.limit - 400)
        #expect(waiting.prefix(1) == Self.notes(501...501))
        waiting.remove(sent)
        #expect(waiting.count == WaitingNotes.limit - 400)
    }

    /// An agent without viewers that was admitted.
    private static func agent() -> FleetAgent {
        var agent = FleetAgent(name: "a", place: "a", isSame: nil)
        var effects = agent.ticked(at: .zero)
        while case .call(let call, let number)? = effects.first {
            let answer: StoreAnswer =
                switch call {
                case .start: .started(agent: 1)
                case .beat: .beat(.init(want: 0, holding: 0, isDraining: false))
                default: .done
                }
            effects = agent.answered(answer, number: number, at: .zero)
        }
        return agent
    }

    /// The notes of a call, and its number.
    private static func call(_ effects: [AgentEffect]) -> (rows: [NoteRow], number: Int)? {
        guard case .call(.notes(1, let rows), let number)? = effects.first else { return nil }
        return (rows, number)
    }

    @Test func theyGoInParts() throws {
        var agent = Self.agent()
        agent.note(Self.notes(1...700))
        let first = try #require(Self.call(agent.ticked(at: .milliseconds(200))))
        #expect(first.rows == Self.notes(1...500))
        let second = try #require(Self.call(agent.answered(.done, number: first.number, at: .milliseconds(300))))
        #expect(second.rows == Self.notes(501...700))
        #expect(agent.answered(.done, number: second.number, at: .milliseconds(400)) == [])
    }

    /// Rows that the store rejects each time do not stay.
    @Test func whatFailsIsNotSentAgain() throws {
        var agent = Self.agent()
        agent.note(Self.notes(1...501))
        let first = try #require(Self.call(agent.ticked(at: .milliseconds(200))))
        _ = agent.failed(number: first.number, at: .milliseconds(300))
        var effects = agent.ticked(at: .milliseconds(500))
        guard case .call(.beat, let beat)? = effects.first else {
            Issue.record("a new connection begins with a beat: \(effects)")
            return
        }
        effects = agent.answered(
            .beat(.init(want: 0, holding: 0, isDraining: false)), number: beat, at: .milliseconds(600))
        #expect(Self.call(effects)?.rows == Self.notes(501...501))
    }
}
