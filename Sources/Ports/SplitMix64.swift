/// A small seeded generator (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). Jitter and
/// test properties use it, so that the same seed gives the same run.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    package private(set) var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A random factor in `1 - spread ... 1 + spread`, for jitter.
    package mutating func factor(spread: Double) -> Double {
        let unit = Double(next() >> 11) / Double(1 << 53)
        return 1 + spread * (2 * unit - 1)
    }
}
