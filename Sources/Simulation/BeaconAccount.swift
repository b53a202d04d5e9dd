import AdTracking

/// The collector's side of "at most once": what arrived, and every arrival too many.
///
/// The collector cannot know why a beacon arrives again, and counts it. So a second arrival is a violation whatever became of
/// the first one: answered, lost on the way, or sent by a process that died. Beacons are told apart by their planned URL: a
/// cache buster or a token makes no other one. A creative with fixed URLs has as many beacons as it has airings. A session that replaces
/// one that is over has other URLs, and repeats nothing of it; only what a process before did in the former session cannot be known.
struct BeaconAccount: Sendable {
    /// One process of one viewer's monitor, from start to kill.
    struct Life: Hashable, Sendable {
        var viewer: Int
        var number: Int
    }

    private struct Arrival: Sendable {
        var process: Life
        var claim: ClaimID
        var status: Int
        /// Whether the answer was lost in transit.
        var isLost: Bool
        /// Whether the answer was applied to the state.
        var isKnown = false
    }

    /// Whether one URL is one beacon. When a viewer requests ads itself, two requests may return the same URLs.
    private let isJudging: Bool
    /// Number of arrivals of all beacons.
    private(set) var count = 0
    /// Since they were last taken: one sentence each.
    private(set) var violations: [String] = []
    private var last: [String: Arrival] = [:]
    /// Arrivals in each session where there are several, and by each process.
    private var shares: [Share: Int] = [:]
    private var counts: [String: Int] = [:]
    private var targets: [Key: String] = [:]

    private struct Share: Hashable, Sendable {
        var url: String
        var session: String?
        var process: Life?
    }

    private struct Key: Hashable, Sendable {
        var process: Life
        var claim: ClaimID
    }

    init(isJudging: Bool = true) {
        self.isJudging = isJudging
    }

    /// How often a beacon with that URL arrived.
    func arrivals(of url: String) -> Int { counts[url] ?? 0 }

    /// Number of beacons that arrived, each counted once.
    private(set) var distinct = 0

    /// - Parameters:
    ///   - session: the name of its session, where that may be replaced.
    ///   - airings: how often the beacon may have arrived by now.
    mutating func arrived(
        _ url: String, in session: String? = nil, _ claim: ClaimID, from process: Life, status: Int, isLost: Bool,
        airings: Int = 1
    ) {
        count += 1
        counts[url, default: 0] += 1
        if arrivals(of: url) <= airings { distinct += 1 }
        if often(url, in: session, by: process) > airings, isJudging, let earlier = last[url] {
            judge(url, earlier, process)
        }
        last[url] = Arrival(process: process, claim: claim, status: status, isLost: isLost)
        targets[Key(process: process, claim: claim)] = url
    }

    /// The answer to the last arrival of that URL came too late to be received.
    mutating func answerWasLost(_ url: String) {
        last[url]?.isLost = true
    }

    /// The monitor received the answer to a claim.
    mutating func answered(_ claim: ClaimID, to process: Life) {
        guard let url = targets.removeValue(forKey: Key(process: process, claim: claim)),
            last[url]?.process == process, last[url]?.claim == claim
        else { return }
        last[url]?.isKnown = true
    }

    /// How often a beacon has arrived of one session or from one process, whichever is more often.
    private mutating func often(_ url: String, in session: String?, by process: Life) -> Int {
        guard let session else { return arrivals(of: url) }
        return [Share(url: url, session: session), Share(url: url, process: process)].map { share in
            shares[share, default: 0] += 1
            return shares[share, default: 0]
        }.max() ?? 0
    }

    var hasViolations: Bool { !violations.isEmpty }

    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    private mutating func judge(_ url: String, _ earlier: Arrival, _ process: Life) {
        if earlier.process != process, earlier.process.viewer == process.viewer, !earlier.isKnown {
            violations.append("\(url) was sent again after a restart, although its outcome was unknown")
        } else if earlier.isLost {
            violations.append("\(url) was sent again after its answer was lost")
        } else if !earlier.isKnown {
            violations.append("\(url) was sent twice before it was answered")
        } else {
            violations.append("\(url) was sent again after it was answered with \(earlier.status)")
        }
    }
}
