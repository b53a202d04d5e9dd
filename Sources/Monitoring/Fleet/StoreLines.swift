import Fleet
import Ports
import Session

/// The lines of an agent's log about its store: one when it is away, or answers no claim, for longer than an agent needs to begin again, and one
/// when it is back.
struct StoreLines {
    /// A line of the log.
    struct Line: Equatable {
        var level: LogLevel
        var message: String
    }

    /// How long without a lease is worth a line: an agent that was fenced begins again at once.
    static let limit = Duration.seconds(1)

    /// The store without an answer that gives a lease.
    private struct Absence {
        var since: Duration?
        /// Whether the log has it.
        var isNoted = false
        /// What the store, or the way to it, reported last.
        var problem: StoreProblem?

        /// For a sentence; empty where nothing was reported.
        var why: String { problem.map { " (\($0.sentence))" } ?? "" }
    }

    private var absence = Absence()
    /// The same of claims, while beats are answered.
    private var silence = Absence()

    /// What is worth telling about the store; nil for nothing.
    private var noted: Absence? { [absence, silence].first(where: \.isNoted) }
    /// What was reported last, while there is no lease.
    var absenceProblem: StoreProblem? { absence.problem }

    /// How long nothing could be sent; nil while there is a lease and claims are answered.
    func away(at now: Duration) -> Duration? { noted?.since.map { now - $0 } }

    /// For other agents and people; nil while claims are answered.
    func claimSilence(at now: Duration) -> ClaimSilence? {
        guard silence.isNoted, let since = silence.since else { return nil }
        return ClaimSilence(now - since, words: silence.problem?.sentence)
    }

    /// The agent begins, without a lease.
    mutating func began(at now: Duration) { absence.since = now }

    /// A call failed.
    mutating func failed(_ problem: StoreProblem, ofClaim isClaim: Bool) {
        if isClaim { silence.problem = problem } else { absence.problem = problem }
    }

    /// The agent is as it is now: the lines that this is worth.
    mutating func changed(_ agent: FleetAgent, at now: Duration) -> [Line] {
        [absenceLine(agent, at: now), silenceLine(agent, at: now)].compactMap(\.self)
    }

    private mutating func absenceLine(_ agent: FleetAgent, at now: Duration) -> Line? {
        guard !agent.maySend(at: now) else {
            defer { absence = Absence() }
            guard absence.isNoted, let since = absence.since else { return nil }
            return Line(
                level: .info,
                message: "the store is back after \((now - since).components.seconds) s: sending resumes")
        }
        let since = absence.since ?? now
        absence.since = since
        guard !absence.isNoted, now - since >= Self.limit, !agent.isEnding else { return nil }
        absence.isNoted = true
        return Line(
            level: .error,
            message: "the store is away\(absence.why): what becomes due is observed and not sent until it is back")
    }

    private mutating func silenceLine(_ agent: FleetAgent, at now: Duration) -> Line? {
        guard let span = agent.claimSilence(at: now) else {
            defer { silence = Absence() }
            // Without a lease there is another line.
            guard silence.isNoted, agent.maySend(at: now), !agent.holding.isEmpty else { return nil }
            return Line(level: .info, message: "the store answers claims again: sending resumes")
        }
        silence.since = now - span
        guard !silence.isNoted, span >= Self.limit, !agent.isEnding else { return nil }
        silence.isNoted = true
        return Line(
            level: .error,
            message: "the store answers no claim\(silence.why): what waits for too long is observed and not sent")
    }
}

extension StoreProblem {
    /// The problem of a call whose connection the agent itself has ended, because no answer came for so long.
    func ofDroppedCall(after span: Duration) -> Self {
        guard case .lost(let place) = self else { return self }
        return .noAnswer(place: place, milliseconds: span.inMilliseconds)
    }
}
