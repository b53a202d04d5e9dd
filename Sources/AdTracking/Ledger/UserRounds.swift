/// Numbers the viewer's actions and counts their outstanding beacons.
struct UserRounds: Hashable, Sendable {
    private struct Progress: Hashable, Sendable {
        var pending: Int
        var acknowledged = 0
    }

    private(set) var last = 0
    private var open: [Int: Progress] = [:]

    mutating func begin() -> Int {
        last += 1
        return last
    }

    /// Skips the numbers that an earlier process used.
    mutating func skip(to round: Int) {
        last = max(last, round)
    }

    mutating func expect(_ count: Int, in round: Int) {
        open[round] = Progress(pending: count)
    }

    /// Records the final answer of one beacon of a round.
    /// - Returns: for the last beacon, whether any was acknowledged; otherwise nil.
    mutating func ended(_ round: Int, isAcknowledged: Bool) -> Bool? {
        guard var progress = open[round] else { return nil }
        progress.pending -= 1
        progress.acknowledged += isAcknowledged ? 1 : 0
        open[round] = progress.pending > 0 ? progress : nil
        return progress.pending > 0 ? nil : progress.acknowledged > 0
    }
}
