import Testing

@testable import Ports

@Suite struct SplitMix64Tests {
    /// The first outputs for seed 1234567, as published with the reference implementation.
    @Test func matchesTheReference() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(
            [random.next(), random.next(), random.next()] == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test func jitterStaysInItsSpread() {
        var random = SplitMix64(seed: 1)
        let factors = (0..<10_000).map { _ in random.factor(spread: 0.05) }
        #expect(factors.allSatisfy { (0.95...1.05).contains($0) })
        #expect(abs(factors.reduce(0, +) / 10_000 - 1) < 0.002)
    }
}
