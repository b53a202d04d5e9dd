/// What can go wrong in a simulation. Faults happen in bursts; between them everything answers.
package enum Fault: String, Sendable, CaseIterable {
    /// Connections are refused.
    case refused
    /// The connection ends before the answer or in the middle of it.
    case reset
    /// Answers take seconds.
    case slow
    /// Requests are never answered; of beacons some have arrived.
    case never
    /// 400, 403, 404, 410, 429.
    case clientError = "4xx"
    /// 500, 502, 503, some with Retry-After.
    case serverError = "5xx"
    /// Bytes of bodies are others.
    case corrupt
    /// Bodies end early.
    case truncated
    /// The same answer comes twice.
    case duplicated
    /// Later requests are answered first.
    case reordered
    /// The wall clock is set.
    case clock
    /// The process is killed, anywhere between two effects, and starts again.
    case kill
    /// The process is stopped for up to a minute, as by SIGSTOP or a lid that is closed.
    case freeze
    /// Nothing answers at all.
    case quiet
}

/// A choice of faults: `--faults`.
package struct FaultProfile: Sendable, Hashable {
    package var faults: Set<Fault>

    package static let none = FaultProfile(faults: [])
    package static let all = FaultProfile(faults: Set(Fault.allCases))

    package init(faults: Set<Fault>) {
        self.faults = faults
    }

    /// Reads `none`, `all`, or names with commas between them; nil for another name.
    package init?(_ text: String) {
        switch text {
        case "none": self = .none
        case "all": self = .all
        default:
            var faults: Set<Fault> = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let fault = Fault(rawValue: String(name)) else { return nil }
                faults.insert(fault)
            }
            self.faults = faults
        }
    }

    /// As it is given.
    package var text: String {
        if self == .none { return "none" }
        if self == .all { return "all" }
        return ordered.map(\.rawValue).joined(separator: ",")
    }

    /// In the order of declaration, so that a seed chooses the same in every run.
    var ordered: [Fault] { Fault.allCases.filter(faults.contains) }
    /// Those that happen to requests.
    var ofRequests: [Fault] { ordered.filter { $0 != .clock && $0 != .kill && $0 != .freeze } }
}

/// When faults happen: a burst in every round, the same for every seed, then calm until everything must have recovered.
enum FaultSchedule {
    static let round: Duration = .seconds(240)
    static let burst: Range<Duration> = .seconds(40)..<(.seconds(100))

    /// Whether faults happen at `time` since the start.
    static func isBurst(at time: Duration) -> Bool {
        burst.contains(time - round * roundNumber(at: time))
    }

    /// Number of the round, from 0.
    static func roundNumber(at time: Duration) -> Int {
        Int(time.components.seconds / round.components.seconds)
    }

    /// Whether the last burst is so long over that everything must have recovered.
    static func isWell(at time: Duration) -> Bool {
        time - round * roundNumber(at: time) > burst.upperBound + recovery
    }

    /// The longest that a recovery may take.
    private static let recovery: Duration = .seconds(120)

    /// The end of the round, when no session may still suffer.
    static func endOfRound(_ number: Int) -> Duration { round * (number + 1) }
}
