/// The faults of a simulation. They happen in bursts; between bursts everything answers.
package enum Fault: String, Sendable, CaseIterable {
    /// Connections are refused.
    case refused
    /// The connection ends before the answer or in the middle of it.
    case reset
    /// Answers take seconds.
    case slow
    /// Requests are never answered; some of the beacons have arrived.
    case never
    /// 400, 403, 404, 410, 429.
    case clientError = "4xx"
    /// 500, 502, 503, some with Retry-After.
    case serverError = "5xx"
    /// Bytes of bodies are changed.
    case corrupt
    /// Bodies end early.
    case truncated
    /// The same answer arrives twice.
    case duplicated
    /// Later requests are answered first.
    case reordered
    /// The wall clock is set.
    case clock
    /// The process is killed between any two effects, and restarted.
    case kill
    /// The process is stopped for up to a minute, as by SIGSTOP or a closed lid.
    case freeze
    /// No request is answered.
    case quiet
    /// The journal is lost while it is open or being opened, damaged, or in use elsewhere for a while.
    case journal
    /// The best variant is gone: its playlist is answered 404, while the others play.
    case variant
    /// The server ends sessions: their playlist, their metadata or both are refused until the viewer opens another one.
    case session
    /// Breaks and ads have other ids in each document, or from time to time.
    case ids
    /// Starts of breaks change by 1 ms, 300 ms or 12 s.
    case starts
    /// The URLs of each document have other cache busters.
    case busters
    /// URLs have a token that rotates.
    case tokens
    /// Two instances behind a balancer answer metadata requests in turn: other ids, starts 1 ms later.
    case instances
    /// The URLs of a creative are the same whenever it airs.
    case reused
}

extension Fault {
    /// Faults of what metadata says. Unlike the others they last from the first document to the last.
    static let ofMetadata: Set<Fault> = [.ids, .starts, .busters, .tokens, .instances, .reused]
}

/// A selection of faults: the option `--faults`.
package struct FaultProfile: Sendable, Hashable {
    package var faults: Set<Fault>

    package static let none = FaultProfile(faults: [])
    package static let all = FaultProfile(faults: Set(Fault.allCases))

    package init(faults: Set<Fault>) {
        self.faults = faults
    }

    /// Reads `none`, `all`, or names separated by commas; nil for an unknown name.
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

    /// The text that ``init(_:)`` reads.
    package var text: String {
        if self == .none { return "none" }
        if self == .all { return "all" }
        return ordered.map(\.rawValue).joined(separator: ",")
    }

    /// Faults in the order of declaration, so that a seed selects the same ones in every run.
    var ordered: [Fault] { Fault.allCases.filter(faults.contains) }
    /// Faults of requests.
    var ofRequests: [Fault] {
        ordered.filter { ![.clock, .kill, .freeze, .journal].contains($0) && !Fault.ofMetadata.contains($0) }
    }
}

/// The times of faults: a burst in every round, the same for every seed, then calm until everything must have
/// recovered.
enum FaultSchedule {
    static let round: Duration = .seconds(240)
    static let burst: Range<Duration> = .seconds(40)..<(.seconds(100))

    /// Whether faults happen at `time` after the start.
    static func isBurst(at time: Duration) -> Bool {
        burst.contains(time - round * roundNumber(at: time))
    }

    /// Number of the round, from 0.
    static func roundNumber(at time: Duration) -> Int {
        Int(time.components.seconds / round.components.seconds)
    }

    /// Whether the last burst ended so long ago that everything must have recovered.
    static func isWell(at time: Duration) -> Bool {
        time - round * roundNumber(at: time) > burst.upperBound + recovery
    }

    /// Longest permitted time of a recovery.
    private static let recovery: Duration = .seconds(120)

    /// The end of the round, when every session must have recovered.
    static func endOfRound(_ number: Int) -> Duration { round * (number + 1) }
}
