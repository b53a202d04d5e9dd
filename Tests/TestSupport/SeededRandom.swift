import Ports

/// Pseudo-random choices for property tests of targets that do not know the ports; print the seed when a case fails.
package struct SeededRandom: RandomNumberGenerator {
    private var generator: SplitMix64

    /// The same seed gives the same choices.
    package init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    package mutating func next() -> UInt64 {
        generator.next()
    }
}
