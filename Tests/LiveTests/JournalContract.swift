import Monitoring
import Ports
import Session
import Testing

/// The contract of every journal (see `Journal`), run for each implementation.
struct JournalContract {
    /// Returns a journal on the same storage with each call, as a new process would.
    let make: @Sendable () -> any Journal

    func check() async throws {
        try await emptyAtFirst()
        try await claimsComeBackWithTheirOutcomes()
        try await theLastClaimCounts()
        try await anOldOutcomeDoesNotEndANewClaim()
        try await sessionsAreApart()
        try await oneSessionIsOpenOnce()
        try await namesSurvive()
        try await closedJournalsRejectWrites()
        try await whatIsHeldIsWrittenWhereItIsNotKnown()
        try await whatIsHeldEndsAClaim()
        try await whatIsHeldOfALaterTryFollows()
        try await openingAgainIsClosingFirst()
        try await notesAreAccepted()
    }

    private func claim(
        _ number: Int, _ url: String, of session: String, round: Int = 0, attempt: Int = 1, ad: String = "=a1"
    ) -> JournalClaim {
        let beacon = JournalBeacon(
            session: session, breakName: "=b1", adName: ad, adStart: UnixTime(milliseconds: 5_000), type: "start",
            start: UnixTime(milliseconds: 5_000), url: url)
        return JournalClaim(
            number: number, beacon: beacon, round: round, attempt: attempt,
            at: UnixTime(milliseconds: 6_000 + Int64(number)))
    }

    private func outcome(_ claim: Int, _ state: String, _ status: Int? = nil) -> JournalOutcome {
        JournalOutcome(claim: claim, state: state, status: status, at: UnixTime(milliseconds: 7_000))
    }

    /// Opens the journal, runs `body` and closes it.
    private func run(
        _ session: String, _ body: (any Journal, JournalOpening) async throws -> Void = { _, _ in }
    ) async throws {
        let journal = make()
        let opening = try await journal.open(SessionKey(session))
        try await body(journal, opening)
        await journal.close()
    }

