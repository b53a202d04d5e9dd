/// What became of a creative that was put into a ``CreativeStore``.
package enum PutOutcome: Hashable, Sendable {
    /// It is there; these valid ones had to leave, least recently used first.
    case stored(evicted: [CreativeID])
    /// The life is below zero.
    case negativeLife
    /// It has more bytes than one creative may have.
    case tooLarge(bytes: Int, limit: Int)
    /// A valid one of that id is there and was not to be replaced.
    case exists

    package var isStored: Bool {
        if case .stored = self { true } else { false }
    }
}

/// What a ``CreativeStore`` has under an id.
package enum CreativeLookup: Hashable, Sendable {
    case found(CreativeRecord, CachedCreative.Content)
    /// The bytes are on disk only: whoever can read them says `loaded` or `lost`, then asks again.
    case onDisk(CreativeRecord)
    case missing
}

/// What the disk tier has to do, in order.
package enum StoreChange: Hashable, Sendable {
    case write(CreativeID)
    case delete(CreativeID)
}

/// How a store was used since it began.
package struct StoreCounters: Hashable, Sendable {
    package var stored = 0
    package var hits = 0
    package var misses = 0
    /// Valid creatives that left for others.
    package var evicted = 0
    package var expired = 0
    /// Creatives that were too large or had a negative life.
    package var refused = 0

    package init() {}
}
