package import Ports

/// All that the answers of one session listed, merged (PRV-9). Nothing is removed because a later answer lacks it.
///
/// A session merges with ``AdTracker`` instead, which knows what was played and sent. This is for what only looks at answers:
/// `metadata parse`, and the conformance vectors.
package struct Listing: Hashable, Sendable {
    /// Most findings of all answers; of one answer ``DecodedMetadata/findingsKept``.
    package static let findingLimit = 2_000

    /// In order of start.
    package private(set) var breaks: [ListedBreak] = []
    /// Findings of the answers and of merging them; ``ListingLint`` has those of the result.
    package private(set) var findings: [Finding] = []

    package init() {}

    /// Merges one more answer.
    package mutating func add(_ answer: ListedAnswer) {
        var merge = ListingMerge(into: breaks)
        // The merge alone holds the breaks: it would have to copy the ads of each that it changes.
        breaks = []
        merge.add(answer.breaks)
        breaks = merge.sorted
        for finding in (answer.findings + merge.findings).prefix(DecodedMetadata.findingsKept) { note(finding) }
        // Each later answer with these ads finds it again.
        if let full = merge.full, !findings.contains(full) { note(full) }
    }

    /// Adds a finding about the session.
    package mutating func note(_ finding: Finding) {
        if findings.count < Self.findingLimit { findings.append(finding) }
    }
}