    private func emptyAtFirst() async throws {
        try await run("empty") { _, opening in #expect(opening == JournalOpening()) }
    }

    private func claimsComeBackWithTheirOutcomes() async throws {
        try await run("outcomes") { journal, _ in
            _ = try await journal.writeClaims([
                claim(1, "http://x/1", of: "outcomes"), claim(2, "http://x/2", of: "outcomes"),
                claim(3, "http://x/3", of: "outcomes"),
            ])
            try await journal.writeOutcomes([outcome(1, "acknowledged", 200), outcome(3, "failed")])
        }
        try await run("outcomes") { _, opening in
            #expect(opening.entries.map(\.beacon.url) == ["http://x/1", "http://x/2", "http://x/3"])
            #expect(opening.entries.map(\.outcome) == ["acknowledged", nil, "failed"])
            #expect(opening.notice == nil)
        }
    }

    private func theLastClaimCounts() async throws {
        try await run("last") { journal, _ in
            _ = try await journal.writeClaims([claim(1, "http://x/1", of: "last"), claim(2, "http://x/2", of: "last")])
            try await journal.writeOutcomes([outcome(1, "failed")])
            _ = try await journal.writeClaims([claim(3, "http://x/1", of: "last", attempt: 2)])
        }
        // Claim numbers start again with each run.
        try await run("last") { journal, opening in
            #expect(opening.entries.map(\.attempt) == [2, 1])
            #expect(opening.entries.map(\.outcome) == [nil, nil])
            _ = try await journal.writeClaims([claim(1, "http://x/2", of: "last", round: 1, attempt: 1)])
            try await journal.writeOutcomes([outcome(1, "acknowledged", 204)])
        }
        try await run("last") { _, opening in
            #expect(opening.entries.map(\.round) == [0, 1])
            #expect(opening.entries.map(\.outcome) == [nil, "acknowledged"])
        }
    }

    /// A viewer mutes again before the first beacon was answered.
    private func anOldOutcomeDoesNotEndANewClaim() async throws {
        try await run("rounds") { journal, _ in
            _ = try await journal.writeClaims([claim(1, "http://x/1", of: "rounds", round: 1)])
            _ = try await journal.writeClaims([claim(2, "http://x/1", of: "rounds", round: 2)])
            try await journal.writeOutcomes([outcome(1, "acknowledged", 200)])
        }
        try await run("rounds") { _, opening in
            #expect(opening.entries.map(\.round) == [2])
            #expect(opening.entries.map(\.outcome) == [nil])
        }
    }

    private func sessionsAreApart() async throws {
        try await run("one") { journal, _ in _ = try await journal.writeClaims([claim(1, "http://x/1", of: "one")]) }
        try await run("two") { _, opening in #expect(opening.entries.isEmpty) }
    }

    private func oneSessionIsOpenOnce() async throws {
        let first = make()
        _ = try await first.open(SessionKey("shared"))
        let second = make()
        do throws(JournalProblem) {
            _ = try await second.open(SessionKey("shared"))
            Issue.record("a session was opened twice")
        } catch {
            #expect(error.kind == .inUse)
        }
        await second.close()
        await first.close()
        try await run("shared")
    }

    private func namesSurvive() async throws {
        let odd = claim(1, "http://x/?q=\u{1F600}'\"", of: "names", ad: "5000000:2")
        try await run("names") { journal, _ in _ = try await journal.writeClaims([odd]) }
        try await run("names") { _, opening in #expect(opening.entries.map(\.beacon) == [odd.beacon]) }
    }

    private func closedJournalsRejectWrites() async throws {
        let journal = make()
        _ = try await journal.open(SessionKey("closed"))
        await journal.close()
        do throws(JournalProblem) {
            _ = try await journal.writeClaims([claim(1, "http://x/1", of: "closed")])
            Issue.record("a closed journal accepted a claim")
        } catch {
            #expect(error.kind == .cannotWrite)
        }
    }

    /// The state after the journal was lost while beacons were in flight.
    private func whatIsHeldIsWrittenWhereItIsNotKnown() async throws {
        func entry(_ url: String, _ outcome: String?) -> JournalEntry {
            JournalEntry(beacon: claim(0, url, of: "held").beacon, round: 0, attempt: 1, outcome: outcome)
        }
        try await run("held") { journal, _ in
            _ = try await journal.writeClaims([claim(1, "http://x/known", of: "held")])
            try await journal.writeOutcomes([outcome(1, "acknowledged", 200)])
        }
        let journal = make()
        let opening = try await journal.open(
            SessionKey("held"),
            holding: [
                JournalHolding(entry: entry("http://x/known", nil)),
                JournalHolding(entry: entry("http://x/sent", nil), claim: 7),
                JournalHolding(entry: entry("http://x/lost", nil)),
                JournalHolding(entry: entry("http://x/done", "acknowledged")),
            ])
        #expect(
            opening.entries.map(\.beacon.url) == ["http://x/known", "http://x/sent", "http://x/lost", "http://x/done"])
        try await journal.writeOutcomes([outcome(7, "failed")])
        await journal.close()
        try await run("held") { _, opening in
            #expect(opening.entries.map(\.outcome) == ["acknowledged", "failed", nil, "acknowledged"])
        }
    }

    /// The state after an outcome could not be written.
    private func whatIsHeldEndsAClaim() async throws {
        let journal = make()
        _ = try await journal.open(SessionKey("ended"))
        let claims = [claim(1, "http://x/1", of: "ended"), claim(2, "http://x/2", of: "ended", attempt: 2)]
        _ = try await journal.writeClaims(claims)
        let held = claims.map {
            JournalHolding(entry: JournalEntry(beacon: $0.beacon, round: 0, attempt: 1, outcome: "acknowledged"))
        }
        let opening = try await journal.open(SessionKey("ended"), holding: held)
        #expect(opening.entries.map(\.outcome) == ["acknowledged", nil])
        await journal.close()
    }

    /// A further try was made while there was no journal.
    private func whatIsHeldOfALaterTryFollows() async throws {
        let journal = make()
        _ = try await journal.open(SessionKey("again"))
        let first = claim(1, "http://x/1", of: "again")
        _ = try await journal.writeClaims([first])
        try await journal.writeOutcomes([outcome(1, "failed")])
        let second = JournalEntry(beacon: first.beacon, round: 0, attempt: 2, outcome: nil)
        let held = [JournalHolding(entry: second, claim: 2)]
        let opening = try await journal.open(SessionKey("again"), holding: held)
        #expect(opening.entries == [second])
        try await journal.writeOutcomes([outcome(2, "acknowledged", 204)])
        await journal.close()
        try await run("again") { _, opening in #expect(opening.entries.map(\.outcome) == ["acknowledged"]) }
    }

    private func openingAgainIsClosingFirst() async throws {
        let journal = make()
        _ = try await journal.open(SessionKey("again"))
        _ = try await journal.writeClaims([claim(1, "http://x/1", of: "again")])
        let opening = try await journal.open(SessionKey("again"))
        #expect(opening.entries.map(\.outcome) == [nil])
        await journal.close()
    }

    private func notesAreAccepted() async throws {
        try await run("notes") { journal, _ in
            try await journal.writeNotes([JournalNote(at: UnixTime(milliseconds: 1), .log(.info, "a line"))])
        }
        try await run("notes") { _, opening in #expect(opening.entries.isEmpty) }
    }
}
