import Ports

/// Where breaks and ads began when they were first listed, for those that moved (L14): a start that creeps by less than
/// the tolerance with each poll is found once it has moved by more.
struct StartMemory: Hashable, Sendable {
    /// Maximum number of nodes remembered; the starts of others are compared with the previous poll.
    private static let limit = 10_000

    private struct Node: Hashable, Sendable {
        var adBreak: BreakID
        var node: MergeChange.Node
    }

    private struct Start: Hashable, Sendable {
        var first: UnixTime
        /// The start that was reported last, `first` before.
        var reported: UnixTime
    }

    private var starts: [Node: Start] = [:]

    /// How far the start moved since it was reported, and since it was first listed; nil within the tolerance.
    mutating func moved(
        _ adBreak: BreakID, _ node: MergeChange.Node, from: UnixTime, to: UnixTime
    ) -> (step: Duration, whole: Duration)? {
        let node = Node(adBreak: adBreak, node: node)
        var start = starts[node] ?? Start(first: from, reported: from)
        defer { if starts[node] != nil || starts.count < Self.limit { starts[node] = start } }
        let step = to - start.reported
        guard step.magnitude > LintContext.tolerance else { return nil }
        start.reported = to
        return (step, to - start.first)
    }

    mutating func forget(_ adBreak: BreakID, _ node: MergeChange.Node) {
        starts[Node(adBreak: adBreak, node: node)] = nil
        guard case .adBreak = node else { return }
        // The ads of a break are forgotten with it.
        starts = starts.filter { $0.key.adBreak != adBreak }
    }
}
