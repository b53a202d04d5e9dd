/// Sizes and lives of a store (CACHE-1).
package struct StoreLimits: Hashable, Sendable {
    /// Bytes held in memory.
    package var memoryBytes = 16 << 20
    /// Bytes held on disk; nil for a store that lives in memory only.
    package var diskBytes: Int?
    /// Bytes of one creative with its bid.
    package var entryBytes = 2 << 20
    /// Creatives in both tiers together: of a creative of one byte the rest costs memory, and a block of the disk.
    package var entries = 16_384
    /// Of creatives that come without one.
    package var defaultLife: Duration = .seconds(300)
    /// Longer lives are cut to it.
    package var maximumLife: Duration = .seconds(3_600)

    /// Of the disk tier where there is one.
    package static let defaultDiskBytes = 64 << 20
    /// A creative from further in the future was written before the clock was set back.
    package static let clockTolerance: Duration = .seconds(5)

    package init() {}
}
