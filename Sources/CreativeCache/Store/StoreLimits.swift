/// Sizes and lifetimes of a store (CACHE-1).
package struct StoreLimits: Hashable, Sendable {
    /// Most bytes in memory.
    package var memoryBytes = 16 << 20
    /// Most bytes on disk; nil for a memory-only store.
    package var diskBytes: Int?
    /// Most bytes of one creative with its bid.
    package var entryBytes = 2 << 20
    /// Most creatives in both tiers together: even a creative of one byte needs memory for its metadata and a disk
    /// block.
    package var entries = 16_384
    /// Lifetime of creatives without one.
    package var defaultLife: Duration = .seconds(300)
    /// Longer lifetimes are clamped to it.
    package var maximumLife: Duration = .seconds(3_600)

    /// Size of the disk tier, if there is one.
    package static let defaultDiskBytes = 64 << 20
    /// A creative dated further in the future was written before the clock was set back.
    package static let clockTolerance: Duration = .seconds(5)

    package init() {}
}
