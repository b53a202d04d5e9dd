import AdTracking

/// The collector's side of "at most once": what arrived, what the monitor knows of it, and every arrival too many.
///
/// A beacon may arrive again after an answer that says it was not taken (5xx), and after one that was lost on the way:
/// the monitor is told to try such a one again (TRK-15), and nobody could know better. It may not
/// after an answer that was seen, nor once the process died that had sent it.
struct BeaconAccount: Sendable {
    /// One life of one viewer's monitor: from start to kill.
    struct Life: Hashable, Sendable {
        var viewer: Int
        var number: Int
    }

    private struct Arrival: Sendable {
        var process: Life
        var claim: ClaimID
        var status: Int
        /// The answer got lost on the way.
        var isLost: Bool
        /// The answer was applied to the state.
        var isKnown = false
    }

    /// Whether one address is one beacon. Where a viewer asks for ads itself, one that asks twice may be told the same.
    private let isJudging: Bool
    /// Arrivals of all beacons.
    private(set) var count = 0
    /// Arrivals after one whose answer was lost.
    private(set) var repeatsAfterLostAnswer = 0
    /// Arrivals after an answer of 5xx.
    private(set) var repeatsAfterServerError = 0
    /// Since they were last taken: one sentence each.
    private(set) var violations: [String] = []
    private var last: [String: Arrival] = [:]
    private var targets: [Key: String] = [:]

    private struct Key: Hashable, Sendable {
        var process: Life
        var claim: ClaimID
    }

    init(isJudging: Bool = true) {
        self.isJudging = isJudging
    }

    /// Whether the beacon of that URL ever arrived.
    func hasArrived(_ url: String) -> Bool { last[url] != nil }

    /// Beacons that arrived, each counted once.
    var distinct: Int { last.count }

    mutating func arrived(_ url: String, _ claim: ClaimID, from process: Life, status: Int, isLost: Bool) {
        count += 1
        if isJudging, let earlier = last[url] { judge(url, earlier, process) }
        last[url] = Arrival(process: process, claim: claim, status: status, isLost: isLost)
        targets[Key(process: process, claim: claim)] = url
    }

    /// The answer to the last arrival of that URL came too late to be seen.
    mutating func answerWasLost(_ url: String) {
        last[url]?.isLost = true
    }

    /// The monitor has seen the answer to a claim.
    mutating func answered(_ claim: ClaimID, to process: Life) {
        guard let url = targets.removeValue(forKey: Key(process: process, claim: claim)),
            last[url]?.process == process, last[url]?.claim == claim
        else { return }
        last[url]?.isKnown = true
    }

    var hasViolations: Bool { !violations.isEmpty }

    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    private mutating func judge(_ url: String, _ earlier: Arrival, _ process: Life) {
        if earlier.process != process, earlier.process.viewer == process.viewer, !earlier.isKnown {
            violations.append("\(url) was sent again after a restart, although what became of it was unknown")
        } else if earlier.isLost {
            repeatsAfterLostAnswer += 1
        } else if !earlier.isKnown {
            violations.append("\(url) was sent twice before it was answered")
        } else if (500..<600).contains(earlier.status) {
            repeatsAfterServerError += 1
        } else {
            violations.append("\(url) was sent again after it was answered with \(earlier.status)")
        }
    }
}
