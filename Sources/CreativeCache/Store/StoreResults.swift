/// The result of putting a creative into a ``CreativeStore``.
package enum PutOutcome: Hashable, Sendable {
    /// It was stored; these valid creatives were evicted, least recently used first.
    case stored(evicted: [CreativeID])
    /// The lifetime is negative.
    case negativeLife
    /// It exceeds the size limit of one creative.
    case tooLarge(bytes: Int, limit: Int)
    /// A valid creative with that id exists and must not be replaced.
    case exists

    package var isStored: Bool {
        if case .stored = self { true } else { false }
    }
}

/// The result of a lookup in a ``CreativeStore``.
package enum CreativeLookup: Hashable, Sendable {
    case found(CreativeRecord, CachedCreative.Content)
    /// The bytes are only on disk: the caller reads them, reports `loaded` or `lost`, and repeats the lookup.
    case onDisk(CreativeRecord)
    case missing
}

/// A disk operation that the store requests; the order matters.
package enum StoreChange: Hashable, Sendable {
    case write(CreativeID)
    case delete(CreativeID)
}

/// Usage of a store since its start.
package struct StoreCounters: Hashable, Sendable {
    package var stored = 0
    package var hits = 0
    package var misses = 0
    /// Valid creatives evicted to make room.
    package var evicted = 0
    package var expired = 0
    /// Creatives that were too large or had a negative lifetime.
    package var refused = 0

    package init() {}
}
