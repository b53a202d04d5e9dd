import Testing

@testable import Fleet

/// Notes are for people: they wait in the spool, and hold nothing else up.
@Suite struct NoteRowTests {
    private static func notes(_ numbers: ClosedRange<Int>) -> [NoteRow] {
        numbers.map { NoteRow(viewer: 1, at: .seconds($0), kind: "log", level: "warning", words: "\($0)") }
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

    /// While the store takes none they wait on the disk, and a later process of the place delivers them.
    @Test func theyOutliveTheProcess() throws {
        var first = Self.agent()
        first.note(Self.notes(1...2))
        #expect(first.nextSpoolChange() == nil)
        let change = first.nextSpoolChange()
        #expect(change == .append(SpooledRows(notes: Self.notes(1...2))))
        guard case .append(let rows)? = change else { return }
        var second = Self.agent()
        second.restore(rows)
        let call = try #require(Self.call(second.ticked(at: .milliseconds(200))))
        #expect(call.rows == Self.notes(1...2))
        _ = second.answered(.done, number: call.number, at: .milliseconds(300))
        #expect(second.nextSpoolChange() == .clear)
    }

    /// What fails is sent again; rows that the store rejects each time do not stay.
    @Test func whatFailsEachTimeIsDropped() throws {
        var agent = Self.agent()
        agent.note(Self.notes(1...501))
        var effects = agent.ticked(at: .milliseconds(200))
        for second in 1...FleetSpool.noteTries {
            let sent = try #require(Self.call(effects))
            #expect(sent.rows == Self.notes(1...500))
            let failed = Duration.seconds(second)
            _ = agent.failed(number: sent.number, at: failed)
            effects = agent.ticked(at: failed + .milliseconds(600))
            guard case .call(.beat, let beat)? = effects.first else {
                Issue.record("a new connection begins with a beat: \(effects)")
                return
            }
            effects = agent.answered(
                .beat(.init(want: 0, holding: 0, isDraining: false)), number: beat, at: failed + .milliseconds(700))
        }
        #expect(Self.call(effects)?.rows == Self.notes(501...501))
    }
}
