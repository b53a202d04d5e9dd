import AdTracking
import Ports
import Testing

@testable import Monitoring
@testable import Session

@Suite struct JournalQueueTests {
    private static func claim(_ number: Int) -> JournalClaim {
        let beacon = JournalBeacon(
            session: "s", breakName: "=b", adName: "=a", adStart: UnixTime(milliseconds: 1), type: "start",
            start: UnixTime(milliseconds: 1), url: "http://x/\(number)")
        return JournalClaim(number: number, beacon: beacon, round: 0, attempt: 1, at: UnixTime(milliseconds: 2))
    }

    private static func outcome(_ number: Int) -> JournalOutcome {
        JournalOutcome(claim: number, state: "acknowledged", status: 200, at: UnixTime(milliseconds: 3))
    }

    private static func note(_ text: String) -> JournalNote {
        JournalNote(at: UnixTime(milliseconds: 4), .log(.info, text))
    }

    @Test func claimsComeBeforeOutcomesBeforeNotes() {
        var queue = JournalQueue(InMemoryJournal())
        let effects: [Effect] = [
            .writeNotes([Self.note("a")]), .writeOutcomes([Self.outcome(1)]), .writeClaims([Self.claim(2)]),
            .openJournal(SessionKey("s"), holding: []), .writeClaims([Self.claim(3)]),
        ]
        // The first append returns true; its caller then does all the work.
        #expect(effects.map { queue.append($0) } == [true, false, false, false, false])
        let work = (0..<5).map { _ in queue.next() }
        #expect(
            work == [
                .open(SessionKey("s"), []), .claims([Self.claim(2), Self.claim(3)]), .outcomes([Self.outcome(1)]),
                .notes([Self.note("a")], dropped: 0), nil,
            ])
        let asksAgain = queue.append(.writeClaims([Self.claim(4)]))
        #expect(asksAgain)
    }

    /// What belongs to the session that is left is written in it, and none of its claims in the next one.
    @Test func theNextSessionIsOpenedAfterWhatTheLastOneWrote() {
        var queue = JournalQueue(InMemoryJournal())
        _ = queue.append(.openJournal(SessionKey("s"), holding: []))
        _ = queue.next()
        let effects: [Effect] = [
            .writeNotes([Self.note("a")]), .writeOutcomes([Self.outcome(1)]), .writeClaims([Self.claim(2)]),
            .openJournal(SessionKey("t"), holding: []), .writeClaims([Self.claim(3)]),
            .writeOutcomes([Self.outcome(3)]),
        ]
        for effect in effects { _ = queue.append(effect) }
        let work = (0..<6).map { _ in queue.next() }
        #expect(
            work == [
                .outcomes([Self.outcome(1)]), .notes([Self.note("a")], dropped: 0), .open(SessionKey("t"), []),
                .claims([Self.claim(3)]), .outcomes([Self.outcome(3)]), nil,
            ])
    }

    /// A claim that arrives while notes are written waits for one batch of notes, not for all.
    @Test func notesAreWrittenInBatches() {
        var queue = JournalQueue(InMemoryJournal())
        _ = queue.append(.writeNotes((0..<1_200).map { Self.note("\($0)") }))
        guard case .notes(let first, 0)? = queue.next() else {
            Issue.record("no notes")
            return
        }
        #expect(first.count == JournalQueue.notesAtOnce)
        _ = queue.append(.writeClaims([Self.claim(1)]))
        let next = queue.next()
        #expect(next == .claims([Self.claim(1)]))
        guard case .notes(let second, 0)? = queue.next() else {
            Issue.record("no notes")
            return
        }
        #expect(second.first == Self.note("500"))
    }

    @Test func notesBeyondTheLimitAreDroppedAndClaimsNever() {
        var queue = JournalQueue(InMemoryJournal())
        _ = queue.append(.writeNotes((0..<JournalQueue.notesKept + 7).map { Self.note("\($0)") }))
        _ = queue.append(.writeClaims((0..<20_000).map(Self.claim)))
        guard case .claims(let claims)? = queue.next() else {
            Issue.record("no claims")
            return
        }
        #expect(claims.count == 20_000)
        var written = 0
        var told: [Int] = []
        while case .notes(let notes, let dropped)? = queue.next() {
            written += notes.count
            told.append(dropped)
        }
        #expect(written == JournalQueue.notesKept)
        #expect(told.first == 7)
        #expect(told.dropFirst().allSatisfy { $0 == 0 })
    }

    /// Notes that cannot be written are counted; claims report the journal's problem.
    @Test func whatWorkEndsIn() async throws {
        let closed = InMemoryJournal()
        #expect(
            await JournalWork.notes([Self.note("a")], dropped: 2).perform(closed) == [.journalFellBehind(dropped: 3)])
        #expect(await JournalWork.claims([Self.claim(1)]).perform(closed) == [.journalFailed("journal is not open")])
        let journal = InMemoryJournal()
        let opened = await JournalWork.open(SessionKey("s"), []).perform(journal)
        #expect(opened == [.journalOpened(JournalOpening())])
        #expect(await JournalWork.claims([Self.claim(1)]).perform(journal) == [.claimsWritten([ClaimID(1)])])
        #expect(await JournalWork.outcomes([Self.outcome(1)]).perform(journal).isEmpty)
        #expect(
            await JournalWork.notes([Self.note("a")], dropped: 2).perform(journal) == [.journalFellBehind(dropped: 2)])
    }
}
