package import Ports

/// All that the answers of one session listed, merged (PRV-9). Nothing is removed because a later answer lacks it.
///
/// A session merges with ``AdTracker`` instead, which knows what was played and sent. This is for what only looks at answers:
/// `metadata parse`, and the conformance vectors.
package struct Listing: Hashable, Sendable {
    /// In order of start.
    package private(set) var breaks: [ListedBreak] = []
    /// Findings of the answers and of merging them; ``ListingLint`` has those of the result.
    package private(set) var findings: [Finding] = []
    /// Whether a break had more ads than are kept, which is found once.
    private var isFull = false

    package init() {}

    /// Merges one more answer.
    package mutating func add(_ answer: ListedAnswer) {
        var merge = ListingMerge(into: breaks, isFull: isFull)
        // The merge alone holds the breaks: it would have to copy the ads of each that it changes.
        breaks = []
        merge.add(answer.breaks)
        (breaks, isFull) = (merge.sorted, merge.isFull)
        findings += answer.findings + merge.findings
    }

    /// Adds a finding about the session.
    package mutating func note(_ finding: Finding) {
        findings.append(finding)
    }
}
