/// The coverage of the metadata, and how its documents differ from each other.
package struct MetadataShape: Sendable, Equatable {
    /// Length of `dataRange` up to the live edge.
    package var windowMs = 120_000
    /// How far `dataRange` reaches beyond the live edge: what a server knows that decides before it stitches.
    package var aheadMs = 0
    /// False is a plain origin: no session initialisation, no session in any URL, no metadata.
    package var isServed = true
    /// What changes between two documents although the ads are the same; nil for nothing.
    package var changes: MetadataChanges?
}

/// Changes between documents that list the same ads: servers behind a balancer, recalculated breaks, cache busters.
package struct MetadataChanges: Sendable, Equatable {
    /// When another version of the documents begins.
    package enum Pace: Sendable, Equatable {
        /// With each document.
        case poll
        /// Two instances answer in turn.
        case instance
        /// After each interval, in ms.
        case every(Int)
    }

    package var pace = Pace.poll
    /// Breaks and ads have other ids in each version.
    package var ids = false
    /// The largest difference of a start from the plan, in ms. Up to a second every break has its own; beyond it all have
    /// the same, as when a whole timeline is calculated again.
    package var startsMs = 0
    /// Name of a query parameter of beacon URLs with another value in each URL of each document; nil for none.
    package var cacheBuster: String?

    package init(pace: Pace = .poll, ids: Bool = false, startsMs: Int = 0, cacheBuster: String? = nil) {
        (self.pace, self.ids, self.startsMs, self.cacheBuster) = (pace, ids, startsMs, cacheBuster)
    }
}
