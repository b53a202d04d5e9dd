package import AdTracking
package import Monitoring
import Ports
package import Session

/// A journal that also writes its records to an event stream: claims once they are durable, the rest once they are
/// accepted.
package actor EventStreamJournal: Journal {
    private let base: any Journal
    private let stream: EventStream
    private let isRedacted: Bool
    private let time = SystemTimeSource()
    private var lines: EventLine?

    package init(_ base: any Journal, stream: EventStream, isRedacted: Bool) {
        self.base = base
        self.stream = stream
        self.isRedacted = isRedacted
    }

    package func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        let lines = EventLine(session: session, isRedacted: isRedacted)
        self.lines = lines
        let opening: JournalOpening
        do throws(JournalProblem) {
            opening = try await base.open(session, holding: holdings)
        } catch {
            stream.write(lines.failed(error, at: time.now().wall))
            throw error
        }
        stream.write(lines.opened(opening, at: time.now().wall))
        return opening
    }

    @discardableResult
    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        let refused = try await reportingFailure { () async throws(JournalProblem) in try await base.writeClaims(claims)
        }
        let gone = Set(refused.map(\.id.number))
        for claim in claims where !gone.contains(claim.number) { write { $0.claim(claim) } }
        return refused
    }

    package nonisolated func lets(_ claim: ClaimID) -> Bool { base.lets(claim) }

    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        for outcome in outcomes { write { $0.outcome(outcome) } }
        try await reportingFailure { () async throws(JournalProblem) in try await base.writeOutcomes(outcomes) }
    }

    package func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem) {
        for note in notes { write { $0.note(note) } }
        try await reportingFailure { () async throws(JournalProblem) in try await base.writeNotes(notes) }
    }

    package func close() async {
        await base.close()
    }

    private func write(_ line: (EventLine) -> String) {
        if let lines { stream.write(line(lines)) }
    }

    /// A failure is an event, too.
    private func reportingFailure<Answer>(
        _ body: () async throws(JournalProblem) -> Answer
    ) async throws(JournalProblem) -> Answer {
        do throws(JournalProblem) {
            return try await body()
        } catch {
            let at = time.now().wall
            write { $0.failed(error, at: at) }
            throw error
        }
    }
}
